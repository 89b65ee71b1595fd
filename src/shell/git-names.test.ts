import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { isShowing, mayShow, namedToGit } from "./git-names.ts";

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
