import { beforeEach, describe, expect, test } from "vitest";
import { type Disk, disk, failure } from "../../test/contracts/disk.ts";
import type { FoundFile, Search } from "../core/contracts/search.ts";
import type { Change, FileView, GuardedView, GuardOptions, Workspace } from "../core/contracts/workspace.ts";
import type { PathTouch, Place } from "../core/words/touch.ts";
import { guarded } from "./guarded.ts";

const all = async <T>(findings: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const each of findings) found.push(each);
  return found;
};
const undeclared = { ...failure("PERMISSION_DENIED"), message: expect.stringContaining("was not declared") };
const cancelled = failure("CANCELLED");

let one: Disk;
beforeEach(() => {
  one = disk();
  for (const file of ["a", "secret.txt", "d/f", "d/secret.txt", "d/Secrets/g", "d/e/h"])
    one.put(file, `needle ${file}\n`);
});
const touch = (action: PathTouch["action"], file: string, more: Partial<PathTouch> = {}): PathTouch => ({
  action,
  place: one.at(file),
  certain: true,
  ...more,
});

const uses: Record<string, (view: FileView, path: string) => Promise<unknown>> = {
  stat: (view, file) => view.stat(file),
  read: (view, file) => view.read(file),
  chunks: (view, file) => view.chunks(file)[Symbol.asyncIterator]().next(),
  list: (view, file) => view.list(file),
  near: (view, file) => view.near(file),
  findFiles: (view, file) => all(view.findFiles(file, {})),
  findLines: (view, file) => all(view.findLines(file, { pattern: "needle" })),
  write: (view, file) => view.write(file, Buffer.from("new")),
  remove: (view, file) => view.remove(file),
};

describe("what is hidden from a call", () => {
  const exclude = ["secret.txt", "d/secrets"];
  let changes: Change[];
  const view = (more: GuardOptions = {}): GuardedView => {
    changes = [];
    const commit = async (change: Change) => void changes.push(change);
    return guarded(one.workspace, [touch("read", "."), touch("write", ".", { restores: true })], {
      commit,
      exclude,
      ...more,
    });
  };

  test.each(Object.keys(uses))("cannot be reached by %s, however it is spelled", async (use) => {
    for (const hidden of ["secret.txt", "./d/../secret.txt", "d/secret.txt", one.on("d/secret.txt"), "d/Secrets"])
      await expect(uses[use]?.(view(), hidden), hidden).rejects.toMatchObject(undeclared);
    await expect(uses[use]?.(view(), "d/Secrets/g")).rejects.toMatchObject(undeclared);
    expect(changes).toEqual([]);
    const [file] = ["list", "findFiles", "findLines"].includes(use) ? ["d"] : ["d/f"];
    await expect(uses[use]?.(view(), file)).resolves.not.toThrow();
  });

  test("is left out of what is found, and counted, beside what the query leaves out itself", async () => {
    const found = view().findFiles(".", { exclude: ["d/e/**"] });
    expect((await all(found)).map(({ path }) => path).sort()).toEqual(["a", "d/f"]);
    expect(found.report).toMatchObject({ engine: "ripgrep", excluded: 4 });
    const lines = view().findLines("d", { pattern: "needle" });
    expect((await all(lines)).map(({ path }) => path).sort()).toEqual(["d/e/h", "d/f"]);
    expect(lines.report).toMatchObject({ engine: "ripgrep", excluded: 2 });
  });

  test("is nothing where nothing is excluded", async () => {
    const found = view({ exclude: [] }).findFiles(".", {});
    expect(await all(found)).toHaveLength(6);
    expect(found.report.excluded).toBe(0);
  });
});

