import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { lines } from "../../src/shell/cases/lines.ts";
import { bench } from "../journeys/harness.ts";
import { type Making, made, PERSON, plain, repository, TOKEN } from "./past-secrets.ts";

const TWENTY = Array(20).fill("HEAD").join(" ");

/** CONTENT and DROPPED stand for ids. */
const SHOWN = lines(`
  git diff --merge-base old
  git diff --merge-base old main
  git diff --merge-base --cached old
  git grep KEY ${TWENTY} with
  git grep -- KEY with
  git grep -- KEY with -- .
  git grep KEY with:
  git grep auth docker:.docker
  git grep KEY with^{tree}
  git show 'HEAD^{/feat: add env}'
  git show 'with^{/feat: .*}'
  git show main@{'2000-01-01 10:00:00'} with
  git show grep@{'2000-01-01 10:00:00'}
  git show ':/feat: add env'
  git show ann
  git show DROPPED
  git show merged
  git show --check with
  git show HEAD:src/a with
  git show -q -p with
  git diff with with~1 HEAD
  git diff merged merged^1 merged^2
  git diff merged^!
  git diff with^!
  git diff with^-
  git diff with^! HEAD
  git diff 'HEAD^{/feat: ...}' HEAD
  git diff HEAD..with
  git diff ann...HEAD
  git diff ':/add local'...HEAD
  git diff 'with^{/f..t}' HEAD HEAD~1
  git show HEAD...':/remove env'
  git diff with: HEAD:
  git diff docker:.docker HEAD:sub
  git diff with:.env..HEAD:src/a
  git diff --check with~1 with
  git diff with^{tree} HEAD^{tree}
  git diff stash
  git diff grep
  git diff tag
  git diff log
  git show blame
  git log -p -1 log
  git log -p --first-parent -2 merged
  git log -p --first-parent --all -99
  git log -p --full-history -- .
  git log -p -4 --topo-order backed~1
  git log -p -4 --graph
  git log -p --boundary with..main
  git log -p --until=2030-01-01 --skip=5
  git log -p --follow conf.txt
  git log -p --follow -- conf.txt
  git log -p -M --follow -- conf.txt
  git log -L1,3:conf.txt
  git log --check
  git log --cc -1 merged
  git log -p -g
  git whatchanged -p
  git whatchanged -p --topo-order -3
  git stash list -p
  git stash list -p HEAD
  git stash show -p
  git stash show -w
  git diff refs/stash^1 refs/stash
  git diff-tree -p with
  git diff-tree -p with HEAD
  git diff-tree --cc merged
  git diff-index -p with
  git show CONTENT
  git show --stat CONTENT
  git show -s CONTENT
  git show content
  git show main content
  git show annotated
  git cat-file -p CONTENT
  git cat-file blob CONTENT
  git cat-file -p content
  git cat-file -p content^{}
  git diff CONTENT HEAD:src/a
  git diff HEAD:src/a CONTENT
  git diff CONTENT..HEAD:src/a
  git diff CONTENT src/a
  git grep KEY CONTENT
  cd .docker && git show docker:./config.json
  cd .docker && git cat-file -p docker:./config.json
  cd .docker && git blame docker -- config.json
  cd .docker && git log -p -- config.json
  cd .docker && git diff docker:./config.json HEAD:src/a
  timeout 9 git show with
  sh -c 'git show with'
  for c in HEAD with; do git show $c; done
`);

/** Not judged by what they would read, but somebody is asked all the same. */
const OTHERWISE = lines(`
  git reflog --cc
  git reflog show --cc
  git reflog show -p
  git rev-parse with | git diff-tree --stdin -p
  git for-each-ref --format='%(raw)'
  git tag --format='%(raw)' -l content
  git archive with
  git format-patch --stdout with~1..with
  git fast-export with
  git --git-dir=.git show with
  GIT_DIR=.git git show with
  git show $(git rev-parse with)
  echo with | xargs git show
  mkdir new && cd new && git log -p
`);

