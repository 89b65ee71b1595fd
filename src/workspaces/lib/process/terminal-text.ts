const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
// no pattern crosses a line break, so that an unfinished sequence hides nothing after its line
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[ -/]*[0-Z\\`-~])/g;
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]{0,500}|[ -/]*)$/;
const OVERWRITTEN = /(?<![^\n])[^\n]*\r(?=[^\r\n])/g;
const OVERSTRUCK = /[^\n\x08]\x08/g;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The text as a terminal would show it: no escape sequences, only the last version of an overwritten line. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replace(/(?<!\r)\r+\n/g, "\n")
    .replace(OVERWRITTEN, "")
    .replace(/(?<!\r)\r+$/, "")
    .replace(OVERSTRUCK, "")
    .replace(CONTROL, "\uFFFD");
}

/** The index at which an unfinished escape sequence begins; the length of the text if there is none. */
export function unfinishedEscape(text: string): number {
  return UNFINISHED.exec(text.slice(-600)) ? text.lastIndexOf("\x1b") : text.length;
}
