import { describe, expect, test } from "vitest";
import { readTools, seen } from "./manifest.ts";

const OBJECT = { type: "object" };
const namesOf = (listed: readonly unknown[], only?: readonly string[]) =>
  readTools(listed, only).tools.map(({ name }) => name);

describe("a text of a server", () => {
  test.each<[what: string, text: string, shown: string]>([
    ["as it is", "Adds two numbers.", "Adds two numbers."],
    ["lines and tabs stay", "a\n\tb", "a\n\tb"],
    ["other line endings", "a\r\nb\rc", "a\nb\nc"],
    ["white space around it", " \n a \n ", "a"],
    ["colours", "\u001b[31mred\u001b[0m", "red"],
    ["a title for the terminal", "a\u001b]0;title\u0007b\u001b]0;x\u001b\\c", "abc"],
    ["a short escape", "a\u001bMb", "ab"],
    ["letters of the tag block", "a\u{e0041}\u{e0042}b", "ab"],
    ["variation selectors", "a\ufe00\u{e0100}b", "ab"],
    ["spaces without a width, and directions", "a\u200b\u2060\u202e\u2066b", "ab"],
    ["an empty braille cell", "a\u2800b", "ab"],
    ["separators of lines and paragraphs", "a\u2028b\u2029c", "abc"],
    ["private letters and lone halves", "a\ue000b\ud800c", "abc"],
    [
      "joiners that scripts and pictures need",
      "\u0915\u094d\u200d\u0937 a\u200cb",
      "\u0915\u094d\u200d\u0937 a\u200cb",
    ],
    ["control characters", "a\u0000\u0008\u0085b", "ab"],
  ])("%s", (_, text, shown) => expect(seen(text)).toBe(shown));

  test("is cut, and says so", () => {
    expect(seen("x".repeat(10), 10)).toBe("x".repeat(10));
    expect(seen("x".repeat(11), 10)).toBe(`${"x".repeat(10)}…`);
    expect(seen("x".repeat(5_000))).toBe(`${"x".repeat(4_000)}…`);
    expect(seen(`${"\u200b".repeat(100)}end`, 10), "what is hidden does not make room").toBe("");
  });
});

