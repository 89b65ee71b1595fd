import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { namedByGit } from "./git-names.ts";

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd, stdio: "pipe" });

function repository(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "toolgate-names-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  git(dir, "init", "-q");
  for (const name of ["a", "with blank", "line\nbreak"]) {
    writeFileSync(path.join(dir, name), "x\n");
    git(dir, "add", ".");
    git(dir, "commit", "-q", "-m", name.slice(0, 4));
  }
  return dir;
}

const LOG = ["log", "--format=", "--name-only", "-z"];

test("names the files of some commits, whatever they are called", async () => {
  const real = repository();
  expect((await namedByGit({ real }, [LOG]))?.toSorted()).toEqual(["a", "line\nbreak", "with blank"]);
  expect(
    await namedByGit({ real }, [
      ["ls-tree", "--name-only", "-z", "HEAD~1"],
      [...LOG, "-1", "HEAD~2"],
    ]),
  ).toEqual(["a", "with blank"]);
});

test("what git refuses has no names, and the others still have theirs", async () => {
  const real = repository();
  expect(await namedByGit({ real }, [[...LOG, "nothing-of-that-name"]])).toEqual([]);
  expect(
    await namedByGit({ real }, [
      [...LOG, "nothing"],
      [...LOG, "-1", "HEAD~2"],
    ]),
  ).toEqual(["a"]);
  expect(await namedByGit({ real: os.tmpdir() }, [LOG])).toEqual([]);
});

test("nothing of the repository's own configuration is run", async () => {
  const real = repository();
  const trap = path.join(real, "trapped");
  const settings = [
    "core.fsmonitor",
    "core.pager",
    "diff.external",
    "gpg.program",
    "core.sshCommand",
    "diff.x.textconv",
  ];
  for (const key of settings) git(real, "config", key, `touch ${trap}; false`);
  git(real, "config", "log.showSignature", "true");
  writeFileSync(path.join(real, ".git/info/attributes"), "* diff=x\n");
  expect(await namedByGit({ real }, [LOG, ["diff", "--cached", "--name-only", "-z", "HEAD~1"]])).toContain("a");
  expect(existsSync(trap)).toBe(false);
});
