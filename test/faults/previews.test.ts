import { describe, expect, test } from "vitest";
import type { OpenOptions, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain } from "../journeys/harness.ts";

const SECRET = "the secret recipe of grandmother\n";
const miss = { path: "a.txt", old_str: "the secret recipe of grandfather", new_str: "x" };
const fail = () => Promise.reject(new Error("the disk is full"));

describe("a preview that failed", () => {
  const asking = async (approve: NonNullable<OpenOptions["approve"]>, more: OpenOptions = {}) =>
    bench({ "a.txt": SECRET }, { mode: "confirm-all", approve, store: "memory", ...more });

  test("and was approved is told as a failure, with what the file says", async () => {
    const { call, text } = await asking(() => "once");
    const result = await call("edit_file", miss);
    expect(result).toMatchObject({ success: false, status: "failed", error: { code: "NOT_FOUND" } });
    expect(JSON.stringify(result)).toContain("grandmother");
    expect(text("a.txt")).toBe(SECRET);
  });

  test("and was approved stays a failure, though the file would fit by now", async () => {
    const it = await asking(() => {
      it.put("a.txt", `${miss.old_str}\n`);
      return "once";
    });
    expect(await it.call("edit_file", miss)).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
    expect(it.text("a.txt")).toBe(`${miss.old_str}\n`);
  });

  test.each(["deny", "abort"])("and was answered by %s tells nothing of the file", async (answer) => {
    const { call } = await asking(() => answer);
    expect(JSON.stringify(await call("edit_file", miss))).not.toContain("grandmother");
  });

  test("is told at once where reading needs no question", async () => {
    let asked = 0;
    const { call } = await asking(() => String(++asked), { mode: "confirm-sensitive" });
    const result = await call("edit_file", miss);
    expect(result).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
    expect(JSON.stringify(result)).toContain("grandmother");
    expect(asked).toBe(0);
  });

  test("is told at once where the call needs no question", async () => {
    const { call } = await asking(() => "deny", { mode: "yolo" });
    expect(await call("edit_file", miss)).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
  });

  test.each(["plan", "dryRun"] as const)("is no %s", async (kind) => {
    const { call } = await asking(() => "once", { [kind]: true });
    expect(await call("edit_file", miss)).toMatchObject({ success: false, status: "failed" });
  });

  test("makes explain tell that it would fail, and not what the file says", async () => {
    const { gate } = await asking(() => "once");
    const told = await gate.explain({ name: "edit_file", args: miss });
    expect(told.verdict).toBe("ask");
    expect(JSON.stringify(told)).not.toContain("grandmother");
  });
});

describe("a change that was made is told as made", () => {
  const write = { name: "write_file", args: { path: "a.txt", content: "new\n" } };

  test("though its row could not be concluded", async () => {
    const { gate, text } = await bench({ "a.txt": "old\n" }, { store: { ...memoryStore(), conclude: fail } });
    expect(await gate.call(write)).toMatchObject({ success: true, status: "done" });
    expect(text("a.txt")).toBe("new\n");
  });

  test("though nobody could look at it afterwards", async () => {
    const local = localWorkspace({ root: folder({ "a.txt": "old\n" }) });
    let made = false;
    const workspace = {
      ...local,
      files: {
        ...local.files,
        stat: (place: Parameters<typeof local.files.stat>[0]) => (made ? fail() : local.files.stat(place)),
        async commit(...values: Parameters<typeof local.files.commit>) {
          await local.files.commit(...values);
          made = true;
          return undefined;
        },
      },
    };
    const { gate } = await bench({}, { workspace, store: "memory" });
    // so that the session remembers how the file was
    await gate.call({ name: "read_file", args: { path: "a.txt" } });
    expect(await gate.call(write)).toMatchObject({ success: true, status: "done" });
    await local.close();
  });

  test.each([
    ["thrown", "failed"],
    ["returned", "failed"],
  ])("though the tool failed afterwards: %s", async (how, status) => {
    const tool = plain("half", {
      permissions: { required: ["write"] },
      touches: () => ["a.txt", "b.txt"].map((target) => ({ action: "write", target }) as const),
      preview: async () => ["a.txt", "b.txt"].map((path) => ({ path, after: new TextEncoder().encode("new\n") })),
      execute: () => {
        if (how === "thrown") throw new Error("boom");
        return { output: "", error: "boom" };
      },
    });
    const { call, text } = await bench({ "a.txt": "old\n" }, { tools: [tool], store: "memory" });
    const { error, ...result } = await call("half");
    expect([result.status, text("a.txt")]).toEqual([status, "new\n"]);
    expect(error?.message).toContain("boom (The change of a.txt, b.txt had already been made.)");
    if (how === "thrown") expect(error?.hint).toContain("Undo the change");
  });

  test("and one that was not made is not told as made", async () => {
    const store: Store = { ...memoryStore(), intend: fail };
    const { gate, text } = await bench({ "a.txt": "old\n" }, { store });
    const { error, status } = await gate.call(write);
    expect([status, text("a.txt")]).toEqual(["failed", "old\n"]);
    expect(error?.message).not.toContain("already been made");
    expect(error?.hint).not.toContain("Take the change back");
  });
});

