import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { bench, folder } from "../journeys/harness.ts";

const AS = ["AUTHOR", "COMMITTER"].flatMap((who) => [`GIT_${who}_NAME=n`, `GIT_${who}_EMAIL=e`]).join(" ");
const START = `set -e; export ${AS} HOME=$PWD/home; git() { command git -c protocol.file.allow=always "$@" 2> /dev/null; }
commit() { git init -q .; for each; do echo a > "$each"; done; git add -A; git commit -qm x; }
mkdir home w; cd w; `;
const TRAP = "touch MARK; cat";
/** A file whose stat no longer fits the index, so that git has to look at its content. */
const CHANGED = "sleep 0.01; touch -d '1 hour ago' a; echo b > a";
const FILTERED = `git config filter.x.clean '${TRAP}'; echo '* filter=x' > .git/info/attributes; ${CHANGED}`;
const NESTED = `git init -q .; mkdir sub; (cd sub; commit a); git add sub; commit b; cd sub; ${FILTERED}`;
const EXTERNAL = `git config diff.external '${TRAP}'`;

type Scene = [what: string, setup: string, command: string];

/** A base folder with the workspace `w` in it, and the person's own home. */
function scene(setup: string): { base: string; dir: string; mark: string } {
  const base = folder();
  const mark = path.join(base, "mark");
  execFileSync("bash", ["-c", START + setup.replaceAll("MARK", mark)], { cwd: base, stdio: ["ignore", "ignore", 2] });
  vi.stubEnv("HOME", path.join(base, "home"));
  rmSync(mark, { force: true });
  return { base, dir: path.join(base, "w"), mark };
}

const explained = async (dir: string, command: string) => {
  const { gate } = await bench({}, { dir, mode: "confirm-sensitive", store: "memory", sandbox: "off" });
  return await gate.explain({ name: "run_command", args: { command } });
};

test.each<Scene>([
  ["a submodule with a repository of its own", NESTED, "git status"],
  ["the same behind a file", `${NESTED}; mv .git ../hidden; echo 'gitdir: ../hidden' > .git`, "git diff"],
  ["a submodule of a submodule", `git init -q .; mkdir n; (cd n; ${NESTED}); git add n; commit c`, "git status"],
  ["a folder that is no repository", `commit a; mkdir -p x/.git; ${EXTERNAL}; echo b > a`, "cd x && git diff"],
  [
    "no HEAD that git takes",
    `commit a; mkdir -p x/.git; echo y > x/.git/HEAD; ${EXTERNAL}; echo b > a`,
    "git -C x diff",
  ],
  [
    "a name with an equals sign",
    `commit a; ${FILTERED.replaceAll("filter.x", "filter.a=b").replace("=x'", "=a=b'")}`,
    "git diff",
  ],
  [
    "a common folder",
    `commit a; cp -r .git c; ${EXTERNAL}; mv .git/config c/; echo ../c > .git/commondir; echo b > a`,
    "git diff",
  ],
  [
    "what a person's own configuration includes from here",
    `commit a; echo b > a; git config -f inc diff.external '${TRAP}'; git config --global include.path $PWD/inc`,
    "git diff",
  ],
  [
    "a condition of the same",
    `commit a; echo b > a; git config -f inc diff.external '${TRAP}'; git config --global includeIf.gitdir:/.path $PWD/inc`,
    "git diff",
  ],
  [
    "a file that a person's own configuration includes includes it",
    `commit a; echo b > a; git config -f inc diff.external '${TRAP}'; git config -f ~/more include.path $PWD/inc; git config --global include.path more`,
    "git diff",
  ],
  [
    "a program that a person's own configuration takes from here",
    `commit a; echo b > a; echo touch MARK > x.sh; git config --global diff.external 'sh ./x.sh'`,
    "git diff",
  ],
  [
    "a person's own configuration that lies here",
    `commit a; echo b > a; git config -f own diff.external '${TRAP}'; ln -s $PWD/own ~/.gitconfig`,
    "git diff",
  ],
])("git runs nothing that is named by %s", async (_, setup, command) => {
  const { dir, mark } = scene(setup);
  expect(await explained(dir, command)).toMatchObject({ verdict: "ask", class: "safe", reason: /^git would obey / });
  spawnSync("bash", ["-c", command], { cwd: dir });
  expect(existsSync(mark), "the trap works").toBe(true);
});

