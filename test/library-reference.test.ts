import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (file: string): string => readFileSync(file, "utf8");
const library = textOf("docs/library.md");

/** The first cells of the table below a heading. */
function cellsBelow(document: string, heading: string): string {
  const section = document.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ")[0])
    .join("\n");
}

test("every option of open() is in the reference, and nothing else", () => {
  const type = /export type OpenOptions = \{\n([\s\S]*?)\n\};/.exec(textOf("src/open.ts"))?.[1] ?? "";
  const options = [...type.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  const listed = [...cellsBelow(library, "Options of `open()`").matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(options.length).toBeGreaterThan(10);
  expect(listed).toEqual(options);
});

test("every public member of a gate is in the reference", () => {
  const body = /^export class Gate [\s\S]*?^\}$/m.exec(textOf("src/core/gate.ts"))?.[0] ?? "";
  const members = [...body.matchAll(/^ {2}(?:get |readonly )?([a-z]\w*)(?: = \{|\(|: \w+;)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => name !== "constructor");
  expect(members).toEqual(expect.arrayContaining(["call", "approvals", "grants", "notes"]));
  const cells = cellsBelow(library, "What a gate offers");
  for (const name of members) expect(cells, name).toMatch(new RegExp(`\`${name}\\b`));
});

test("every type of event is in the table, and nothing else", () => {
  const types = [...textOf("src/core/words/event.ts").matchAll(/\{ type: ("[^;}]+)/g)].flatMap(([, names = ""]) =>
    [...names.matchAll(/"([\w-]+)"/g)].map(([, name]) => name),
  );
  const cells = cellsBelow(textOf("docs/calls.md"), "Events");
  expect([...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(types.sort());
});

test("every command of the command line is in its table", () => {
  const commands = readdirSync("src/doors/cli/commands").map((name) => name.replace(/\.ts$/, ""));
  const cells = textOf("docs/cli.md");
  for (const name of commands.filter((each) => each !== "home")) expect(cells).toContain(`\`toolgate ${name}`);
});

test("the README links every document", () => {
  const readme = textOf("README.md");
  for (const name of readdirSync("docs").filter((each) => each.endsWith(".md")))
    expect(readme).toContain(`](docs/${name})`);
});
