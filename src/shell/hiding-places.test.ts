import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

/** Places of a harmless line in which the shell would run `@`. */
const RUNS: readonly string[] = [
  "echo $(@)",
  'echo "$(@)"',
  "echo `@`",
  "echo ${x:-$(@)}",
  "echo ${x:+$(@)}",
  "echo ${x#$(@)}",
  "echo ${x/a/$(@)}",
  "echo ${x/$(@)/a}",
  "echo ${x:$(@)}",
  "echo ${a[$(@)]}",
  "echo $(( $(@) ))",
  "echo $((a[$(@)]))",
  "echo $[ $(@) ]",
  "cat <(@)",
  "cat a > >(@)",
  "cat < $(@)",
  "cat <<< $(@)",
  "cat <<EOF\n$(@)\nEOF",
  "for x in $(@); do ls; done",
  "for x in a; do @; done",
  "for ((i=$(@);i<3;i++)); do ls; done",
  "while @; do ls; done",
  "until @; do ls; done",
  "if @; then ls; fi",
  "if ls; then @; else ls; fi",
  "if ls; then pwd; elif @; then ls; fi",
  "case $(@) in a) ls;; esac",
  "case a in $(@)) ls;; esac",
  "case a in a) @;; esac",
  "[[ -n $(@) ]]",
  "[[ a = $(@) ]]",
  '[ -n "$(@)" ]',
  "x=$(@)",
  "x=$(@) ls",
  "x=$(@); echo $x",
  "LC_ALL=$(@) ls",
  "ls; @",
  "ls && @",
  "ls || @",
  "ls | @",
  "@ | ls",
  "ls & @",
  "( @ )",
  "{ @; }",
  "! @",
  "time @",
  "bash -c '@'",
  'bash -c "@"',
  "bash -lc 'ls; @'",
  "sh -c 'for x in a; do @; done'",
  "/bin/bash -c '@'",
  "env LC_ALL=C @",
  "timeout 5 @",
  "nice @",
  "command @",
  "find . -exec @ {} \\;",
  "find . -name a -exec @ {} +",
  "ls | xargs @",
  "echo a | xargs -I{} @ {}",
  "printf '%s' $(@)",
  "cd $(@)",
  "exit $(@)",
  "read x < <(@)",
  "git -C $(@) status",
  "ls {a,$(@)}",
  "ls ~/$(@)",
  "ls *$(@)*",
  "function f { @; }; f",
  "f() { @; }; f",
  "coproc @",
  "trap @ EXIT",
  "eval @",
];

/** What is not harmless, by itself. */
const ACTS = ["touch m", "evil", "rm m", "git push", "curl u", "mv a b", "tee m", "chmod +x a", "./a", "python3 a"];

const inside = (way: string, command: string): string => way.replaceAll("@", () => command);

describe("wherever a line runs something, it is no more harmless than that", () => {
  test.each(RUNS)("%s", (way) => {
    for (const command of ACTS) expect([way, command, analyse(inside(way, command)).class]).not.toContain("safe");
  });

  // quotes and backticks do not nest: in `bash -c "bash -c "tee m""` the file is no word of tee
  test("also two and three deep", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...RUNS.filter((way) => !/['`]|"@"/.test(way))), { minLength: 2, maxLength: 3 }),
        fc.constantFrom(...ACTS),
        (ways, command) => {
          const line = ways.reduce((inner, way) => inside(way, inner), command);
          expect([line, analyse(line).class]).not.toContain("safe");
        },
      ),
      { numRuns: 500 },
    );
  });

  test("and a harmless one stays harmless in most of them", () => {
    const proven = RUNS.filter((way) => analyse(inside(way, "ls")).class === "safe");
    expect(proven.length).toBeGreaterThan(RUNS.length / 2);
  });

  test("what never runs is blocked in all of them, or hidden from nobody", () => {
    for (const way of RUNS) expect([way, analyse(inside(way, "sudo ls")).class]).toEqual([way, "blocked"]);
  });
});
