import { describe, expect, test } from "vitest";
import { spokenCalls } from "./spoken-calls.ts";

const CALL = '{"tool": "read_file", "args": {"path": "a.txt"}}';
const calls = (text: string) => spokenCalls(text, (name) => name === "read_file", 1);
const fenced = (body: string, info = "json", fence = "```") => `${fence}${info}\n${body}\n${fence}`;

describe("a call", () => {
  test.each([
    ["the whole answer", CALL],
    ["the whole answer, with blanks around it", `\n  ${CALL}\n`],
    ["in a fence", `I read it.\n\n${fenced(CALL)}`],
    ["in a fence without a language", fenced(CALL, "")],
    ["in a fence of calls", fenced(CALL, "tool_call")],
    ["in a fence with other line ends", `I read it.\r\n\r\n${fenced(CALL).replaceAll("\n", "\r\n")}\r\n`],
    ["after words that begin like JSON", `[note] I read first.\n${fenced(CALL)}`],
    ["after a thought", `<think>Let me look.</think>\n${fenced(CALL)}`],
    ["after a thought whose beginning is not marked", `Let me look.</think>\n${fenced(CALL)}`],
    ["after a block of another language", `${fenced("ls", "bash")}\n${fenced(CALL)}`],
    ["with the marks of a thought in its arguments", CALL.replace("a.txt", "</think>")],
  ])("%s", (_, text) => expect(calls(text)).toMatchObject([{ name: "read_file" }]));

  test("several, in a list or in blocks, have ids of their own", () => {
    expect(calls(`[${CALL}, ${CALL}]`).map(({ id }) => id)).toEqual(["spoken1_1", "spoken1_2"]);
    expect(calls(`${fenced(CALL)}\nand\n${fenced(CALL)}`)).toHaveLength(2);
  });
});

describe("no call", () => {
  test.each([
    ["among other words", `Write ${CALL} to read it.`],
    ["shown in a longer fence", fenced(fenced(CALL), "markdown", "````")],
    ["shown in a longer fence without a language", fenced(fenced(CALL), "", "`````")],
    ["shown in a fence of Markdown", `${fenced(fenced(CALL), "markdown")}`],
    ["shown in a fence of tildes", fenced(fenced(CALL), "", "~~~")],
    ["in a thought", `<think>\n${fenced(CALL)}\n</think>\nI won't.`],
    ["in a thought whose beginning is not marked", `${fenced(CALL)}\n</think>\nI won't.`],
    ["in a thought that does not end", `<think>\n${fenced(CALL)}`],
    ["in a fence that does not end", `\`\`\`json\n${CALL}`],
    ["in a fence of another language", fenced(CALL, "js")],
    ["of a tool that is not there", fenced(CALL.replace("read_file", "format_disk"))],
  ])("%s", (_, text) => expect(calls(text)).toEqual([]));
});
