import { harmless } from "../../core/words/visible.ts";

const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** An agent's text as part of one row of a list that others read: it must not pass for another row. */
export const onOneLine = (text: string): string => harmless(text.split(LINE_ENDS).join(" ⏎ "));

/** The same for a text of several lines: those after the first are indented. */
export const setIn = (text: string): string => text.split(LINE_ENDS).map(harmless).join("\n    ");
