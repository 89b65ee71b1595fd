import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Context, type Look, Tool, ToolFailure, z } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

const FILES = { "a.txt": "one\n", "sub/b.txt": "two\n" };

/** What a tool sees before it is allowed to do anything, by its touches or by its preview. */
async function looking<T>(where: "touches" | "preview", look: (look: Look) => Promise<T>, before: string[] = []) {
  let seen: T | undefined;
  const note = async (given: Look) => {
    seen = await look(given).catch((error) => error);
    return [];
  };
  const claims = [{ action: "read", target: "a.txt" } as const];
  const tool = plain("looking", {
    touches: where === "touches" ? async (_, given) => [...(await note(given)), ...claims] : () => claims,
    ...(where === "preview" && { preview: (_, given) => note(given) }),
  });
  const it = await bench(FILES, { tools: [tool], store: "memory" });
  symlinkSync("a.txt", path.join(it.dir, "link.txt"));
  for (const file of before) await it.call("read_file", { path: file });
  const call = { id: "c", name: "looking", messageID: "m", sessionID: it.gate.sessionID };
  expect((await it.gate.call(call)).status).toBe("done");
  return { ...it, seen };
}

describe.each(["touches", "preview"] as const)("what a tool may look at by its %s", (where) => {
  test("the call itself", async () => {
    const { seen } = await looking(where, async ({ call }) => call);
    expect(seen).toMatchObject({ id: "c", name: "looking", messageID: "m", agent: "main" });
  });

  test("where a path really leads, and never outside", async () => {
    const { seen, dir } = await looking(where, async ({ realPath }) => [
      await realPath("./link.txt"),
      await realPath("../x").catch((error: unknown) => error),
    ]);
    expect(seen?.[0]).toBe(path.join(dir, "a.txt"));
    expect(seen?.[1]).toBeInstanceOf(ToolFailure);
  });

  test("how a file was when this session last read it", async () => {
    const both = async ({ seen }: Look) => [await seen("link.txt"), await seen("sub/b.txt")];
    const { seen } = await looking(where, both, ["a.txt"]);
    expect(seen).toEqual([expect.objectContaining({ size: 4 }), undefined]);
  });

  test("what was kept of changes, and a hash", async () => {
    const { seen } = await looking(where, async ({ journal, hash }) => [
      await journal.changes({}),
      hash(new TextEncoder().encode("x")),
    ]);
    expect(seen).toEqual([[], createHash("sha256").update("x").digest("hex")]);
  });

  test("no file that it did not declare, and nothing to write", async () => {
    const { seen, text } = await looking(where, async ({ files }) => [
      await files.read("sub/b.txt").catch((error: unknown) => error),
      await files.write("a.txt", new Uint8Array(1)).catch((error: unknown) => error),
    ]);
    expect(seen).toMatchObject([{ code: "PERMISSION_DENIED" }, { code: "PERMISSION_DENIED" }]);
    expect(text("a.txt")).toBe("one\n");
  });
});

test("what a tool kept of its preview is closed when the call has ended", async () => {
  let kept: Look | undefined;
  const tool = plain("keeper", {
    touches: () => [{ action: "read", target: "a.txt" }],
    preview: async (_, look) => {
      kept = look;
      await look.files.read("a.txt");
      return [];
    },
  });
  const { gate } = await bench(FILES, { tools: [tool], store: "memory" });
  for (const use of [() => gate.call({ name: "keeper" }), () => gate.explain({ name: "keeper" })]) {
    await use();
    await expect(kept?.files.read("a.txt")).rejects.toMatchObject({ code: "CANCELLED" });
  }
});

test("a tool is given who calls, in which turn, and what was changed for it", async () => {
  let given: Record<string, unknown> = {};
  const tool = plain("telling", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "a.txt" }],
    preview: async () => [{ path: "a.txt", after: new TextEncoder().encode("two\n"), note: "mine" }],
    execute: async (_, context: Context) => {
      const { sessionID, messageID, agent, callID, changes, hash, now, abort } = context;
      const [change] = changes;
      const took = { hash: hash(new Uint8Array()).length, recent: Math.abs(Date.now() - now()) < 60_000 };
      const { note, modeBefore } = change ?? {};
      given = { sessionID, messageID, agent, callID, note, modeBefore, aborted: abort.aborted, ...took };
      return "";
    },
  });
  const { gate } = await bench(FILES, { tools: [tool], store: "memory" });
  const call = { id: "c", name: "telling", messageID: "m", sessionID: "s", agent: "helper" };
  expect((await gate.call(call)).status).toBe("done");
  const who = { sessionID: "s", messageID: "m", agent: "helper", callID: "c" };
  expect(given).toMatchObject({ ...who, note: "mine", aborted: false, hash: 64, recent: true });
  expect(given.modeBefore).toBeTypeOf("number");
});

describe("finding a tool", () => {
  const lazy = () => Tool.define("lazy", async () => definition);
  const definition = {
    description: "Comes when it is called.",
    input: z.object({}),
    touches: () => [],
    execute: () => "came",
  };

  test("one that is loaded on demand is loaded once, under its own name or another's", async () => {
    let asked = 0;
    const resolve = async (name: string) => {
      asked += 1;
      return name === "lazy" || name === "other" ? lazy() : undefined;
    };
    const { call } = await bench({}, { resolve, store: "memory" });
    expect((await call("lazy")).output).toBe("came");
    expect((await call("lazy")).output).toBe("came");
    expect(asked).toBe(1);
    expect(await call("missing")).toMatchObject({ status: "unknown" });
  });

  test("one that answers for another name is called by its own", async () => {
    const { call } = await bench({}, { resolve: async () => lazy(), store: "memory" });
    expect((await call("other")).output).toBe("came");
  });

  test("what is registered is not asked for elsewhere", async () => {
    const resolve = async () => expect.unreachable("nobody needs to look");
    const { call } = await bench(FILES, { resolve, tools: [lazy()], store: "memory" });
    expect((await call("lazy")).status).toBe("done");
    expect((await call("Read", { path: "a.txt" })).status).toBe("done");
  });

  test("a near name is suggested, and where none is near all are listed", async () => {
    const { call } = await bench({}, { toolset: ["read_file", "write_file"], store: "memory" });
    expect((await call("raed_file")).error?.hint).toBe("Did you mean read_file?");
    expect((await call("xyzzyx")).error?.hint).toBe("The tools are read_file, write_file.");
    const long = (await call("n".repeat(200))).error?.message ?? "";
    expect(long).toContain(`${"n".repeat(80)}…`);
    expect((await call("n".repeat(80))).error?.message).toContain(`${"n".repeat(80)}.`);
  });
});