describe("a preview", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test("is asked once where nothing changed, and what it saw is replaced", async () => {
    let previews = 0;
    const tool = plain("counted", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "a.txt" }],
      preview: async (_, { files }) => {
        previews += 1;
        await files.read("a.txt");
        return [{ path: "a.txt", after: bytes("new\n") }];
      },
    });
    const { call, text } = await bench({ "a.txt": "old\n" }, { tools: [tool], store: "memory" });
    expect((await call("counted")).status).toBe("done");
    expect([previews, text("a.txt")]).toEqual([1, "new\n"]);
  });

  const looks: [what: string, look: "read" | "stat" | "chunks", file: string][] = [
    ["a file that it read", "read", "b.txt"],
    ["a file that it read in pieces", "chunks", "b.txt"],
    ["a file that was missing", "stat", "c.txt"],
    ["what it replaces without having read it", "stat", "a.txt"],
  ];
  test.each(looks)("is asked again when %s changed before the locks were taken", async (_, look, file) => {
    let previews = 0;
    const tool = plain("counted", {
      permissions: { required: ["write"] },
      touches: () => [
        { action: "write", target: "a.txt" },
        { action: "read", target: "b.txt" },
        { action: "read", target: "c.txt" },
      ],
      preview: async (_input, { files }) => {
        previews += 1;
        if (look === "read") await files.read(file);
        if (look === "stat") await files.stat(file);
        if (look === "chunks") for await (const _piece of files.chunks(file)) break;
        return [{ path: "a.txt", after: bytes(`new ${previews}\n`) }];
      },
    });
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      lock(paths, holder) {
        it.put(file, "meanwhile\n");
        return inner.lock(paths, holder);
      },
    };
    const it = await bench({ "a.txt": "old\n", "b.txt": "old\n" }, { tools: [tool], store });
    expect((await it.call("counted")).status).toBe("done");
    expect([previews, it.text("a.txt")]).toEqual([2, "new 2\n"]);
  });

  test("that changes nothing leaves no row behind", async () => {
    const store = memoryStore();
    const { call } = await bench({ "a.txt": "same\n" }, { store });
    expect((await call("write_file", { path: "a.txt", content: "same\n" })).status).toBe("done");
    expect(await store.changes({})).toEqual([]);
  });

  test("that changes the mode alone makes it, and that can be taken back", async () => {
    const tool = plain("chmod", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "a.txt" }],
      preview: async (_, { files }) => [{ path: "a.txt", after: (await files.read("a.txt")).bytes, mode: 0o600 }],
    });
    const store = memoryStore();
    const { call } = await bench({ "a.txt": "same\n" }, { store, tools: [tool] });
    await call("chmod");
    expect(await store.changes({})).toMatchObject([{ modeAfter: 0o600, state: "done" }]);
    await call("chmod");
    expect(await store.changes({})).toHaveLength(1);
    expect((await call("undo_file", { path: "a.txt" })).status).toBe("done");
    const info = await call("file_info", { path: "a.txt" });
    expect(info.output).not.toContain("600");
  });
});
