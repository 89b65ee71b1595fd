import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "../../src/index.ts";
import { lines } from "../../src/shell/cases/lines.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder } from "../journeys/harness.ts";

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd, stdio: "pipe" });

/** Four commits: plain, one with a file of secrets, one without it again, plain. A stash has another such file. */
function repository(): string {
  const dir = folder({ "src/a": "a\n", "sub/b": "b\n" });
  const commit = (message: string) => git(dir, "commit", "-q", "-a", "--allow-empty", "-m", message);
  git(dir, "init", "-q", "-b", "main");
  git(dir, "add", ".");
  commit("one");
  writeFileSync(path.join(dir, ".env"), "KEY=1\n");
  git(dir, "add", "-f", ".env");
  commit("two");
  git(dir, "tag", "with");
  git(dir, "rm", "-q", ".env");
  commit("three");
  writeFileSync(path.join(dir, "src/a"), "b\n");
  commit("four");
  writeFileSync(path.join(dir, "secrets.json"), "{}\n");
  git(dir, "add", "secrets.json");
  git(dir, "stash", "-q");
  return dir;
}

const SHOWN = lines(`
  git show HEAD~1
  git show with
  git show HEAD HEAD~1
  git show with..HEAD
  git show :/two
  git show with -- .
  git -C sub show with
  cd sub && git show with
  git log -p
  git log -p -2
  git log -p -n 2
  git log --patch --max-count=2
  git log -u with
  git log -U0
  git log -p --since=2000-01-01
  git log -p --all
  git log -p -g
  git log -p --author=a -1 with
  git log -p --skip=1 -1
  git log -m --first-parent
  git --no-pager log -p
  git whatchanged -p
  git diff with HEAD
  git diff with
  git diff --cached with
  git diff with..HEAD
  git diff with..
  git diff HEAD~3...with
  git diff HEAD with -- .
  git diff-tree -p with
  git diff-tree -p with HEAD
  git diff-index -p with
  git grep KEY with
  git grep -e KEY with
  git range-diff HEAD~3 with HEAD
  git stash show -p
  git stash show -p 0
  git stash show -p stash@{0}
  git stash list -p
  git log -p | head -5
  git show HEAD~1 | grep KEY
`);

const HARMLESS = lines(`
  git show
  git show HEAD
  git show HEAD~3
  git show HEAD:src/a
  git show --stat with
  git show with -- src
  git log
  git log --oneline -5
  git log --stat
  git log -p -1
  git log -p -1 HEAD
  git log -p -- src
  git log -p src/a
  git log -p with..HEAD~9
  git log -p HEAD~1..
  git reflog
  git reflog show
  git stash list
  git stash show
  git diff
  git diff HEAD
  git diff --cached
  git diff HEAD~1 HEAD
  git diff HEAD~1..
  git diff --stat with HEAD
  git diff with HEAD -- src
  git grep b
  git grep b HEAD
  git grep b HEAD -- src
  git status
  git blame src/a
`);

describe.each(["off", "auto"] as const)("secrets that git keeps of the past, with the sandbox %s", (sandbox) => {
  const verdicts = async (commands: readonly string[], mode: "confirm-sensitive" | "yolo" = "confirm-sensitive") => {
    const { gate } = await bench({}, { dir: repository(), mode, sandbox });
    const told: [string, string, string][] = [];
    for (const command of commands) {
      const { verdict, by } = await gate.explain({ name: "run_command", args: { command } });
      told.push([command, verdict, by]);
    }
    return told;
  };

  test("are asked about in whatever line shows them", async () => {
    expect(await verdicts(SHOWN)).toEqual(SHOWN.map((line) => [line, "ask", "secret-files"]));
  });

  test("are in nobody's way where other commits and files are shown", async () => {
    expect(await verdicts(HARMLESS)).toEqual(HARMLESS.map((line) => [line, "allow", "mode"]));
  });

  test("are not asked about in yolo", async () => {
    expect(await verdicts(["git log -p"], "yolo")).toEqual([["git log -p", "allow", "mode"]]);
  });
});

test("a history that git cannot name in time is asked about where it is shown, and nowhere else", async () => {
  const dir = repository();
  const workspace = { ...localWorkspace({ root: dir }), namedByGit: async () => undefined };
  const gate = await open({ workspace, store: memoryStore(), mode: "confirm-sensitive", config: {} });
  onTestFinished(() => gate.close());
  const explained = (command: string) => gate.explain({ name: "run_command", args: { command } });
  expect(await explained("git log -p")).toMatchObject({
    verdict: "ask",
    by: "secret-files",
    reason: expect.stringContaining("something of git's history that could not be searched"),
  });
  for (const command of ["git log", "git show --stat HEAD", "git show HEAD:src/a", "git status"])
    expect((await explained(command)).verdict, command).toBe("allow");
});
