import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Result } from "../../src/core/words/result.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { bench } from "./harness.ts";

/** So many bytes of numbered lines: no two parts of it are alike. */
const lines = (bytes: number): string => `seq 1 9999999 | head -c ${bytes}`;

type Told = { what: string; path: string | undefined };

/** Every sentence of an answer that says where the rest is. */
const notices = ({ output }: Result): Told[] =>
  [...output.matchAll(/\[(All \d+ bytes|The first \d+ of \d+ bytes) are in (\S+)\.\]|\[The rest[^\]]*\]/g)].map(
    ([all, what, file]) => ({ what: what ?? all, path: file }),
  );

const outputsOf = (dir: string): string[] => {
  const folder = path.join(dir, ".toolgate/output");
  const found = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
};

describe("the notice under a long output of a command", () => {
  test.each<[what: string, command: string, sizes: number[]]>([
    ["that fits into memory", lines(200_000), [200_000]],
    ["at the limit of memory", lines(1_048_576), [1_048_576]],
    ["beyond it", lines(2_000_000), [2_000_000]],
    ["of one line", "head -c 2000000 /dev/zero | tr '\\0' a", [2_000_000]],
    ["of errors alone", `${lines(2_000_000)} >&2`, [2_000_000]],
    ["of both, one of them short", `${lines(2_000_000)}; echo oops >&2`, [2_000_000]],
    ["of both, one of them whole in memory", `${lines(2_000_000)}; ${lines(300_000)} >&2`, [2_000_000, 300_000]],
    ["of both, both beyond it", `${lines(2_000_000)}; ${lines(1_500_000)} >&2`, [2_000_000, 1_500_000]],
    ["of a command that fails", `${lines(2_000_000)}; exit 3`, [2_000_000]],
  ])("%s is said once for each file, and is true", async (_, command, sizes) => {
    const { dir, call } = await bench({}, { mode: "yolo", sandbox: "off" });
    const result = await call("run_command", { command });
    const told = notices(result);
    expect(told.map(({ what }) => what)).toEqual(sizes.map((size) => `All ${size} bytes`));
    expect(told.map((each) => statSync(path.join(dir, each.path ?? "")).size)).toEqual(sizes);
    expect(outputsOf(dir)).toHaveLength(sizes.length);
    expect(result.truncated).toMatchObject({ path: told[0]?.path });
    expect(result.truncated?.totalBytes).toBeGreaterThanOrEqual(sizes.reduce((sum, size) => sum + size, 0));
    expect(Buffer.byteLength(result.output)).toBeLessThan(66_000);
    expect(result.output.split("\n").length).toBeLessThanOrEqual(204);
  });

  test("what is shown and what is said to be left out are together all of it", async () => {
    const { dir, call } = await bench({}, { mode: "yolo", sandbox: "off" });
    const result = await call("run_command", { command: lines(2_000_000) });
    const [whole = ""] = outputsOf(dir).map((file) => readFileSync(file, "utf8"));
    const [, head = "", left, bytes, tail = ""] =
      /^([\s\S]*?)\[left out here: (\d+) lines, (\d+) bytes\]\n([\s\S]*?)\n\[All/.exec(result.output) ?? [];
    expect(whole.startsWith(head)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    expect(head.length + Number(bytes) + tail.length).toBe(2_000_000);
    expect(head.split("\n").length - 1 + Number(left) + tail.split("\n").length).toBe(whole.split("\n").length);
  });

  test("a command writes to a full store: the oldest goes first, and this one is kept", async () => {
    const { dir, call } = await bench({}, { mode: "yolo", sandbox: "off" });
    const folder = path.join(dir, ".toolgate/output/session_of_old");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "old.txt"), "");
    truncateSync(path.join(folder, "old.txt"), 200_000_000);
    utimesSync(path.join(folder, "old.txt"), 1, Date.now() / 1000 - 3600);
    for (const size of [2_000_000, 1_200_000]) {
      const told = notices(await call("run_command", { command: lines(size) }));
      expect(told.map(({ what }) => what)).toEqual([`All ${size} bytes`]);
    }
    expect(outputsOf(dir).map((file) => statSync(file).size)).toEqual([2_000_000, 1_200_000]);
  });

  test("where another process has just filled the store, it says that the rest could not be kept, and once", async () => {
    const { dir, call } = await bench({}, { mode: "yolo", sandbox: "off" });
    const folder = path.join(dir, ".toolgate/output/session_of_another");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "theirs.txt"), "");
    truncateSync(path.join(folder, "theirs.txt"), 200_000_000);
    for (const size of [2_000_000, 200_000]) {
      const result = await call("run_command", { command: lines(size) });
      expect(notices(result)).toEqual([{ what: "[The rest of the output could not be kept.]", path: undefined }]);
      expect(result.truncated).toMatchObject({ totalBytes: expect.any(Number) });
      expect(result.truncated).not.toHaveProperty("path");
    }
    expect(outputsOf(dir)).toEqual([path.join(folder, "theirs.txt")]);
  });

  test("where there is room for a part, it says for how much", async () => {
    const { dir, call } = await bench({}, { mode: "yolo", sandbox: "off" });
    const folder = path.join(dir, ".toolgate/output/session_of_another");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "theirs.txt"), "");
    truncateSync(path.join(folder, "theirs.txt"), 200_000_000 - 1_500_000);
    const [told, ...more] = notices(await call("run_command", { command: lines(2_000_000) }));
    expect([told?.what, more]).toEqual(["The first 1500000 of 2000000 bytes", []]);
    expect(statSync(path.join(dir, told?.path ?? "")).size).toBe(1_500_000);
  });
});

test("the record tells where the whole of a cut output is, also of a call that only read", async () => {
  const files = { "a.txt": Array.from({ length: 4000 }, (_, at) => `line ${at}\n`).join("") };
  const { dir, gate, call } = await bench(files, { mode: "yolo", sandbox: "off" });
  const found = await call("grep", { pattern: "line", path: "a.txt", max_results: 4000 });
  const short = await call("grep", { pattern: "line 39", path: "a.txt", max_results: 2 });
  expect([existsSync(path.join(dir, found.truncated?.path ?? "")), short.truncated]).toEqual([true, undefined]);
  const store = await sqliteStore(path.join(dir, ".toolgate/store.db"));
  onTestFinished(() => store.close());
  await gate.close();
  const [second, first] = await store.records({ limit: 2 });
  expect(first?.output).toMatchObject({ path: found.truncated?.path, head: "" });
  expect(second).not.toHaveProperty("output");
});
