import { createHash } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newChange } from "../../../test/contracts/store-samples.ts";
import type { NewChange } from "../../core/contracts/store/changes.ts";
import type { Store } from "../../core/contracts/store/store.ts";
import { sqliteStore } from "../sqlite.ts";

const LARGE = Buffer.from("a line like any other\n".repeat(50_000));
const DAY = 86_400_000;
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(tmpdir(), "toolgate-kept-"));
  fs.mkdirSync(at("state"));
  store = await sqliteStore(at("state/store.db"));
  // as if everything here had been written long ago
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + DAY);
});
afterEach(async () => {
  await store.close();
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const at = (name: string): string => path.join(folder, name);
const keptAs = (hash: string): string => at(`state/contents/${hash}`);
const keptNames = (): string[] => (fs.existsSync(at("state/contents")) ? fs.readdirSync(at("state/contents")) : []);

const changeOf = (name: string, content: Uint8Array = LARGE, more: Partial<NewChange> = {}): NewChange =>
  newChange(at(name), { before: sha256(content), after: "other", content, replaced: true, ...more });

/** As a workspace does it: the intent first, then another file takes the place. */
async function replace(name: string, next: Uint8Array, more: Partial<NewChange> = {}): Promise<string> {
  const change = changeOf(name, fs.readFileSync(at(name)), { after: sha256(next), ...more });
  const ids = await store.intend([change]);
  fs.writeFileSync(at("next"), next);
  fs.renameSync(at("next"), at(name));
  await store.conclude(ids, "done");
  return change.before as string;
}

describe("a large file that is replaced", () => {
  test("is kept by a second name, and not copied", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const { ino } = fs.statSync(at("a"));
    const logged = (): number => fs.statSync(at("state/store.db-wal")).size;
    const before = logged();
    const hash = await replace("a", Buffer.from("next"));
    expect(fs.statSync(keptAs(hash)).ino).toBe(ino);
    expect(logged() - before).toBeLessThan(LARGE.length / 2);
    expect(Buffer.from((await store.content(hash)) ?? []).equals(LARGE)).toBe(true);
  });

  test("by another process, it comes back from there too", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const hash = await replace("a", Buffer.from("next"));
    const other = await sqliteStore(at("state/store.db"));
    expect(Buffer.from((await other.content(hash)) ?? []).equals(LARGE)).toBe(true);
    await other.close();
  });

  test("right after it was written is copied, for it may not be on the disk; what we wrote ourselves is", async () => {
    vi.restoreAllMocks();
    fs.writeFileSync(at("a"), LARGE);
    await replace("a", Buffer.concat([LARGE, LARGE]));
    expect(keptNames()).toEqual([]);
    const hash = await replace("a", LARGE);
    expect(keptNames()).toEqual([hash]);
  });

  const madeOdd = (make: () => void, name = "a"): NewChange => {
    make();
    return changeOf(name);
  };
  test.each<[string, () => NewChange]>([
    ["a small one", () => changeOf("a", Buffer.from("small"))],
    ["one that is written into, as by a command", () => changeOf("a", LARGE, { replaced: false })],
    ["one with another name already", () => madeOdd(() => fs.linkSync(at("a"), at("b")))],
    [
      "one that is not what was said",
      () =>
        changeOf(
          "a",
          LARGE.map((byte) => byte ^ 1),
        ),
    ],
    ["one that is a link", () => madeOdd(() => fs.symlinkSync(at("a"), at("b")), "b")],
    ["one that runs as its owner", () => madeOdd(() => fs.chmodSync(at("a"), 0o4755))],
    ["one that is gone", () => madeOdd(() => fs.rmSync(at("a")))],
    ["one whose hash is none", () => changeOf("a", LARGE, { before: "../../hash" })],
    ["any, where the folder is a link", () => madeOdd(() => fs.symlinkSync(tmpdir(), at("state/contents")))],
  ])("%s is copied", async (_, prepare) => {
    fs.writeFileSync(at("a"), LARGE);
    const change = prepare();
    await store.intend([change]);
    const hash = change.before as string;
    expect(fs.existsSync(keptAs(hash))).toBe(false);
    expect(Buffer.from((await store.content(hash)) ?? []).equals(change.content as Buffer)).toBe(true);
  });
});

