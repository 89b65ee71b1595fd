import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CommandClass } from "../core/words/touch.ts";
import { analyse } from "./analyse.ts";

const ORDER: readonly CommandClass[] = ["safe", "dev", "dangerous", "blocked"];

const BLOCKED = [
  "rm -rf /",
  "rm -r -f /etc",
  "sudo ls",
  "su",
  "chmod 777 x",
  "chmod -R a+rwx x",
  "dd if=x of=/dev/sda",
];
const MORE = ["mkfs.ext4 /dev/sda1", "pkill -9 -f x", "killall -9 x", "find / -delete", "doas ls", "rm -rf /home/x"];
const DANGEROUS = [
  "unknown x",
  "rm x",
  "git push",
  "curl x",
  "python -c 1",
  "find . -delete",
  "npm i x",
  "kill 1",
  "./ls",
];
const commands = [...BLOCKED, ...MORE, ...DANGEROUS];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const hex = (text: string): string =>
  [...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
const octal = (text: string): string =>
  [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
const middle = (text: string): number => Math.max(1, text.length >> 1);

/** Ways to spell one word so that the shell reads the same. */
const SPELLINGS: readonly ((word: string, name: string) => { before?: string; text: string })[] = [
  (word) => ({ text: word }),
  (word) => ({ text: quoted(word) }),
  (word) => ({ text: `"${word}"` }),
  (word) => ({ text: [...word].map((char) => `\\${char}`).join("") }),
  (word) => ({ text: `${word.slice(0, middle(word))}''${word.slice(middle(word))}` }),
  (word) => ({ text: `${word.slice(0, middle(word))}"${word.slice(middle(word))}"` }),
  (word) => ({ text: `$'${hex(word)}'` }),
  (word) => ({ text: `$'${octal(word)}'` }),
  (word) => ({ text: `${word.slice(0, middle(word))}\\\n${word.slice(middle(word))}` }),
  (word, name) => ({ before: `${name}=${quoted(word)}; `, text: `$${name}` }),
  (word, name) => ({ before: `${name}=${quoted(word)}\n`, text: `"\${${name}}"` }),
  (word, name) => ({
    before: `${name}=${quoted(word.slice(0, middle(word)))}; `,
    text: `\${${name}}${word.slice(middle(word))}`,
  }),
  (word) => ({ text: `$(echo ${quoted(word)})` }),
  (word) => ({ text: `$(printf %s ${quoted(word)})` }),
  (word) => ({ text: `\`echo ${word}\`` }),
  (word) => ({ text: `\${nothing:-${word}}` }),
  (word) => ({ text: `${word.slice(0, middle(word))}$@${word.slice(middle(word))}` }),
  (word) => ({ text: `$(echo ${btoa(word)} | base64 -d)` }),
];

const BETWEEN = [" ", "  ", "\t", " \\\n ", "$" + "{IFS}"];

/** In front of a simple command. */
const PREFIXES = [
  "env ",
  "env A=b ",
  "env -i ",
  "command ",
  "nohup ",
  "time ",
  "timeout 5 ",
  "timeout -k 1 5 ",
  "nice -n 5 ",
  "ionice -c 3 ",
  "stdbuf -oL ",
  "setsid ",
  "exec ",
  "A=b ",
  "busybox ",
  "2>/dev/null ",
  "! ",
];

/** Around any text that a shell can read. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => `( ${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `ls; ${text}`,
  (text) => `ls\n${text}`,
  (text) => `ls && { ${text}\n}`,
  (text) => `false || ( ${text}\n)`,
  (text) => `ls | ( ${text}\n)`,
  (text) => `( ${text}\n) &`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `if ls; then ls; else ${text}\nfi`,
  (text) => `for i in 1 2; do ${text}\ndone`,
  (text) => `until ${text}\ndo break; done`,
  (text) => `case a in b) ls;; *) ${text}\n;; esac`,
  (text) => `f() { ${text}\n}; f`,
  (text) => `echo "$( ${text}\n)"`,
  (text) => `echo $( ${text}\n)`,
  (text) => `cat <( ${text}\n)`,
  (text) => `x=$( ${text}\n)`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `sh -ec ${quoted(text)}`,
  (text) => `env bash -lc ${quoted(text)}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `y=${quoted(text)}; eval "$y"`,
  (text) => `y=${quoted(text)} bash -c 'eval "$y"'`,
  (text) => `echo ${quoted(text)} | sh`,
  (text) => `printf %s ${quoted(text)} | cat | bash`,
  (text) => `bash <<< ${quoted(text)}`,
  (text) => `bash <<'E${text.length}'\n${text}\nE${text.length}\n`,
  (text) => `bash <(echo ${quoted(text)})`,
  (text) => `echo ${btoa(text)} | base64 -d | bash`,
  (text) => `trap ${quoted(text)} EXIT`,
  (text) => `find . -exec sh -c ${quoted(text)} \\;`,
  (text) => `echo ${quoted(text)} | xargs -0 -I{} bash -c '{}'`,
];

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list);

const disguised = fc
  .record({
    command: pick(commands),
    spellings: fc.array(pick(SPELLINGS), { minLength: 6, maxLength: 6 }),
    between: pick(BETWEEN),
    prefixes: fc.array(pick(PREFIXES), { maxLength: 3 }),
    around: fc.array(pick(AROUND), { maxLength: 3 }),
  })
  .map(({ command, spellings, between, prefixes, around }) => {
    const words = command
      .split(" ")
      .map((word, index) => (spellings[index] as (typeof SPELLINGS)[0])(word, `v${index}`));
    const before = words.map((word) => word.before ?? "").join("");
    const plain = words.map(({ text }) => text).join(between);
    // `!`, assignments and redirections only stand in front of everything else
    const first = prefixes.filter((prefix) => !/^(?:!|A=|2>)/.test(prefix));
    const last = prefixes.find((prefix) => /^(?:A=|2>)/.test(prefix)) ?? "";
    const text = before + last + first.join("") + plain;
    return { command, text: around.reduce((inner, wrap) => wrap(inner), text) };
  });

describe("a disguise never makes a command milder", () => {
  test("quoting, wrapping, splitting, nesting", () => {
    fc.assert(
      fc.property(disguised, ({ command, text }) => {
        const plain = analyse(command).class;
        const found = analyse(text);
        expect(ORDER.indexOf(found.class), `${text}\n${found.reason}`).toBeGreaterThanOrEqual(ORDER.indexOf(plain));
      }),
      { numRuns: 4_000 },
    );
  });

  test("braces around all words", () => {
    for (const command of commands.filter((each) => each.includes(" ")))
      expect(analyse(`{${command.split(" ").join(",")}}`).class, command).toBe(analyse(command).class);
  });

  test("each wrapper on each command", () => {
    for (const command of commands)
      for (const wrap of AROUND)
        expect(ORDER.indexOf(analyse(wrap(command)).class), wrap(command)).toBeGreaterThanOrEqual(
          ORDER.indexOf(analyse(command).class),
        );
  });

  test.each([1, 4, 8, 15, 16, 17, 20, 60])("nested %i deep", (depth) => {
    for (const wrap of ["env ", "nice ", "timeout 1 "])
      expect(analyse(`${wrap.repeat(depth)}sudo ls`).class).toBe("blocked");
    expect(analyse(`${"env ".repeat(depth)}rm x`).class).not.toBe("safe");
    expect(analyse(`${"$(".repeat(depth)}sudo ls${")".repeat(depth)}`).class).toBe("blocked");
    expect(analyse(`${"( ".repeat(depth)}sudo ls${")".repeat(depth)}`).class).toBe("blocked");
    expect(analyse(`${"eval ".repeat(depth)}sudo ls`).class).toBe("blocked");
  });
});
