import { createHash } from "node:crypto";
import fs from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, failure } from "../../test/contracts/disk.ts";
import { lateWorkspace } from "../../test/contracts/late.ts";
import type { Processes } from "../core/contracts/process.ts";
import { type Bytes, LINK_MODE, type Workspace } from "../core/contracts/workspace.ts";
import type { Place, RunTouch } from "../core/words/touch.ts";
import { overlay } from "./overlay.ts";

let one: Disk;
let above: ReturnType<typeof overlay>;
beforeEach(() => {
  one = disk();
  for (const file of ["a", "d/b", "d/c", "e/f"]) one.put(file, file, 0o640);
  fs.symlinkSync("a", one.on("to-a"));
  above = overlay(one.workspace);
});

/** By its own name, whatever is there. */
const own = (file: string, more: Partial<Place> = {}): Place => ({
  ...{ shown: file, real: one.on(file), root: one.root, exists: true },
  ...more,
});
const lay = (file: string, text: string | null, mode?: number, more: Partial<Place> = {}) =>
  above.lay([
    {
      place: own(file, more),
      after: text === null ? null : Buffer.from(text),
      ...(mode !== undefined && { mode }),
    },
  ]);
const names = async (folder: string) => (await above.files.list(own(folder))).map(({ name }) => name);
const pieces = async (place: Place, from?: number) => {
  const sizes: number[] = [];
  for await (const piece of above.files.chunks(place, from)) sizes.push(piece.length);
  return sizes;
};

describe.each([
  ["is gone", () => lay("d", null)],
  ["became a file", () => lay("d", "a file now", 0o644)],
  ["was taken away, and is a file now", () => lay("d", null).then(() => lay("d", "a file now", 0o644))],
])("what lay in a folder that %s", (_, change) => {
  beforeEach(change);

  test("is nowhere to be seen", async () => {
    expect(await above.files.stat(own("d/b"))).toBeUndefined();
    await expect(above.files.read(own("d/b"))).rejects.toMatchObject(failure("NOT_FOUND"));
    await expect(pieces(own("d/b"))).rejects.toMatchObject(failure("NOT_FOUND"));
    await expect(above.files.list(own("d/deep"))).rejects.toMatchObject(failure("NOT_FOUND"));
    expect(await above.digest?.("d/b")).toBeUndefined();
    expect((await above.locate("d/b")).exists).toBe(false);
    expect(above.differs(own("d/b"))).toBe(true);
  });

  test("does not touch what lies elsewhere", async () => {
    expect(await above.files.stat(own("e/f"))).toMatchObject({ kind: "file" });
    expect((await above.digest?.("e/f"))?.hash).toBe(createHash("sha256").update("e/f").digest("hex"));
    expect((await above.locate("e/f")).exists).toBe(true);
    expect([above.differs(own("e/f")), above.differs(own("e"))]).toEqual([false, false]);
  });
});

