import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Bytes, Change, Workspace } from "../../src/core/contracts/workspace.ts";
import { sameStamp } from "../../src/core/contracts/workspace.ts";
import type { Place } from "../../src/core/words/touch.ts";

/** `root` is a folder on the disk that the workspace looks at; `peek` tells what the workspace made of a path. */
export type WorkspaceBench = {
  workspace: Workspace;
  root: string;
  peek(path: string): Promise<{ bytes: Bytes; mode: number } | undefined>;
  done(): Promise<void>;
};

const bytes = (text: string): Bytes => new TextEncoder().encode(text);
const nothing = async () => {};

/** What every workspace must keep to. */
export function workspaceContract(name: string, make: () => Promise<WorkspaceBench>): void {
  describe(`workspace contract: ${name}`, () => {
    let bench: WorkspaceBench;
    let workspace: Workspace;
    beforeEach(async () => {
      bench = await make();
      workspace = bench.workspace;
    });
    afterEach(() => bench.done());

    const put = (file: string, content: string | Buffer, mode = 0o644) => {
      const real = path.join(bench.root, file);
      fs.mkdirSync(path.dirname(real), { recursive: true });
      fs.writeFileSync(real, content);
      fs.chmodSync(real, mode);
    };
    const at = async (file: string): Promise<Place> => workspace.locate(file);
    const text = async (file: string) => {
      const found = await bench.peek(file);
      return found && Buffer.from(found.bytes).toString();
    };
    const change = async (
      file: string,
      before: string | null,
      after: string | null,
      mode?: number,
    ): Promise<Change> => ({
      place: await at(file),
      before: before === null ? null : bytes(before),
      after: after === null ? null : bytes(after),
      ...(mode !== undefined && { mode }),
    });
    const commit = async (...changes: Promise<Change>[]) => workspace.files.commit(await Promise.all(changes), nothing);
    const code = (wanted: string) => expect.objectContaining({ name: "ToolFailure", code: wanted });

    describe("locate", () => {
      test("says what a path is called, where it is and whether it exists", async () => {
        put("a/b.txt", "x");
        const root = fs.realpathSync(bench.root);
        expect(await at("./a/../a//b.txt")).toEqual({ shown: "a/b.txt", real: `${root}/a/b.txt`, root, exists: true });
        expect(await at(`${root}/a/new`)).toEqual({ shown: "a/new", real: `${root}/a/new`, root, exists: false });
        expect(await at(".")).toEqual({ shown: ".", real: root, root, exists: true });
      });

      test.each(["..", "../x", "/etc/passwd", "~/x", "link/passwd", "a/../../x"])("refuses %s", async (given) => {
        fs.symlinkSync("/etc", path.join(bench.root, "link"));
        await expect((async () => workspace.locate(given))()).rejects.toEqual(code("PERMISSION_DENIED"));
      });
    });

    describe("looking", () => {
      test("stat tells files from folders from nothing", async () => {
        put("a/b.txt", "hello", 0o640);
        expect(await workspace.files.stat(await at("a/b.txt"))).toMatchObject({
          kind: "file",
          mode: 0o640,
          stamp: { size: 5 },
        });
        expect(await workspace.files.stat(await at("a"))).toMatchObject({ kind: "folder" });
        expect(await workspace.files.stat(await at("a/c.txt"))).toBeUndefined();
        expect(await workspace.files.stat(await at("q/c.txt"))).toBeUndefined();
      });

      test("read gives bytes, mode and the stamp that stat gives", async () => {
        put("b.bin", Buffer.from([0, 255, 10, 13]), 0o755);
        const place = await at("b.bin");
        const found = await workspace.files.read(place);
        expect([...found.bytes]).toEqual([0, 255, 10, 13]);
        expect(found.mode).toBe(0o755);
        expect(sameStamp(found.stamp, (await workspace.files.stat(place))!.stamp)).toBe(true);
      });

      test("what is done to bytes that were read changes no file", async () => {
        put("a", "hello");
        await commit(change("a", "hello", "there"));
        (await workspace.files.read(await at("a"))).bytes.fill(0);
        expect(await text("a")).toBe("there");
      });

      test("an empty file is a file", async () => {
        put("empty", "");
        expect((await workspace.files.read(await at("empty"))).bytes.length).toBe(0);
      });

      test("read, chunks and list refuse what is not theirs", async () => {
        put("a/b.txt", "x");
        const drain = async (file: string) => {
          for await (const _ of workspace.files.chunks(await at(file)));
        };
        await expect(workspace.files.read(await at("no"))).rejects.toEqual(code("NOT_FOUND"));
        await expect(workspace.files.read(await at("a"))).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect(drain("no")).rejects.toEqual(code("NOT_FOUND"));
        await expect(drain("a")).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect(workspace.files.list(await at("no"))).rejects.toEqual(code("NOT_FOUND"));
        await expect(workspace.files.list(await at("a/b.txt"))).rejects.toEqual(code("VALIDATION_ERROR"));
      });

      test.each([0, 1, 299_999, 300_000, 900_000, 2_000_000])(
        "chunks from %i are the rest of the file",
        async (from) => {
          const whole = Buffer.from(Uint32Array.from({ length: 225_000 }, (_, i) => i * 7).buffer);
          put("big", whole);
          await commit(change("other", null, "x"));
          const pieces: Bytes[] = [];
          for await (const piece of workspace.files.chunks(await at("big"), from)) pieces.push(Buffer.from(piece));
          expect(Buffer.concat(pieces).equals(whole.subarray(from))).toBe(true);
        },
      );

      test("chunks may be left early", async () => {
        put("big", Buffer.alloc(1_000_000, 1));
        for await (const piece of workspace.files.chunks(await at("big"))) {
          expect(piece.length).toBeGreaterThanOrEqual(65_536);
          break;
        }
      });

      test("list is sorted and tells kinds; a link is a link", async () => {
        for (const file of ["b.txt", "a/x", "B.txt", ".h"]) put(file, "x");
        fs.symlinkSync("b.txt", path.join(bench.root, "l"));
        const seen = (await workspace.files.list(await at("."))).map(({ name, kind }) => `${kind} ${name}`);
        expect(seen).toEqual(["file .h", "file B.txt", "folder a", "file b.txt", "link l"]);
      });

      test("near finds neighbours and the same name elsewhere, as paths that locate takes", async () => {
        for (const file of ["src/index.ts", "src/deep/config.ts", "~odd"]) put(file, "x");
        const near = await workspace.files.near(await at("src/config.ts"));
        expect(near).toContain("src/index.ts");
        expect(near).toContain("src/deep/config.ts");
        for (const shown of [...near, ...(await workspace.files.near(await at("odd")))]) {
          expect((await at(shown)).exists).toBe(true);
        }
      });
    });

    describe("commit", () => {
      test("makes, replaces and removes together, and all views agree", async () => {
        put("old", "1", 0o755);
        put("gone", "2");
        await commit(change("new/deep/file", null, "3"), change("old", "1", "4"), change("gone", "2", null));
        expect([await text("new/deep/file"), await text("old"), await text("gone")]).toEqual(["3", "4", undefined]);
        expect((await at("new/deep")).exists).toBe(true);
        expect((await at("gone")).exists).toBe(false);
        expect(await workspace.files.stat(await at("gone"))).toBeUndefined();
        expect(await workspace.files.stat(await at("new"))).toMatchObject({ kind: "folder" });
        const names = (await workspace.files.list(await at("."))).map((entry) => entry.name);
        expect(names.filter((one) => one !== ".toolgate")).toEqual(["new", "old"]);
        expect((await workspace.files.list(await at("new"))).map((entry) => entry.name)).toEqual(["deep"]);
        await expect(workspace.files.read(await at("gone"))).rejects.toEqual(code("NOT_FOUND"));
        await expect(workspace.files.read(await at("new"))).rejects.toEqual(code("VALIDATION_ERROR"));
      });

      test.each([0o755, 0o600, 0o444])("keeps mode %i unless told otherwise", async (mode) => {
        put("f", "1", mode);
        await commit(change("f", "1", "2"));
        expect((await bench.peek("f"))?.mode).toBe(mode);
        await commit(change("f", "2", "3", 0o711));
        expect((await bench.peek("f"))?.mode).toBe(0o711);
        await commit(change("g", null, "3", 0o700));
        expect((await bench.peek("g"))?.mode).toBe(0o700);
      });

      test("changes the stamp", async () => {
        put("f", "1");
        const before = (await workspace.files.stat(await at("f")))!.stamp;
        await commit(change("f", "1", "2"));
        expect(sameStamp(before, (await workspace.files.stat(await at("f")))!.stamp)).toBe(false);
      });

      test("shows nothing before the intent is kept, and nothing at all if it is not", async () => {
        put("f", "1");
        let during: string | undefined;
        await workspace.files.commit([await change("f", "1", "2")], async () => {
          during = await text("f");
        });
        expect([during, await text("f")]).toEqual(["1", "2"]);
        const refused = workspace.files.commit(
          [await change("f", "2", "3"), await change("n/m", null, "3")],
          async () => {
            throw new Error("not kept");
          },
        );
        await expect(refused).rejects.toThrow("not kept");
        expect([await text("f"), (await at("n")).exists]).toEqual(["2", false]);
      });

      test.each<[string, string | null, string | null, string | null]>([
        ["other text of the same length", "one", "two", "new"],
        ["longer text", "one more", "one", "new"],
        ["a file where none was", "one", null, "new"],
        ["no file where one was", null, "one", "new"],
        ["no file that was to be removed", null, "one", null],
        ["another file than was to be removed", "two", "one", null],
      ])("finds a conflict: %s", async (_, there, before, after) => {
        put("z", "ok");
        if (there !== null) put("f", there);
        const changes = [await change("z", "ok", "changed"), await change("f", before, after)];
        let intended = 0;
        const attempt = workspace.files.commit(changes, async () => {
          intended += 1;
        });
        await expect(attempt).rejects.toEqual(code("CONFLICT"));
        expect([await text("z"), await text("f")]).toEqual(["ok", there ?? undefined]);
        expect(intended).toBeLessThanOrEqual(1);
      });

      test("tells no other stamps than those that the files have", async () => {
        put("f", "one");
        put("g", "one");
        const changes = [change("f", "one", "two"), change("g", "one", null), change("new/n", null, "new")];
        const stamps = await commit(...changes);
        for (const [index, each] of changes.entries()) {
          const info = await workspace.files.stat((await each).place);
          expect([undefined, info?.stamp]).toContainEqual(stamps?.[index]);
        }
      });

      test("finds a conflict that comes while the intent is being kept", async () => {
        put("f", "one");
        put("g", "one");
        const hers = [await change("g", "one", "her"), await change("f", "one", "her")];
        const attempt = workspace.files.commit(hers, async () => void (await commit(change("f", "one", "his"))));
        await expect(attempt).rejects.toEqual(code("CONFLICT"));
        expect([await text("f"), await text("g")]).toEqual(["his", "one"]);
      });

      test("of many who change one file from the same state, one succeeds", async () => {
        put("f", "0");
        const tries = Array.from({ length: 12 }, (_, i) => commit(change("f", "0", `${i + 1}`)));
        const ends = await Promise.allSettled(tries);
        expect(ends.filter((end) => end.status === "fulfilled")).toHaveLength(1);
        expect(await text("f")).toBe(`${ends.findIndex((end) => end.status === "fulfilled") + 1}`);
      });

      test("refuses a folder, a file as a folder and one file twice", async () => {
        put("d/f", "1");
        await commit(change("made", null, "1"));
        await expect(commit(change("d", null, "x"))).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect(commit(change("d", "", null))).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect((async () => commit(change("made/x", null, "x")))()).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect((async () => commit(change("d/f/x", null, "x")))()).rejects.toEqual(code("VALIDATION_ERROR"));
        await expect(commit(change("d/f", "1", "2"), change("d/f", "1", "3"))).rejects.toEqual(
          code("VALIDATION_ERROR"),
        );
        expect(await text("d/f")).toBe("1");
      });

      test("writes through a link to the file it names, and keeps the link", async () => {
        put("real", "1");
        fs.symlinkSync("real", path.join(bench.root, "link"));
        await commit(change("link", "1", "2"));
        expect([await text("real"), await text("link")]).toEqual(["2", "2"]);
        expect(fs.lstatSync(path.join(bench.root, "link")).isSymbolicLink()).toBe(true);
      });

      test("an empty list of changes is kept and changes nothing", async () => {
        let intended = 0;
        await workspace.files.commit([], async () => {
          intended += 1;
        });
        expect(intended).toBe(1);
      });
    });
  });
}
