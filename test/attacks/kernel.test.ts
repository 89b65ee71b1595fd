import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { FRIGHTENING_SAFE } from "../../src/shell/cases/frightening.ts";
import { HIDDEN_HARMLESS } from "../../src/shell/cases/hidden.ts";
import { SAFE } from "../../src/shell/cases/proven.ts";
import { needs } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";
import { MODES, picture, trapped, wronglySafe } from "./trapped.ts";

/** What a wrong verdict might let through. */
const HARMFUL = [
  "echo x > a",
  "rm -rf src a b .git",
  "rm -f precious ../beside/precious",
  "touch new ../beside/new",
  "mkdir made; ln -s /etc link; mkfifo pipe",
  "chmod 777 a; chown 0:0 a",
  "mv a c; cp a d",
  "git commit -qam x; git add .; git checkout -q HEAD~1; git gc -q; git stash",
  "git config core.pager evil; git remote add o /x",
  "git log -U --output=made",
  "sed -i s/foo/bar/ a; truncate -s 0 b",
  'python3 -c \'open("a", "w")\'',
  "./trap; bash ./trap; sh .bashrc",
  "npm run ls; npm version patch",
  "dd if=/dev/zero of=a count=1",
  "mkdir .toolgate/x; echo > toolgate.yaml",
];

describe("a line that is judged safe, whatever it really does", needs("bubblewrap"), () => {
  test.each(MODES)("changes nothing in the workspace or beside it: %s", async (_, options) => {
    const { base, dir, beside } = trapped();
    const { call } = await bench({}, { dir, ...options, tools: [wronglySafe] });
    const before = picture(base);
    const result = await call("wrongly_safe", { command: [...HARMFUL, `echo > '${beside}/x'`, "echo END"].join("\n") });
    expect(result.output).toMatch(/Read-only file system/);
    expect(result.output).toMatch(/^END$/m);
    expect(result.metadata.held).toMatchObject({ sandbox: "bubblewrap", workspace: "read-only", network: "none" });
    expect(picture(base)).toEqual(before);
  });

  test("the same line, judged for what it is and let through, does all of that", async () => {
    const { dir } = trapped();
    const { call, text } = await bench({}, { dir, mode: "yolo" });
    const { metadata } = await call("run_command", { command: "mv a c; cp c d" });
    expect(metadata).toMatchObject({ workspace: "named" });
    expect(text("c")).toBe("foo\nchanged\n");
  });

  test("has no network, also where commands have one", async () => {
    const { dir } = trapped();
    const { call } = await bench({}, { dir, config: { commands: { network: true } }, tools: [wronglySafe] });
    const command = "cat /proc/net/dev";
    expect((await call("wrongly_safe", { command })).output).not.toMatch(/eth0|ens|wlan/);
    expect((await call("run_command", { command })).metadata).toMatchObject({ network: "none" });
    expect((await call("run_command", { command: "npm test" })).metadata).toMatchObject({ network: "open" });
  });
});

/** Those that wait for something that never comes. */
const ENDLESS =
  /^(?:tail -[fF]|tail --follow|sleep|watch|yes|top|journalctl|ping)\b|--follow\b|\/dev\/(?:tcp|udp)|\bsleep\b/;
const BATCH = 12;
const batches = (all: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    all.slice(index * BATCH, (index + 1) * BATCH).join("\n"),
  );

describe("every line of the tables of what is safe", needs("bubblewrap"), () => {
  const all = [...SAFE, ...FRIGHTENING_SAFE, ...HIDDEN_HARMLESS].filter(
    (line) => !ENDLESS.test(line) && !/cargo|<<|\bexit\b|\bexec\b/.test(line),
  );
  test.each(MODES)("runs among traps and springs none: %s", async (name, options) => {
    const { base, dir } = trapped();
    const { call, gate } = await bench({}, { dir, ...options });
    const before = picture(base);
    const lines =
      name === "confirm-sensitive" ? all : all.filter((_, index) => index % 3 === (name === "plan" ? 0 : 1));
    let ran = 0;
    for (const command of batches(lines)) {
      const result = await call("run_command", { command, timeout: 20 });
      if (result.status === "done" || result.status === "failed") {
        ran++;
        expect(result.metadata, command).toMatchObject({ workspace: "read-only", undo: "full" });
      }
    }
    expect(ran).toBeGreaterThan(batches(lines).length / 2);
    expect(picture(base)).toEqual(before);
    await gate.close();
  });
});

describe("what everybody does all day works with a read-only workspace", {
  ...needs("bubblewrap"),
  ...needs("git"),
}, () => {
  const everyday: [command: string, says: RegExp][] = [
    ["git status --short", /^ M b$/m],
    ["git log --oneline", /second/],
    ["git diff --stat", /b \| /],
    ["git show HEAD", /\+changed/],
    ["git blame a", /changed/],
    ["git branch -a", /\* main/],
    ["git stash list; echo none", /none/],
    ["ls -la", /README/],
    ["find . -name '*.ts'", /one\.ts/],
    ["cat a | sort | uniq -c | wc -l", /2/],
    ["grep -rn foo src", /one\.ts:1:foo/],
    ["npm ls", /x@1\.0\.0/],
    ["node --version", /^v\d+/],
    ["sort a > /dev/null; echo fine", /fine/],
  ];
  test("git, searching, filters, npm", needs("git"), async () => {
    const files = { a: "foo\n", b: "b\n", "README.md": "r\n", "src/one.ts": "foo\n" };
    const dir = folder({ ...files, "package.json": '{"name":"x","version":"1.0.0"}' });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...args], { cwd: dir });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "first");
    execFileSync("sh", ["-c", "echo changed >> a"], { cwd: dir });
    git("commit", "-qam", "second");
    execFileSync("sh", ["-c", "echo more >> b; touch a"], { cwd: dir });
    const { call } = await bench({}, { dir, mode: "confirm-sensitive" });
    for (const [command, says] of everyday) {
      const { success, output, metadata } = await call("run_command", { command });
      expect([command, success, output]).toEqual([command, true, expect.stringMatching(says)]);
      expect(output).not.toMatch(/read-only/i);
      expect([command, metadata]).toEqual([command, expect.objectContaining({ workspace: "read-only" })]);
    }
    expect(existsSync(path.join(dir, ".git/index.lock"))).toBe(false);
  });
});