describe("a search", () => {
  test("needs a declared list or read of the folder", async () => {
    for (const [action, isAllowed] of [
      ["list", true],
      ["read", true],
      ["write", false],
      ["delete", false],
    ] as const)
      for (const use of ["findFiles", "findLines"]) {
        const attempt = uses[use]?.(guarded(one.workspace, [touch(action, "d")]), "d");
        if (isAllowed) await expect(attempt).resolves.toHaveLength(4);
        else await expect(attempt).rejects.toMatchObject(undeclared);
        await expect(uses[use]?.(guarded(one.workspace, [touch(action, "d")]), ".")).rejects.toMatchObject(undeclared);
      }
  });

  test("is told of the end of its call", async () => {
    const controller = new AbortController();
    const signal = () => controller.signal;
    const view = guarded(one.workspace, [touch("list", ".")], { signal });
    controller.abort();
    for (const use of ["findFiles", "findLines"]) await expect(uses[use]?.(view, ".")).rejects.toMatchObject(cancelled);
  });

  test("that is left early tells its report, and what it was stopped by", async () => {
    let stopped = 0;
    const report = { engine: "double", tookAsText: false, excluded: 3, unreadable: 2 };
    const files: Search["files"] = () => ({
      report,
      async *[Symbol.asyncIterator](): AsyncGenerator<FoundFile> {
        try {
          for (let size = 0; ; size += 1) yield { path: "a", size, mtimeMs: 0 };
        } finally {
          stopped += 1;
        }
      },
    });
    const workspace = { ...one.workspace, search: { ...one.workspace.search, files } };
    const found = guarded(workspace, [touch("list", ".")]).findFiles(".", {});
    expect(found.report).toMatchObject({ engine: "", excluded: 0 });
    for await (const { size } of found) if (size === 2) break;
    expect([stopped, found.report]).toEqual([1, report]);
  });
});

/** The same workspace; of every use of a place somebody is told. */
function noted(base: Workspace, tell: (method: string, place: Place) => unknown): Workspace {
  const telling = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, method) {
        const member = Reflect.get(target, method) as (place: Place, ...more: unknown[]) => unknown;
        return (place: Place, ...more: unknown[]) => {
          tell(String(method), place);
          return member(place, ...more);
        };
      },
    });
  return { ...base, files: telling(base.files), search: telling(base.search) };
}

/** The same workspace; the view is closed while the method of this name looks at the file, before it answers. */
function closingIn(base: Workspace, method: string, file: string, close: () => void): Workspace {
  const closing =
    <V extends unknown[], R>(act: (...given: V) => R) =>
    async (...given: V): Promise<Awaited<R>> => {
      const answer = await act(...given);
      if (given[0] === file || (given[0] as Place).real === one.on(file)) close();
      return answer;
    };
  if (method === "locate") return { ...base, locate: closing(base.locate) };
  const { stat, read, chunks, list, near, commit } = base.files;
  const files = { stat, read, chunks, list, near, commit };
  const closed: typeof chunks = async function* (...given) {
    for await (const piece of chunks(...given)) {
      close();
      yield piece;
    }
  };
  const own = method === "chunks" ? { chunks: closed } : { [method]: closing(files[method as "read"]) };
  return { ...base, files: { ...files, ...own } };
}

describe("a view that is closed", () => {
  const moments: [use: string, during: string, file: string][] = [
    ["stat", "locate", "d/f"],
    ["stat", "stat", "d/f"],
    ["read", "locate", "d/f"],
    ["read", "read", "d/f"],
    ["chunks", "locate", "d/f"],
    ["chunks", "stat", "d/f"],
    ["chunks", "chunks", "d/f"],
    ["list", "locate", "d/e"],
    ["list", "list", "d"],
    ["near", "locate", "d/f"],
    ["near", "near", "d/f"],
    ["findFiles", "locate", "d/e"],
    ["findLines", "locate", "d/e"],
    ["write", "locate", "d/f"],
    ["write", "read", "d/f"],
    ["remove", "locate", "d/f"],
    ["remove", "read", "d/f"],
  ];
  test.each(moments)("in %s while %s is under way hands nothing on and changes nothing", async (use, during, file) => {
    const changes: Change[] = [];
    const late: string[] = [];
    let view: GuardedView | undefined;
    let isClosed = false;
    const close = () => {
      view?.close();
      isClosed = true;
    };
    const noting = noted(
      one.workspace,
      (method, place) => isClosed && place.real === one.on(file) && late.push(method),
    );
    const workspace = closingIn(noting, during, file, close);
    const touches = [touch("read", "d"), touch("write", "d", { restores: true })];
    view = guarded(workspace, touches, { commit: async (change) => void changes.push(change) });
    await expect(uses[use]?.(view, file)).rejects.toMatchObject(cancelled);
    expect([changes, late, view.sights.filter(({ bytes }) => bytes !== undefined)]).toEqual([[], [], []]);
  });

  test.each(["findFiles", "findLines"] as const)("between two findings of %s gives no more", async (use) => {
    const view = guarded(one.workspace, [touch("list", ".")]);
    const found = view[use](".", { pattern: "needle" })[Symbol.asyncIterator]();
    expect((await found.next()).done).toBe(false);
    view.close();
    await expect(found.next()).rejects.toMatchObject(cancelled);
    await found.return?.();
  });

  test("after the last piece of a file has not come to its end", async () => {
    const view = guarded(one.workspace, [touch("read", "a")]);
    const pieces = view.chunks("a")[Symbol.asyncIterator]();
    expect((await pieces.next()).done).toBe(false);
    view.close();
    await expect(pieces.next()).rejects.toMatchObject(cancelled);
  });

  test.each(Object.keys(uses))("does not even find out where a path leads, for %s", async (use) => {
    let located = 0;
    const locate: Workspace["locate"] = (path) => {
      located += 1;
      return one.workspace.locate(path);
    };
    const view = guarded({ ...one.workspace, locate }, [touch("read", ".")], { commit: async () => {} });
    view.close();
    await expect(uses[use]?.(view, "d")).rejects.toMatchObject(cancelled);
    expect(located).toBe(0);
  });

  test("before anything is asked for starts no search", async () => {
    let started = 0;
    const files: Search["files"] = (...given) => {
      started += 1;
      return one.workspace.search.files(...given);
    };
    const workspace = { ...one.workspace, search: { ...one.workspace.search, files } };
    const view = guarded(workspace, [touch("list", ".")]);
    view.close();
    await expect(all(view.findFiles(".", {}))).rejects.toMatchObject(cancelled);
    expect(started).toBe(0);
  });
});

