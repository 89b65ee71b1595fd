import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, plain } from "./harness.ts";

type Rules = { allow?: unknown[]; ask?: unknown[]; deny?: unknown[] };
const files = {
  "src/a.ts": "a\n",
  "kept/b.txt": "b\n",
  "secret/c.txt": "find me\n",
  "d.txt": "find me\n",
  ".env": "X=1\n",
};
const ruled = (rules: Rules, more: object = {}) =>
  bench(files, { config: { rules }, mode: "confirm-sensitive", ...more });
const verdictOf = async (rules: Rules, name: string, args: object, more: object = {}) => {
  const { gate } = await ruled(rules, more);
  const { verdict, by, reason } = await gate.explain({ name, args });
  return { verdict, by, reason };
};
const run = (command: string) => ["run_command", { command }] as const;
const edit = (file: string) => ["write_file", { path: file, content: "new\n" }] as const;

describe("one rule for a path holds for tools and commands alike", () => {
  const deny = { deny: [{ rule: "write(kept/**)", reason: "kept for the auditors" }] };
  const table: (readonly [name: string, args: object])[] = [
    edit("kept/b.txt"),
    edit("kept/new.txt"),
    edit("link/b.txt"),
    edit("KEPT/b.txt"),
    ["edit_file", { path: "./src/../kept/b.txt", old_str: "b", new_str: "c" }],
    run("echo x > kept/b.txt"),
    run("rm kept/b.txt"),
    run("rm -rf kept"),
    run("rm -rf ./*/../kept"),
    run("mv src/a.ts kept/"),
    run("cp src/a.ts kept/b.txt"),
    run("sed -i s/a/b/ kept/b.txt"),
    run("cd kept && rm b.txt"),
    run("bash -c 'tee kept/b.txt'"),
    run("git checkout -- kept"),
  ];
  test.each(table)("denied in yolo: %s %j", async (name, args) => {
    const { gate, dir } = await ruled(deny, { mode: "yolo" });
    symlinkSync(path.join(dir, "kept"), path.join(dir, "link"));
    const { verdict, by, reason } = await gate.explain({ name, args });
    expect({ verdict, by }).toEqual({ verdict: "deny", by: "rules" });
    expect(reason).toContain('"deny: write(kept/**)"');
    expect(reason).toContain("kept for the auditors");
  });
  test.each([edit("src/a.ts"), run("cat kept/b.txt"), run("rm src/a.ts"), run("grep b kept/b.txt")])(
    "and nothing else: %s %j",
    async (name, args) => {
      expect((await verdictOf(deny, name, args, { mode: "yolo" })).verdict).toBe("allow");
    },
  );
});

test.each(["git checkout -- .", "tar xf a.tar", "unzip -o a.zip", "git stash pop"])(
  "what is brought under names that nobody knows yet is asked about: %s",
  async (command) => {
    const deny = { deny: ["write(kept/**)"] };
    expect((await verdictOf(deny, "run_command", { command }, { mode: "yolo" })).verdict).not.toBe("allow");
    expect((await verdictOf({}, "run_command", { command }, { mode: "yolo" })).verdict).toBe("allow");
  },
);

describe("what may be read", () => {
  const deny = { deny: ["read(secret/**)"] };
  test("a search leaves it out and counts it", async () => {
    const { call } = await ruled(deny);
    const { output } = await call("grep", { pattern: "find me" });
    expect(output).toContain("d.txt");
    expect(output).not.toContain("secret/c.txt");
    expect((await call("list_files", { path: ".", recursive: true })).output).not.toContain("c.txt");
    expect((await call("find_files", { pattern: "**/*.txt" })).output).not.toContain("c.txt");
  });
  test.each([
    ["read_file", { path: "secret/c.txt" }, "deny"],
    ["grep", { pattern: "x", path: "secret" }, "deny"],
    ["list_files", { path: "secret" }, "deny"],
    ["edit_file", { path: "secret/c.txt", old_str: "find", new_str: "x" }, "deny"],
    ["run_command", { command: "cat secret/c.txt" }, "deny"],
    ["run_command", { command: "cat < secret/c.txt" }, "deny"],
    ["run_command", { command: "cp secret/c.txt e.txt" }, "deny"],
    ["run_command", { command: "grep -r x ." }, "ask"],
    ["run_command", { command: "cat d.txt" }, "allow"],
    ["run_command", { command: "ls" }, "allow"],
    ["read_file", { path: "d.txt" }, "allow"],
  ])("%s %j: %s", async (name, args, verdict) => {
    expect((await verdictOf(deny, name, args)).verdict).toBe(verdict);
  });
});

