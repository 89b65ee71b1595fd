import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Approver } from "../../src/core/contracts/approval.ts";
import { bench, folder } from "../journeys/harness.ts";

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd, stdio: "pipe" });

const KEPT = { ".env": "KEY=1\n", "src/a.ts": "a\n", "sub/deep/b.ts": "b\n" };

/** A repository of some commits with these files in it, as old as if it had been cloned long ago. */
function repository(files: Record<string, string> = KEPT): string {
  const dir = folder(files);
  for (const name of Object.keys(files)) utimesSync(path.join(dir, name), 1_700_000_000, 1_700_000_000);
  git(dir, "init", "-q", "-b", "main");
  git(dir, "add", ".");
  git(dir, "commit", "-q", "-m", "x");
  git(dir, "commit", "-q", "--allow-empty", "-m", "y");
  return dir;
}

async function judged(dir: string, mode: "yolo" | "confirm-sensitive" = "confirm-sensitive") {
  const reasons: string[] = [];
  const approve: Approver = (_, { by, reason }) => {
    reasons.push(`${by}: ${reason}`);
    return "deny";
  };
  const { call } = await bench({}, { dir, mode, approve, store: "memory", sandbox: "off" });
  return async (command: string) => {
    reasons.length = 0;
    await call("run_command", { command });
    return reasons.join("; ");
  };
}

const ASKS = "secret-files: it would read .env, as git keeps it, which may hold secrets (.env)";

/** Lines that show what git keeps, whatever files that is. */
const SHOWING = [
  ...["git grep KEY", "git grep -l KEY", "git grep --cached KEY", "git grep KEY HEAD", "git grep -c ^KEY=1"],
  ...[
    "git log -p",
    "git log -p -1",
    "git log --patch",
    "git log -U1",
    "git log -u",
    "git log --stat -p",
    "git log -cc -p",
  ],
  ...["git log -S KEY", "git log -GKEY", "git whatchanged -p", "git show", "git show HEAD~1", "git show HEAD HEAD~1"],
  ...["git diff HEAD~1", "git diff HEAD~1..HEAD", "git diff --cached", "git diff --staged HEAD~1", "git diff main"],
  ...["git diff-tree -p HEAD", "git cat-file -p HEAD", "git cat-file blob 0123456789", "git log -p --author diff"],
  ...[
    "git -C src log -p",
    "cd src && git log -p",
    "git log -p | head",
    "echo a; git show HEAD",
    "git --no-pager log -p",
  ],
  ...["git log -p -- .", "git log -p -- .env", "git log -p -- '*'", "git log -p -- src .."],
  ...["git show ':/x'", "git show HEAD:src/a.ts HEAD", "git diff HEAD~1 --stat -p", "git stash show -p"],
];

const QUIET = [
  ...[
    "git log",
    "git log --oneline -5",
    "git log --stat",
    "git log --name-only",
    "git status",
    "git diff --stat HEAD~1",
  ],
  ...["git diff --name-only HEAD~1", "git show --stat", "git show -s HEAD", "git show --name-status", "git ls-files"],
  ...["git diff", "git diff -w", "git diff -- src", "git blame src/a.ts", "git show HEAD:src/a.ts", "git stash list"],
  ...["git log -p -- src", "git log -p -- src/", "git show HEAD -- src/a.ts", "git grep KEY -- src", "git branch -v"],
  ...["git log --grep show", "git rev-parse HEAD", "git cat-file -p HEAD:src/a.ts", "git diff --numstat HEAD~1"],
];

describe("a file of secrets that git keeps", () => {
  test("is asked about before git shows it, in every way to show it", async () => {
    const by = await judged(repository());
    for (const line of SHOWING)
      expect([line, await by(line)]).toEqual([line, expect.stringContaining("secret-files: ")]);
    expect(await by("git log -p")).toBe(ASKS);
  });

  test("however git is called", async () => {
    const by = await judged(repository());
    for (const git of ["/usr/bin/git", "/bin/git", "$'\\147it'", "/usr/bin/$'\\147it'", "timeout 5 /usr/bin/git"])
      for (const words of ["show HEAD", "show HEAD:.env", "grep KEY", "log -p -- '.en*'"])
        expect([git, words, await by(`${git} ${words}`)]).toEqual([
          git,
          words,
          expect.stringContaining("secret-files: "),
        ]);
    for (const words of ["log", "status", "show HEAD:src/a.ts", "log -p -- src"])
      expect([words, await by(`/usr/bin/git ${words}`)]).toEqual([words, ""]);
  });

  test("and not where git shows something else", async () => {
    const by = await judged(repository());
    for (const line of QUIET) expect([line, await by(line)]).toEqual([line, ""]);
  });

  test("yolo asks nobody", async () => {
    const by = await judged(repository(), "yolo");
    for (const line of SHOWING) expect([line, await by(line)]).toEqual([line, ""]);
  });

  test("a change of it is shown by git diff", async () => {
    const dir = repository();
    const by = await judged(dir);
    writeFileSync(path.join(dir, ".env"), "KEY=2\n");
    expect(await by("git diff")).toBe(ASKS);
    expect(await by("git diff -w --color=never")).toBe(ASKS);
    expect(await by("git diff --stat")).toBe("");
    expect(await by("git diff -- src")).toBe("");
    rmSync(path.join(dir, ".env"));
    expect(await by("git diff"), "what is gone is shown as well").toBe(ASKS);
  });

  test("git may keep its repository elsewhere", async () => {
    const main = repository();
    const tree = path.join(folder(), "tree");
    git(main, "worktree", "add", "-q", tree);
    expect(await (await judged(tree))("git log -p")).toBe(ASKS);
    expect(await (await judged(path.join(main, "sub/deep")))("git log -p"), "above").toBe(ASKS);
    renameSync(path.join(main, ".git"), path.join(main, "real"));
    symlinkSync("real", path.join(main, ".git"));
    expect(await (await judged(main))("git log -p"), "behind a link").toBe(ASKS);
  });

  test("a repository further down", async () => {
    const dir = folder({ "a.txt": "" });
    renameSync(repository(), path.join(dir, "inner"));
    const by = await judged(dir);
    expect(await by("git -C inner log -p")).toBe(ASKS);
    expect(await by("cd inner && git show")).toBe(ASKS);
  });

  test.each<[what: string, files: Record<string, string>]>([
    ["no such file", { "a.ts": "a\n", ".env.example": "KEY=\n" }],
    ["what projects give to everybody", { ".npmrc": "x\n", ".env.test": "A=1\n", "test/server.pem": "x\n" }],
  ])("nobody is asked about %s", async (_, files) => {
    const by = await judged(repository(files));
    for (const line of SHOWING.filter((each) => !/\.env|'\*'/.test(each)))
      expect([line, await by(line)]).toEqual([line, ""]);
  });

  test("what is not added is none of git's", async () => {
    const dir = repository({ "a.ts": "a\n", ".gitignore": ".env\n" });
    writeFileSync(path.join(dir, ".env"), "KEY=1\n");
    const by = await judged(dir);
    expect(await by("git grep KEY")).toBe("");
    git(dir, "add", "-f", ".env");
    expect(await by("git grep KEY")).toBe(ASKS);
    git(dir, "rm", "-q", "--cached", ".env");
    expect(await by("git grep KEY")).toBe("");
  });
});