describe("a kept file", () => {
  test("that somebody wrote into, having had it open, is not given back as what it was", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const fd = fs.openSync(at("a"), "r+");
    const hash = await replace("a", Buffer.from("next"));
    fs.writeSync(fd, "other", 0);
    fs.closeSync(fd);
    expect(await store.content(hash)).toBeUndefined();
    fs.writeFileSync(at("b"), LARGE);
    await replace("b", Buffer.from("next"));
    expect(Buffer.from((await store.content(hash)) ?? []).equals(LARGE), "the same content comes again").toBe(true);
  });

  test("of a change that did not happen is still there when it happens after all", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const change = changeOf("a");
    await store.conclude(await store.intend([change]), "void");
    expect(await replace("a", Buffer.from("next"))).toBe(change.before);
    expect(fs.statSync(keptAs(change.before as string)).nlink).toBe(1);
  });

  test("that is still somebody's file too is not what another change relies on", async () => {
    fs.writeFileSync(at("a"), LARGE);
    fs.writeFileSync(at("b"), LARGE);
    await store.conclude(await store.intend([changeOf("a")]), "void");
    const hash = await replace("b", Buffer.from("next"));
    fs.writeFileSync(at("a"), "written into, as people do");
    expect(Buffer.from((await store.content(hash)) ?? []).equals(LARGE)).toBe(true);
  });

  test("goes only after the database has what was in it, for a process may be killed in between", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const hash = await replace("a", Buffer.from("next"));
    const remove = fs.rmSync;
    vi.spyOn(fs, "rmSync").mockImplementation((...given) => {
      remove(...given);
      throw new Error("killed");
    });
    await store.tidy({ maxAgeMs: DAY, maxBytes: 1e9, now: 1000 + 601_000 }).catch(() => {});
    expect(keptNames()).toEqual([]);
    expect(Buffer.from((await store.content(hash)) ?? []).equals(LARGE)).toBe(true);
  });

  test("that cannot be opened for a moment is not lost, and not said to be", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const hash = await replace("a", Buffer.from("next"));
    const tooMany = vi.spyOn(fs, "openSync").mockImplementation(() => {
      throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    });
    await store.tidy({ maxAgeMs: DAY, maxBytes: 1e9, now: 1000 + 601_000 });
    await expect(store.content(hash)).rejects.toThrow("EMFILE");
    tooMany.mockRestore();
    expect(Buffer.from((await store.content(hash)) ?? []).equals(LARGE)).toBe(true);
  });

  test("goes into the database when it is old, smaller where that helps", async () => {
    const noise = Buffer.from(Array.from({ length: 1 << 18 }, () => Math.random() * 256));
    fs.writeFileSync(at("a"), LARGE);
    fs.writeFileSync(at("b"), noise);
    const hashes = [await replace("a", Buffer.from("next")), await replace("b", Buffer.from("next"))];
    expect(keptNames().sort()).toEqual([...hashes].sort());
    const bounds = { maxAgeMs: DAY, maxBytes: 1e9, now: 1000 + 601_000 };
    expect(await store.tidy(bounds)).toEqual({ compressed: 1, pruned: 0 });
    expect(keptNames()).toEqual([]);
    expect(Buffer.from((await store.content(hashes[0] as string)) ?? []).equals(LARGE)).toBe(true);
    expect(Buffer.from((await store.content(hashes[1] as string)) ?? []).equals(noise)).toBe(true);
    expect(await store.tidy(bounds), "once").toEqual({ compressed: 0, pruned: 0 });
  });

  test("goes when its content is pruned, and when nobody knows of it", async () => {
    fs.writeFileSync(at("a"), LARGE);
    const hash = await replace("a", Buffer.from("next"));
    const stray = sha256(Buffer.from("stray"));
    fs.writeFileSync(keptAs(stray), "stray");
    fs.mkdirSync(keptAs("0".repeat(64)));
    await store.tidy({ maxAgeMs: DAY, maxBytes: 1e9, now: 1000 });
    expect(keptNames(), "what somebody else put there stays").toEqual(["0".repeat(64), hash]);
    fs.rmdirSync(keptAs("0".repeat(64)));
    expect(await store.tidy({ maxAgeMs: DAY, maxBytes: 1000, now: 1000 })).toEqual({ compressed: 0, pruned: 1 });
    expect(keptNames()).toEqual([]);
    expect(await store.content(hash)).toBeUndefined();
  });
});
