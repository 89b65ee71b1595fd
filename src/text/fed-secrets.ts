import { blanked } from "./shown-code.ts";

const PASSWORD = "[redacted password]";
const REFERENCE = /^["']?(?:\$|<|\{\{|%|\[redacted)/;

// every repetition has an upper bound, so that time grows with the length of the text and no faster
const GAP = String.raw`(?:[ \t\r\n]|\\[nrt]){1,8}`;
const NAME = String.raw`["']?[^\s"'\\]{1,128}["']?`;
const NETRC = new RegExp(
  `((?<![\\w.-])(?:machine${GAP}${NAME}|default)((?:${GAP}(?:login|user|account)${GAP}${NAME}){0,3})${GAP}(?:password|passwd)${GAP}["']?)([^\\s"'\`;&|\\\\]{1,512})`,
  "gi",
);
const ANY_NETRC = /(?:machine|default)(?:[ \t\r\n]|\\[nrt])/i;
const PGPASS = /((?<![^\s"'])(?:[^\s:"']{1,128}:){4})([^\s"':;&|`]{1,512})(?=["']?[ \t]{0,4}>{1,2}[^\n]{0,256}pgpass)/g;

/** What is told to a program that reads a password: by its input, and by which of its words. */
const READERS: readonly [program: string, words: RegExp][] = [
  ["gpg|gpg2", /--passphrase-fd[= ]0\b/],
  ["openssl", /-pass(?:in|out)? (?:stdin|fd:0|\[redacted)/],
  ["cryptsetup", /\b(?:luks\w+|open)\b/],
  ["passwd|smbpasswd|ssh-add|smbclient|sshpass", /^/],
  ["htpasswd", /(?:^| )-[a-zA-Z]*i/],
  [
    "npm|yarn|pnpm|heroku|aws|op|vault|az|docker|podman|helm|gh",
    /\b(?:login|signin|adduser|configure|auth:token|with-token|stdin)\b/,
  ],
  ["gh|wrangler|vercel|fly|flyctl|kubectl|doctl", /\bsecrets? (?:set|put|add|create|generic|import)\b/],
  ["sudo", /(?:^| )(?:-[a-zA-RT-Z]*S|--stdin)(?= |$)/],
  ["chpasswd", /^/],
];
const READS = new RegExp(
  `((?<![\\w.-])(${READERS.map(([program]) => program).join("|")})(?![\\w.-])([^;|&\\n<\`()]{0,256})<<(?:<[ \\t]{0,4}|-?["']?(\\w{1,32})["']?[ \\t]{0,4}\\n[ \\t]{0,16}))(["'][^"'\\s]{1,512}|[^\\s"';&|)]{1,512})(?=["']?[ \\t]{0,4}(?:$|[\\n;|&)\`]))`,
  "g",
);

const RUNS_INPUT =
  /^(?:\S{0,256}\/)?(?:(?:ba|da|z|k|fi)?sh|python[\d.]{0,8}|perl|ruby|node|php|lua|psql|mysql|sqlite3|xargs|ssh|su)$/;

/** What stands last, but for its options, is given the text as code; so is what is told to read it. */
function feedsCode(words: string): boolean {
  const all = words.split(/\s/).filter((word) => word !== "");
  const at = all.findLastIndex((word) => RUNS_INPUT.test(word));
  const behind = at === -1 ? undefined : all.slice(at + 1);
  if (behind?.includes("-c")) return false;
  return (
    behind?.every((word) => word.startsWith("-")) === true ||
    behind?.some((word) => /^-[a-z]*s$|^-$/.test(word)) === true
  );
}

/** Whether a text that a command is given by its input may be run there: then people have to see it. */
const mayBeRun = (words: string, text: string): boolean => /\s/.test(text) || feedsCode(words);

type Word = { readonly text: string };
const RUNS_OTHERS = /(?:^|\/)(?:sudo|su)$/;

/** Whoever starts another program hands the rest of the input on to it. */
export function handsOn([first, ...words]: readonly Word[], given: readonly Word[]): boolean {
  const own = words.map(({ text }) => text).join(" ");
  return RUNS_OTHERS.test(first?.text ?? "") && given.some(({ text }) => mayBeRun(own, text));
}

const isRead = (program: string, words: string): boolean =>
  READERS.some(([names, test]) => names.split("|").includes(program) && test.test(words.trim()));

/** Passwords that programs are told by a here-string or a here-document, and those in files of them. */
export function redactFed(text: string, within: (code: string) => string): string {
  const hide = (before: string, value: string, at: number, whole: string): string => {
    const quote = /^["']/.exec(value)?.[0] ?? "";
    const start = at + before.length + quote.length;
    return `${before}${quote}${blanked(whole, start, at + before.length + value.length, PASSWORD, within)}`;
  };
  let result = text;
  if (ANY_NETRC.test(result))
    result = result.replace(NETRC, (found, before: string, login: string, value: string, at: number, whole: string) =>
      REFERENCE.test(value) || (login === "" && /^[a-z]+$/i.test(value)) ? found : hide(before, value, at, whole),
    );
  if (result.includes("pgpass"))
    result = result.replace(PGPASS, (found, before: string, value: string, at: number, whole: string) =>
      REFERENCE.test(value) ? found : hide(before, value, at, whole),
    );
  if (!result.includes("<<")) return result;
  return result.replace(READS, (found, before, program, words, end, value, at, whole) => {
    // of a here-string for it, the name of the user is kept elsewhere
    if (program === "chpasswd" && end === undefined) return found;
    const isSecret = !REFERENCE.test(value) && isRead(program, words) && !mayBeRun(words, value);
    return isSecret ? hide(before, value, at, whole) : found;
  });
}
