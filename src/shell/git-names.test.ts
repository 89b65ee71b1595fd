import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { isShowing, mayShow, namedToGit, showsKept } from "./git-names.ts";

/** The names that a line gives to git, where it may show what they hold, and where it is there to show it. */
const named = (line: string) => {
  const { segments } = analyse(line);
  const reading = { segments: segments.map((each) => ({ ...each, words: each.words.map((word) => word ?? null) })) };
  return [mayShow, isShowing].map((isMeant) => namedToGit(reading as never, isMeant).join(" "));
};

test.each<[line: string, may: string, shows: string]>([
  ["git show HEAD:.env", "show .env", "show .env"],
  ["git show HEAD:./a/.env", "show a/.env", "show a/.env"],
  ["git diff .env", "diff .env", "diff .env"],
  ["git -C a diff ././b", "a diff b", "a diff b"],
  ["git grep x -- .env", "grep x .env", "grep x .env"],
  ["git blame a.ts", "blame a.ts", "blame a.ts"],
  ["git annotate a.ts", "annotate a.ts", "annotate a.ts"],
  ["git cat-file -p :a", "cat-file a", "cat-file a"],
  ["git archive HEAD a", "archive HEAD a", "archive HEAD a"],
  ["git stash show -p", "stash show", "stash show"],
  ["git diff-tree HEAD a", "diff-tree HEAD a", "diff-tree HEAD a"],
  ["git diff-index HEAD a", "diff-index HEAD a", "diff-index HEAD a"],
  ["git diff-files a", "diff-files a", "diff-files a"],
  ["git log -- .env", "log .env", ""],
  ["git log --oneline .env", "log .env", ""],
  ["git log -p .env", "log .env", "log .env"],
  ["git log -u .env", "log .env", "log .env"],
  ["git log -c .env", "log .env", "log .env"],
  ["git log -m .env", "log .env", "log .env"],
  ["git log -1p .env", "log .env", ""],
  ["git log -L1,2:.env", "log .env", "log .env"],
  ["git log -U3 .env", "log .env", "log .env"],
  ["git log --patch .env", "log .env", "log .env"],
  ["git log --patch-with-stat .env", "log .env", "log .env"],
  ["git log --cc .env", "log .env", "log .env"],
  ["git log --unified=3 .env", "log .env", "log .env"],
  ["git log --word-diff .env", "log .env", "log .env"],
  ["git whatchanged .env", "whatchanged .env", ""],
  ["git whatchanged -p .env", "whatchanged .env", "whatchanged .env"],
  ["git log --check .env", "log .env", "log .env"],
  ["git show tag .env", "show tag .env", "show tag .env"],
  ["git -C status show HEAD:.env", "status show .env", "status show .env"],
  ["git diff log .env", "diff log .env", "diff log .env"],
  ["git diff HEAD:.env..HEAD:a", "diff .env a", "diff .env a"],
  ["git show 'HEAD^{/a: b}:.env'", "show .env", "show .env"],
  ["git commit -m show", "", ""],
  ["git add .env", "add .env", ""],
  ["git checkout .env", "checkout .env", ""],
  ["git rm .env", "", ""],
  ["git check-ignore .env", "", ""],
  ["git ls-files .env", "", ""],
  ["git status .env", "", ""],
  ["git commit .env", "", ""],
  ["git tag .env", "", ""],
  ["git branch .env", "", ""],
  ["cat .env; git show $x", "show", "show"],
  ["cat .env", "", ""],
])("%s", (line, may, shows) => expect(named(line)).toEqual([may, shows]));

test("nothing is known of a line that was not read", () => expect(namedToGit(undefined, mayShow)).toEqual([]));

const shows = (line: string, changed: boolean, name = "deep/.env"): boolean =>
  analyse(line).segments.some(({ words }) =>
    showsKept(
      words.map((word) => word ?? null),
      { name, changed },
    ),
  );

test.each<[line: string, unchanged: boolean, changed: boolean]>([
  ["git diff", false, true],
  ["git diff --color=never -w", false, true],
  ["git -C a diff", false, true],
  ["git diff --cached", true, true],
  ["git diff --staged", true, true],
  ["git diff HEAD", true, true],
  ["git diff --stat", false, false],
  ["git diff --stat=80 HEAD", false, false],
  ["git diff -q", false, true],
  ["git show -q", false, false],
  ["git show -q -p", true, true],
  ["git diff --raw HEAD", false, false],
  ["git diff --compact-summary HEAD", false, false],
  ["git diff --check HEAD", true, true],
  ["git diff --stat --check HEAD", true, true],
  ["git diff stash", true, true],
  ["git diff log", true, true],
  ["git diff blame", true, true],
  ["git show blame", true, true],
  ["git show stash --stat", false, false],
  ["git -C diff log", false, false],
  ["git -c a=b -C stash show", true, true],
  ["git --git-dir diff status", false, false],
  ["git blame show", false, false],
  ["git commit -m diff", false, false],
  ["git submodule foreach git diff HEAD", true, true],
  ["git diff --quiet HEAD", false, false],
  ["git diff --summary HEAD", false, false],
  ["git diff --stat -p HEAD", true, true],
  ["git diff -- deep", false, true],
  ["git diff HEAD -- deep/", true, true],
  ["git diff HEAD -- other", false, false],
  ["git diff HEAD -- dee", false, false],
  ["git diff HEAD -- other deep", true, true],
  ["git diff HEAD -- .", true, true],
  ["git diff HEAD -- ..", true, true],
  ["git diff HEAD -- other/../deep", true, true],
  ["git diff HEAD -- 'o*'", true, true],
  ["git diff HEAD -- ':(top)x'", true, true],
  ["git diff HEAD -- $X", true, true],
  ["git diff HEAD --", true, true],
  ["git log", false, false],
  ["git log -p", true, true],
  ["git log -p --author diff", true, true],
  ["git log -S x", true, true],
  ["git log -Gx -- other", false, false],
  ["git show", true, true],
  ["git show -s", false, false],
  ["git show --no-patch", false, false],
  ["git show HEAD:a.ts", false, false],
  ["git show HEAD~1:a.ts v1.0:b", false, false],
  ["git show HEAD:a.ts HEAD", true, true],
  ["git show :/fix", true, true],
  ["git show 'HEAD^{/a:b}'", true, true],
  ["git show $X", true, true],
  ["git cat-file -p HEAD:a.ts", false, false],
  ["git cat-file -p 0123", true, true],
  ["git grep x", true, true],
  ["git grep -l x", true, true],
  ["git grep x -- other", false, false],
  ["git blame a.ts", false, false],
  ["git annotate a.ts", false, false],
  ["git stash", false, false],
  ["git stash list", false, false],
  ["git stash show", false, false],
  ["git stash show -p", true, true],
  ["git stash show -w", true, true],
  ["git stash show -w --stat", false, false],
  ["git stash list -w", false, false],
  ["git stash push -q", false, false],
  ["git stash list -p", true, true],
  ["git status", false, false],
  ["git branch -S x", false, false],
])("%s shows what git keeps of a file, and of one that was changed", (line, unchanged, changed) =>
  expect([shows(line, false), shows(line, true)]).toEqual([unchanged, changed]),
);

test("a place that is named from another folder", () => {
  expect(shows("git log -p -- .env", false)).toBe(true);
  expect(shows("git log -p -- b", false, "a/b/.env")).toBe(true);
  expect(shows("git log -p -- a", false, "ab/.env")).toBe(false);
});
