import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { workspace } from "./cli.ts";

const PROMPT = "abort";
const COLOURS = /\x1b\[[0-9;]*m/g;
const EDIT = ["call", "edit_file", "path=a.txt", "old_str=one", "new_str=two"];

describe("a call that needs approval, in a terminal", needs("a terminal"), () => {
  test.each([
    ["y", 0, "two\n"],
    ["s", 0, "two\n"],
    ["w", 0, "two\n"],
    ["n", 2, "one\n"],
    ["a", 130, "one\n"],
    ["\x03", 130, "one\n"],
    ["\x04", 130, "one\n"],
    ["\x1b[An", 2, "one\n"],
    ["xqy", 0, "two\n"],
    ["\x1b", 2, "one\n"],
  ])("key %j ends with %i", async (key, status, content) => {
    const { terminal, read } = await workspace({ "a.txt": "one\n" });
    expect((await terminal(EDIT, [[PROMPT, key]])).status).toBe(status);
    expect(await read("a.txt")).toBe(content);
  });

  test("?: says what every key does, and waits for another", async () => {
    const { terminal } = await workspace({ "a.txt": "one\n" });
    const { out, status } = await terminal(EDIT, [
      [PROMPT, "?"],
      ["Nothing happens until you answer", ""],
      [PROMPT, "n"],
    ]);
    const text = out.replace(COLOURS, "");
    for (const key of "ynrswea?") expect(text).toMatch(new RegExp(`^  [${key}]  \\w`, "m"));
    expect(status).toBe(2);
  });

  test("r: a no with a reason, which the model reads", async () => {
    const { terminal, read } = await workspace({ "a.txt": "one\n" });
    const { out, status } = await terminal(EDIT, [
      [PROMPT, "r"],
      ["Reason for the model: ", "use three\r"],
    ]);
    expect(out).toContain("A person said no: use three");
    expect([status, await read("a.txt")]).toEqual([2, "one\n"]);
  });

  test("with input from a pipe and output into a file, the terminal itself is asked", async () => {
    const ws = await workspace({ "a.txt": "one\n", "args.json": '{"path":"a.txt","old_str":"one","new_str":"two"}' });
    const { out, status } = await ws.terminal(["call", "edit_file", "-"], [[PROMPT, "y"]], "< args.json > out.txt");
    expect(out).toContain("edit_file wants to change a.txt");
    expect([status, await ws.read("a.txt")]).toEqual([0, "two\n"]);
    expect(await ws.read("out.txt")).not.toContain("wants to");
  });

  test("shows touches, a coloured diff and the reason, and the diff only once", async () => {
    const { terminal } = await workspace({ "a.txt": "one\n" });
    const { out } = await terminal(EDIT, [[PROMPT, "y"]]);
    expect(out).toContain("write a.txt");
    expect(out).toContain("\x1b[31m-one");
    expect(out).toContain("\x1b[32m+two");
    expect(out).toMatch(/Why.+it changes files; confirm-sensitive asks before that/);
    expect(out.split("+two")).toHaveLength(2);
  });

  test("always is remembered for this file alone, whichever tool changes it", async () => {
    const ws = await workspace({ "a.txt": "one\n" });
    await ws.terminal(EDIT, [[PROMPT, "w"]]);
    expect((await ws.run(["call", "edit_file", "path=a.txt", "old_str=two", "new_str=three"])).status).toBe(0);
    expect((await ws.run(["call", "write_file", "path=a.txt", "content=x"])).status).toBe(0);
    expect((await ws.run(["call", "write_file", "path=b.txt", "content=x"])).status).toBe(2);
  });

  test("e: the changed call is judged and asked about anew", async () => {
    const { terminal, read } = await workspace({ "a.txt": "one\n" });
    const { status, out } = await terminal(EDIT, [
      [PROMPT, "e"],
      ['"new_str":"two"}', '\x7f\x7f\x7f\x7f\x7fsix"}\r'],
      [PROMPT, "y"],
    ]);
    expect(out).toContain("+six");
    expect(status).toBe(0);
    expect(await read("a.txt")).toBe("six\n");
  });

  test("what governs calls is asked about in every mode, and no standing yes is offered", async () => {
    const { terminal, has } = await workspace();
    const { out, status } = await terminal(
      ["call", "write_file", "path=toolgate.yaml", "content=x", "--mode", "yolo"],
      [[PROMPT, "n"]],
    );
    expect(out).not.toContain("w always");
    expect(out.replace(COLOURS, "")).toContain("Always    is not offered");
    expect(status).toBe(2);
    expect(has("toolgate.yaml")).toBe(false);
  });

  test("nothing in a call can steer the terminal or hide text", async () => {
    const { terminal } = await workspace();
    const { out } = await terminal(
      ["call", "write_file", "path=a.txt", "content=x\x1b[8mhidden\r\u202etxt"],
      [[PROMPT, "n"]],
    );
    expect(out).toContain("+x\\u{1b}[8mhidden\\u{d}\\u{202e}txt");
    expect(out).not.toContain("\x1b[8m");
    expect(out).not.toContain("\u202e");
  });

  test("undo shows what it takes back and asks; --yes does not ask", async () => {
    const { run, terminal, read } = await workspace({ "a.txt": "one\n" });
    await run([...EDIT, "--mode", "yolo"]);
    expect((await terminal(["undo"], [[PROMPT, "n"]])).status).toBe(2);
    expect(await read("a.txt")).toBe("two\n");
    expect((await terminal(["undo", "--yes"], [])).status).toBe(0);
    expect(await read("a.txt")).toBe("one\n");
  });

  test("config trust shows the file and asks", async () => {
    const { terminal, run } = await workspace({ "toolgate.yaml": "mode: yolo\n" });
    const sources = async () => JSON.parse((await run(["config", "check", "--json"])).out).sources;
    expect((await terminal(["config", "trust"], [["Trust this file", "n"]])).status).toBe(2);
    expect(await sources()).toMatchObject([{ trusted: false }]);
    const { out, status } = await terminal(["config", "trust"], [["Trust this file", "y"]]);
    expect(out).toContain("mode: yolo");
    expect(status).toBe(0);
    expect(await sources()).toMatchObject([{ trusted: true }]);
  });

  test("every call tells once, on one line, which settings are ignored until the file is trusted", async () => {
    const { terminal } = await workspace({ "toolgate.yaml": "mode: yolo\nstore: memory\n", "a.txt": "one\n" });
    const said = (out: string) => out.split("\n").filter((line) => line.includes("is not trusted"));
    for (const args of [
      ["call", "read_file", "a.txt"],
      ["call", "read_file", "a.txt", "--json"],
      ["explain", "read_file", "a.txt"],
      [],
    ]) {
      const { out } = await terminal(args, []);
      expect(said(out), args.join(" ")).toHaveLength(1);
      expect(said(out)[0]).toMatch(/ignored: mode: "yolo", store: "memory"\. To trust .*toolgate config trust/);
    }
    await terminal(["config", "trust"], [["Trust this file", "y"]]);
    expect(said((await terminal(["call", "read_file", "a.txt"], [])).out)).toEqual([]);
  });

  test("config trust accepts the bytes that it showed, and not what came while the person was reading", async () => {
    const { terminal, run, at } = await workspace({ "toolgate.yaml": "store: memory\n" });
    const check = async () => JSON.parse((await run(["config", "check", "--json"])).out);
    const swap = () => {
      writeFileSync(at("toolgate.yaml"), "mode: yolo\n");
      return "y";
    };
    const { out, status } = await terminal(["config", "trust"], [["Trust this file", swap]]);
    expect([out.includes("store: memory"), out.includes("mode: yolo"), status]).toEqual([true, false, 0]);
    expect(await check()).toMatchObject({ sources: [{ trusted: false }], settings: { mode: "confirm-sensitive" } });
    writeFileSync(at("toolgate.yaml"), "store: memory\n");
    expect(await check()).toMatchObject({ sources: [{ trusted: true }], settings: { store: "memory" } });
  });

  test("with --json nobody is asked", async () => {
    const { terminal } = await workspace({ "a.txt": "one\n" });
    const { out, status } = await terminal([...EDIT, "--json"], []);
    expect(JSON.parse(out)).toMatchObject({ status: "refused" });
    expect(status).toBe(2);
  });
});

describe("a command that takes its time, in a terminal", needs("a terminal"), () => {
  const SLOW = ["call", "run_command", "echo first; sleep 0.3; echo second; sleep 0.3", "--mode", "yolo"];
  const ERASE = "\r\x1b[K";

  test("its latest line is shown while it runs, and gone when the answer is told", async () => {
    const { terminal } = await workspace();
    const { out } = await terminal(SLOW, []);
    expect(out).toMatch(/first.*\r\x1b\[K.*second/);
    expect(out.slice(out.lastIndexOf(ERASE) + ERASE.length).replaceAll("\r", "")).toBe("first\nsecond\n");
  });

  test("a program that reads gets the document alone", async () => {
    const { terminal, run } = await workspace();
    expect((await terminal([...SLOW, "--json"], [])).out).not.toContain(ERASE);
    expect(await run(SLOW)).toEqual({ status: 0, out: "first\nsecond\n", err: "" });
  });
});
