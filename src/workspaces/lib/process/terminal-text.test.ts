import { describe, expect, test } from "vitest";
import { cleanText, unfinishedEscape } from "./terminal-text.ts";

describe("what a terminal would have shown", () => {
  test.each([
    ["plain text\n\twith tabs ü 漢 🙂", "plain text\n\twith tabs ü 漢 🙂"],
    ["\x1b[1;31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m", "red and blue"],
    ["\x1b]0;title\x07text", "text"],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b(Btext\x1b=\x1b>", "text"],
    ["one\r\ntwo\r\r\n", "one\ntwo\n"],
    ["1%\r50%\r100%\ndone", "100%\ndone"],
    ["1%\r100%\r", "100%"],
    ["1%\r100%\r\nnext", "100%\nnext"],
    ["b\bbo\bol\bld\bd", "bold"],
    ["a\0b\x01c\x7fd\x85e", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe"],
    ["\x1b]0;never ended\nstill here", "\nstill here"],
    ["\x1bPnever ended\nstill here", "\nstill here"],
    ["\x1b[", "\uFFFD["],
  ])("%j", (given, shown) => expect(cleanText(given)).toBe(shown));

  test.each([
    ["text", 4],
    ["text\x1b", 4],
    ["text\x1b[1;3", 4],
    ["text\x1b[1;3mx", 11],
    ["text\x1b]0;ti", 4],
    ["text\x1b]0;ti\x07", 11],
  ])("an escape sequence that is not finished: %j", (text, at) => expect(unfinishedEscape(text)).toBe(at));
});
