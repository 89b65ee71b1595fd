import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fill, namesIn, readTemplate, type Template } from "./template.ts";

const template = (line: string): Template => {
  const read = readTemplate(line);
  if ("problem" in read) throw new Error(read.problem);
  return read;
};
const filled = (line: string, values: Record<string, string[]>): string =>
  fill(template(line), (name) => values[name] ?? []);

describe("a line with places for values", () => {
  test.each([
    ["echo {{a}}", { a: ["x y"] }, "echo 'x y'"],
    ["echo {{ a }}", { a: ["x"] }, "echo 'x'"],
    ["echo {{a}}", { a: ["it's"] }, "echo 'it'\\''s'"],
    ['echo "<{{a}}>"', { a: ["$x"] }, `echo "<"'$x'">"`],
    ["echo '<{{a}}>'", { a: ["it's"] }, "echo '<it'\\''s>'"],
    ["echo {{a}} b", {}, "echo  b"],
    ["echo {{a}}", { a: ["x", "y"] }, "echo 'x' 'y'"],
    ['"$SKILL_DIR/run.sh"', { SKILL_DIR: ["/a b"] }, `""'/a b'"/run.sh"`],
    ["$SKILL_DIR/x ${SKILL_DIR}/y", { SKILL_DIR: ["/d"] }, "'/d'/x '/d'/y"],
    ["echo $SKILL_DIRS $HOME ${HOME}", {}, "echo $SKILL_DIRS $HOME ${HOME}"],
    ["echo $(date +%s) {{a}}", { a: ["x"] }, "echo $(date +%s) 'x'"],
    ["cat <<< {{a}}", { a: ["x"] }, "cat <<< 'x'"],
    ['[ -n {{a}} ] && [[ "{{a}}" = x ]]', { a: ["x"] }, `[ -n 'x' ] && [[ ""'x'"" = x ]]`],
    ["ls [ab]{{a}} x[0-9].{{a}}", { a: ["x"] }, "ls [ab]'x' x[0-9].'x'"],
    ["grep 'f[{{a}}]' \"g[{{a}}]\"", { a: ["x"] }, `grep 'f[x]' "g["'x'"]"`],
    ["a[0]={{a}} b=([1]={{a}})", { a: ["x"] }, "a[0]='x' b=([1]='x')"],
    ["a#b c\\ {{a}}", { a: ["x"] }, "a#b c\\ 'x'"],
    ['echo "<{{a}}>"', {}, 'echo "<>"'],
    ['echo "${HOME} {{a}}"', { a: ["x"] }, `echo "\${HOME} "'x'""`],
    ["a[0]=1; [ -n {{a}} ]", { a: ["x"] }, "a[0]=1; [ -n 'x' ]"],
  ])("%s with %j", (line, values, expected) => expect(filled(line, values)).toBe(expected));

  test("names its places once", () =>
    expect(namesIn(template("{{a}} {{b-c}} {{a}} $SKILL_DIR"))).toEqual(["a", "b-c", "SKILL_DIR"]));

  test.each([
    ["echo `{{a}}`", "backticks"],
    ['echo "`{{a}}`"', "backticks"],
    ['echo "$(echo {{a}})"', "double quotes"],
    ["cat <<EOF\n{{a}}\nEOF", "here-document"],
    ["echo $(( {{a}} ))", "arithmetic"],
    ["(( {{a}} ))", "arithmetic"],
    ["echo $'{{a}}'", "$'…'"],
    ['echo $"{{a}}"', "$'…'"],
    ["echo ${x:-{{a}}}", "${x:-y}"],
    ['echo "${x:-{{a}}}"', "${x:-y}"],
    ["echo x # {{a}}", "a comment"],
    ["a[{{a}}]=1", "subscript"],
    ['a["{{a}}"]+=1', "subscript"],
    ["a['{{a}}']=1", "subscript"],
    ["a[ {{a}} ]=1", "subscript"],
    ["a[b[0]+{{a}}]=1", "subscript"],
    ["a=(x [{{a}}]=1)", "subscript"],
    ["a+=(['{{a}}']=1)", "subscript"],
    ["unset a[{{a}}]", "subscript"],
    ["{{a}}[{{a}}]=1", "subscript"],
    ["{{a}}[ {{a}} ]=1", "subscript"],
    ["a[ [ {{a}}]]=1", "subscript"],
    ["a[$SKILL_DIR]=1", "subscript"],
    ["echo \\{{a}}", "name of an argument"],
    ["echo {{a b}}", "name of an argument"],
    ["echo {{}}", "name of an argument"],
    ["echo '{{a}}", "not closed"],
    ['echo "{{a}}', "not closed"],
    ["echo '$SKILL_DIR/x'", "single quotes"],
  ])("cannot be %s", (line, problem) =>
    expect(readTemplate(line)).toMatchObject({ problem: expect.stringContaining(problem) }),
  );

  test("whatever a value is, bash sees it as one word in its place", () => {
    const places = ["{{a}}", '"{{a}}"', "'{{a}}'", 'x"{{a}}"y', "x'{{a}}'y", "x{{a}}y"];
    const wild = fc.string({ unit: fc.constantFrom(..."ab '\"\\$`!*?[]{}()<>|&;#~=-\n\té…".split("")), maxLength: 12 });
    const text = fc.oneof(
      wild,
      fc.string({ maxLength: 20 }).map((each) => each.replaceAll("\0", "")),
    );
    const cases = fc.sample(fc.tuple(fc.constantFrom(...places), text), { numRuns: 400, seed: 7 });
    const script = cases.map(([place, value]) => `printf '%s\\0' ${filled(place, { a: [value] })}`).join("\n");
    const output = execFileSync("bash", ["--noprofile", "--norc", "-c", script], { encoding: "utf8" });
    const expected = cases.map(([place, value]) => (place.startsWith("x") ? `x${value}y` : value));
    expect(output.split("\0").slice(0, -1)).toEqual(expected);
  });
});
