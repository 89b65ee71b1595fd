import { describe, expect, test } from "vitest";
import type { AskedVerdict, Question } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain, sleep } from "./harness.ts";

const writing = { path: "n.txt", content: "new\n" };

describe("a call that needs approval", () => {
  const answers: [what: string, answer: unknown, status: string, written: boolean][] = [
    ["once", "once", "done", true],
    ["session", "session", "done", true],
    ["always", "always", "done", true],
    ["deny", "deny", "refused", false],
    ["abort", "abort", "cancelled", false],
    ["an object with a message", { decision: "deny", message: "not on a Friday" }, "refused", false],
    ["an object that allows", { decision: "once" }, "done", true],
    ["undefined", undefined, "refused", false],
    ["true, which is no answer", true, "refused", false],
    ["yes, which is no answer", "yes", "refused", false],
    ["an unknown decision", { decision: "maybe" }, "refused", false],
    ["edit without arguments", { decision: "edit" }, "refused", false],
  ];
  test.each(answers)("%s", async (_, answer, status, written) => {
    const { call, text } = await bench({}, { mode: "confirm-sensitive", approve: () => answer as string });
    const result = await call("write_file", writing);
    expect(result.status).toBe(status);
    expect(text("n.txt") !== undefined).toBe(written);
    if (typeof answer === "object" && answer && "message" in answer)
      expect(result.error?.message).toContain("not on a Friday");
  });

  test("a throwing approver is a no", async () => {
    const approve = () => {
      throw new Error("window closed");
    };
    const { call, text } = await bench({}, { mode: "confirm-sensitive", approve });
    expect((await call("write_file", writing)).status).toBe("refused");
    expect(text("n.txt")).toBeUndefined();
  });

  test("nobody to ask is a no that says how to go on", async () => {
    const { call, text } = await bench({}, { mode: "confirm-sensitive" });
    const { status, error } = await call("write_file", writing);
    expect(status).toBe("refused");
    expect(error?.hint).toMatch(/--mode yolo/);
    expect(text("n.txt")).toBeUndefined();
  });

  test("a model cannot approve its own call", async () => {
    const { call, text } = await bench({}, { mode: "confirm-sensitive" });
    expect((await call("write_file", { ...writing, approved: true })).status).toBe("refused");
    expect(text("n.txt")).toBeUndefined();
  });

  test("the person sees the call, what it touches, and the diff", async () => {
    const asked: { call: Question; verdict: AskedVerdict }[] = [];
    const approve = (call: Question, verdict: AskedVerdict) => {
      asked.push({ call, verdict });
      return "once";
    };
    const { call } = await bench({ "a.txt": "one\n" }, { mode: "confirm-sensitive", approve });
    await call("edit_file", { path: "a.txt", old_str: "one", new_str: "two" });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.call.tool).toBe("edit_file");
    expect(asked[0]?.call.diff).toContain("-one\n+two");
    expect(asked[0]?.call.touches[0]).toMatchObject({ action: "write", place: { shown: "a.txt" } });
    expect(asked[0]?.verdict).toMatchObject({ answer: "ask", by: "mode" });
  });

  test("edited arguments are judged anew, and asked about", async () => {
    const diffs: string[] = [];
    const approve = ({ diff }: Question) => {
      diffs.push(diff);
      return diffs.length === 1 ? { decision: "edit", args: { path: "other.txt", content: "mine\n" } } : "once";
    };
    const { call, text } = await bench({}, { mode: "confirm-sensitive", approve });
    expect((await call("write_file", writing)).status).toBe("done");
    expect(diffs).toHaveLength(2);
    expect(diffs[1]).toContain("+mine");
    expect([text("n.txt"), text("other.txt")]).toEqual([undefined, "mine\n"]);
  });

  test("arguments edited to lead outside are refused", async () => {
    const approve = () => ({ decision: "edit", args: { path: "../out.txt", content: "x" } });
    const { call } = await bench({}, { mode: "confirm-sensitive", approve });
    expect((await call("write_file", writing)).status).toBe("refused");
  });

  test("a file that changed while the person thought is a conflict", async () => {
    const made = await bench(
      { "a.txt": "one\n" },
      {
        mode: "confirm-sensitive",
        approve: async () => {
          made.put("a.txt", "one\nand more\n");
          return "once";
        },
      },
    );
    const { status, error } = await made.call("edit_file", { path: "a.txt", old_str: "one", new_str: "two" });
    expect([status, error?.code]).toEqual(["refused", "CONFLICT"]);
    expect(made.text("a.txt")).toBe("one\nand more\n");
  });

  test("a link swapped in while the person thought is a conflict", async () => {
    const { symlinkSync, rmSync } = await import("node:fs");
    const made = await bench(
      { "a.txt": "one\n", "b.txt": "one\n" },
      {
        mode: "confirm-sensitive",
        approve: async () => {
          rmSync(`${made.dir}/a.txt`);
          symlinkSync("b.txt", `${made.dir}/a.txt`);
          return "once";
        },
      },
    );
    expect((await made.call("edit_file", { path: "a.txt", old_str: "one", new_str: "two" })).status).toBe("refused");
    expect(made.text("b.txt")).toBe("one\n");
  });

  test("locks are not held while a person thinks", async () => {
    const store = memoryStore();
    const held: number[] = [];
    const approve = async () => {
      held.push((await store.locks()).length);
      return "once";
    };
    const { call } = await bench({}, { mode: "confirm-sensitive", approve, store });
    await call("write_file", writing);
    expect(held).toEqual([0]);
    expect(await store.locks()).toEqual([]);
  });

  test("another process may answer the row first", async () => {
    const store = memoryStore();
    const approve = () => new Promise<never>(() => {});
    const { call, text } = await bench({}, { mode: "confirm-sensitive", approve, store });
    const running = call("write_file", writing);
    await sleep(50);
    const [row] = await store.pending();
    expect(row?.diff).toContain("+new");
    expect(await store.answer(row?.id ?? "", "once")).toBe(true);
    expect((await running).status).toBe("done");
    expect(text("n.txt")).toBe("new\n");
    expect(await store.pending()).toEqual([]);
  });

  test("in confirm-all a miss does not give away what the file says before the answer", async () => {
    const { call } = await bench(
      { "a.txt": "the secret recipe of grandmother\n" },
      { mode: "confirm-all", approve: () => "deny" },
    );
    const result = await call("edit_file", {
      path: "a.txt",
      old_str: "the secret recipe of grandfather",
      new_str: "x",
    });
    expect(result.status).toBe("refused");
    expect(JSON.stringify(result)).not.toContain("grandmother");
  });
});

