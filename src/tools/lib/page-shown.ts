import type { PageReport, Picture } from "../../core/contracts/pages.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";
import { counted } from "../../text/counted.ts";
import { outsideText } from "../../text/outside.ts";
import { attach } from "./media.ts";

/** The URL of a page, even if a model left out the protocol. An invalid one is left to the judgement. */
export function pageAddress(given: string): string {
  const text = given.trim();
  const whole = /^[\w.-]+:\d+(?:[/?#]|$)/.test(text)
    ? `http://${text}`
    : /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(text)
      ? `https://${text}`
      : text;
  return URL.canParse(whole) ? new URL(whole).href : text;
}

/** The page's address, what happened, and what it shows. Titles and dialogs are the page's own words. */
export function pageShown({ url, title, told }: PageReport, hash: (bytes: Bytes) => string, shown = ""): string {
  const page = url === "" ? [] : [`Page: ${title ? `${JSON.stringify(title)}, ` : ""}${url}`];
  const said = [...page, ...told, shown].filter(Boolean).join("\n");
  return said === "" ? "" : outsideText(url || "the browser", said, hash);
}

/** Some lines of a long text, and how to continue. */
export function someLines(
  text: string,
  offset: number,
  most: number,
  goOn: (offset: number) => object,
): { text: string; rest?: string } {
  const lines = text.split("\n");
  const shown: string[] = [];
  let left = most;
  for (const line of lines.slice(offset - 1)) {
    const cut = line.length > 2_000 ? `${line.slice(0, 2_000)}…` : line;
    left -= cut.length + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(cut);
  }
  const next = offset + shown.length;
  if (next > lines.length) return { text: shown.join("\n") };
  const rest = `[${counted(lines.length - next + 1, "more line")}. Go on with ${JSON.stringify(goOn(next))}.]`;
  return { text: shown.join("\n"), rest };
}

export const pictureNote = ({ width, height, cut }: Picture): string =>
  `The picture is attached (${width} × ${height}${cut ? "; the page continues below" : ""}).`;

export const attachPicture = ({ mime, bytes }: Picture) =>
  attach(`page.${mime === "image/png" ? "png" : "jpg"}`, mime, bytes);
