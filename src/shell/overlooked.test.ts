import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { isTooInvolved } from "./overlooked.ts";

const braces = (count: number): string => "{".repeat(count);

describe("what would take the parser too long", () => {
  test.each<[name: string, source: string, involved: boolean]>([
    ["as many braces as may be", `word${braces(1_000)}`, false],
    ["one more", `word${braces(1_001)}`, true],
    ["two words", `${braces(600)} ${braces(600)}`, false],
    ["two lines", `${braces(600)}\n${braces(600)}`, false],
    ["a tab between them", `${braces(600)}\t${braces(600)}`, false],
    ["one word", `${braces(600)}x${braces(600)}`, true],
    ["sums", "$[".repeat(1_001), true],
    ["as many sums as may be", "$[".repeat(1_000), false],
    ["sums in several words", "$[ ".repeat(1_001), true],
    ["brackets that are no sums", `{${"[".repeat(2_000)}`, false],
    ["dollar signs that are no sums", `{${"$x".repeat(2_000)}`, false],
    ["braces in quotes", `a'${braces(1_500)}'`, false],
    ["braces in quotes, and as many outside as may be", `'${braces(1_500)}'${braces(1_000)}`, false],
    ["braces behind quotes", `''${braces(1_001)}`, true],
    ["a quote that does not end", `'${braces(1_001)}`, true],
    ["a quote below the limit", `${braces(999)}'${braces(2)}'`, false],
    ["a quote at the limit", `${braces(1_000)}'${braces(1)}'`, true],
    ["nothing of the kind", "x".repeat(2_000), false],
    ["short", braces(10), false],
  ])("%s", (_, source, involved) => expect(isTooInvolved(source)).toBe(involved));

  test("it is blocked", () => expect(analyse(`echo ${braces(1_001)}`).class).toBe("blocked"));
});

test("bash ends a here-document at a line that is joined to its delimiter, and runs what follows", () => {
  expect(analyse("cat <<EOF\nE\\\nOF\nsudo ls\nEOF").class).toBe("blocked");
  expect(analyse("cat <<'EOF'\nE\\\nOF\nsudo ls\nEOF").class).toBe("safe");
});

describe("what the parser passes over", () => {
  test.each<[line: string, isValid: boolean]>([
    ["ls # note\nls", true],
    ["# a\n# b\nls", true],
    ["ls; # a; sudo", true],
    ["ls \\\n -l", true],
    ["ls\\\n\nls", true],
    ["ls\n\n\tls\n", true],
    ["cat <<EOF\na\nEOF", true],
    ["cat <<EOF\na\nEOF\nls", true],
    ["cat <<EOF\na\nEOF\nls )", false],
    ["cat <<A <<B\na\nA\nb\nB\nls", true],
    ["cat <<EOF\na", false],
    ["cat <<EOF\na\\\nEOF\nls\nEOF", false],
    ["cat <<'EOF'\na\\\nEOF\nls", true],
    ["cat <<EOF\n  E\\\nOF\nls\nEOF", false],
    ["cat <<EOF\nx\\\ny\nEOF", true],
    ["cat <<'E F'\na\nE F", false],
    ["echo \"$(cat <<'E F'\na\nE F\n)\"", false],
    ["x=$(cat <<'E F'\na\nE F\n)", false],
    ["x=(1 `cat <<'E F'\na\nE F\n`)", false],
    ["echo $(cat <<EOF\na\nEOF\n)", true],
    ["ls )", false],
    [") ls", false],
    ["ls }; ls", true],
    ["ls; ) ls", false],
    ["ls # )", true],
    ["\\\nls", true],
    ["ls;\\\nls", true],
    ["ls ( ; ls", false],
    ["ls (\nls", false],
    ["ls (\ncat <<E\na\nE", false],
    ["ls\ncat <<E\na\nE", true],
  ])("%j is valid shell: %s", (line, isValid) => {
    const { parsed, class: kind } = analyse(line);
    expect(parsed).toBe(isValid);
    if (!isValid) expect(kind).not.toBe("safe");
  });
});
