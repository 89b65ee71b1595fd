import type { Gate } from "../../../core/gate.ts";
import { errorColours, visible, widthOf } from "./terminal.ts";

const ERASE = "\r\x1b[K";

/** While a call runs, shows its latest progress on one line of the terminal, and erases it before other output. */
export function showProgress(gate: Pick<Gate, "on">): void {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === "dumb") return;
  let isShown = false;
  gate.on("event", (event) => {
    if (event.type === "progress" && event.title?.trim()) {
      stderr.write(`${ERASE}${errorColours().dim(lastLine(event.title, widthOf(stderr)))}`);
      isShown = true;
    } else if (isShown && (event.type === "asked" || event.type === "done" || event.type === "failed")) {
      stderr.write(ERASE);
      isShown = false;
    }
  });
}

const lastLine = (text: string, width: number): string =>
  visible(text.trimEnd().split("\n").at(-1) ?? "")
    .replaceAll("\t", " ")
    .slice(0, width - 1);