const QUIET = lines(`
  git show
  git show HEAD~1
  git show main
  git show main@{0}
  git show @
  git show HEAD:src/a
  git show HEAD:./src/a HEAD:sub/b
  git show with -- src
  git show --stat with
  git show --name-only ann
  git show -q with
  git show src/z
  git diff
  git diff HEAD
  git diff HEAD~1
  git diff main~2 main
  git diff main~1..main
  git diff main...main
  git diff HEAD~1 src/z
  git diff with HEAD src
  git diff with HEAD src/a src/z
  git diff with..HEAD src/a
  git diff with HEAD -- src sub
  git diff HEAD~1:src/z HEAD:src/z
  git diff HEAD~1:src/z src/z
  git diff HEAD^!
  git diff HEAD^! src
  git diff HEAD HEAD~1 HEAD~2
  git diff --stat with HEAD
  git diff --raw with HEAD
  git diff --name-status main...old
  git diff -q
  git log
  git log -3 --graph --oneline
  git log --stat
  git log -p -1
  git log -p -2 --first-parent
  git log -p -2 --graph
  git log -p -2 --topo-order
  git log -p -- src
  git log -p --follow src/z
  git log --follow conf.txt
  git log -p content
  git log -S KEY --oneline
  git reflog
  git reflog -5
  git stash list
  git stash show
  git stash show --stat
  git diff-tree -r --name-only with
  git diff-tree -p HEAD
  git diff-index --name-only with
  git diff-files -p
  git range-diff main~2..main~1 main~1..main
  git grep b
  git grep b HEAD~1 HEAD -- src
  git grep b HEAD:src
  git grep b ${Array(20).fill("src").join(" ")}
  git grep -e KEY -- with
  git blame src/a
  git blame HEAD~1 -- src/a
  git cat-file -p HEAD
  git cat-file -p main
  git cat-file -p with^{tree}
  git cat-file -p HEAD:src/a
  git cat-file -t CONTENT
  git cat-file -s content
  git for-each-ref --format='%(refname)'
  git log --pretty=raw -1
  git rev-list --objects --all
  cd src/a && git log -p || echo fallback
  for f in src sub; do git log -p -- "$f"; done
`);

/** Lines of every day where no file of secrets was ever kept. */
const EVERYDAY = lines(`
  git log -p
  git log -p --all
  git log -p --follow a
  git log -L1,1:a
  git log --check
  git log -p --first-parent
  git log -p -g
  git show
  git show v1
  git show HEAD~1 --stat
  git diff main side
  git diff main...side
  git diff --merge-base side
  git diff HEAD~1 HEAD side
  git diff HEAD^!
  git diff v1..
  git grep a v1 main side
  git range-diff main~1..main side~1..side
  git stash list -p
  git diff-tree -p HEAD
  git cat-file -p v1
  git blame a
  cd nowhere && git log -p
`);

async function judging(dir: string) {
  const { gate } = await bench({}, { dir, mode: "confirm-sensitive", sandbox: "off" });
  return async (command: string): Promise<[line: string, isPrinted: boolean, verdict: string, by: string]> => {
    const { stdout } = spawnSync("bash", ["-c", command], {
      cwd: dir,
      encoding: "utf8",
      env: { ...process.env, ...PERSON },
    });
    const { verdict, by } = await gate.explain({ name: "run_command", args: { command } });
    return [command, stdout.includes(TOKEN), verdict, by];
  };
}

const idsOf = (dir: string) => (line: string) => {
  const id = (name: string) => execFileSync("git", ["rev-parse", name], { cwd: dir, encoding: "utf8" }).trim();
  return line.replaceAll("CONTENT", id("content")).replaceAll("DROPPED", id("dropped-for-its-id"));
};

describe("what git really prints of files that are gone", () => {
  test("is asked about, in whatever way it is shown", async () => {
    const dir = repository();
    const judged = await judging(dir);
    for (const line of SHOWN.map(idsOf(dir))) expect(await judged(line)).toEqual([line, true, "ask", "secret-files"]);
  });

  test("is not printed by a line that asks nobody", async () => {
    const dir = repository();
    const judged = await judging(dir);
    for (const line of QUIET.map(idsOf(dir))) expect(await judged(line)).toEqual([line, false, "allow", "mode"]);
  });

  test("is never printed without a question by a line that is not read as one that shows it", async () => {
    const dir = repository();
    const judged = await judging(dir);
    for (const line of OTHERWISE) {
      expect(await judged(line)).toEqual([line, true, "ask", expect.any(String)]);
      rmSync(path.join(dir, "new"), { recursive: true, force: true });
    }
  });
});

test("nobody is asked where no such file was ever kept", async () => {
  const dir = plain();
  const judged = await judging(dir);
  for (const line of EVERYDAY) expect(await judged(line)).toEqual([line, false, "allow", "mode"]);
});

describe("a folder's list that cannot be read", () => {
  test.each<[what: string, change: (to: Making) => void]>([
    ["a split index", ({ git }) => git("update-index", "--split-index")],
    [
      "a conflict",
      ({ git, put, commit }) => {
        git("checkout", "-q", "-b", "side");
        put(".env", `KEY=${TOKEN} other\n`);
        commit("two");
        git("checkout", "-q", "main");
        put(".env", `KEY=${TOKEN}\n`);
        commit("three");
        expect(() => git("merge", "-q", "side")).toThrow();
      },
    ],
  ])("%s does not hide a file of secrets", async (_, change) => {
    const dir = made(({ git, put, commit }) => {
      put(".env", "KEY=1\n");
      put("a", "a\n");
      commit("one");
      change({ git, put, commit });
    });
    writeFileSync(path.join(dir, ".env"), `KEY=${TOKEN} now\n`);
    const judged = await judging(dir);
    expect(await judged("git diff")).toEqual(["git diff", true, "ask", "secret-files"]);
    expect(await judged("git log --oneline")).toEqual(["git log --oneline", false, "allow", "mode"]);
  });
});
