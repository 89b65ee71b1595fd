import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { workspace } from "./cli.ts";

const PROMPT = "abort";
/** Clears the screen, moves the cursor, hides text, turns writing round. */
const STEERING = ["\x1b[2J", "\x1b[1A", "\x1b[8m", "\x9b2J", "\u202e", "\u200b", "\x07"];
const sentFor = (text: string): string => `a${text}b`;
const shownFor = (text: string): string => `a\\u{${text.charCodeAt(0).toString(16)}}${text.slice(1)}b`;

describe("what a person is shown before they answer", needs("a terminal"), () => {
  test("a command's text cannot steer the terminal", async () => {
    const { terminal } = await workspace();
    const line = `touch ${STEERING.map(sentFor).join(" ")}`;
    const { out } = await terminal(["call", "run_command", `command=${line}`], [[PROMPT, "n"]]);
    for (const text of STEERING) {
      expect(out, JSON.stringify(text)).not.toContain(sentFor(text));
      expect(out, JSON.stringify(text)).toContain(shownFor(text));
    }
  });

  test("nor can a path, or the reason that names it", async () => {
    const { terminal } = await workspace();
    const { out } = await terminal(["call", "write_file", "path=.git/hooks/a\x1b[2Jb", "content=x"], [[PROMPT, "n"]]);
    expect(out).not.toContain("\x1b[2J");
    expect(out).toMatch(/Touches.*write .git\/hooks\/a\\u\{1b\}\[2Jb/);
    expect(out).toMatch(/Why.*a\\u\{1b\}\[2Jb/);
  });

  test("nor can the arguments that are offered for editing, or what is said about wrong ones", async () => {
    const { terminal } = await workspace();
    const { out } = await terminal(
      ["call", "run_command", "command=touch a\u202eb\u009b2Jc"],
      [
        [PROMPT, "e"],
        ["2Jc", "\x01\x0b\u202ex\r"],
        ["not JSON", "\x01\x0b\r"],
        [PROMPT, "n"],
      ],
    );
    const [offered = "", refused = ""] = out.split("That is not JSON:");
    expect(offered).toContain("a\\u202eb\\u009b2Jc");
    expect(offered).not.toContain("a\u202eb");
    expect(refused.slice(0, refused.indexOf("\n"))).toContain("\\u{202e}");
  });

  test("several calls are answered at once, or one by one for o", async () => {
    const library = pathToFileURL(path.resolve("dist/lib/index.js")).href;
    const wave = `
      import { open, terminalApprover } from "${library}";
      const gate = await open({ workspace: ".", approve: terminalApprover(), store: "memory" });
      await gate.callAll(["a", "b", "c"].map((path) => ({ name: "write_file", args: { path, content: path } })));
      await gate.close();`;
    const { terminal, has, at } = await workspace({ "wave.mjs": wave });
    const keys: [string, string][] = [
      ["(one answer for all 3)", "o"],
      [PROMPT, "y"],
      [PROMPT, "n"],
      [PROMPT, "y"],
    ];
    const { out } = await terminal([], keys, "", at("wave.mjs"));
    expect(out).toContain("one by one");
    expect(["a", "b", "c"].map(has)).toEqual([true, false, true]);
  });

  const long = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
  const write = (count: number) => ["call", "write_file", "path=a.txt", `content=${long(count)}`];

  test("a long diff is cut, says how much is missing, and shows all of it for d before the answer", async () => {
    const { terminal, has } = await workspace();
    const { out, status } = await terminal(write(300), [
      [PROMPT, "d"],
      [PROMPT, "n"],
    ]);
    const [before = "", after = ""] = out.split("> show all");
    expect(before).toContain("+line 140");
    expect(before).not.toContain("+line 160\x1b");
    expect(before).toMatch(/… 10\d more lines are not shown …/);
    expect(before).toContain("+line 300");
    expect(before).toContain("show all");
    expect(after).toContain("+line 1\x1b");
    expect(after).toContain("+line 160\x1b");
    expect(after).toContain("+line 300");
    // once all of it was shown there is nothing more to offer
    expect(after).not.toContain("show all");
    expect(status).toBe(2);
    expect(has("a.txt")).toBe(false);
  });

  test("so is one long line", async () => {
    const { terminal } = await workspace();
    const content = `${"x".repeat(2500)}middle${"y".repeat(2500)}`;
    const { out } = await terminal(
      ["call", "write_file", "path=a.txt", `content=${content}`],
      [
        [PROMPT, "d"],
        [PROMPT, "n"],
      ],
    );
    const [before = "", after = ""] = out.split("> show all");
    expect(before).toContain("show all");
    expect([before, after].map((each) => each.includes("middle"))).toEqual([false, true]);
  });

  test("a diff that fits is shown as it is", async () => {
    const { terminal } = await workspace();
    const { out } = await terminal(write(150), [[PROMPT, "n"]]);
    expect(out).toContain("+line 150");
    expect(out).not.toContain("show all");
    expect(out).not.toContain("not shown");
  });
});
