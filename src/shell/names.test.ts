import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";

/** What `cat` at the end of a pipe is taken to read. */
const read = (line: string): string =>
  analyse(line)
    .touches.flatMap((claim) => {
      if (claim.action === "unknown") return [`any ${claim.permissions.join()}`];
      if (claim.action !== "read") return [];
      return [`${claim.target}/${claim.scope ?? ""}${claim.brings ? ` ${claim.brings}` : ""}`];
    })
    .join(", ");

const WORDS = "./**/*.ts words";
test.each<[filters: string, read: string]>([
  ["", WORDS],
  ["| sort", WORDS],
  ["| sort -r", WORDS],
  ["| sort -uV", WORDS],
  ["| sort -fdnh", WORDS],
  ["| sort -k 2", "any read"],
  ["| sort -z", "any read"],
  ["| uniq", WORDS],
  ["| uniq -u", WORDS],
  ["| uniq -d", WORDS],
  ["| uniq -c", "any read"],
  ["| head", WORDS],
  ["| head -5", WORDS],
  ["| head -n 5", WORDS],
  ["| head -n5", WORDS],
  ["| head -c 5", "any read"],
  ["| tail -n 5", WORDS],
  ["| tail -c 5", "any read"],
  ["| tac", WORDS],
  ["| tac -b", "any read"],
  ["| cat", WORDS],
  ["| cat -n", "any read"],
  ["| grep a", WORDS],
  ["| grep -viEFPwx a", WORDS],
  ["| grep -o a", "any read"],
  ["| grep -n a", "any read"],
  ["| rg a", `./**, ${WORDS}`],
  ["| rg -viFw a", `./**, ${WORDS}`],
  ["| rg -o a", "./**, any read"],
  ["| sort | grep -v x | head -n 2", WORDS],
  ["| sort | cut -c 2-", "any read"],
])("names that find prints %s", (filters, expected) => {
  expect(read(`find . -name '*.ts' ${filters} | xargs cat`)).toBe(expected);
});

test.each<[line: string, read: string]>([
  ["find . -name '*.ts' -print0 | xargs -0 cat", "./**/*.ts"],
  ["find . -name '*.ts' | xargs -d '\\n' cat", "./**/*.ts"],
  ["find . -name '*.ts' | xargs -d ' ' cat", WORDS],
  ["find . -name '*.ts' | xargs -I{} cat {}", WORDS],
  ["find . -name '*.ts' | xargs -I{} cat x{}", "any read"],
  ["find a b/ -name c | xargs -0 cat", "a/**/c, b/**/c"],
  ["find / -name c | xargs -0 cat", "any read"],
  ["find 'a*' -name c | xargs -0 cat", "any read"],
  ["cd x; find . -name c | xargs -0 cat", "x/**/c, ./**/c"],
  ["grep -rl a --include='*.c' src | xargs -0 cat", "src/, src/**/*.c, src/**/*.c"],
  ["grep -rl a --include='*.c' | xargs -0 cat", "./, ./**/*.c, ./**/*.c"],
  ["grep -rl -e a --include='*.c' src | xargs -0 cat", "src/, src/**/*.c, src/**/*.c"],
  ["rg -l a -g '*.c' src | xargs -0 cat", "src/, src/**/*.c, src/**/*.c"],
  ["rg --files -g '*.c' src | xargs -0 cat", "src/, src/**/*.c, src/**/*.c"],
  ["rg -l a | xargs -0 cat", "./**, any read"],
  ["find . -name '*.c' | rg --files | xargs -0 cat", "./**, any read"],
])("%s", (line, expected) => expect(read(line)).toBe(expected));
