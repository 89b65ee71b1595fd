import type { CallOptions } from "../../src/core/words/gate-view.ts";
import { type Gate, type Result, Tool, write, z } from "../../src/index.ts";

export type Scenario = {
  name: string;
  /** On the disk before the gate is opened. */
  files: Record<string, string>;
  /** Calls that go well before anything goes wrong. */
  earlier?(gate: Gate): Promise<unknown>;
  run(gate: Gate, options: CallOptions): Promise<Result[]>;
  /** How the changed files are once all of it happened; null is absence. */
  after: Record<string, string | null>;
  /** What may be seen of a file if only a part happened. */
  between?: Record<string, string[]>;
  /** It takes back what `earlier` did, so that nothing is left to undo when it happened. */
  takesBack?: true;
};

const one = async (result: Promise<Result>): Promise<Result[]> => [await result];

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** What somebody else writes over a file meanwhile. */
export const OUTSIDER = "somebody else's\n";

/** Reads one file, then writes two, by itself and while it runs. */
export const ownWriter = Tool.define("own_writer", {
  description: "A tool of the tests which writes two files while it runs.",
  permissions: { required: ["write"] },
  input: z.object({}),
  touches: () => [write("sub/a.txt"), write("sub/b.txt")],
  async execute(_, { files }) {
    const { bytes } = await files.read("sub/a.txt");
    await files.write("sub/a.txt", text(`${new TextDecoder().decode(bytes)}written\n`));
    await files.write("sub/b.txt", text("written\n"));
    return "both were written";
  },
});

const A = "one\ntwo\nthree\n";
/** Large enough that what it was is kept as a file of its own, the second time at least. */
const LARGE = `${A}${"a line like any other\n".repeat(10_000)}`;

export const scenarios: readonly Scenario[] = [
  {
    name: "write_file, a new file in a new folder",
    files: { "sub/beside.txt": "beside\n" },
    run: (gate, options) =>
      one(gate.call({ name: "write_file", args: { path: "sub/deep/new.txt", content: "new\n" } }, options)),
    after: { "sub/deep/new.txt": "new\n" },
  },
  {
    name: "write_file over a file",
    files: { "sub/a.txt": A },
    run: (gate, options) =>
      one(gate.call({ name: "write_file", args: { path: "sub/a.txt", content: "new\n" } }, options)),
    after: { "sub/a.txt": "new\n" },
  },
  {
    name: "edit_file",
    files: { "sub/a.txt": A },
    run: (gate, options) =>
      one(gate.call({ name: "edit_file", args: { path: "sub/a.txt", old_str: "two", new_str: "2" } }, options)),
    after: { "sub/a.txt": "one\n2\nthree\n" },
  },
  {
    name: "edit_file of a large file, twice",
    files: { "sub/a.txt": LARGE },
    async run(gate, options) {
      const edit = (old_str: string, new_str: string) =>
        gate.call({ name: "edit_file", args: { path: "sub/a.txt", old_str, new_str } }, options);
      return [await edit("one", "1"), await edit("two", "2")];
    },
    after: { "sub/a.txt": LARGE.replace("one", "1").replace("two", "2") },
    between: { "sub/a.txt": [LARGE.replace("one", "1"), LARGE.replace("two", "2")] },
  },
  {
    name: "undo_file",
    files: { "sub/a.txt": A },
    earlier: (gate) => gate.call({ name: "write_file", args: { path: "sub/a.txt", content: "new\n" } }),
    run: (gate, options) => one(gate.call({ name: "undo_file", args: { path: "sub/a.txt" } }, options)),
    after: { "sub/a.txt": A },
    takesBack: true,
  },
  {
    name: "undo_turn of two files",
    files: { "sub/a.txt": A },
    async earlier(gate) {
      await gate.call({
        name: "write_file",
        args: { path: "sub/a.txt", content: "new\n" },
        messageID: "turn",
        sessionID: "before",
      });
      await gate.call({
        name: "write_file",
        args: { path: "sub/b.txt", content: "new\n" },
        messageID: "turn",
        sessionID: "before",
      });
    },
    run: (gate, options) => one(gate.call({ name: "undo_turn", messageID: "turn", sessionID: "before" }, options)),
    after: { "sub/a.txt": A, "sub/b.txt": null },
    takesBack: true,
  },
  {
    name: "a tool that writes while it runs",
    files: { "sub/a.txt": A },
    run: (gate, options) => one(gate.call({ name: "own_writer" }, options)),
    after: { "sub/a.txt": `${A}written\n`, "sub/b.txt": "written\n" },
    between: { "sub/a.txt": [`${OUTSIDER}written\n`] },
  },
  {
    name: "callAll of several",
    files: { "sub/a.txt": A, "sub/c.txt": "c\n" },
    run: (gate, options) =>
      gate.callAll(
        [
          { name: "edit_file", args: { path: "sub/a.txt", old_str: "one", new_str: "1" } },
          { name: "write_file", args: { path: "sub/b.txt", content: "new\n" } },
          { name: "read_file", args: { path: "sub/c.txt" } },
          { name: "edit_file", args: { path: "sub/a.txt", old_str: "two", new_str: "2" } },
        ],
        options,
      ),
    after: { "sub/a.txt": "1\n2\nthree\n", "sub/b.txt": "new\n" },
    between: { "sub/a.txt": ["1\ntwo\nthree\n", "one\n2\nthree\n"] },
  },
];

export const scenarioOf = (name: string): Scenario => {
  const found = scenarios.find((each) => each.name === name);
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
};

/** Those that are also run where a person is asked. */
export const asked = ["write_file over a file", "a tool that writes while it runs", "callAll of several"].map(
  scenarioOf,
);
