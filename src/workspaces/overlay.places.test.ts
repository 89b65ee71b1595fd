import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Disk, disk, failure } from "../../test/contracts/disk.ts";
import { lateWorkspace } from "../../test/contracts/late.ts";
import { LINK_MODE } from "../core/contracts/workspace.ts";
import type { Place } from "../core/words/touch.ts";
import { overlay } from "./overlay.ts";

let one: Disk;
beforeEach(() => {
  one = disk();
  for (const file of ["a", "d/b", "d/deep/c", "e/f"]) one.put(file, file);
  fs.symlinkSync("a", one.on("to-a"));
  fs.symlinkSync("d", one.on("to-d"));
  fs.symlinkSync("../outside", one.on("out"));
});

/** The same questions above a workspace that answers at once, and above one that answers later. */
describe.each([
  ["at once", (base: Disk["workspace"]) => base],
  ["later", lateWorkspace],
])("where paths lead in a plan, above a workspace that answers %s", (_, wrap) => {
  const stage = () => {
    const above = overlay(wrap(one.workspace));
    const own = (real: string): Place => ({
      ...{ shown: real, real: one.on(real), root: one.root, exists: true },
      ...(fs.lstatSync(one.on(real), { throwIfNoEntry: false })?.isSymbolicLink() && { link: true }),
    });
    const lay = (files: Record<string, string | null>, mode?: number) =>
      above.lay(
        Object.entries(files).map(([name, text]) => ({
          ...{ place: own(name), after: text === null ? null : Buffer.from(text) },
          ...(mode !== undefined && { mode }),
        })),
      );
    const link = (files: Record<string, string>) => lay(files, LINK_MODE);
    const locate = async (given: string, itself = false) => {
      const { shown, real, exists, link: isLink } = await above.locate(given, itself);
      expect(real).toBe(path.join(one.root, shown));
      return `${shown}${exists ? "" : " (new)"}${isLink ? " (link)" : ""}`;
    };
    return { above, lay, link, locate };
  };

  test("as on the disk, as long as nothing was planned", async () => {
    const { locate } = stage();
    for (const [given, leads] of [
      ["a", "a"],
      ["to-a", "a"],
      ["to-d/b", "d/b"],
      ["new", "new (new)"],
    ] as const)
      expect(await locate(given)).toBe(leads);
    expect(await locate("to-a", true)).toBe("to-a (link)");
    expect([await locate("a", true), await locate("new", true)]).toEqual(["a", "new (new)"]);
    await expect((async () => locate("out/x"))()).rejects.toMatchObject(failure("PERMISSION_DENIED"));
  });

  test("a file that was put in a link's place is that file, and the link leads nowhere any more", async () => {
    const { lay, locate } = stage();
    await lay({ "to-a": "mine", out: "mine" }, 0o644);
    expect([await locate("to-a"), await locate("to-a", true)]).toEqual(["to-a", "to-a"]);
    expect(await locate("out")).toBe("out");
  });

  test("a link that is gone leads nowhere, and what is below it would be made in its place", async () => {
    const { lay, locate } = stage();
    await lay({ "to-d": null, out: null });
    expect(await locate("to-d")).toBe("to-d (new)");
    expect(await locate("to-d/b")).toBe("to-d/b (new)");
    expect(await locate("out/x/y")).toBe("out/x/y (new)");
    expect(await locate("d/b")).toBe("d/b");
    expect(await locate("to-d/../a")).toBe("a");
    expect(await locate(`${one.root}/to-d/x/../../e/f`)).toBe("e/f");
  });

  test.each([
    ["to-d/", "to-d (new)"],
    ["to-d/.", "to-d (new)"],
    ["./to-d", "to-d (new)"],
    ["to-d//b", "to-d/b (new)"],
    ["to-d/./b", "to-d/b (new)"],
    [".//./to-d/b/", "to-d/b (new)"],
    ["e/../to-d/b", "to-d/b (new)"],
    ["to-d/x/../b", "to-d/b (new)"],
    ["to-d/x/y/../../b/./c", "to-d/b/c (new)"],
    ["to-d/..", "."],
    ["to-d/../to-d/b", "to-d/b (new)"],
    ["to-d/x/../../to-a", "a"],
    ["<root>//to-d/b", "to-d/b (new)"],
    ["<root>/to-d/../e/f", "e/f"],
  ])("what lay behind a link that is gone is not found by %s", async (given, leads) => {
    const { lay, locate } = stage();
    await lay({ "to-d": null });
    expect(await locate(given.replace("<root>", one.root))).toBe(leads);
  });

  test("a name that would be refused is refused, whatever is gone", async () => {
    const { lay, locate } = stage();
    one.put("~x", "x");
    await lay({ "~x": null, "to-d": null });
    for (const given of ["~x", "", "to-d/../../outside/y"])
      await expect((async () => locate(given))()).rejects.toThrow();
    expect(await locate("./~x")).toBe("./~x (new)");
  });

  test("what is gone stays gone by every spelling that says so plainly", async () => {
    const { lay, locate } = stage();
    await lay({ a: null, "e/f": null });
    expect(await locate("a")).toBe("a (new)");
    expect(await locate("to-a")).toBe("a (new)");
    expect(await locate("./e/../a")).toBe("a (new)");
    expect(await locate("e/f/g")).toBe("e/f/g (new)");
    expect(await locate(`${one.root}/e/f`)).toBe("e/f (new)");
    await lay({ a: "again" });
    expect(await locate("a")).toBe("a");
  });

  test("a link of the plan is followed, from where it lies, and may lead to another", async () => {
    const { lay, link, locate } = stage();
    await link({ "d/up": "../a", again: "d/up", absolute: one.on("d/b"), dangling: "nowhere" });
    expect(await locate("d/up")).toBe("a");
    expect(await locate("again")).toBe("a");
    expect(await locate("absolute")).toBe("d/b");
    expect(await locate("dangling")).toBe("nowhere (new)");
    expect(await locate("again", true)).toBe("again (link)");
    // also where something else is gone
    await lay({ "e/f": null });
    expect(await locate("again")).toBe("a");
    expect(await locate("again", true)).toBe("again (link)");
  });

  test("so many links are followed, and no more", async () => {
    const { link, locate } = stage();
    const chain = Array.from({ length: 17 }, (_, n) => [`l${n}`, n === 0 ? "a" : `l${n - 1}`]);
    await link(Object.fromEntries(chain));
    expect(await locate("l15")).toBe("a");
    expect(await locate("l16")).toBe("l0");
  });

  test("a link of the plan that leads outside is refused, and one that leads to itself comes to an end", async () => {
    const { link, locate } = stage();
    await link({ evil: "../outside/x", far: "/etc/passwd", loop: "loop" });
    for (const name of ["evil", "far"])
      await expect((async () => locate(name))()).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect(await locate("loop")).toMatch(/^loop/);
  });
});

