import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EVERYDAY } from "../../src/shell/cases/everyday.ts";
import { EVERYDAY_MORE } from "../../src/shell/cases/everyday-more.ts";
import { needs } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";

const LINES = [...EVERYDAY, ...EVERYDAY_MORE];
/** They follow links, which is told by their class alone where a sandbox holds them. */
const FOLLOWING = ["grep -R foo src", "diff -r src lib"];

const project = () =>
  folder({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    "README.md": "foo\n",
    "package.json": "{}\n",
    "src/index.ts": "export {};\n",
    "sub/a": "a\n",
  });

describe("everyday lines that only look", () => {
  test("are three hundred, each once", () => {
    expect(LINES.length).toBeGreaterThanOrEqual(300);
    expect(new Set(LINES).size).toBe(LINES.length);
  });

  test("are called safe and ask nobody, without a sandbox", async () => {
    const { gate } = await bench({}, { dir: project(), mode: "confirm-sensitive", sandbox: "off" });
    const asked: string[] = [];
    for (const command of LINES) {
      const { verdict, class: kind, reason } = await gate.explain({ name: "run_command", args: { command } });
      expect([command, kind]).toEqual([command, "safe"]);
      if (verdict !== "allow") asked.push(`${command}: ${reason}`);
    }
    const follows = FOLLOWING.map(
      (command) => `${command}: it follows links wherever they lead, and no sandbox contains it`,
    );
    expect(asked.sort()).toEqual(follows.sort());
  });

  test("and with one, those that follow links neither", needs("bubblewrap"), async () => {
    const { gate } = await bench({}, { dir: project(), mode: "confirm-sensitive" });
    for (const command of FOLLOWING)
      expect(await gate.explain({ name: "run_command", args: { command } })).toMatchObject({ verdict: "allow" });
  });

  test("what they name outside, or a file of secrets, asks all the same", async () => {
    const { gate, dir } = await bench({ ".env": "A=b\n" }, { mode: "confirm-sensitive", sandbox: "off" });
    symlinkSync("/etc", path.join(dir, "out"));
    for (const command of [
      "cat ~/.ssh/id_rsa",
      'cat "$HOME/.ssh/id_rsa"',
      "x=/etc/passwd; cat $x",
      "for f in a /etc/passwd; do cat $f; done",
      "for f in passwd shadow; do cat out/$f; done",
      "cat {a,/etc/passwd}",
      "bash -c 'cat /etc/passwd'",
      "git -C /etc status",
      "find /etc -name passwd -exec cat {} +",
      "find . -name .env -exec cat {} +",
      "find . -name '.env*' -exec grep A {} \\;",
      "for f in .env a; do cat $f; done",
      "x=.env; cat $x",
      "cat .e{nv,x}",
      "bash -c 'cat .env'",
      "diff <(cat .env) a",
      "sed 's/a/b/' .env",
      "awk '{print}' out/passwd",
    ]) {
      const { verdict, class: kind } = await gate.explain({ name: "run_command", args: { command } });
      expect([command, kind, verdict]).toEqual([command, "safe", "ask"]);
    }
  });
});
