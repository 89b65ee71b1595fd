import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Result } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Bench, bench } from "./harness.ts";

const FILES = { f: "a\nb\n", "d/g": "b\r\nc\r\n", "d/h.txt": "end" };

const disk = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), `${statSync(file).mode & 0o777} ${readFileSync(file, "base64")}`]),
  );

type Step = { name: string; args: Record<string, unknown>; messageID: string };

const file = fc.constantFrom("f", "d/g", "d/h.txt", "n", "e/new.txt");
const text = fc.constantFrom("a\n", "b\n", "a\nb\n", "c", "");
const step = (name: string, args: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Step> =>
  fc.record({
    name: fc.constant(name),
    args: fc.record(args),
    messageID: fc.constantFrom("t1", "t2"),
  });
const diffOf = (name: string, from: string, to: string) =>
  `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const patch = fc.oneof(
  fc.tuple(file, fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "a")).map((given) => diffOf(...given)),
  fc.tuple(file, file).map(([one, other]) => diffOf(one, "a", "p") + diffOf(other, "b", "q")),
  fc
    .tuple(file, file)
    .map(
      ([from, to]) => `*** Begin Patch\n*** Update File: ${from}\n*** Move to: ${to}\n@@\n-a\n+moved\n*** End Patch`,
    ),
  file.map((name) => `*** Begin Patch\n*** Delete File: ${name}\n*** End Patch`),
  file.map((name) => `*** Begin Patch\n*** Add File: ${name}\n+added\n*** End Patch`),
);

const changing = fc.oneof(
  step("write_file", { path: file, content: text }),
  step("write_file", { path: file, content: text, mode: fc.constant("append") }),
  step("edit_file", { path: file, old_str: fc.constantFrom("a", "b", "b\n", "end"), new_str: text }),
  step("edit_file", { path: file, old_str: fc.constant("a"), new_str: text, replace_all: fc.constant(true) }),
  step("apply_patch", { patch }),
  step("delete_file", { path: file }),
  step("undo_file", { path: file }),
  step("undo_file", { path: file, redo: fc.constant(true) }),
  step("undo_turn", {}),
);
const looking = fc.oneof(
  step("read_file", { path: file }),
  step("grep", { pattern: fc.constantFrom("a", "b", "moved", "^$") }),
  step("search_code", { query: fc.constantFrom("c", "added") }),
  step("find_files", { pattern: fc.constantFrom("**/*", "*.txt", "d/**") }),
  step("list_files", { path: fc.constantFrom(".", "d", "e"), recursive: fc.boolean() }),
);
const session = fc.array(fc.oneof({ weight: 3, arbitrary: changing }, { weight: 2, arbitrary: looking }), {
  maxLength: 14,
});

const LOOKING = ["read_file", "grep", "search_code", "find_files", "list_files"];
/** Which of equally new files comes first is not the point here. */
const inAnyOrder = ({ output }: Result): string[] => output.split("\n").sort();

/** Both in the same way, and what only looks sees the same. */
async function sameSteps(direct: Bench, planned: Bench, steps: readonly Step[]): Promise<void> {
  for (const { name, args, messageID } of steps) {
    const [one, other] = [await direct.call(name, args, { messageID }), await planned.call(name, args, { messageID })];
    expect([name, args, other.success, other.error?.code]).toEqual([name, args, one.success, one.error?.code]);
    if (LOOKING.includes(name)) expect(inAnyOrder(other)).toEqual(inAnyOrder(one));
  }
}

const write = (name: string, content: string) => ({ name: "write_file", args: { path: name, content } });
const one = (name: string, target: string) => ({ name, args: { path: target } });
const odd: [string, readonly { name: string; args: Record<string, unknown> }[]][] = [
  [
    "a folder in place of a file, and what is left of it",
    [
      one("delete_file", "f"),
      write("f/x/y", "2\n"),
      ...["f/x/y", "f", "f/q"].map((name) => one("read_file", name)),
      { name: "list_files", args: { path: ".", recursive: true } },
      { name: "grep", args: { pattern: "2" } },
      one("delete_file", "f/x/y"),
      one("list_files", "f"),
      write("f", "3\n"),
    ],
  ],
  [
    "paths through what is gone",
    [
      one("delete_file", "d/g"),
      ...["d/g", "d/g/x"].map((name) => one("read_file", name)),
      write("d/g/../new", "5\n"),
      one("read_file", "d/new"),
      write("./d//g/x", "6\n"),
      one("read_file", "d/g/x"),
      one("list_files", "d"),
    ],
  ],
  [
    "links that go, and files in their place",
    [
      one("delete_file", "folder-link"),
      one("read_file", "folder-link/g"),
      write("folder-link/b", "2\n"),
      one("read_file", "folder-link/b"),
      one("read_file", "d/g"),
      one("delete_file", "link"),
      one("read_file", "link"),
      write("link", "new\n"),
      one("read_file", "link"),
      one("read_file", "f"),
      one("undo_file", "link"),
      one("undo_file", "link"),
      one("read_file", "link"),
      { name: "list_files", args: { path: "." } },
    ],
  ],
  [
    "a link that an earlier call removed",
    [one("undo_file", "removed"), one("read_file", "removed"), one("list_files", ".")],
  ],
  [
    "rules for what is ignored",
    [
      write(".gitignore", "*.txt\n"),
      { name: "grep", args: { pattern: "end" } },
      { name: "find_files", args: { pattern: "**" } },
      write(".gitignore", ""),
      { name: "grep", args: { pattern: "end" } },
    ],
  ],
  [
    "names that mean something elsewhere",
    [
      ...["ü ñ/😀.txt", "a\nb", "-x", "[a].txt"].map((name) => write(name, `${name}\n`)),
      { name: "find_files", args: { pattern: "**" } },
      { name: "grep", args: { pattern: "x|a" } },
    ],
  ],
];

test.each(odd)("%s: as on the disk, and when it is run", async (_, steps) => {
  const config = { workspace: { allow_delete: true } };
  const store = memoryStore();
  const [direct, earlier] = [await bench(FILES, { store: "memory", config }), await bench(FILES, { store, config })];
  for (const { dir, call } of [direct, earlier]) {
    symlinkSync("f", path.join(dir, "link"));
    symlinkSync("d", path.join(dir, "folder-link"));
    symlinkSync("d/g", path.join(dir, "removed"));
    await call("delete_file", { path: "removed" });
  }
  const planned = await bench({}, { store, config, dryRun: true, dir: earlier.dir });
  await sameSteps(
    direct,
    planned,
    steps.map((step, index) => ({ ...step, messageID: `t${index}` })),
  );
  const outcomes = await earlier.gate.plans.run();
  expect(outcomes.filter(({ result }) => !result.success)).toEqual([]);
  expect(disk(earlier.dir)).toEqual(disk(direct.dir));
});

test("a dry run sees at every moment what it would have left, and its run leaves the same files", async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.constantFrom("plan", "dryRun"), async (steps, kind) => {
      const config = { workspace: { allow_delete: true } };
      const store = memoryStore();
      const direct = await bench(FILES, { store: "memory", config });
      const planned = await bench(FILES, { store, config, [kind]: true });
      const start = disk(planned.dir);
      await sameSteps(direct, planned, steps);
      expect(disk(planned.dir)).toEqual(start);
      const { gate } = await bench({}, { store, config, dir: planned.dir });
      const open = await gate.plans.list();
      const outcomes = await gate.plans.run();
      expect(outcomes.map(({ call, result }) => [call.tool, result.status, result.error?.message])).toEqual(
        open.map(({ tool }) => [tool, "done", undefined]),
      );
      expect(disk(planned.dir)).toEqual(disk(direct.dir));
    }),
    { numRuns: 15 },
  );
});
