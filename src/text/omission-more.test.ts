import { describe, expect, test } from "vitest";
import { omission } from "./omission.ts";

const found = (text: string, path = "f.ts", old = "") => omission(text, { old, path });
describe("a line that stands for others", () => {
  test.each<[line: string, found: boolean]>([
    ["//…", true],
    ["// ...", true],
    ["...", false],
    ["//", false],
    ["// .", false],
    ["// ............", true],
    ["// .............", false],
    ["# ...", true],
    ["* ...", false],
    ["// ... rest of it now", false],
    ["// ... rest of the code", true],
    ["// ... the code", false],
    ["// rest ... of the code", false],
    ["// rest of the code ... ", true],
    ["// rest of the code …", true],
    ["// rest of the code ….", true],
    ["// rest of the code .", false],
    ["// rest of the code", false],
    ["// rest of the code unchanged", true],
    ["// unchanged", false],
    ["// the same as before", false],
    ["// rest remains", true],
    ["// omitted for brevity", true],
    ["* rest of the code unchanged", false],
    ["rest of the code unchanged", false],
    ["... rest of the code ...", true],
    ["...rest", false],
    ["{...rest}", false],
    ["(rest of the code) ...", false],
    ["/* ... */", true],
    ["... */", false],
    ["... rest of the code */", false],
    ["#…", false],
    ["/* rest of the code ... */", true],
    ["// [rest of the code ...]", true],
    ["// (... rest of the code)", true],
    ["// <rest of the code ...>", true],
    ["// ... = rest of the code", false],
    ["// ... same + rest", false],
  ])("%s: %s", (line, isFound) => expect(found(line)).toBe(isFound ? line.trim() : undefined));

  test("longer lines than people write are none", () => {
    const line = (dots: number): string => `// rest of the code ${".".repeat(dots)}`;
    expect(found(line(100))).toBe(line(100));
    expect(line(100)).toHaveLength(120);
    expect(found(line(101))).toBeUndefined();
  });

  test("a line across the page is none", () => expect(found("a...b\n// ---")).toBeUndefined());

  test("the first one that the old text does not have is told", () => {
    expect(found("// ...\n# ...", "f.py", "x\n  // ...  \n")).toBe("# ...");
    expect(found("// ...", "f.py", "  // ...")).toBeUndefined();
    expect(found("a\nb")).toBeUndefined();
  });
});

describe("documents", () => {
  const fence = "```";
  test.each<[name: string, text: string, found: string | undefined]>([
    ["a sample in a fence", `${fence}ts\n// ... rest of the code ...\n${fence}\n`, undefined],
    ["behind a fence", `${fence}\na\n${fence}\n<!-- ... -->\n`, "<!-- ... -->"],
    ["before a fence", `<!-- ... -->\n${fence}\na\n${fence}\n`, "<!-- ... -->"],
    ["a fence that is not closed", `${fence}\n<!-- ... -->\n`, undefined],
    ["a fence of tildes", "~~~\n<!-- ... -->\n~~~\n", undefined],
    ["another mark does not close it", `~~~\n${fence}\n<!-- ... -->\n`, undefined],
    ["a longer one closes it", `${fence}\na\n${fence}${fence}\n<!-- ... -->\n`, "<!-- ... -->"],
    ["a shorter one does not", `${fence}\`\n${fence}\n<!-- ... -->\n`, undefined],
    ["one with a word does not", `${fence}\n${fence}ts\n<!-- ... -->\n`, undefined],
    ["a heading", "# ...\n", undefined],
    ["an item", "- ... rest of the text\n", undefined],
    ["words between dots", "... rest of the text ...\n", "... rest of the text ..."],
  ])("%s", (_, text, expected) => {
    expect(found(text, "a.md")).toBe(expected);
    expect(found(text, "b.MARKDOWN")).toBe(expected);
  });
});
