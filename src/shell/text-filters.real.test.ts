import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { TEXT_FILTERS } from "./text-filters.ts";

const FILTERS = new Map(TEXT_FILTERS);
const filtered = (words: readonly string[], stdin: string): string | undefined =>
  FILTERS.get(words[0] as string)?.(words, stdin);

/** What the real program prints. */
function really([program = "", ...words]: readonly string[], input: string): string {
  const { stdout, error, status } = spawnSync(program, words, { input, encoding: "utf8" });
  if (error || status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
  return stdout;
}

const ROWS = "abcdef\n\nx:y:z\na b  c\n";

test.each<[words: string[], stdin?: string]>([
  [["cut", "-c2-"]],
  [["cut", "-c-2"]],
  [["cut", "-c2-3"]],
  [["cut", "-c1,4-"]],
  [["cut", "-b", "3"]],
  [["cut", "--characters=2-"]],
  [["cut", "-d:", "-f2"]],
  [["cut", "-d", ":", "-f", "1,3", "--output-delimiter=-"]],
  [["cut", "-f2"], "a\tb\nc\n"],
  [["sed", "s/b/X/"]],
  [["sed", "s/[a-c]/X/g"]],
  [["sed", "s/^a//;s/c$/Z/"]],
  [["sed", "-e", "s/A/&&/i", "-e", "s/:/ /"]],
  [["sed", "s|:|/|g"]],
  [["sed", "s/a\\/b/c/"], "a/b\n"],
  [["sed", "s/.*/x $1/"]],
  [["sed", "y/abc/xyz/"]],
  [["sed", "y/abc/xyz/;s/x/1/"]],
  [["sed", "s/b/X/"], "abc"],
  [["sed", "c\\rm"]],
  [["awk", "{print $2, $1}"], "a b\nc  d e\n"],
  [["awk", "-F:", '{print $2" "$1}'], "a:b\nc:d:e\n"],
  [["awk", "{print $NF}"]],
  [["awk", '{$1="";print}'], "a b\nc d e\n"],
  [["awk", '{gsub("b","");print}']],
  [["awk", "1"]],
  [["awk", "{print $0}"]],
  [["perl", "-pe", "s/b/X/"]],
  [["base32", "-d"], "MFRGG===\n"],
  [["basenc", "--base32", "-d"], "MFRGG===\n"],
  [["basenc", "--base16", "-d"], "616263\n"],
  [["basenc", "--base64url", "-d"], "YWI_"],
  [["paste", "-s"]],
  [["paste", "-sd:"]],
  [["paste", "-s", "-d", " ", "-"]],
  [["paste", "--serial", "--delimiters=+"]],
  [["fold", "-w", "80"]],
  [["expand"]],
  [["iconv", "-f", "utf8", "-t", "ascii"]],
])("%j prints what it is taken to print", (words, stdin = ROWS) => {
  expect(filtered(words, stdin)).toBe(really(words, stdin));
});

test.each<[words: string[], stdin: string]>([
  [["cut", "--complement"], "a"],
  [["basenc", "--base16", "-d"], "616"],
  [["basenc", "--base16"], "61"],
  [["base32"], "a"],
  [["paste", "a", "-"], "a"],
  [["fold", "file"], "a"],
  [["awk", "{x=$1}"], "a"],
  [["perl", "-e", "s/a/b/"], "a"],
])("nobody can tell what %j prints", (words, stdin) => expect(filtered(words, stdin)).toBeUndefined());

test("what it cannot follow of sed comes out unchanged", () => {
  for (const script of ["s/ab*c/x/", "s/(a+)+$/x/", "s/a+$/x/", "d", "s/a/b"])
    expect(filtered(["sed", "-E", script], "abc aa\n"), script).toBe("abc aa\n");
});
