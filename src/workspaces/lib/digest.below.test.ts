import { createHash } from "node:crypto";
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk } from "../../../test/contracts/disk.ts";
import { old, stopClock, young } from "../../../test/contracts/watching.ts";
import type { Digest } from "../../core/contracts/workspace.ts";
import { ALL_BELOW, CODE_BELOW, OBEYED, PACKAGES_BELOW } from "../../core/words/code.ts";
import { digestAbove, digestFrom } from "./digest.ts";

let one: Disk;
beforeEach(() => {
  one = disk();
});
afterEach(() => void vi.restoreAllMocks());

const sha = (content: string) => createHash("sha256").update(content).digest("hex");
const told = async (file: string, part?: string, known?: Map<string, boolean>) =>
  (await one.workspace.digest?.(file, part, known))?.hash;

describe("all that lies below a folder", () => {
  const NAMES = [
    "d/data.txt",
    "d/deep/script",
    "d/x.py",
    "d/x.d.TS",
    "d/package.json",
    "d/.env",
    "d/link",
    "d/link.txt",
  ];
  const change = (file: string) => {
    if (!file.includes("link")) return one.put(file, "other, and longer");
    fs.rmSync(one.on(file));
    fs.symlinkSync("somewhere/else", one.on(file));
  };

  test.each<[part: string, counting: string[]]>([
    [ALL_BELOW, NAMES],
    [CODE_BELOW, ["d/deep/script", "d/x.py", "d/x.d.TS", "d/link"]],
    [PACKAGES_BELOW, ["d/package.json"]],
  ])("as %s: %j", async (part, counting) => {
    for (const file of NAMES)
      if (file.includes("link")) fs.symlinkSync("nowhere", one.on(file));
      else one.put(file, file);
    one.put("beside", "x");
    let before = await told("d", part);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await told("./d", part)).toBe(before);
    const counted: string[] = [];
    for (const file of [...NAMES, "beside"]) {
      change(file);
      const after = await told("d", part);
      if (after !== before) counted.push(file);
      before = after;
    }
    expect(counted).toEqual(counting);
  });

  test("is nothing for a file, and outside of the roots", async () => {
    one.put("f", "f");
    for (const place of ["f", "missing", one.outside])
      expect([place, await told(place, ALL_BELOW)]).toEqual([place, undefined]);
    expect(await told("f", OBEYED)).toBeUndefined();
  });

  test("is looked at once, unless something is so young that it may change again unnoticed", async () => {
    one.put("d/f", "f");
    const look = async (clock: number) => {
      stopClock(one.on("d/f"), clock);
      let isTheirs = false;
      const timer = setTimeout(() => {
        isTheirs = true;
      }, 1);
      const read = vi.spyOn(fs, "readdirSync");
      await told("d", ALL_BELOW);
      const looks = read.mock.calls.length;
      clearTimeout(timer);
      vi.restoreAllMocks();
      return { looks, isTheirs };
    };
    expect(await look(young())).toEqual({ looks: 3, isTheirs: true });
    expect((await look(old())).looks).toBe(1);
  });
});

describe("a file as a whole, or a part of it", () => {
  const JSON_TEXT = '{"scripts":{"a":1}}';

  test("whether it may be run counts for the whole alone", async () => {
    one.put("p.json", JSON_TEXT, 0o755);
    expect(await told("p.json")).toBe(`${sha(JSON_TEXT)} may be run`);
    expect(await told("p.json", "scripts")).toBe(sha('{"a":1}'));
    fs.chmodSync(one.on("p.json"), 0o644);
    expect(await told("p.json")).toBe(sha(JSON_TEXT));
    one.put("large", "");
    fs.truncateSync(one.on("large"), (1 << 24) + 1);
    expect(await told("large")).not.toMatch(/ may be run$/);
    fs.chmodSync(one.on("large"), 0o755);
    expect(await told("large")).toMatch(/^stamp .* may be run$/);
  });

  test("what went, or became a folder, on the way to it is nothing", async () => {
    for (const replace of [() => {}, () => fs.mkdirSync(one.on("f"))]) {
      fs.rmSync(one.on("f"), { recursive: true, force: true });
      one.put("f", "f");
      const place = one.at("f");
      const digest = digestFrom(one.root, () => {
        fs.rmSync(one.on("f"));
        replace();
        return place;
      });
      expect(await digest("f")).toBeUndefined();
    }
  });

  test("anywhere on the disk, with what is known of folders", async () => {
    fs.writeFileSync(`${one.outside}/f`, "f");
    const known = new Map<string, boolean>();
    expect(await told(`${one.outside}/f`, undefined, known)).toBe(sha("f"));
    expect(await told("/nowhere at all/f", undefined, known)).toBeUndefined();
    expect([known.get("/"), known.get(one.outside), known.get("/nowhere at all")]).toEqual([true, true, false]);
  });

  test("as a plan leaves it", async () => {
    for (const file of ["gone", "planned", "other"]) one.put(file, file);
    const planned = new Map([
      ["gone", null],
      ["planned", { bytes: Buffer.from(JSON_TEXT), mode: 0o755 }],
      ["plain", { bytes: Buffer.from("plain"), mode: 0o644 }],
    ]);
    const below = async (target: string, part?: string, folders?: Map<string, boolean>) =>
      ({ place: one.at(target), hash: `below ${target} ${part} ${folders?.size}` }) satisfies Digest;
    const digest = digestAbove(
      below,
      (target) => one.at(target),
      (real) => planned.get(real.slice(one.root.length + 1)),
    );
    const rows: [target: string, part: string | undefined, hash: string | undefined][] = [
      ["gone", undefined, undefined],
      ["planned", undefined, `${sha(JSON_TEXT)} may be run`],
      ["planned", "scripts", sha('{"a":1}')],
      ["plain", undefined, sha("plain")],
      ["other", "scripts", "below other scripts 0"],
    ];
    for (const [target, part, hash] of rows) expect((await digest(target, part, new Map()))?.hash).toBe(hash);
    expect((await digest("./planned"))?.place.shown).toBe("planned");
  });
});
