import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lateWorkspace } from "../../test/contracts/late.ts";
import type { Change, FileView, GuardedView, Workspace } from "../core/contracts/workspace.ts";
import type { PathTouch, Touch } from "../core/words/touch.ts";
import { guarded } from "./guarded.ts";
import { localWorkspace } from "./local.ts";

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-guarded-")));
  fs.mkdirSync(path.join(root, "d/e"), { recursive: true });
  fs.mkdirSync(path.join(root, "dx"));
  for (const file of ["a", "b", "d/f", "d/e/g", "dx/h"])
    fs.writeFileSync(path.join(root, file), `text of ${file}`, { mode: 0o640 });
  fs.symlinkSync("a", path.join(root, "link"));
});
afterEach(() => fs.rmSync(root, { recursive: true }));

const opened = (fd: string): string => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
};
const descriptorsOpen = () => fs.readdirSync("/proc/self/fd").filter((fd) => opened(fd).startsWith(root)).length;

const denied = expect.objectContaining({ name: "ToolFailure", code: "PERMISSION_DENIED" });
const undeclared = expect.objectContaining({
  code: "PERMISSION_DENIED",
  message: expect.stringContaining("was not declared"),
});
const cancelled = expect.objectContaining({ name: "ToolFailure", code: "CANCELLED" });

const uses: Record<string, (view: FileView, path: string) => Promise<unknown>> = {
  stat: (view, file) => view.stat(file),
  read: (view, file) => view.read(file),
  chunks: async (view, file) => {
    for await (const _ of view.chunks(file));
  },
  list: (view, file) => view.list(file),
  near: (view, file) => view.near(file),
  write: (view, file) => view.write(file, Buffer.from("new")),
  remove: (view, file) => view.remove(file),
};

