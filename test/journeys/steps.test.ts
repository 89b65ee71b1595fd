import { renameSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type FileView, read, write, z } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

/** Old enough for its answer to be kept. */
function age(file: string): void {
  const then = new Date(Date.now() - 60_000);
  utimesSync(file, then, then);
}

const transient = () => Object.assign(new Error("the line is gone"), { code: "ECONNRESET" });

describe("answers are given again", () => {
  test("only of tools that give the same for the same, and only of reading", async () => {
    let runs = 0;
    const execute = async () => `answer ${++runs}`;
    const of = (name: string, more: object) => plain(name, { touches: () => [read("f")], execute, ...more });
    const tools = [
      of("same", { idempotent: true }),
      of("silent", {}),
      of("changing", {
        idempotent: true,
        touches: () => [read("f"), write("g")],
        permissions: { required: ["write"] },
      }),
      of("looking", { idempotent: true, touches: () => [{ action: "list", target: "." }] }),
      of("nothing", { idempotent: true, touches: () => [] }),
    ];
    const { call, dir } = await bench({ f: "x" }, { tools, store: "memory" });
    age(path.join(dir, "f"));
    await new Promise((resolve) => setTimeout(resolve, 60));
    const twice = async (name: string) => {
      runs = 0;
      return [(await call(name)).output, (await call(name)).output];
    };
    expect(await twice("same")).toEqual(["answer 1", "answer 1"]);
    for (const name of ["silent", "changing", "looking", "nothing"])
      expect([name, ...(await twice(name))]).toEqual([name, "answer 1", "answer 2"]);
  });

  test("and count as read: whoever was answered from memory is told of a change since", async () => {
    const { gate, call, dir } = await bench({ f: "old text\n" }, { store: "memory" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await call("read_file", { path: "f" });
    const child = gate.child({});
    const read = { name: "read_file", args: { path: "f" } };
    const cached = [await child.call(read), await child.call(read)].map(({ metadata }) => metadata.cached);
    expect(cached, "another session's answer is not given again").toEqual([undefined, true]);
    writeFileSync(path.join(dir, "g"), "new text, longer\n");
    renameSync(path.join(dir, "g"), path.join(dir, "f"));
    const edit = { name: "edit_file", args: { path: "f", old_str: "nowhere to be found", new_str: "x" } };
    expect((await child.call(edit)).error?.message).toContain("has changed since it was read");
    const stranger = gate.child({});
    expect((await stranger.call(edit)).error?.message).not.toContain("has changed since it was read");
  });
});

describe("the time limit", () => {
  test("stops the tool itself: its signal fires, and it reaches nothing afterwards", async () => {
    let signal: AbortSignal | undefined;
    let late: Promise<unknown> = Promise.resolve();
    const slow = plain("slow", {
      timeLimit: 30,
      touches: () => [write("late.txt")],
      permissions: { required: ["write"] },
      execute: (_: unknown, { abort, files }: { abort: AbortSignal; files: FileView }) => {
        signal = abort;
        return new Promise<string>((resolve) => {
          abort.addEventListener("abort", () => {
            late = new Promise((go) => setTimeout(go, 20)).then(() => files.write("late.txt", new Uint8Array([1])));
            late.catch(() => {});
            resolve("begun");
          });
        });
      },
    });
    const { call, text } = await bench({}, { tools: [slow], store: "memory" });
    const result = await call("slow");
    expect(result).toMatchObject({ success: false, status: "timed-out", error: { code: "TIMEOUT" } });
    expect(result.error?.message).toBe("Stopped after 0.03 s.");
    expect(signal?.aborted).toBe(true);
    await expect(late).rejects.toThrow();
    expect(text("late.txt")).toBeUndefined();
  });

  test("is that of the input where the tool says so", async () => {
    const tool = plain("timed", {
      input: z.object({ ms: z.number() }),
      timeLimit: (input) => (input as { ms: number }).ms,
      execute: (_: unknown, { abort }: { abort: AbortSignal }) =>
        new Promise<string>((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
    });
    const { call } = await bench({}, { tools: [tool], store: "memory" });
    expect((await call("timed", { ms: 20 })).error?.message).toBe("Stopped after 0.02 s.");
  });
});

describe("trying again", () => {
  test.each<[what: string, more: object, times: number]>([
    ["a tool that wants it", { retry: { attempts: 2 } }, 2],
    ["a tool that does not say", {}, 1],
    ["a tool that wants one attempt", { retry: { attempts: 1 } }, 1],
    [
      "a tool whose change was made already",
      {
        retry: { attempts: 3 },
        permissions: { required: ["write"] },
        touches: () => [write("f")],
        preview: async () => [{ path: "f", after: new TextEncoder().encode("new") }],
      },
      1,
    ],
  ])("%s", async (_, more, times) => {
    let runs = 0;
    const execute = async () => {
      runs += 1;
      throw transient();
    };
    const { call } = await bench({ f: "old" }, { tools: [plain("shaky", { execute, ...more })], store: "memory" });
    const result = await call("shaky");
    expect(result.status).toBe("failed");
    expect(runs).toBe(times);
  });
});
