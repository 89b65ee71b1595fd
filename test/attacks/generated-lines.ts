import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { PROGRAMS } from "../../src/shell/programs/all.ts";
import type { Entry } from "../../src/shell/programs/program.ts";
import { WRAPPERS } from "../../src/shell/programs/wrappers.ts";

type Words = fc.Arbitrary<string[]>;

/** They wait for what never comes, look at all of the machine, end the shell or build. */
const LEFT_OUT = new Set("sleep wait top journalctl exit return lsof locate watch yes cargo bc".split(" "));
const WAITING = /(?:^|\s)tail\s.*(?:-\w*[fF]|--f)|--follow|\bfree\b.*\s-\w*s|\bshuf\b.*\s-(?:\w*r|-rep)/;

const NAMES = ["a", "b", "x", "log", "README.md", "src/one.ts", "package.json", "Makefile", "ls", "trap", "trap.so"];
const FOLDERS = [".", "src", "src/deep", ".git"];
const TEXTS = ["1", "2", "foo", "a", "HEAD", "main", "+%Y", ",", "x=1", "*.md", "%s", "never", "@{0}", "HEAD~1..HEAD"];
/** Names that decide what a program runs, and what a trap would be told by: a line that sets one must not be safe. */
const STEERING =
  `PATH=.:$PATH LD_PRELOAD=./trap.so LD_LIBRARY_PATH=. BASH_ENV=./.bashrc ENV=./.bashrc PAGER=./trap GIT_PAGER=./trap
  GIT_EXTERNAL_DIFF=./trap GIT_CONFIG_GLOBAL=./.gitconfig GIT_SSH=./trap GIT_EDITOR=./trap LESSOPEN=./trap EDITOR=./trap
  NODE_OPTIONS=--require=./trap.cjs PYTHONPATH=. PYTHONSTARTUP=./sitecustomize.py RIPGREP_CONFIG_PATH=./.ripgreprc
  MANPAGER=./trap GIT_DIR=.git IFS=/ HOME=. SHELL=./trap PROMPT_COMMAND=./trap MAKEFLAGS=-fMakefile`.split(/\s+/);
const HARMLESS = ["x=1", "FOO=a", "LC_ALL=C", "TZ=UTC", "count=2"];
/** First words that are a program of their own. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  sed: ["1p", "s/foo/bar/", "/foo/,$p", "2q", "s/foo/id/e", "w made"],
  awk: ["{print $1}", "NR>1", "/foo/ {n++} END {print n}", '{print > "made"}', 'BEGIN {system("./trap")}'],
  jq: [".", ".name", ".scripts|keys"],
  yq: [".", ".name"],
};

const one = (words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);
const quoted = (word: string): string => (/^[\w./=,:+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const valueFor = (role: string): fc.Arbitrary<string> => {
  if (/tree|list/.test(role)) return one([...FOLDERS, ...NAMES]);
  return /read|write/.test(role) ? one(NAMES) : one(TEXTS);
};

/** One option of a table, as people may write it: alone, bundled, with its value attached or as a word of its own. */
function option(token: string, flags: readonly string[], entry: Pick<Entry, "abbreviates">): Words {
  const bundle = fc.array(one(["", ...flags]), { maxLength: 2 }).map((letters) => letters.join(""));
  const [, name = "", role] = /^(--?[^=:?]+)([=:?].*)?$/.exec(token) ?? [];
  if (name === "-#") return one(["-1", "-3", "-12"]).map((word) => [word]);
  const value = valueFor(role ?? "");
  if (/^-\w$/.test(name) && role !== undefined) {
    const attached = fc.tuple(bundle, value).map(([before, given]) => [`-${before}${name[1]}${given}`]);
    const apart = fc.tuple(bundle, value).map(([before, given]) => [`-${before}${name[1]}`, given]);
    return role.startsWith("?") ? attached : fc.oneof(attached, apart);
  }
  if (!name.startsWith("--")) {
    const own = one([...name.slice(1)]);
    return fc.tuple(own, bundle).map(([letter, others]) => [`-${letter}${others}`]);
  }
  const long = entry.abbreviates
    ? fc.integer({ min: Math.min(5, name.length), max: name.length }).map((end) => name.slice(0, end))
    : fc.constant(name);
  if (role === undefined) return long.map((word) => [word]);
  const attached = fc.tuple(long, value).map(([word, given]) => [`${word}=${given}`]);
  const apart = fc.tuple(long, value).map(([word, given]) => [word, given]);
  return role === "=?"
    ? fc.oneof(
        attached,
        long.map((word) => [word]),
      )
    : fc.oneof(attached, apart);
}

function optionsOf(entry: Pick<Entry, "options" | "style" | "abbreviates">, most: number): Words {
  const tokens = (entry.options ?? "")
    .split(" ")
    .filter((token) => token !== "" && !/^--(?:help|version)$/.test(token));
  if (tokens.length === 0) return fc.constant([]);
  const isWord = entry.style === "word";
  const flags = isWord ? [] : tokens.flatMap((token) => (/^-\w+$/.test(token) ? [...token.slice(1)] : []));
  const word = (token: string): Words => {
    const [, name = "", role] = /^([^=]+)(=.*)?$/.exec(token) ?? [];
    return role === undefined ? fc.constant([name]) : valueFor(role).map((value) => [name, value]);
  };
  const each = fc.oneof(...tokens.map((token) => (isWord ? word(token) : option(token, flags, entry))));
  return fc.array(each, { maxLength: most }).map((all) => all.flat());
}