describe.each<[string, (base: Workspace) => Workspace]>([
  ["at once", (base) => base],
  ["later", lateWorkspace],
])("a workspace that answers %s", (_, wrap) => {
  let workspace: Workspace;
  let changes: Change[];
  beforeEach(() => {
    workspace = wrap(localWorkspace({ root }));
    changes = [];
  });

  const touch = async (
    action: PathTouch["action"],
    file: string,
    more: Partial<PathTouch> = {},
  ): Promise<PathTouch> => ({
    action,
    place: await workspace.locate(file),
    certain: true,
    ...more,
  });
  const view = (...touches: Touch[]): GuardedView =>
    guarded(workspace, touches, {
      commit: async (change) => {
        changes.push(change);
        await workspace.files.commit([change], async () => {});
      },
    });
  const works = async (guard: FileView, use: string, file: string): Promise<boolean> => {
    try {
      await uses[use]!(guard, file);
      return true;
    } catch (error) {
      expect(error).toEqual(undeclared);
      return false;
    }
  };

  test("what a tool showed of a file is kept with every look at it, and with no other file's", async () => {
    const guard = view(await touch("read", "a"), await touch("read", "b"));
    await guard.read("a");
    await guard.read("b");
    await guard.read("link");
    await guard.shows?.("a", [{ first: 1, last: 2 }]);
    await guard.shows?.("link", [{ first: 5, last: 6 }]);
    const parts = [
      { first: 1, last: 2 },
      { first: 5, last: 6 },
    ];
    expect(guard.sights.map((sight) => sight.parts)).toEqual([parts, undefined, parts]);
    await expect(guard.shows?.("d/f", [{ first: 1, last: 1 }])).rejects.toEqual(undeclared);
  });

  test.each<[PathTouch["action"], Partial<PathTouch>, string[]]>([
    ["read", {}, ["stat", "read", "chunks", "near"]],
    ["read", { restores: true }, ["stat", "read", "chunks", "near"]],
    ["list", {}, ["stat", "read", "chunks", "near"]],
    ["write", {}, ["stat", "read", "chunks", "near", "write"]],
    ["write", { restores: true }, ["stat", "read", "chunks", "near", "write", "remove"]],
    ["delete", {}, ["stat", "near", "remove"]],
  ])("a declared %s %o of a file allows %j", async (action, more, allowed) => {
    for (const use of Object.keys(uses)) {
      if (use === "list") continue;
      fs.writeFileSync(path.join(root, "a"), "again");
      expect([use, await works(view(await touch(action, "a", more)), use, "a")]).toEqual([use, allowed.includes(use)]);
      expect([use, await works(view(await touch(action, "a", more)), use, "b")]).toEqual([use, false]);
    }
  });

  test("listing needs a declared list or read", async () => {
    for (const [action, allowed] of [
      ["list", true],
      ["read", true],
      ["write", false],
      ["delete", false],
    ] as const) {
      expect([action, await works(view(await touch(action, "d")), "list", "d")]).toEqual([action, allowed]);
    }
  });

  test("any spelling of a declared path is that path, a link too; no neighbour is", async () => {
    const guard = view(await touch("read", "d/../a"));
    for (const file of ["a", "./a", `${root}/a`, "link", "d/../a"]) expect(await works(guard, "read", file)).toBe(true);
    for (const file of ["b", "d/f", "aa"]) expect(await works(guard, "read", file)).toBe(false);
    await expect(guard.read("../x")).rejects.toEqual(denied);
  });

  test("a declared folder holds what is under it, by components", async () => {
    const guard = view(await touch("read", "d"));
    for (const file of ["d/f", "d/e/g"]) expect(await works(guard, "read", file)).toBe(true);
    expect(await works(guard, "list", "d/e")).toBe(true);
    expect(await works(guard, "read", "dx/h")).toBe(false);
    expect(await works(guard, "write", "d/f")).toBe(false);
    const scoped = view(await touch("list", "d", { scope: "**/*" }));
    expect(await works(scoped, "read", "d/e/g")).toBe(true);
    expect(await works(view(await touch("read", "a")), "stat", "a/x").catch(() => false)).toBe(false);
  });

  test("touches inside a command count; others name no path", async () => {
    const inner = [await touch("read", "a")];
    const guard = view({ action: "run", command: "cat a", class: "safe", inner }, { action: "ask", target: "b" });
    expect([await works(guard, "read", "a"), await works(guard, "read", "b")]).toEqual([true, false]);
    expect([await works(guard, "stat", "a"), await works(guard, "stat", "b")]).toEqual([true, false]);
    expect(await works(view(), "stat", "a")).toBe(false);
  });

  test("write and remove make whole changes of what is there now", async () => {
    const guard = view(await touch("write", "a"), await touch("write", "n/m"), await touch("delete", "b"));
    await guard.write("a", Buffer.from("1"));
    await guard.write("n/m", Buffer.from("2"), 0o755);
    await guard.remove("b");
    const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();
    expect(
      changes.map(({ place, before, after, stamp: _, ...modes }) => [place.shown, text(before), text(after), modes]),
    ).toEqual([
      ["a", "text of a", "1", { modeBefore: 0o640 }],
      ["n/m", null, "2", { mode: 0o755 }],
      ["b", "text of b", null, { modeBefore: 0o640 }],
    ]);
    await expect(view(await touch("delete", "gone")).remove("gone")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(view(await touch("write", "d")).write("d", Buffer.from("1"))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test("without a commit it is for looking only", async () => {
    const guard = guarded(workspace, [await touch("write", "a"), await touch("delete", "a")]);
    await expect(guard.write("a", Buffer.from("1"))).rejects.toEqual(denied);
    await expect(guard.remove("a")).rejects.toEqual(denied);
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("text of a");
  });

  test("it remembers what it showed", async () => {
    const guard = view(await touch("read", "."));
    const { bytes, mode, stamp } = await guard.read("a");
    await guard.stat("gone");
    await guard.read("lost").catch(() => {});
    await guard.stat("b");
    for await (const _ of guard.chunks("d/f"));
    await expect(guard.chunks("lost too")[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "NOT_FOUND" });
    const seen = guard.sights.map(({ place, ...rest }) => [place.shown, rest]);
    expect(seen).toEqual([
      ["a", { bytes, mode, stamp }],
      ["gone", { bytes: null }],
      ["lost", { bytes: null }],
      ["d/f", { stamp: expect.objectContaining({ size: 11 }) }],
      ["lost too", { bytes: null }],
    ]);
  });

  test("when it is closed nothing works", async () => {
    const guard = view(await touch("write", "a", { restores: true }), await touch("list", "d"));
    guard.close();
    for (const use of Object.keys(uses))
      await expect(uses[use]!(guard, use === "list" ? "d" : "a")).rejects.toEqual(cancelled);
    expect(changes).toEqual([]);
  });

  test("what had begun when it was closed ends too", async () => {
    for (const use of ["write", "remove"]) {
      const guard = view(await touch("write", "a", { restores: true }));
      const begun = uses[use]!(guard, "a");
      guard.close();
      await expect(begun).rejects.toEqual(cancelled);
    }
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("text of a");

    const closing = { ...workspace, files: { ...workspace.files } };
    const late = guarded(closing, [await touch("write", "a")], {
      commit: async (change) => {
        changes.push(change);
      },
    });
    closing.files.read = (place) => {
      late.close();
      return workspace.files.read(place);
    };
    await expect(late.write("a", Buffer.from("new"))).rejects.toEqual(cancelled);
    expect(changes).toEqual([]);

    fs.writeFileSync(path.join(root, "big"), Buffer.alloc(1_000_000));
    const guard = view(await touch("read", "big"));
    const pieces = guard.chunks("big")[Symbol.asyncIterator]();
    expect((await pieces.next()).done).toBe(false);
    guard.close();
    await expect(pieces.next()).rejects.toEqual(cancelled);
    expect(descriptorsOpen()).toBe(0);
  });
});