describe("what a server lists", () => {
  const left = (note: RegExp | string, ...listed: unknown[]) => {
    const { tools, notes } = readTools(listed);
    expect(tools).toEqual([]);
    expect(notes).toHaveLength(listed.length);
    for (const each of notes) expect(each).toMatch(note);
  };

  test("is offered by name, in one order, with the first description that says something", () => {
    const { tools, notes } = readTools([
      { name: "b", title: "Title", inputSchema: OBJECT },
      { name: "a", title: "Title", description: " ", inputSchema: OBJECT },
      { name: "c", title: "Title", description: "Text", inputSchema: { type: "object", properties: {} } },
      { name: "d", title: 7, description: null, inputSchema: {} },
    ]);
    expect(tools).toEqual([
      { name: "a", description: "Title", schema: OBJECT },
      { name: "b", description: "Title", schema: OBJECT },
      { name: "c", description: "Text", schema: { type: "object", properties: {} } },
      { name: "d", description: "", schema: OBJECT },
    ]);
    expect(notes).toEqual([]);
  });

  test("is left out where its name cannot be used", () => {
    const names = ["", 7, null, undefined, "a\nb", "a\tb", "a\u200bb", "a\u001b[1m", "x".repeat(129)];
    left(/its name .*cannot be used/, null, "text", ...names.map((name) => ({ name, inputSchema: OBJECT })));
    expect(namesOf([{ name: "x".repeat(128), inputSchema: OBJECT }])).toEqual(["x".repeat(128)]);
    expect(namesOf([{ name: "❤\ufe0f", inputSchema: OBJECT }]), "a picture's own mark can be seen").toEqual([
      "❤\ufe0f",
    ]);
  });

  test("counts once: a second description of a tool changes nothing", () => {
    const { tools, notes } = readTools([
      { name: "a", description: "first", inputSchema: OBJECT },
      { name: "a", description: "second", inputSchema: OBJECT },
    ]);
    expect(tools).toEqual([{ name: "a", description: "first", schema: OBJECT }]);
    expect(notes).toEqual(["a was listed twice; the first counts"]);
  });

  test("is bounded, and the rest is told", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `t${n}`, inputSchema: OBJECT }));
    expect(readTools(many(1_000)).notes).toEqual([]);
    const { tools, notes } = readTools(many(1_002));
    expect(tools).toHaveLength(1_000);
    expect(notes).toEqual(["2 tools beyond the first 1000 were left out"]);
  });

  test.each<[only: string[], names: string[]]>([
    [["read"], ["read"]],
    [["read*"], ["read", "read_all"]],
    [["READ"], []],
    [
      ["read", "write"],
      ["read", "write"],
    ],
    [[], []],
  ])("only %j of its tools", (only, names) => {
    const listed = ["read", "read_all", "write"].map((name) => ({ name, inputSchema: OBJECT }));
    expect(namesOf(listed, only)).toEqual(names);
  });

  test("has schemas in which nothing is hidden: texts are cleaned, anything else is refused", () => {
    const hidden = "a\u200bb";
    const shown = (schema: object) => readTools([{ name: "t", inputSchema: schema }]).tools[0]?.schema;
    for (const key of ["description", "title", "$comment"]) {
      expect(shown({ [key]: hidden }), key).toEqual({ ...OBJECT, [key]: "ab" });
      expect(shown({ properties: { n: { [key]: hidden } } }), key).toEqual({
        ...OBJECT,
        properties: { n: { [key]: "ab" } },
      });
    }
    expect(shown({ description: "x".repeat(1_200) })).toEqual({ ...OBJECT, description: `${"x".repeat(1_000)}…` });
    for (const schema of [
      { properties: { [hidden]: {} } },
      { properties: { a: { enum: [hidden] } } },
      { properties: { a: { default: { [hidden]: 1 } } } },
      { properties: { a: { const: hidden } } },
      { required: [hidden] },
      // a property may be called so, and its default is no text
      { properties: { description: { default: hidden } } },
      { $defs: { title: hidden } },
    ])
      left(/its schema has characters in it that cannot be seen/, { name: "t", inputSchema: schema });
  });

  test("has no schemas that reach elsewhere, or that are too much", () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
    const wide = (count: number) => ({ enum: Array.from({ length: count }, () => ({})) });
    const fine = [
      { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } },
      { properties: { $ref: { type: "string" } } },
      deep(40),
      wide(9_998),
    ];
    for (const [n, schema] of fine.entries())
      expect(namesOf([{ name: "t", inputSchema: schema }]), `${n}`).toEqual(["t"]);
    for (const key of ["$ref", "$dynamicRef", "$recursiveRef"])
      left(/refers to other\.json, and nothing is fetched/, {
        name: "t",
        inputSchema: { items: { [key]: "other.json" } },
      });
    left(/more than 40 levels/, { name: "t", inputSchema: deep(41) });
    left(/more than 10000 parts/, { name: "t", inputSchema: wide(9_999) });
    left(/longer than 300000 characters/, {
      name: "t",
      inputSchema: { properties: { a: { const: "x".repeat(300_000) } } },
    });
    left(
      /takes no object/,
      { name: "t", inputSchema: { type: "array" } },
      { name: "t", inputSchema: { type: ["object"] } },
    );
    left(/is no object/, ...[undefined, null, [], "x"].map((inputSchema) => ({ name: "t", inputSchema })));
    for (const key of ["_zod", "~standard", "safeParse", "$async"])
      left(`has ${key} in it`, { name: "t", inputSchema: { [key]: {} } });
    left("has __proto__ in it", { name: "t", inputSchema: JSON.parse('{"__proto__": {"type": "object"}}') });
  });
});
