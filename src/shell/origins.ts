import { nameIn } from "./fields.ts";
import { BLANK, SLASH } from "./marks.ts";
import { fits } from "./paths.ts";
import type { Field } from "./walk.ts";

const named = (names: string): readonly string[] => names.split(" ");

/** Programs that fetch and whose names are rarely ordinary words: after an unknown program they count as run. */
export const TAKING_OVER: readonly string[] = named("curl wget wget2 aria2c axel curlie lynx w3m ncat netcat");

/** Programs whose output comes over the network. */
const FETCHERS: ReadonlySet<string> = new Set([
  ...TAKING_OVER,
  ...named(
    "fetch http https xh links elinks nc socat telnet ftp tftp sftp scp ssh rclone gsutil GET lwp-request lwp-download snarf hurl dig drill nslookup host whois finger s3cmd s5cmd ipfs smbclient",
  ),
]);

/** Programs that fetch only with some of their verbs. */
const FETCHING_VERBS: ReadonlyMap<string, RegExp> = new Map([
  ["openssl", /^s_client\b/],
  ["gh", /^(?:gist|api|release)\b/],
  ["glab", /^(?:snippet|api|release)\b/],
  ["aws", /^(?:s3|s3api|ssm|secretsmanager)\b/],
  ["az", /^storage\b/],
  ["gcloud", /^storage\b/],
  ["oci", /^os\b/],
  ["svn", /^(?:cat|export)\b/],
  ["mc", /^(?:cat|head)\b/],
]);

/** `curl.exe`: the same program where Linux runs on Windows. */
export const withoutEnding = (name: string): string =>
  name.charCodeAt(name.length - 1) === LAST_OF_ENDING && name.endsWith(".exe") ? name.slice(0, -4) : name;
const LAST_OF_ENDING = 101;

/** All programs whose output may come over the network. */
export const MAY_FETCH: readonly string[] = [...FETCHERS, ...FETCHING_VERBS.keys()];

export const isFetcher = (program: string): boolean => FETCHERS.has(withoutEnding(program));

/** The words that may be the verb: up to the first one that is neither an option nor an option's value. */
const firstWords = (fields: readonly Field[]): string[] => {
  const words = fields.slice(1).map(({ text }) => text);
  const isOption = (index: number) => words[index]?.startsWith("-") === true;
  const verb = words.findIndex((_, index) => !isOption(index) && !isOption(index - 1));
  return words.slice(0, verb < 0 ? words.length : verb + 1);
};

/** Whether a program's output comes over the network; a name with a pattern may be any program that it matches. */
export const fetches = (program: string, fields: readonly Field[]): boolean => {
  if (isFetcher(program)) return true;
  const verbs = FETCHING_VERBS.get(program);
  if (verbs !== undefined) return firstWords(fields).some((text) => verbs.test(text));
  return fields[0]?.glob === true && TAKING_OVER.some((name) => fits(program, name));
};

/** Words after these are names of packages, images or files. */
const NAMING: ReadonlySet<string> = new Set(
  named("install i add remove uninstall update upgrade search info show init new clone commit tag build"),
);
/** One quick test that most words fail: they are none of these. */
const NAMED: ReadonlySet<string> = new Set([...NAMING, ...FETCHERS]);
const TAKES_OVER: ReadonlySet<string> = new Set(TAKING_OVER);
const INSTALLERS: ReadonlySet<string> = new Set(
  named("apt apt-get aptitude dnf yum apk pacman brew zypper port snap flatpak dpkg rpm man info tldr whatis logger"),
);
const DASH = 45;
const IN_TEXT = new RegExp(String.raw`(?:^|[\s;&|(])(?:[\w./-]*/)?(?:${TAKING_OVER.join("|")})(?:\.exe)?\s`);

/** The position at which a fetching command starts among words that may be run; 0 if it is inside a text. */
export const fetcherAmong = (program: string, fields: readonly Field[]): number | undefined => {
  if (INSTALLERS.has(program)) return undefined;
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    const { text, marks } = field;
    // a plain option is neither a program nor one of the verbs
    if (text.charCodeAt(0) === DASH && (marks & (SLASH | BLANK)) === 0) continue;
    const name = withoutEnding(nameIn(field));
    if (NAMED.has(name)) {
      if (index < 4 && NAMING.has(text)) return undefined;
      if (TAKES_OVER.has(name) || (fields[index - 1]?.text === "--" && FETCHERS.has(name))) return index;
    }
    if ((marks & BLANK) !== 0 && IN_TEXT.test(text)) return 0;
  }
  return undefined;
};
