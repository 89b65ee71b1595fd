import fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { type Disk, disk, failure } from "../../test/contracts/disk.ts";
import type { Bytes, Workspace } from "../core/contracts/workspace.ts";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";
import { overlay } from "./overlay.ts";

let one: Disk;
let above: ReturnType<typeof overlay>;
beforeEach(() => {
  one = disk();
  for (const file of ["a", "d/b", "d/c"]) one.put(file, file, 0o640);
  above = overlay(one.workspace);
});

const at = (file: string): Place => above.locate(file) as Place;
const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
const put = (file: string, before: string | null, after: string | null, mode?: number, intend = async () => {}) =>
  above.files.commit(
    [{ place: at(file), before: bytes(before), after: bytes(after), ...(mode !== undefined && { mode }) }],
    intend,
  );
const text = async (file: string) => Buffer.from((await above.files.read(at(file))).bytes).toString();
const all = async (pieces: AsyncIterable<Bytes>) => {
  const found: Bytes[] = [];
  for await (const piece of pieces) found.push(Buffer.from(piece));
  return Buffer.concat(found);
};

describe("pieces of a file that is above", () => {
  const content = Buffer.from(Uint32Array.from({ length: 150_000 }, (_, i) => i * 7).buffer);
  test.each([0, 1, 262_143, 262_144, 262_145, 599_999, 600_000, 700_000])(
    "from %i are the rest of it",
    async (from) => {
      await above.files.commit([{ place: at("big"), before: null, after: content }], async () => {});
      expect((await all(above.files.chunks(at("big"), from))).equals(content.subarray(from))).toBe(true);
    },
  );

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("from %d are refused, above and below", async (from) => {
    await put("n", null, "new");
    for (const file of ["n", "a"])
      await expect(all(above.files.chunks(at(file), from))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
  });

  test("of what was removed there are none, and of a made folder neither", async () => {
    await put("a", "a", null);
    await put("n/m", null, "new");
    await expect(all(above.files.chunks(at("a")))).rejects.toMatchObject(failure("NOT_FOUND"));
    await expect(all(above.files.chunks(at("n")))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
  });
});

describe("what others do with their bytes", () => {
  test("does not change what was committed, nor what is read, nor what is told", async () => {
    const after = Buffer.from("mine");
    await above.files.commit([{ place: at("n"), before: null, after }], async () => {});
    after.fill(0);
    expect(await text("n")).toBe("mine");
  });
});

describe("one after the other", () => {
  test("a commit that waits for its intent finds what came before it", async () => {
    const slow = put("a", "a", "slow", undefined, () => new Promise((resolve) => setTimeout(resolve, 20)));
    await put("a", "a", "fast");
    await expect(slow).rejects.toMatchObject(failure("CONFLICT"));
    expect(await text("a")).toBe("fast");
  });

  test("a commit that fails is no hindrance to the next", async () => {
    await expect(put("a", "wrong", "x")).rejects.toMatchObject(failure("CONFLICT"));
    const twice = [put("a", "a", "x"), put("a", "a", "y")].map((each) => each.then(String, (error) => error.code));
    expect((await Promise.all(twice)).sort()).toEqual(["CONFLICT", "undefined"]);
    await put("d/b", "d/b", "after");
    expect(await text("d/b")).toBe("after");
  });

  test("nothing is intended that is hopeless, and nothing is made if the intent fails", async () => {
    let intended = 0;
    const intend = async () => {
      intended += 1;
    };
    await expect(put("a", "wrong", "x", undefined, intend)).rejects.toMatchObject(failure("CONFLICT"));
    expect(intended).toBe(0);
    const refuse = () => Promise.reject(new Error("not kept"));
    await expect(put("a", "a", "x", undefined, refuse)).rejects.toThrow("not kept");
    expect([await text("a"), above.changes()]).toEqual(["a", []]);
  });

  test("of several changes none is made if one is a conflict", async () => {
    const changes = [
      { place: at("a"), before: bytes("a"), after: bytes("x") },
      { place: at("d/b"), before: bytes("wrong"), after: bytes("x") },
    ];
    await expect(above.files.commit(changes, async () => {})).rejects.toMatchObject(failure("CONFLICT"));
    expect([await text("a"), above.changes()]).toEqual(["a", []]);
  });
});

describe("what was changed and changed back", () => {
  test("is no change, by content and by mode", async () => {
    await put("a", "a", "x", 0o600);
    await put("a", "x", "a", 0o640);
    await put("n", null, "new");
    await put("n", "new", null);
    await put("d/b", "d/b", null);
    await put("d/b", null, "d/b", 0o640);
    expect(above.changes()).toEqual([]);
  });

  test("a file that is removed and made again has nobody's mode but a new one's", async () => {
    await put("a", "a", "x", 0o600);
    await put("a", "x", null);
    await put("a", null, "again");
    expect((await above.files.read(at("a"))).mode).toBe(0o644);
    await put("n", null, "new", 0o100711);
    await put("n", "new", "newer");
    expect((await above.files.read(at("n"))).mode).toBe(0o711);
  });
});

describe("stamps", () => {
  test("are another with each change, and never those of a file below", async () => {
    const below = (await above.files.stat(at("a")))?.stamp;
    const stamps = [below];
    for (const [before, after] of [
      ["a", "b"],
      ["b", "c"],
      ["c", "b"],
    ] as const) {
      await put("a", before, after);
      stamps.push((await above.files.stat(at("a")))?.stamp);
    }
    expect(new Set(stamps.map((stamp) => stamp?.ino)).size).toBe(4);
    expect(stamps.slice(1).every((stamp) => (stamp?.ino ?? 0) < 0 && stamp?.size === 1)).toBe(true);
  });

  test("of a made folder say that it is one", async () => {
    await put("n/m/o", null, "new");
    expect(await above.files.stat(at("n"))).toMatchObject({ kind: "folder", mode: 0o755, stamp: { size: 0, ino: 0 } });
    expect(await above.files.stat(at("n/x"))).toBeUndefined();
    await put("n/m/o", "new", null);
    expect(await above.files.stat(at("n")), "as on a disk, it stays when it is empty").toMatchObject({
      kind: "folder",
    });
    expect([at("n").exists, at("n/m").exists, at("n/m/o").exists]).toEqual([true, true, false]);
    expect(await above.files.list(at("n"))).toEqual([{ name: "m", kind: "folder" }]);
  });
});

describe("folders", () => {
  test("are no files, and files are no folders", async () => {
    await put("n/m", null, "new");
    await expect(above.files.list(at("n/m"))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
    await expect(put("n", null, "x")).rejects.toMatchObject(failure("VALIDATION_ERROR"));
    for (const deep of ["n/m/x", "n/m/x/y"]) {
      const place = { ...at("n"), shown: deep, real: one.on(deep), exists: false };
      await expect(
        above.files.commit([{ place, before: null, after: bytes("x") }], async () => {}),
      ).rejects.toMatchObject({ ...failure("VALIDATION_ERROR"), message: expect.stringContaining("part of its path") });
    }
  });

  test("are listed from both, each name once", async () => {
    await put("d/b", "d/b", "x");
    await put("d/e/f", null, "new");
    await put("d/c", "d/c", null);
    await put("dx", null, "new");
    expect(await above.files.list(at("d"))).toEqual([
      { name: "b", kind: "file" },
      { name: "e", kind: "folder" },
    ]);
    expect((await above.files.list(at("."))).map(({ name }) => name)).toEqual(["a", "d", "dx"]);
  });

  test("what is removed in one folder takes nothing from the one above or beside", async () => {
    for (const file of ["b", "e/b"]) one.put(file, file);
    await put("d/b", "d/b", null);
    expect((await above.files.list(at("."))).map(({ name }) => name)).toEqual(["a", "b", "d", "e"]);
    expect((await above.files.list(at("e"))).map(({ name }) => name)).toEqual(["b"]);
  });

  test("of the whole disk are listed by the same rule", async () => {
    const whole = overlay(localWorkspace({ root: "/", state: one.top }));
    const place = { shown: "toolgate-new-file", real: "/toolgate-new-file", root: "/", exists: false };
    await whole.files.commit([{ place, before: null, after: bytes("x") }], async () => {});
    const root = { shown: ".", real: "/", root: "/", exists: true };
    const listed = await whole.files.list(root);
    expect(listed).toContainEqual({ name: "toolgate-new-file", kind: "file" });
    expect(listed.filter(({ name }) => name === "")).toEqual([]);
    expect(fs.existsSync("/toolgate-new-file")).toBe(false);
  });

  test("that are special below are refused", async () => {
    const info = { kind: "other" as const, mode: 0, stamp: { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 1 } };
    const odd: Workspace = { ...one.workspace, files: { ...one.workspace.files, stat: () => info } };
    await expect(
      overlay(odd).files.commit([{ place: at("a"), before: bytes("a"), after: null }], async () => {}),
    ).rejects.toMatchObject({ ...failure("VALIDATION_ERROR"), message: expect.stringContaining("not a regular file") });
  });
});

describe("names that may have been meant", () => {
  test("are those beside it and the same name elsewhere, without itself and what is gone", async () => {
    await put("d/new", null, "1");
    await put("e/wanted", null, "1");
    await put("e/other", null, "1");
    await put("d/b", "d/b", null);
    const near = await above.files.near(at("d/Wanted"));
    expect(near.slice(0, 2).sort()).toEqual(["d/new", "e/wanted"]);
    expect([near.includes("e/other"), near.includes("d/b"), near.includes("d/c")]).toEqual([false, false, true]);
    expect(await above.files.near(at("d/new"))).not.toContain("d/new");
  });

  test("are few", async () => {
    for (let n = 0; n < 60; n += 1) await put(`d/n${n}`, null, "x");
    expect(await above.files.near(at("d/missing"))).toHaveLength(50);
  });
});

test("what is closed forgets, and shows the base again", async () => {
  await put("a", "a", "x");
  await above.close();
  expect([await text("a"), above.changes()]).toEqual(["a", []]);
});

test("the base searches what was not changed, and the overlay everything where what is ignored was changed", async () => {
  const engineOf = async () => {
    const found = above.search.files(at("."), {});
    for await (const _ of found);
    return found.report.engine;
  };
  expect(await engineOf()).toBe("ripgrep");
  await put("a", "a", "x");
  expect(await engineOf()).toBe("ripgrep");
  await put(".gitignore", null, "b");
  expect(await engineOf()).toBe("walk");
});
