import { describe, expect, test } from "vitest";
import { omission } from "./omission.ts";

const found = (line: string, path = "f.ts", old = "") => omission(`a\n  ${line}\nb\n`, { old, path });

describe("a line that stands for others is found", () => {
  test.each([
    "// ... rest of the code ...",
    "// ...existing code...",
    "// ...",
    "//...",
    "// …",
    "// ... existing code ...",
    "// rest of method ...",
    "// unchanged code ...",
    "// ... other imports",
    "// ... (rest of the file remains the same)",
    "// Rest of the code remains unchanged",
    "// [rest of the function unchanged]",
    "/// ... remaining methods ...",
    "# ... existing code ...",
    "# ...",
    "#... rest of file",
    "# ... same as before ...",
    "<!-- ... -->",
    "<!-- ... rest of the document ... -->",
    "<!-- existing content ... -->",
    "/* ... */",
    "/* … */",
    "/* ... existing styles ... */",
    "/** ... */",
    "{/* ... */}",
    "{/* ... existing code ... */}",
    "{ /* rest of the component ... */ }",
    "-- ... rest of the script",
    "; ... existing code ...",
    "% ... remaining sections ...",
    "(* ... *)",
    "{- ... rest of the module ... -}",
    "{# ... #}",
    "{{!-- ... existing markup ... --}}",
    "<%-- ... --%>",
    "* ... rest of the code ...",
    "(rest of methods ...)",
    "(rest of code ...)",
    "[... rest of the file unchanged ...]",
    "<... existing code ...>",
    "... rest of the code ...",
    "...existing code...",
    "// code omitted for brevity",
    "# The rest of the file is unchanged.",
  ])("%s", (line) => {
    expect(found(line)).toBe(line);
    expect(omission(line, { old: "", path: "f.py" })).toBe(line);
    expect(omission(`a\r\n${line}\r\nb`, { old: "", path: "f.css" })).toBe(line);
    expect(found(line, "f.ts", `x\n\t${line}\ny`)).toBeUndefined();
  });
});

describe("what is meant as it stands is not", () => {
  test.each(
    [
      "...",
      "…",
      "...rest,",
      "...existing,",
      "...others",
      "...args",
      "{ ...other }",
      "[...rest]",
      "(...rest) => rest",
      "return [...existing, ...rest];",
      "def f(): ...",
      "pass  # ...",
      "const a = 1; // ...",
      "a(); /* ... */",
      "// TODO ...",
      "// and so on ...",
      "// wait ... for the rest of the workers",
      "// The rest of the parser relies on this.",
      "* All the rest stays unchanged.",
      "/* ............................ */",
      "<!-- ....................... -->",
      "// same as before",
      "// existing code",
      "# Remaining methods",
      "# keep the existing order",
      "// Other types",
      "// ===",
      "// ---",
      "// .",
      "// ..",
      '"..."',
      "'...': 1",
      "print('...')",
      "echo ...",
      "* ...",
      "- ...",
      "1. ...",
      ">>> f(",
      "... x = 1",
      "#!/bin/sh",
      "---",
      "// rest: string[]",
      "<...>",
      "<Props {...rest} />",
      "{...other}",
      "--...",
    ].filter((line) => line !== "--..." && line !== "#...#"),
  )("%s", (line) => {
    expect(found(line)).toBeUndefined();
  });

  test.each([
    ["a sample in a document", "README.md", "# A\n\n```ts\nf();\n// ...\n```\n"],
    ["a longer fence", "a.md", "````\n```\n// ...\n```\n# ...\n````\n"],
    ["a heading of a document", "a.md", "# ...\n"],
    ["a line of prose", "a.txt", "...\n"],
    ["an item of a list", "a.md", "* ...\n- ...\n-- ...\n"],
  ])("%s", (_, path, text) => {
    expect(omission(text, { old: "", path })).toBeUndefined();
  });

  test.each([
    ["after a sample", "README.md", "```ts\n// ...\n```\n\n<!-- ... rest of the file ... -->\n"],
    ["as a comment of another language", "README.md", "# A\n\n// ... rest of the code ...\n"],
    ["without a comment", "README.md", "# A\n\n[... rest of the document unchanged ...]\n"],
  ])("but in a document it is, %s", (_, path, text) => {
    expect(omission(text, { old: "", path })).toBeDefined();
  });
});

test("long texts take no time", () => {
  const text = `${"// existing ".repeat(200_000)}\n${"x ... unchanged\n".repeat(100_000)}`;
  expect(omission(text, { old: text, path: "f" })).toBeUndefined();
});