describe("what is laid over the disk", () => {
  const above = () => {
    const over = overlay(one.workspace);
    const at = (file: string, itself = false) => over.locate(file, itself) as Place;
    const text = async (file: string) => Buffer.from((await over.files.read(at(file))).bytes).toString();
    return { over, at, text };
  };

  test("is shown whatever is there, keeps the mode that is there, and counts as a change", async () => {
    const { over, at, text } = above();
    fs.chmodSync(one.on("a"), 0o755);
    await over.lay([
      { place: at("a"), after: Buffer.from("laid") },
      { place: at("new/file"), after: Buffer.from("made"), mode: 0o600 },
      { place: at("d/b"), after: null },
    ]);
    expect([await text("a"), await text("new/file")]).toEqual(["laid", "made"]);
    expect(await over.files.stat(at("d/b"))).toBeUndefined();
    const changes = over
      .changes()
      .map(({ place, before, after, mode }) => [
        place.shown,
        before && Buffer.from(before).toString(),
        after && Buffer.from(after).toString(),
        mode,
      ]);
    expect(changes).toEqual([
      ["a", "a", "laid", undefined],
      ["new/file", null, "made", 0o600],
      ["d/b", "d/b", null, undefined],
    ]);
    expect((await over.files.read(at("a"))).mode).toBe(0o755);
    expect(fs.readFileSync(one.on("a"), "utf8")).toBe("a");
  });

  test("over a folder it is a new file", async () => {
    const { over, text } = above();
    await over.lay([
      { place: { shown: "e", real: one.on("e"), root: one.root, exists: true }, after: Buffer.from("x") },
    ]);
    expect(await text("e")).toBe("x");
    expect(over.changes()[0]).toMatchObject({ before: null });
  });

  test("differs where it lies, in the folders above it, and in the folders of what is gone", async () => {
    const { over, at } = above();
    const differing = (...names: string[]) => names.filter((name) => over.differs(at(name)));
    expect(differing(".", "a", "d", "e")).toEqual([]);
    await over.lay([{ place: at("d/deep/new"), after: Buffer.from("x") }]);
    await over.lay([{ place: at("e/f"), after: null }]);
    expect(differing(".", "a", "d", "d/b", "d/deep", "d/deep/c", "d/deep/new", "e", "e/f")).toEqual([
      ...[".", "d", "d/deep", "d/deep/new", "e", "e/f"],
    ]);
    expect(over.differs({ shown: "/", real: "/", root: "/", exists: true })).toBe(true);
    const gone = overlay(one.workspace);
    await gone.lay([{ place: at("e/f"), after: null }]);
    expect(gone.differs({ shown: "/", real: "/", root: "/", exists: true })).toBe(true);
    expect(gone.differs(at("a"))).toBe(false);
  });

  test("a name that only begins alike differs in nothing", async () => {
    const { over, at } = above();
    one.put("e-other/x", "x");
    await over.lay([{ place: at("e-other/x"), after: null }]);
    expect(over.differs(at("e"))).toBe(false);
  });

  test("is gone when it is cleared", async () => {
    const { over, at, text } = above();
    await over.lay([
      { place: at("a"), after: Buffer.from("laid") },
      { place: at("new/file"), after: Buffer.from("made") },
      { place: at("e/f"), after: null },
    ]);
    over.clear();
    expect([await text("a"), await text("e/f"), over.changes()]).toEqual(["a", "e/f", []]);
    expect(at("new/file").exists).toBe(false);
    expect(await over.files.stat(at("new"))).toBeUndefined();
    expect((await over.files.list(at("."))).map(({ name }) => name)).not.toContain("new");
    expect(["a", "e", "new"].filter((name) => over.differs(at(name)))).toEqual([]);
  });

  test("what follows waits for it, and a failure of it is no hindrance to the next", async () => {
    const { over, at, text } = above();
    const bad = over.lay([
      {
        place: at("a"),
        after: Buffer.from("x"),
        get mode(): number {
          throw new Error("bad");
        },
      } as never,
    ]);
    const good = over.lay([{ place: at("a"), after: Buffer.from("y") }]);
    await expect(bad).rejects.toThrow("bad");
    await good;
    expect(await text("a")).toBe("y");
  });

  test("hides what lies in a folder that became a file, and what lay below what is gone", async () => {
    const { over, at } = above();
    await over.lay([{ place: { shown: "d", real: one.on("d"), root: one.root, exists: true }, after: null }]);
    const below: Place = { shown: "d/b", real: one.on("d/b"), root: one.root, exists: true };
    expect(await over.files.stat(below)).toBeUndefined();
    await expect(over.files.read(below)).rejects.toMatchObject(failure("NOT_FOUND"));
    await expect(over.files.list({ ...below, shown: "d/deep", real: one.on("d/deep") })).rejects.toMatchObject(
      failure("NOT_FOUND"),
    );
    const pieces = over.files.chunks(below, 0)[Symbol.asyncIterator]();
    await expect(pieces.next()).rejects.toMatchObject(failure("NOT_FOUND"));
    expect(await over.files.stat(at("e/f"))).toMatchObject({ kind: "file" });
  });
});

