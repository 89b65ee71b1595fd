import type { Gate } from "../../../core/gate.ts";
import { errorColours, visible } from "./terminal.ts";

const ERASE = "\r\x1b[K";

/** While a call runs, its latest word on one line of the terminal; the line is gone when something else is to be told. */
export function showProgress(gate: Pick<Gate, "on">): void {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === "dumb") return;
  let isShown = false;
  gate.on("event", (event) => {
    if (event.type === "progress" && event.title?.trim()) {
      stderr.write(`${ERASE}${errorColours().dim(lastLine(event.title, stderr.columns))}`);
      isShown = true;
    } else if (isShown && (event.type === "asked" || event.type === "done" || event.type === "failed")) {
      stderr.write(ERASE);
      isShown = false;
    }
  });
}

/** A terminal that does not know its width says 0. */
const lastLine = (text: string, columns: number): string =>
  visible(text.trimEnd().split("\n").at(-1) ?? "")
    .replaceAll("\t", " ")
    .slice(0, (columns || 80) - 1);