function operandsOf(name: string, entry: Entry): Words {
  const scripts = SCRIPTS[name];
  const roles = (entry.operands ?? "").split(" ").filter((role) => role !== "");
  const last = roles.at(-1) ?? "";
  const first = roles.slice(0, last.endsWith("*") ? -1 : undefined);
  const before = fc.tuple(...first.map((role, index) => (index === 0 && scripts ? one(scripts) : valueFor(role))));
  const rest = last.endsWith("*") ? fc.array(valueFor(last), { maxLength: 2 }) : fc.constant([]);
  return fc.tuple(before, rest).map(([some, more]) => [...some, ...more]);
}

/** All that is called safe: programs, and verbs of programs, by the words that start them. */
function safeEntries(programs: ReadonlyMap<string, Entry>, before: readonly string[] = []): [string[], Entry][] {
  return [...programs].flatMap(([name, entry]) => {
    const words = [...before, name];
    const verbs = entry.verbs ? safeEntries(entry.verbs, words) : [];
    return entry.class === "safe" ? [[words, entry] as [string[], Entry], ...verbs] : verbs;
  });
}

const isHere = (names: readonly string[]): ReadonlySet<string> => {
  const { stdout } = spawnSync(
    "bash",
    ["-c", 'for each; do type -t -- "$each" > /dev/null && echo "$each"; done', "-", ...names],
    {
      encoding: "utf8",
    },
  );
  return new Set(stdout.split("\n"));
};

/** Every safe class that is installed here, each as the arbitrary of its command lines. */
export function safeCommands(): [name: string, line: fc.Arbitrary<string>][] {
  const entries = safeEntries(PROGRAMS).filter(([[program = ""]]) => !LEFT_OUT.has(program));
  const here = isHere([...new Set(entries.map(([[program = ""]]) => program))]);
  const seen = new Set<Entry>();
  return entries
    .filter(([[program = ""], entry]) => here.has(program) && !seen.has(entry) && seen.add(entry))
    .map(([words, entry]) => {
      const name = words.at(-1) ?? "";
      const end = fc.constantFrom<string[]>([], [], [], ["--"]);
      const line = fc
        .tuple(optionsOf(entry, 3), end, operandsOf(name, entry))
        .map(([options, dashes, operands]) => [...words, ...options, ...dashes, ...operands].map(quoted).join(" "));
      return [words.join(" "), line];
    });
}

const OWN: Readonly<Record<string, readonly string[]>> = { timeout: ["1"], env: ["x=1", ...STEERING] };
const assignment = fc.oneof(one(HARMLESS), one(HARMLESS), one(STEERING));
/** A program that runs another, with options of its own. */
const wrapper: fc.Arbitrary<string> = fc.oneof(
  ...Object.entries(WRAPPERS)
    .filter(([, { floor }]) => floor === undefined)
    .map(([name, { options }]) =>
      fc
        .tuple(optionsOf({ options }, 1), one(OWN[name] ?? [""]))
        .map(([words, own]) => [name, ...words.map(quoted), own].filter((word) => word !== "").join(" ")),
    ),
);

/** The same command inside what the shell has: pipes, loops, wrappers, assignments, groups. */
export function dressed(command: fc.Arbitrary<string>, other: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const shape = fc.oneof(
    { weight: 4, arbitrary: command },
    { weight: 3, arbitrary: fc.tuple(wrapper, command).map((words) => words.join(" ")) },
    { weight: 2, arbitrary: fc.tuple(assignment, command).map((words) => words.join(" ")) },
    { weight: 1, arbitrary: fc.tuple(assignment, command).map(([set, line]) => `${set}; ${line} $x`) },
    { weight: 1, arbitrary: fc.tuple(assignment, command).map(([set, line]) => `export ${set}; ${line}`) },
    {
      weight: 2,
      arbitrary: fc.tuple(command, one(["|", "&&", "||", ";", "\n"]), other).map((words) => words.join(" ")),
    },
    { weight: 2, arbitrary: command.map((line) => `for f in a src/one.ts; do ${line} "$f"; done`) },
    {
      weight: 1,
      arbitrary: fc.tuple(assignment, command).map(([set, line]) => {
        const [name, ...value] = set.split("=");
        return `for ${name} in ${value.join("=")}; do ${line}; done`;
      }),
    },
    { weight: 1, arbitrary: command.map((line) => `while read -r f; do ${line} "$f"; done < log`) },
    { weight: 1, arbitrary: fc.tuple(command, other).map(([test, line]) => `if ${test}; then ${line}; fi`) },
    { weight: 1, arbitrary: command.map((line) => `x=$(${line}); echo "$x"`) },
    { weight: 1, arbitrary: command.map((line) => `cat log | xargs ${line}`) },
    { weight: 1, arbitrary: command.map((line) => `find src -name '*.ts' -exec ${line} {} +`) },
    { weight: 1, arbitrary: command.map((line) => `bash -c ${quoted(line)}`) },
    { weight: 1, arbitrary: command.map((line) => `(cd src && ${line}) 2>&1`) },
    { weight: 1, arbitrary: command.map((line) => `{ ${line}; } < a > /dev/null`) },
  );
  return shape.filter((line) => !WAITING.test(line));
}
