/** Programs and subcommands with several names: a rule that forbids one forbids them all. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^python[\d.]*$/, "python"],
  [/^pip[\d.]*$/, "pip"],
  [/^nodejs$/, "node"],
  [/^docker-compose$/, "docker"],
];

const NPM = [
  "install i in ins inst insta instal isnt isnta isntal isntall add",
  "test t tst",
  "run run-script rum urn",
  "uninstall un unlink remove rm r",
  "exec x",
  "ci clean-install ic install-clean isntall-clean",
  "update up upgrade udpate",
  "publish pub",
  "config c",
];
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  npm: NPM,
  pnpm: NPM,
  yarn: ["install add", "remove rm"],
  bun: ["install i add a", "remove rm"],
  cargo: ["build b", "check c", "doc d", "run r", "test t", "remove rm"],
  git: ["add stage"],
};

const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries(SUBCOMMANDS).flatMap(([program, groups]) =>
    groups.flatMap((group) => {
      const [name = "", ...others] = group.split(" ");
      return others.map((other): [string, string] => [`${program} ${other}`, name]);
    }),
  ),
);

/** The common name of all spellings of a program, in lower case. */
export function programKey(name: string): string {
  const lower = name.toLowerCase();
  return PROGRAMS.find(([names]) => names.test(lower))?.[1] ?? lower;
}

/** The common name of all spellings of a subcommand. */
export const subcommandKey = (program: string, word: string): string => SAME.get(`${program} ${word}`) ?? word;

/** npm accepts abbreviated commands. */
export const isShortFor = (program: string, word: string, name: string): boolean =>
  program === "npm" && word.length > 2 && name.startsWith(word);

type Words = readonly (string | null)[];

/** Further ways to write a command: `docker container run` is `docker run`. */
export function otherSpellings(words: Words, name: (word: string) => string): Words[] {
  const [program, second, third] = words;
  if (typeof program !== "string") return [];
  const key = programKey(name(program));
  if (name(program).toLowerCase() === "docker-compose") return [["docker", "compose", ...words.slice(1)]];
  if ((key === "docker" || key === "podman") && (second === "container" || second === "image"))
    return [
      [program, ...words.slice(2)],
      ...(third === "rm" && second === "image" ? [[program, "rmi", ...words.slice(3)]] : []),
    ];
  if (key === "npm" && (second === "exec" || second === "x")) return [["npx", ...words.slice(2)]];
  if (key === "python" && second === "-m" && third !== undefined) return [words.slice(2)];
  return [];
}
