import { readdirSync, readFileSync, statSync } from "node:fs";
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