describe("standing grants", () => {
  test("session answers the same thing again, and nothing else", async () => {
    let asked = 0;
    const { call } = await bench(
      {},
      {
        mode: "confirm-sensitive",
        approve: () => {
          asked += 1;
          return "session";
        },
      },
    );
    await call("write_file", writing);
    await call("write_file", { path: "n.txt", content: "again" });
    expect(asked).toBe(1);
    await call("write_file", { path: "m.txt", content: "x" });
    expect(asked).toBe(2);
    // the yes is for the file, whichever tool changes it
    await call("edit_file", { path: "n.txt", old_str: "again", new_str: "b" });
    expect(asked).toBe(2);
    await call("delete_file", { path: "n.txt" });
    await call("write_file", { path: "sub/n.txt", content: "x" });
    expect(asked).toBe(3);
    await call("write_file", writing, { sessionID: "another" });
    expect(asked).toBe(4);
  });

  test("always holds in another gate on the same workspace", async () => {
    const first = await bench({}, { mode: "confirm-sensitive", approve: () => "always" });
    await first.call("write_file", writing);
    await first.gate.close();
    const second = await bench({}, { dir: first.dir, mode: "confirm-sensitive" });
    expect((await second.call("write_file", { path: "n.txt", content: "more" })).status).toBe("done");
    expect((await second.call("write_file", { path: "m.txt", content: "more" })).status).toBe("refused");
  });

  test("no grant answers for the configuration", async () => {
    let asked = 0;
    const approve = () => {
      asked += 1;
      return "always";
    };
    const { call } = await bench({}, { mode: "yolo", approve });
    for (const content of ["mode: confirm-all\n", "mode: confirm-sensitive\n"])
      await call("write_file", { path: "toolgate.yaml", content });
    expect(asked).toBe(2);
  });
});

describe("what governs calls cannot be changed by calls without a person's word", () => {
  const paths = [
    "toolgate.yaml",
    ".toolgate/store.db",
    ".toolgate/x/y",
    "sub/toolgate.yaml",
    "TOOLGATE.YAML",
    ".mcp.json",
    "./sub/../.toolgate/a",
  ];
  test.each(paths)("%s in yolo", async (path) => {
    const { call } = await bench(
      {},
      {
        tools: [
          plain("sly", { permissions: { required: ["write"] }, touches: () => [{ action: "write", target: path }] }),
        ],
      },
    );
    expect((await call("write_file", { path, content: "mode: yolo\n" })).status).toBe("refused");
    expect((await call("sly")).status).toBe("refused");
  });
});
