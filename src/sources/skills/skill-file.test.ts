import { describe, expect, test } from "vitest";
import { readSkill } from "./skill-file.ts";

const HEAD = "name: a\ndescription: What it is for.";
const text = (head: string, body = "Do it.") => `---\n${head}\n---\n${body}\n`;
const tool = (more: string) => `${HEAD}\ntools:\n  - name: t\n    description: Does it.\n${more}`;
const found = (written: string, folder = "a") =>
  readSkill(written, folder).defects.map(({ line, message, grave }) => `${line}${grave ? "" : "?"} ${message}`);

describe("a SKILL.md", () => {
  test("is read whole", () => {
    const written = text(
      `${HEAD}\nlicense: MIT\nmetadata: { version: "1" }\nallowed-tools: Read Bash(git:*)\neffort: high\ntools:\n  - name: t\n    description: Does it.\n    cmd: echo {{x}} {{n}}\n    timeout_ms: 5000\n    args:\n      x: { type: string, description: The x. }\n      n: { type: integer, default: 3 }`,
    );
    expect(readSkill(written, "a")).toMatchObject({
      skill: {
        name: "a",
        description: "What it is for.",
        tools: [
          {
            ...{ name: "t", cmd: "echo {{x}} {{n}}", seconds: 5 },
            args: [
              { name: "x", type: "string", required: true, description: "The x." },
              { name: "n", type: "integer", required: false, default: 3 },
            ],
          },
        ],
      },
      defects: [],
    });
    expect(found(`\ufeff${written.replaceAll("\n", "\r\n")}`)).toEqual([]);
  });

  test.each<[written: string, defects: string[]]>([
    ["Do it.", ["1 it must begin with front matter: a line of ---, then name and description"]],
    ["", ["1 it must begin with front matter: a line of ---, then name and description"]],
    ["---\nname: a\n", ["1 its front matter has no end: a second line of --- is missing"]],
    [text("- a"), ["2 its front matter must be a map of names to values"]],
    [text("name: a\n\tdescription: x"), ["3 Tabs are not allowed as indentation"]],
    [text(`${HEAD}\nallowed-tools: *`), ["4? a * alone has to be in quotes"]],
    [text("name: a\nname: b"), ["3 Map keys must be unique"]],
    [text("description: x"), ["1 name is required"]],
    [text("name: a"), ["2 description is required (a text: what the skill does, and when to use it)"]],
    [text("name: a\ndescription: ''"), ["3 description is required (a text: what the skill does, and when to use it)"]],
    [text("name: b\ndescription: x"), ['2 name is b and its folder "a"; they must be the same']],
    ...["A", "a--b", "-a", "a-", "a_b", "a b", "", "é", "x".repeat(65)].map((name): [string, string[]] => [
      text(`name: ${JSON.stringify(name)}\ndescription: x`),
      [`2 name must be 1 to 64 of a-z, 0-9 and single hyphens between them, not ${JSON.stringify(name)}`],
    ]),
    [text(`name: a\ndescription: ${"x".repeat(1025)}`), ["3 description has 1025 characters; at most 1024 are read"]],
    [
      text("name: a\ndescription: Use it when: asked"),
      ['3? description contains ": " or " #" and has to be in quotes'],
    ],
    [text(`${HEAD}\nmetadata: [1]`), ["4 metadata must be a map of names to texts"]],
    [text(`${HEAD}\ncompatibility: ${"x".repeat(501)}`), ["4 compatibility must be a text of at most 500 characters"]],
    [text(`${HEAD}\nallowed-tools: 3`), ["4 allowed-tools must be names of tools, separated by blanks"]],
    [text(`${HEAD}\nallowed_tools: Read`), ["4? allowed_tools means nothing here; did you mean allowed-tools?"]],
    [text(HEAD, ""), ["4? it has no instructions below its front matter"]],
    [text(`${HEAD}\ntools: x`), ["4 tools must be a list"]],
    [text(`${HEAD}\ntools: [x]`), ["4 a tool must have name, description and cmd"]],
    [text(tool("")), ["5 a tool needs a cmd: the command that it runs"]],
    [text(tool("    cmd: echo {{x}}")), ["7 cmd has {{x}}, which is not among args"]],
    ...[
      `python3 -c "print({{x}})"`,
      "python3 -c'print({{x}})'",
      `python3 -Bc "print({{x}})"`,
      `python3 -c "print(\\"{{x}}\\")"`,
      `python3 -c 'print('"'{{x}}'"')'`,
      "node -e 'f({{x}})'",
      "node --eval='f({{x}})'",
      "deno eval 'f({{x}})'",
      `perl -lane"{{x}}" f`,
      `/usr/bin/perl -w -e "{{x}}"`,
    ].map((cmd): [string, string[]] => [
      text(tool(`    cmd: ${JSON.stringify(cmd)}\n    args: [x]`)),
      ["7 cmd: a value inside a program's text (python -c, node -e) may be more than a word; pass it as an argument"],
    ]),
    [text(tool(`    cmd: python3 -c "import sys" {{x}} && grep -e "{{x}}" f\n    args: [x]`)), []],
    [text(tool(`    cmd: python3 -Bc'import sys' "{{x}}" && grep -ie'{{x}}' f\n    args: [x]`)), []],
    [text(tool("    cmd: a[{{x}}]=1\n    args: [x]")), ["7 cmd: a value cannot stand in the subscript of an array"]],
    [
      text(tool("    cmd: echo {{toString}}\n    args: [toString]")),
      [
        "7 cmd has {{toString}}, which is not among args",
        '8 an argument\'s name must be a letter and then letters, digits, _ or -, not "toString"',
      ],
    ],
    [text(tool("    cmd: echo\n    args: { x: string }")), ["8? cmd does not use the argument x"]],
    [text(tool("    cmd: echo `{{x}}`\n    args: [x]")), ["7 cmd: backticks cannot be used in it"]],
    [
      text(tool("    cmd: echo {{x}}\n    args:\n      x: { type: text }")),
      ['9 x: type must be one of string, number, integer, boolean, array, object, not "text"'],
    ],
    [
      text(tool("    cmd: echo {{x}}\n    args:\n      x: { type: number, default: a }")),
      ["9 x: default must be of the type number"],
    ],
    [text(tool("    cmd: echo {{x}}\n    args:\n      x: { required: 1 }")), ["9 x: required must be true or false"]],
    [
      text(tool("    cmd: echo {{x}}\n    args: 3")),
      ["7 cmd has {{x}}, which is not among args", "8 args must be a map of names to what they are"],
    ],
    [text(tool("    cmd: echo\n    timeout: 601")), ["8 timeout must be seconds, at most 600"]],
    [
      text(`${HEAD}\ntools:\n  - { name: mcp__x__y, description: d, cmd: ls }`),
      ["5 mcp__x__y: names that begin with mcp_ are those of servers"],
    ],
    [
      text(`${HEAD}\ntools:\n  - { name: MCP_x_y, description: d, cmd: ls }`),
      ["5 MCP_x_y: names that begin with mcp_ are those of servers"],
    ],
    ...["\\e[2J", "\\0", "\\b", "\\x7f", "a\\rb"].map((hidden): [string, string[]] => [
      text(tool(`    cmd: "ls ${hidden}"`)),
      ["7 cmd contains control characters"],
    ]),
    [
      text(`${HEAD}\ntools:\n  - { name: "a b", description: d, cmd: ls }`),
      ['5 a tool\'s name must be a letter and up to 63 letters, digits, _ or -, not "a b"'],
    ],
    [
      text(`${HEAD}\ntools:\n  - { name: t, description: d, cmd: ls }\n  - { name: t, description: d, cmd: ls }`),
      ["6 there are two tools named t"],
    ],
  ])("%j", (written, defects) => expect(found(written)).toEqual(defects));

  test("a front matter that would take long is not parsed, and few of its problems are told", () => {
    const long = (head: string) => found(text(`${HEAD}\n${head}`));
    expect(long(`${"k: [\n".repeat(600)}z: 1`)).toEqual(["1 its front matter has 603 lines; at most 500 are read"]);
    expect(long(`x: ${"k".repeat(32_000)}`)).toEqual([
      "1 its front matter has 32040 characters; at most 32000 are read",
    ]);
    expect(long(`x: ${"[".repeat(3_000)}`)).toEqual([
      "1 its front matter is not read: it is nested more than 100 levels deep",
    ]);
    expect(long(`x: {${"k,".repeat(1000)}}`)).toEqual(Array(20).fill("4 Map keys must be unique"));
  });

  test("what is wrong with a tool leaves out that tool alone", () => {
    const { skill } = readSkill(
      text(`${HEAD}\ntools:\n  - { name: t }\n  - { name: u, description: d, cmd: ls }`),
      "a",
    );
    expect(skill?.tools.map(({ name }) => name)).toEqual(["u"]);
  });

  test("a bomb of aliases is told, not built", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nmetadata: [*c,*c,*c,*c,*c,*c]`;
    expect(found(text(bomb))[0]).toContain("Excessive alias count");
  });

  test("nothing of it reaches an object's prototype", () => {
    readSkill(
      text(
        `${HEAD}\n__proto__: { polluted: yes }\ntools:\n  - { name: t, description: d, cmd: "echo {{x}}", args: { __proto__: { x: string } } }`,
      ),
      "a",
    );
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
