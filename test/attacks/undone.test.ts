import { expect, test } from "vitest";
import { bench, folder } from "../journeys/harness.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" };

test.each<[command: string, undo: string, lost: string]>([
  ["rm -rf sub && echo x > sub", "partial", "sub/c.txt"],
  ["rm a.txt && mkdir a.txt", "none", "a.txt"],
  ['python3 -c \'import os; os.remove("a.txt"); os.mkdir("a.txt")\'', "none", "a.txt"],
  ["rm -rf sub; ln -s b.txt sub", "none", "sub/c.txt"],
  ["mv sub other; ln -s other sub", "partial", "sub/c.txt"],
])("what stands in the way of a file that is gone is told: %s", async (command, undo, lost) => {
  const { call, text } = await bench({}, { dir: folder(FILES), sandbox: "off" });
  const { metadata, output } = await call("run_command", { command });
  expect([metadata.undo, output]).toEqual([undo, expect.stringContaining(`[Cannot be undone: ${lost}`)]);
  expect(await call("undo_turn")).toMatchObject({ success: false });
  expect(text("b.txt")).toBe("b\n");
});

test.each(["rm -rf sub", "rm a.txt", "rm -rf sub && mkdir sub", "mv sub other", "rm a.txt; echo x > a.txt"])(
  "what can come back comes back: %s",
  async (command) => {
    const { call, text } = await bench({}, { dir: folder(FILES), sandbox: "off" });
    const more = { messageID: "turn" };
    expect((await call("run_command", { command }, more)).metadata.undo).toBe("full");
    expect((await call("undo_turn", {}, more)).status).toBe("done");
    expect([text("a.txt"), text("sub/c.txt")]).toEqual(["a\n", "c\n"]);
  },
);