const OTHER = "mkdir ../other; cd ../other; commit key; echo SECRET > key";

test.each<Scene>([
  ["the working tree lies elsewhere", `${OTHER}; git config core.worktree ../../other; mv .git ../w/.git`, "git diff"],
  [
    "a file leads to another repository",
    `${OTHER}; git commit -qam y; echo gitdir: ../other/.git > ../w/.git`,
    "git show",
  ],
  [
    "a file does, over a link",
    `${OTHER}; git commit -qam y; mkdir sub; ln -s $PWD/sub ../w/l; echo gitdir: l/../.git > ../w/.git`,
    "git show",
  ],
  [
    "a file does, whose name goes on in a second line",
    `${OTHER}; git commit -qam y; git clone -q . ../w/x; ln -s $PWD/.git ../w/x/$'g\\ny'; mv ../w/x/.git ../w/x/g; echo $'gitdir: x/g\\ny' > ../w/.git`,
    "git show",
  ],
  ["a link does", `${OTHER}; git commit -qam y; ln -s ../other/.git ../w/.git`, "git show"],
  [
    "a common folder does",
    `${OTHER}; git commit -qam y; mkdir ../w/.git; cp .git/HEAD ../w/.git; echo $PWD/.git > ../w/.git/commondir`,
    "git show",
  ],
  [
    "a common folder does, over a link",
    `${OTHER}; git commit -qam y; mkdir sub ../w/.git; cp .git/HEAD ../w/.git; ln -s $PWD/sub ../w/.git/l; echo l/../.git > ../w/.git/commondir`,
    "git show",
  ],
  [
    "a common folder does, and its name is behind a link",
    `${OTHER}; git commit -qam y; mkdir ../w/.git; cp .git/HEAD ../w/.git; echo $PWD/.git > ../w/x; ln -s ../x ../w/.git/commondir`,
    "git show",
  ],
  [
    "the working tree lies elsewhere, over a link",
    `${OTHER}; mkdir sub; git config core.worktree l/..; ln -s $PWD/sub .git/l; mv .git ../w/.git`,
    "git diff",
  ],
  [
    "it names a file to read, over a link",
    "commit a; mkdir ../sub; ln -s $PWD/../sub l; echo SECRET > ../key; git config blame.ignoreRevsFile l/../key",
    "git blame a",
  ],
  [
    "its objects do",
    `${OTHER}; git commit -qam y; cp -r .git ../w/; rm -r ../w/.git/objects; ln -s $PWD/.git/objects ../w/.git/`,
    "git show",
  ],
  [
    "its objects do, and it says that this is its working tree",
    `${OTHER}; git commit -qam y; cp -r .git ../w/; rm -r ../w/.git/objects; ln -s $PWD/.git/objects ../w/.git/; cd ../w; git config core.worktree ..`,
    "git show",
  ],
  [
    "another repository lends it objects",
    `${OTHER}; git commit -qam y; git clone -q --shared . ../lent; mv ../lent/.git ../w/`,
    "git show",
  ],
  [
    "a repository here that lends it objects takes them from there",
    `${OTHER}; git commit -qam y; git clone -q --shared . ../lent; mv ../lent ../w/; cd ../w; git clone -q --shared lent x; mv x/.git .`,
    "git show",
  ],
  [
    "links lead to some of its objects",
    `${OTHER}; git commit -qam y; cp -r .git ../w/; rm -r ../w/.git/objects/??; ln -s $PWD/.git/objects/?? ../w/.git/objects/`,
    "git show",
  ],
  [
    "a common folder does, and what is here says that this is its working tree",
    `${OTHER}; git commit -qam y; mkdir ../w/.git; cp .git/HEAD ../w/.git; echo $PWD/.git > ../w/.git/commondir; git config -f ../w/.git/config core.worktree ..`,
    "git show",
  ],
  [
    "a common folder does, and what is here says that this is a linked worktree",
    `${OTHER}; git commit -qam y; cd ../w; mkdir -p x/worktrees/t; cp ../other/.git/HEAD x/; cd x/worktrees/t; cp ../../HEAD .; cd - > /dev/null; echo $PWD/.git > x/worktrees/t/gitdir; echo $PWD/../other/.git > x/worktrees/t/commondir; echo gitdir: x/worktrees/t > .git`,
    "git show",
  ],
  [
    "the working trees of linked worktrees may differ, and lie elsewhere",
    `${OTHER}; cd ../w; mkdir m; cd m; commit key; git worktree add -q ../t; git config extensions.worktreeConfig true; git config core.worktree $PWD/../../other`,
    "cd t && git diff",
  ],
  [
    "the same is relative to the folder of the linked worktree",
    `${OTHER}; cd ../w; mkdir m; cd m; commit key; git worktree add -q ../t; git config extensions.worktreeConfig true; git config core.worktree out; ln -s $PWD/../../other .git/worktrees/t/out`,
    "cd t && git diff",
  ],
  ["it names a file to read", "commit a; echo SECRET > ../key; git config blame.ignoreRevsFile ../key", "git blame a"],
  [
    "what linked worktrees have in common names a file to read",
    "mkdir m; cd m; commit a; git worktree add -q ../t; echo SECRET > ../../key; git config blame.ignoreRevsFile $PWD/../../key",
    "cd t && git blame a",
  ],
])("git reads nothing outside the workspace where %s", async (_, setup, command) => {
  const { dir } = scene(setup);
  expect(await explained(dir, command)).toMatchObject({ verdict: "ask", class: "safe", reason: /^git would obey / });
  const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: dir, encoding: "utf8" });
  expect(stdout + stderr, "it would be shown").toContain("SECRET");
});

