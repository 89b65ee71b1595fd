import { describe, expect, test } from "vitest";
import { allowlistProblem } from "./allowlist.ts";
import { analyse } from "./analyse.ts";

const allowed = ["ls", "cat", "grep", "git", "bash"];

describe("the allow-list of programs", () => {
  test.each([
    "ls -la",
    "cat a | grep b",
    "ls; cat a && git log || ls",
    "ls > out.txt",
    "echo_is_not_run=1 ls",
    "bash -c 'ls | cat'",
    "# nothing",
    "grep '$(rm)' a",
  ])("lets pass: %s", (command) => expect(allowlistProblem(analyse(command), allowed)).toBeUndefined());

  test.each([
    ["rm a", "rm is not allowed; allowed are ls, cat, grep, git, bash"],
    ["ls; rm a", "rm is not allowed"],
    ["ls && rm a", "rm is not allowed"],
    ["ls | tee a", "tee is not allowed"],
    ["ls & rm a", "rm is not allowed"],
    ["(ls; rm a)", "rm is not allowed"],
    ["bash -c 'rm a'", "rm is not allowed"],
    ["env ls", "env is not allowed"],
    ["./ls", "./ls is not allowed"],
    ["/bin/ls", "/bin/ls is not allowed"],
    ["ls $(cat a)", "substitutions"],
    ['ls "$(cat a)"', "substitutions"],
    ["cat <(ls)", "substitutions"],
    ["ls `cat a`", "backticks"],
    ["ls\ncat a", "one line"],
    ["ls\nrm a", "one line"],
    ["$x a", "literally"],
    ["ls (", "not valid"],
    ["x=1", "literally"],
  ])("refuses %s", (command, reason) => expect(allowlistProblem(analyse(command), allowed)).toContain(reason));

  test("an empty list allows nothing, a star everything named", () => {
    expect(allowlistProblem(analyse("ls"), [])).toContain("none");
    expect(allowlistProblem(analyse("rm a"), ["*"])).toBeUndefined();
    expect(allowlistProblem(analyse("rm $(ls)"), ["*"])).toContain("substitutions");
  });
});