describe("folders of a plan", () => {
  test("hold what was put there after they were taken away, and nothing of what they held", async () => {
    await lay("d", null);
    await lay("d/new", "new", 0o644);
    expect(await names("d")).toEqual(["new"]);
    expect(await above.files.stat(own("d"))).toMatchObject({ kind: "folder" });
    expect(await above.files.stat(own("d/b"))).toBeUndefined();
  });

  test("may take the place of a file that is gone", async () => {
    await lay("a", null);
    await lay("a/x", "new", 0o644);
    expect(await names("a")).toEqual(["x"]);
    await expect(above.files.read(own("a"))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
  });

  test("do not list what was made and removed again, and list the rest in order", async () => {
    for (const file of ["d/z", "d/B", "d/a", "d/m"]) await lay(file, "x", 0o644);
    await lay("d/m", null);
    expect(await names("d")).toEqual(["B", "a", "b", "c", "z"]);
    await lay("d/m", "again", 0o644);
    expect(await names("d")).toEqual(["B", "a", "b", "c", "m", "z"]);
  });

  test("cannot be changed as files, wherever they are", async () => {
    await lay("made/x", "new", 0o644);
    for (const folder of ["d", "made"])
      await expect(
        above.files.commit([{ place: own(folder), before: null, after: Buffer.from("x") }], async () => {}),
      ).rejects.toMatchObject({ ...failure("VALIDATION_ERROR"), message: expect.stringContaining("is a folder") });
  });
});

describe("links of a plan", () => {
  test("are told from files, by a look and in a list", async () => {
    await lay("e/link", "f", LINK_MODE);
    await lay("e/file", "f", 0o600);
    expect((await above.files.stat(own("e/link")))?.kind).toBe("link");
    expect((await above.files.stat(own("e/file")))?.kind).toBe("file");
    expect(await above.files.list(own("e"))).toEqual([
      { name: "f", kind: "file" },
      { name: "file", kind: "file" },
      { name: "link", kind: "link" },
    ]);
  });

  test("what is laid over a link knows where that led", async () => {
    await lay("to-a", "e/f", LINK_MODE, { link: true });
    const [change] = above.changes();
    expect(change && [Buffer.from(change.before as Bytes).toString(), change.modeBefore, change.mode]).toEqual([
      ...["a", LINK_MODE, LINK_MODE],
    ]);
  });
});

describe("pieces", () => {
  const PIECE = 1 << 18;
  test("are never empty, and there is none behind the end", async () => {
    await above.lay([{ place: own("big", { exists: false }), after: Buffer.alloc(2 * PIECE) }]);
    expect(await pieces(own("big"))).toEqual([PIECE, PIECE]);
    expect(await pieces(own("big"), 2 * PIECE)).toEqual([]);
    expect(await pieces(own("big"), 2 * PIECE - 1)).toEqual([1]);
  });

  test("of what was not changed come from below, where nothing is read as a whole", async () => {
    const read = vi.fn(one.workspace.files.read);
    above = overlay({ ...one.workspace, files: { ...one.workspace.files, read } });
    await lay("d/b", null);
    expect(await pieces(own("d/c"))).toEqual([3]);
    expect(read.mock.calls.filter(([place]) => place.real === one.on("d/c"))).toEqual([]);
  });
});

describe("names that may have been meant", () => {
  test("are those that were made first, then the others, changed or not", async () => {
    await lay("d/c", "changed");
    await lay("d/new", "new", 0o644);
    await lay("d/short", "lived", 0o644);
    await lay("d/short", null);
    const near = await above.files.near(own("d/missing", { exists: false }));
    expect(near[0]).toBe("d/new");
    expect([near.includes("d/c"), near.includes("d/short")]).toEqual([true, false]);
  });
});

test("a file that was removed and made again has another mode than before, and that is told", async () => {
  await lay("a", null);
  await lay("a", "again");
  expect(above.changes()).toMatchObject([{ modeBefore: 0o640, mode: 0o644 }]);
});

test("a file by its own name is searched by the base as long as nothing is planned", async () => {
  const found = above.search.lines(own("a"), { pattern: "a" });
  for await (const _ of found);
  expect(found.report.engine).toBe("ripgrep");
});

test("what is traced is seen as planned, also where answers come later", async () => {
  above = overlay(lateWorkspace(one.workspace));
  await lay("a", null);
  await lay("n", "new", 0o644);
  expect([(await above.trace("a")).exists, (await above.trace("n")).exists, (await above.trace("d/b")).exists]).toEqual(
    [...[false, true, true]],
  );
});

test("a plan has what the base has beside files, and nothing that it has not", async () => {
  const { processes: _, patch: __, digest: ___, rehearse: ____, behind: _5, tracked: _6, ...bare } = one.workspace;
  const parts = ["processes", "patch", "digest", "rehearse", "behind", "tracked"] as const;
  expect(parts.filter((part) => part in overlay(bare))).toEqual([]);
  const processes = { list: () => [] } as unknown as Processes;
  const patch = async () => ({ problems: [] }) as never;
  const rehearse = vi.fn(async () => undefined);
  const digest = vi.fn(async () => undefined);
  const [behind, tracked] = [vi.fn() as never, vi.fn() as never];
  const whole: Workspace = { ...bare, processes, patch, rehearse, digest, behind, tracked };
  above = overlay(whole);
  expect([above.processes, above.patch, above.behind, above.tracked]).toEqual([processes, patch, behind, tracked]);
  await lay("a", "planned");
  const run: RunTouch = { action: "run", command: "true", class: "safe", inner: [] };
  await above.rehearse?.(run);
  expect(rehearse).toHaveBeenCalledWith(run, above.changes());
  await above.digest?.("d/b");
  expect(digest).toHaveBeenCalledOnce();
});
