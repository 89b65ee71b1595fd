import { describe, expect, test } from "vitest";
import { workspace } from "./cli.ts";

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const answers = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each));

describe("--jsonl", () => {
  test("answers each line in order; a bad one does not stop the rest; the worst status counts", async () => {
    const { run } = await workspace({ "a.txt": "ä\n" });
    const input = [
      line({ tool: "read_file", args: { path: "a.txt" }, id: "first" }),
      "nonsense\n",
      "\n",
      "[1]\n",
      line({ args: {} }),
      line({ name: "read_file", args: "a.txt" }),
      line({ tool: "read_file", args: { path: "none" } }),
      JSON.stringify({ tool: "read_file", args: { path: "a.txt" } }),
    ].join("");
    const { out, status, err } = await run(["call", "--jsonl"], { input });
    expect(answers(out).map((each) => each.status)).toEqual([
      "done",
      "invalid",
      "invalid",
      "invalid",
      "done",
      "failed",
      "done",
    ]);
    expect(answers(out)[0]).toMatchObject({ id: "first", output: "1\tä" });
    expect(answers(out)[1].error).toMatchObject({ code: "VALIDATION_ERROR", hint: expect.stringContaining("tool") });
    expect([status, err]).toEqual([3, ""]);
  });

  test("explain answers the same way", async () => {
    const { run } = await workspace({ "a.txt": "x" });
    const input =
      line({ tool: "read_file", args: { path: "a.txt" } }) +
      line({ tool: "read_file", args: { path: "../x" } }) +
      "{\n";
    const { out, status } = await run(["explain", "--jsonl"], { input });
    expect(answers(out)).toMatchObject([
      { verdict: "allow" },
      { verdict: "deny" },
      { verdict: "deny", status: "invalid" },
    ]);
    expect(status).toBe(3);
  });

  test.each([
    ["", 0, ""],
    ["\n\n", 0, ""],
  ])("%j is no call at all", async (input, status, out) => {
    const { run } = await workspace();
    expect(await run(["call", "--jsonl"], { input })).toMatchObject({ status, out });
  });

  test("an answer comes before the next line is sent", async () => {
    const { run } = await workspace({ "a.txt": "x" });
    let sent = 0;
    const { out, status } = await run(["call", "--jsonl"], {
      during: (child) => {
        const send = () =>
          sent++ < 3 ? child.stdin?.write(line({ tool: "read_file", args: { path: "a.txt" } })) : child.stdin?.end();
        child.stdout?.on("data", send);
        send();
      },
    });
    expect(answers(out)).toHaveLength(3);
    expect(status).toBe(0);
  });

  test("a word too many, or a wrong option, is one line too", async () => {
    const { run } = await workspace();
    const { out, status } = await run(["call", "read_file", "--jsonl"]);
    expect(answers(out)).toMatchObject([{ status: "invalid" }]);
    expect(status).toBe(3);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends the wait for the next line with 130", async (signal) => {
    const { run } = await workspace({ "a.txt": "x" });
    const { status, out } = await run(["call", "--jsonl"], {
      during: (child) => {
        child.stdout?.once("data", () => child.kill(signal));
        child.stdin?.write(line({ tool: "read_file", args: { path: "a.txt" } }));
      },
    });
    expect(answers(out)).toHaveLength(1);
    expect(status).toBe(130);
  });

  test("nobody reads any more: it ends quietly", async () => {
    const { run } = await workspace({ "a.txt": "x".repeat(10_000) });
    const input = line({ tool: "read_file", args: { path: "a.txt" } });
    const { err, status } = await run(["call", "--jsonl"], {
      during: (child) => {
        child.stdout?.once("data", () => {
          child.stdout?.destroy();
          child.stdin?.end(input.repeat(50));
        });
        child.stdin?.write(input);
      },
    });
    expect([err, status]).toEqual(["", 0]);
  });

  test("arguments may come from standard input", async () => {
    const { run } = await workspace({ "a.txt": "x" });
    expect((await run(["call", "read_file", "-"], { input: '{"path": "a.txt"}' })).out).toBe("1\tx\n");
    expect((await run(["call", "read_file", "-"], { input: "[]" })).status).toBe(3);
  });
});
