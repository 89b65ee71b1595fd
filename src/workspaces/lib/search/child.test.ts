import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Child, Heard, type Hearing, outputOf } from "./child.ts";

afterEach(() => void vi.useRealTimers());

const sh = (script: string) => ({ path: "/bin/sh", args: ["-c", script], cwd: "/" });

describe("a program", () => {
  test("that is stopped while somebody waits for it says nothing more", async () => {
    const child = new Child(sh("echo a; exec sleep 300"));
    expect(String(await child.next())).toBe("a\n");
    const next = child.next();
    await child.stop();
    expect(await next).toBeUndefined();
    expect((await child.ended).code).toBeNull();
    child.kill();
  });

  test("is ended with this process while it runs, and only then is that prepared", async () => {
    const usual = process.listenerCount("exit");
    const children = [new Child(sh("exec sleep 300")), new Child(sh("exec sleep 300"))];
    expect(process.listenerCount("exit")).toBe(usual + 1);
    await children[0]?.stop();
    expect(process.listenerCount("exit")).toBe(usual + 1);
    await children[1]?.stop();
    expect(process.listenerCount("exit")).toBe(usual);
  });

  test("that cannot be started is unfit", async () => {
    const child = new Child({ path: "/nowhere/program", args: [], cwd: "/" });
    expect(await child.next()).toBeUndefined();
    await expect(child.ended).rejects.toThrow("/nowhere/program: ENOENT");
    await child.stop();
  });

  test("complains within bounds, and its output and its end are told", async () => {
    const long = await outputOf(sh("yes | head -c 200000 >&2; echo out; exit 3"));
    expect([String(long.output), long.code]).toEqual(["out\n", 3]);
    expect(long.complaints.length).toBeGreaterThanOrEqual(64 * 1024);
    expect(long.complaints.length).toBeLessThan(200_000);
  });
});

describe("what is heard of a program", () => {
  const hearing = (more: Partial<Hearing<string>> = {}): Hearing<string> => ({
    parse: (piece) => (piece ? String(piece).trim().split("\n") : ["at the end"]),
    finish: async () => {},
    stuck: async () => undefined,
    signal: undefined,
    ...more,
  });
  const all = async (heard: Heard<string>): Promise<string[]> => {
    const found: string[] = [];
    for (let each = await heard.next(); !each.done; each = await heard.next()) found.push(each.value);
    return found;
  };

  test("comes piece by piece, with what is left at the end; then it is asked how it ended", async () => {
    const finish = vi.fn(async () => {});
    expect(await all(new Heard(sh("echo a; echo b; echo c >&2; exit 2"), hearing({ finish })))).toEqual([
      ...["a", "b", "at the end"],
    ]);
    expect(finish.mock.calls).toEqual([[{ code: 2, complaints: "c\n" }]]);
  });

  test.each(["before it begins", "amid it"])("is ended by an abort %s", async (when) => {
    const abort = new AbortController();
    if (when === "before it begins") abort.abort();
    const heard = new Heard(sh("exec sleep 300"), hearing({ signal: abort.signal }));
    const found = all(heard);
    abort.abort();
    expect(await found).toEqual(["at the end"]);
  });

  test("is nothing more after it was left, and whoever left is not waited for", async () => {
    const heard = new Heard(sh("echo a; echo b; exec sleep 300"), hearing());
    expect(await heard.next()).toEqual({ done: false, value: "a" });
    expect(await heard.return()).toEqual({ done: true, value: undefined });
    expect(await heard.next()).toEqual({ done: true, value: undefined });
  });

  test("is looked into after a silence, each piece begins a new one, and what is stuck is told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked: boolean[][] = [];
    const stuck: Hearing<string>["stuck"] = async (isOver, hasBegun) => {
      asked.push([isOver(), hasBegun()]);
      return new Error("stuck");
    };
    const heard = new Heard(sh("echo a; exec sleep 300"), hearing({ stuck }));
    onTestFinished(async () => void (await heard.return()));
    vi.advanceTimersByTime(900);
    expect((await heard.next()).value).toBe("a");
    vi.advanceTimersByTime(900);
    expect(asked).toEqual([]);
    const next = heard.next();
    vi.advanceTimersByTime(100);
    await expect(next).rejects.toThrow("stuck");
    expect(asked).toEqual([[false, true]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