describe("what a touch reaches", () => {
  test("below a file there is nothing, and a folder that is gone holds nothing", async () => {
    const gone = { ...one.at("d"), real: one.on("was"), shown: "was" };
    for (const action of ["read", "list", "write", "delete"] as const) {
      const view = guarded(one.workspace, [{ action, place: gone, certain: true }]);
      await expect(view.stat("was/f")).rejects.toMatchObject(undeclared);
      await expect(view.stat("was")).resolves.toBeUndefined();
    }
  });

  test("a pattern of files below reaches for looking, and for nothing else", async () => {
    const missing = { ...one.at("d"), real: one.on("new"), shown: "new" };
    for (const [action, isReached] of [
      ["read", true],
      ["list", true],
      ["write", false],
      ["delete", false],
    ] as const) {
      const view = guarded(one.workspace, [{ action, place: missing, certain: true, scope: "**" }]);
      const attempt = view.stat("new/f");
      if (isReached) await expect(attempt).resolves.toBeUndefined();
      else await expect(attempt).rejects.toMatchObject(undeclared);
    }
  });

  test("of a workspace that names places without folders each stands for itself", async () => {
    const locate: Workspace["locate"] = (path) => ({ shown: path, real: path, root: "", exists: true });
    const stat = () => ({ kind: "folder" as const, mode: 0o755, stamp: { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 1 } });
    const flat: Workspace = { ...one.workspace, locate, files: { ...one.workspace.files, stat } };
    const view = guarded(flat, [{ action: "read", place: locate("keys") as Place, certain: true, scope: "**" }]);
    await expect(view.stat("keys")).resolves.toBeDefined();
    await expect(view.stat("keys2")).rejects.toMatchObject(undeclared);
  });

  test("the whole disk holds every place, where that is the workspace", async () => {
    const { localWorkspace } = await import("./local.ts");
    const whole = localWorkspace({ root: "/", state: one.top });
    const view = guarded(whole, [{ action: "read", place: await whole.locate("/"), certain: true }]);
    expect(Buffer.from((await view.read(one.on("a"))).bytes).toString()).toBe("needle a\n");
  });
});

test.each([undefined, "NOT_FOUND", "EIO"])("what merely fails is no sight, whatever code it has: %s", async (code) => {
  const error = Object.assign(new Error("bad disk"), { code });
  const broken: Workspace = {
    ...one.workspace,
    files: { ...one.workspace.files, read: () => Promise.reject(error) },
  };
  const commit = async () => {};
  const view = guarded(broken, [touch("write", "a", { restores: true })], { commit });
  await expect(view.read("a")).rejects.toThrow("bad disk");
  await expect(view.write("a", Buffer.from("new"))).rejects.toThrow("bad disk");
  expect(view.sights).toEqual([]);
});
