import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, sleep } from "../../test/journeys/harness.ts";

describe("the answer is given again only while the file is the same", () => {
  const settled = async (content: string) => {
    const it = await bench({ f: content }, { store: "memory" });
    await sleep(80);
    const read = async () => (await it.call("read_file", { path: "f" })).output;
    expect(await read()).toBe(`1\t${content}`);
    return { ...it, file: path.join(it.dir, "f"), read };
  };

  test("an unchanged file is answered from memory, and only for the same request", async () => {
    const { call, read } = await settled("old");
    expect((await call("read_file", { path: "f" })).metadata.cached).toBe(true);
    expect((await call("read_file", { path: "./f" })).metadata.cached).toBeUndefined();
    expect((await call("read_file", { path: "f", limit: 1 })).metadata.cached).toBeUndefined();
    expect(await read()).toBe("1\told");
  });

  test("another writer, same size", async () => {
    const { file, read } = await settled("old");
    writeFileSync(file, "new");
    expect(await read()).toBe("1\tnew");
  });

  test("another writer, same size, who puts the time of the change back", async () => {
    const { file, read } = await settled("old");
    const then = new Date(Date.now() - 60_000);
    utimesSync(file, then, then);
    expect(await read()).toBe("1\told");
    writeFileSync(file, "new");
    utimesSync(file, then, then);
    expect(await read()).toBe("1\tnew");
  });

  test("many writes of one size right after each other are all seen", async () => {
    const { file, read } = await settled("aaa");
    for (let n = 100; n < 300; n++) {
      writeFileSync(file, String(n));
      expect(await read()).toBe(`1\t${n}`);
    }
  });

  test("another file moved into its place", async () => {
    const { file, read } = await settled("old");
    writeFileSync(`${file}2`, "new");
    renameSync(`${file}2`, file);
    expect(await read()).toBe("1\tnew");
  });

  test("removed, and made again", async () => {
    const { file, read, call } = await settled("old");
    rmSync(file);
    expect((await call("read_file", { path: "f" })).error?.code).toBe("NOT_FOUND");
    writeFileSync(file, "new");
    expect(await read()).toBe("1\tnew");
  });

  test("changed by a tool", async () => {
    const { call, read } = await settled("old");
    await call("write_file", { path: "f", content: "new" });
    expect(await read()).toBe("1\tnew");
    await call("undo_file", { path: "f" });
    expect(await read()).toBe("1\told");
  });

  test("planned by one child is not what another child planned in the same moment", async () => {
    const { gate } = await bench({}, { store: "memory" });
    const children = [gate.child({ plan: true }), gate.child({ plan: true })];
    const planning = children.map((child, n) =>
      child.call({ name: "write_file", args: { path: "f", content: `${n}` } }),
    );
    await Promise.all(planning);
    await sleep(80);
    for (const [n, child] of children.entries())
      expect((await child.call({ name: "read_file", args: { path: "f" } })).output).toBe(`1\t${n}`);
  });
});