describe("what needs no question", () => {
  const allow = { allow: ["write(src/**)", "run(git commit *)", "run(npm test)"] };
  test.each([
    [...edit("src/a.ts"), "allow"],
    [...edit("src/new/b.ts"), "allow"],
    [...edit("kept/b.txt"), "ask"],
    [...edit("Src/a.ts"), "ask"],
    ["delete_file", { path: "src/a.ts" }, "deny"],
    [...run("git commit -m x"), "allow"],
    [...run("npm test && git commit -m x"), "allow"],
    [...run("npm test | tail -5"), "allow"],
    [...run("npm test; git push"), "ask"],
    [...run("npm test > out.txt"), "ask"],
    [...run("git commit -m x --no-verify"), "ask"],
    ["run_command", { command: "npm test", env: { NODE_OPTIONS: "-r ./x" } }, "ask"],
    ["run_command", { command: "npm test", cwd: "src" }, "allow"],
    // what governs is asked about, whatever a rule says
    [...edit("src/toolgate.yaml"), "ask"],
    [...edit("src/.git/config"), "ask"],
  ])("%s %j: %s", async (name, args, verdict) => {
    expect((await verdictOf(allow, name, args)).verdict).toBe(verdict);
  });

  test("a file of secrets, or one outside, needs a rule of its own", async () => {
    const lines = { allow: ["run(cat *)", "run(npm test)"] };
    expect((await verdictOf(lines, ...run("npm test && cat .env"))).verdict).toBe("ask");
    expect((await verdictOf(lines, ...run("cat /etc/hosts"))).verdict).toBe("ask");
    const files = { allow: [...lines.allow, "read(./.env)", "read(/etc/hosts)"] };
    expect((await verdictOf(files, ...run("npm test && cat .env"))).verdict).toBe("allow");
    expect((await verdictOf(files, ...run("cat /etc/hosts"))).verdict).toBe("allow");
    expect((await verdictOf(files, "read_file", { path: ".env" })).verdict).toBe("allow");
  });

  test("in confirm-all every command of a line needs a rule", async () => {
    const all = { mode: "confirm-all" };
    expect((await verdictOf(allow, ...run("npm test"), all)).verdict).toBe("allow");
    expect((await verdictOf(allow, ...run("ls && npm test"), all)).verdict).toBe("ask");
  });

  test("a tool of somebody's own, by its name", async () => {
    const tool = plain("deploy", { touches: () => [{ action: "signal", target: "production" }] });
    const more = { tools: [tool] };
    expect((await verdictOf({ allow: ["deploy"] }, "deploy", {}, more)).verdict).toBe("allow");
    expect((await verdictOf({ deny: ["dep*"] }, "deploy", {}, { ...more, mode: "yolo" })).verdict).toBe("deny");
    expect((await verdictOf({ allow: ["deploy2"] }, "deploy", {}, more)).verdict).toBe("ask");
  });
});

describe("how rules stand to each other", () => {
  test("deny before ask before allow, whatever their order", async () => {
    const rule = "write(src/**)";
    const three = async (rules: Rules) => (await verdictOf(rules, ...edit("src/a.ts"), { mode: "yolo" })).verdict;
    expect(await three({ allow: [rule], ask: [rule], deny: [rule] })).toBe("deny");
    expect(await three({ allow: [rule], ask: [rule] })).toBe("ask");
    expect(await three({ allow: [rule] })).toBe("allow");
  });
  test("an expired one does not count", async () => {
    const rules = (expires: string) => ({ deny: [{ rule: "write(src/**)", expires }] });
    expect((await verdictOf(rules("2000-01-01"), ...edit("src/a.ts"), { mode: "yolo" })).verdict).toBe("allow");
    expect((await verdictOf(rules("2999-01-01"), ...edit("src/a.ts"), { mode: "yolo" })).verdict).toBe("deny");
  });
  test("names of other clients mean the same tool", async () => {
    expect((await verdictOf({ deny: ["Bash(git push *)"] }, ...run("git push"))).by).toBe("rules");
    expect(
      (await verdictOf({ allow: ["Edit(src/**)"] }, "edit_file", { path: "src/a.ts", old_str: "a", new_str: "b" }))
        .verdict,
    ).toBe("allow");
  });
  test("a rule whose example does not hold makes opening fail, and names it", async () => {
    const rules = { allow: [{ rule: "run(git commit *)", match: ["git push"] }] };
    await expect(ruled(rules)).rejects.toThrow(
      /rules\.allow: "run\(git commit \*\)" does not match its own example "git push"/,
    );
  });
});
