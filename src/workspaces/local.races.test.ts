import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Workspace } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";

let top: string;
let ws: string;
let outside: string;
let workspace: Workspace;

beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-races-")));
  ws = path.join(top, "ws");
  outside = path.join(top, "outside");
  for (const folder of ["ws/a/b", "outside/b"]) fs.mkdirSync(path.join(top, folder), { recursive: true });
  fs.writeFileSync(path.join(ws, "a/b/f"), "inside");
  // as long as the inner one, so that no size gives it away
  for (const file of ["outside/f", "outside/b/f"]) fs.writeFileSync(path.join(top, file), "secret");
  workspace = localWorkspace({ root: ws });
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(top, { recursive: true });
});

const replace = (inner: string, target: string) => {
  fs.renameSync(path.join(ws, inner), path.join(ws, `${inner}-moved`));
  fs.symlinkSync(target, path.join(ws, inner));
};

const swaps: Record<string, () => void> = {
  "the file by a link": () => replace("a/b/f", path.join(outside, "f")),
  "its folder by a link": () => replace("a/b", outside),
  "a folder above by a link": () => replace("a", outside),
  "its folder by a chain of links": () => {
    fs.symlinkSync(outside, path.join(ws, "hop"));
    replace("a/b", "../hop");
  },
  "the root by a link": () => {
    fs.renameSync(ws, `${ws}-moved`);
    fs.symlinkSync(outside, ws);
    fs.mkdirSync(path.join(outside, "a/b"), { recursive: true });
    fs.writeFileSync(path.join(outside, "a/b/f"), "secret");
  },
};

const drain = async (pieces: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
};
const commit = (place: Place, before: string | null, after: string | null, intend = async () => {}) =>
  workspace.files.commit(
    [
      {
        place,
        before: before === null ? null : Buffer.from(before),
        after: after === null ? null : Buffer.from(after),
      },
    ],
    intend,
  );

const uses: Record<string, (file: Place, folder: Place, fresh: Place) => Promise<unknown>> = {
  read: async (file) => Buffer.from((await workspace.files.read(file)).bytes).toString(),
  chunks: (file) => drain(workspace.files.chunks(file)),
  "stat of the file": async (file) => workspace.files.stat(file),
  list: (_, folder) => workspace.files.list(folder),
  "commit on what was inside": (file) => commit(file, "inside", "changed"),
  "commit on what is outside": (file) => commit(file, "secret", "changed"),
  "commit of a new file": (_, __, fresh) => commit(fresh, null, "new"),
  "commit of a new file in new folders": (_, folder) =>
    commit({ ...folder, shown: "a/b/n/m", real: `${folder.real}/n/m`, exists: false }, null, "new"),
  "removal of what is outside": (file) => commit(file, "secret", null),
};

const everythingIn = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return entry.isFile() ? `${file}: ${fs.readFileSync(file, "utf8")}` : file;
  });

const places = () =>
  [workspace.locate("a/b/f"), workspace.locate("a/b"), workspace.locate("a/b/new")] as [Place, Place, Place];

describe.each(Object.keys(swaps))("%s", (swap) => {
  test.each(Object.keys(uses))("before %s: nothing outside is shown or touched", async (use) => {
    const found = places();
    swaps[swap]!();
    const before = everythingIn(outside);
    let answer: unknown;
    try {
      answer = await uses[use]!(...found);
    } catch (error) {
      expect(error).toBeInstanceOf(ToolFailure);
    }
    expect(everythingIn(outside)).toEqual(before);
    expect(JSON.stringify(answer) ?? "").not.toContain("secret");
    // only a swapped file leaves its folder as it was
    if (swap !== "the file by a link") expect(answer).toBeUndefined();
  });

  test.each([
    ["replacing", "inside", "changed"],
    ["removing", "inside", null],
    ["making", null, "new"],
  ])("while a commit keeps its intent, %s: nothing outside is touched", async (_, before, after) => {
    const [file, , fresh] = places();
    let untouched: string[] = [];
    const attempt = commit(before === null ? fresh : file, before, after, async () => {
      swaps[swap]!();
      untouched = everythingIn(outside);
    });
    if (before !== null || swap !== "the file by a link") await expect(attempt).rejects.toBeInstanceOf(ToolFailure);
    await attempt.catch(() => {});
    expect(everythingIn(outside)).toEqual(untouched);
  });
});

test.each(["openSync", "renameSync", "mkdirSync", "readlinkSync"] as const)(
  "a folder that is swapped at any %s of a commit never lets it out",
  async (method) => {
    for (let turn = 1; turn <= 12; turn += 1) {
      const name = `t${turn}`;
      fs.mkdirSync(path.join(ws, name));
      fs.writeFileSync(path.join(ws, name, "f"), "inside");
      const changes = [
        { place: workspace.locate(`${name}/f`) as Place, before: Buffer.from("inside"), after: Buffer.from("changed") },
        { place: workspace.locate(`${name}/n/m`) as Place, before: null, after: Buffer.from("new") },
      ];
      const original = fs[method] as (...given: unknown[]) => unknown;
      let count = 0;
      const spy = vi.spyOn(fs, method).mockImplementation(((...given: unknown[]) => {
        count += 1;
        if (count === turn) replace(name, outside);
        return original(...given);
      }) as never);
      const before = everythingIn(outside);
      await workspace.files
        .commit(changes, async () => {})
        .catch((error: unknown) => expect(error).toBeInstanceOf(ToolFailure));
      spy.mockRestore();
      expect(everythingIn(outside)).toEqual(before);
    }
  },
);

test("a file that is replaced while it is being opened is read whole, as it was or as it is", async () => {
  const place = workspace.locate("a/b/f") as Place;
  const open = fs.openSync;
  vi.spyOn(fs, "openSync").mockImplementationOnce((...given) => {
    const fd = open(...given);
    fs.writeFileSync(path.join(ws, "next"), "newer");
    fs.renameSync(path.join(ws, "next"), path.join(ws, "a/b/f"));
    return fd;
  });
  expect(["inside", "newer"]).toContain(Buffer.from((await workspace.files.read(place)).bytes).toString());
});