test.each<Scene>([
  ["a repository", "commit a; echo b > a", "git diff"],
  ["a folder in it", "mkdir x; commit a", "cd x && git log -p"],
  [
    "a submodule",
    "mkdir ../up; (cd ../up; commit a); commit b; git submodule add -q ../up sub; echo b > sub/a",
    "git diff",
  ],
  [
    "a repository that borrows objects from one beside it",
    "mkdir x; cd x; commit a; cd ..; git clone -q --shared x y; git clone -q --shared y z; echo '# text' >> z/.git/objects/info/alternates",
    "cd z && git show",
  ],
  [
    "a worktree of a repository elsewhere",
    "rmdir ../w; mkdir ../main; cd ../main; commit a; git worktree add -q ../w",
    "git show",
  ],
  [
    "a worktree whose repository names another working tree, which git does not take for this one",
    "mkdir m; cd m; commit a; git worktree add -q ../t; git config core.worktree ../../../other",
    "cd t && git show",
  ],
  [
    "a worktree of a submodule that git has given settings of its own",
    "rmdir ../w; mkdir ../up ../main; (cd ../up; commit a); cd ../main; commit b; git submodule add -q ../up sub; cd sub; git worktree add -q ../../w; git sparse-checkout set --no-cone '*'",
    "git show",
  ],
  [
    "a submodule of a repository elsewhere",
    "rmdir ../w; mkdir ../up ../main; (cd ../up; commit a); cd ../main; commit b; git submodule add -q ../up sub; ln -s main/sub ../w",
    "git show",
  ],
  [
    "a person's own programs",
    "commit a; git config --global diff.external difft; git config --global core.pager less",
    "git diff",
  ],
  [
    "a person's own includes",
    "commit a; git config -f ~/more diff.x.textconv exiftool; git config --global include.path more",
    "git diff",
  ],
  [
    "a list of commits beside it",
    "commit a .ignored; : > .ignored; git config blame.ignoreRevsFile .ignored",
    "git blame a",
  ],
])("nobody is asked about %s", async (_, setup, command) => {
  const { dir } = scene(setup);
  expect(await explained(dir, command)).toMatchObject({ verdict: "allow", class: "safe" });
  expect(spawnSync("bash", ["-c", command], { cwd: dir }).status, "it works").toBe(0);
});