describe("what files hold, in a plan", () => {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  test("is what was planned, and nothing of what is gone", async () => {
    one.put("p.json", '{"scripts":{"test":"x"},"other":1}');
    const over = overlay(one.workspace);
    const told = async (file: string, part?: string) => (await over.digest?.(file, part))?.hash;
    expect([await told("a"), await told("nowhere"), await told("d")]).toEqual([hash("a"), undefined, undefined]);
    expect(await told("p.json", "scripts")).toBe(hash('{"test":"x"}'));
    expect(await told("p.json", "missing")).toBe(hash("null"));
    expect(await told("a", "scripts")).toBe(hash("a"));
    await over.lay([
      { place: over.locate("a") as Place, after: Buffer.from("planned") },
      { place: over.locate("d/b") as Place, after: null },
      { place: over.locate("p.json") as Place, after: Buffer.from('{"scripts":{"test":"y"}}') },
      { place: over.locate("e/f") as Place, after: Buffer.from("7") },
    ]);
    expect([await told("a"), await told("d/b"), await told("d/deep/c")]).toEqual([
      ...[hash("planned"), undefined, hash("d/deep/c")],
    ]);
    expect(await told("p.json", "scripts")).toBe(hash('{"test":"y"}'));
    expect(await told("e/f", "scripts"), "no object, so all of it").toBe(hash("7"));
  });
});
