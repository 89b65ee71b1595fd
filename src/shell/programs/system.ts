import type { Field } from "../walk.ts";
import { has, listed, looks, type Parsed, type Program, type Role } from "./program.ts";

const HELP = "--help --version";
const inert = { inert: true, abbreviates: true } as const;
/** `%n` of printf puts a number into the variable that its argument names; `%%n` does not. */
const COUNTS = /(?:^|[^%])(?:%%)*%[-+ #0'\d.*hljztL]*n/;
/** Read-only programs for the machine and the shell. */
export const SYSTEM: Readonly<Record<string, Program>> = {
  help: looks("-dms", "text*"),
  echo: { class: "safe", style: "none", operands: "text*", inert: true },
  printf: {
    class: "safe",
    style: "none",
    operands: "text*",
    takesAny: ([, format], index) => index > 1 && format?.worked === true && !format.text.startsWith("-"),
    objection: ({ operands }) =>
      operands[0]?.text.startsWith("-v") || operands.some(({ text }) => COUNTS.test(text))
        ? "it sets a variable"
        : undefined,
  },
  true: { class: "safe", style: "none", operands: "text*", inert: true },
  false: { class: "safe", style: "none", operands: "text*", inert: true },
  ":": { class: "safe", style: "none", operands: "text*", inert: true },
  exit: looks("", "text*", { inert: true }),
  return: looks("", "text*", { inert: true }),
  break: looks("", "text*", { inert: true }),
  continue: looks("", "text*", { inert: true }),
  wait: looks("", "text*"),
  test: testing(),
  "[": testing(),
  pwd: looks("-LP --logical --physical", "text*"),
  printenv: looks("-0 --null --help --version", "text*"),
  date: looks(
    `-uR -I? -d: -r:read -f:read --date= --iso-8601=? --rfc-3339= --rfc-email --utc --universal --reference=read --file=read --debug ${HELP}`,
    "text*",
    {
      abbreviates: true,
      objection: ({ operands }) =>
        operands.some(({ text }) => !text.startsWith("+")) ? "it sets the clock" : undefined,
    },
  ),
  bc: looks("-ihlqsvw --interactive --mathlib --quiet --standard --warn", "read*"),
  cal: looks("-13jmsy -A: -B: -n:", "text*"),
  whoami: looks(HELP, "text*"),
  logname: looks(HELP, "text*"),
  id: looks(`-agGnruzZ --group --groups --name --real --user --zero ${HELP}`, "text*", inert),
  groups: looks(HELP, "text*"),
  users: looks(HELP, "read*"),
  who: looks("-abdHlmpqrstTu --all --boot --count --heading", "read*"),
  w: looks("-hfosiu", "text*"),
  uname: looks(
    `-amnoprsvi --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${HELP}`,
    "text*",
    inert,
  ),
  arch: looks(HELP, "text*"),
  hostname: looks("-aAdfiIsy --all-ip-addresses --alias --domain --fqdn --long --ip-address --short", "text*", {
    objection: ({ operands }) => (operands.length > 0 ? "it renames the machine" : undefined),
  }),
  last: looks("-adFiRwx -n: -p: -s: -t:", "text*"),
  uptime: looks("-psV --pretty --since --version", "text*"),
  nproc: looks("--all --ignore= --help --version", "text*"),
  tty: looks("-s --silent --quiet", "text*"),
  free: looks("-bghkmtlvw -c: -s: --bytes --kibi --mebi --gibi --human --si --total --wide --lohi", "text*"),
  ps: looks(
    "-aAcdefFHjlLmMNPTVwyZ -C: -g: -G: -k: -o: -O: -p: -q: -s: -t: -u: -U: --context --cols= --columns= --deselect --forest --format= --group= --headers --no-headers --lines= --pid= --ppid= --sort= --tty= --user= --User= --width= --help --version",
    "text*",
    { inert: true, objection: showsEnvironment },
  ),
  pgrep: looks(
    "-acdfilLnovwx -d: -g: -G: -P: -s: -t: -u: -U: --list-name --list-full --count --full --newest --oldest --exact --ignore-case --parent= --euid=",
    "text*",
  ),
  pidof: looks("-csqwx -o: -S:", "text*"),
  lscpu: looks("-aeJpbcx --all --extended --json --parse", "text*"),
  lsblk: looks("-abdfilmnoOprSstT --all --bytes --fs --json --list --output=", "text*"),
  locale: looks("-acmkv --all-locales --charmaps", "text*"),
  getconf: looks("-a -v:", "text*"),
  sleep: looks(HELP, "text*", inert),
  yes: { class: "safe", style: "none", operands: "text*", inert: true },
  vmstat: looks("-anstwSm --active --stats --wide --timestamp", "text*"),
  ss: looks("-tulnpaesmio46Hx --tcp --udp --listening --numeric --processes --all --summary --no-header", "text*"),
  netstat: looks("-tulnpaersiMc46 --tcp --udp --listening --numeric --programs --all --route --statistics", "text*"),
  lsof: looks("-nPtlaUw -i? -p: -u: -c: -d: -s?", "read*"),
  top: looks("-bcHi1 -n: -d: -p: -u: -o:", "text*", {
    objection: (parsed) => (has(parsed, "-b") ? undefined : "it needs a terminal"),
  }),
  ip: {
    class: "dangerous",
    style: "word",
    options: "-4 -6 -br -brief -c -color -d -details -h -human -j -json -o -oneline -p -pretty -s -stats -statistics",
    stops: true,
    verbs: {
      ...listed("addr address a route r rule neigh neighbour", shown("show list ls s")),
      // `ip link s` is `ip link set`
      ...listed("link l", shown("show list ls")),
    },
  },
  seq: looks(`-w -f: -s: -# --equal-width --format= --separator= ${HELP}`, "text*", inert),
  expr: { class: "safe", style: "none", operands: "text*", inert: true },
  factor: looks(HELP, "text*"),
  env: looks("", "text*"),
};

/** Programs with read-only verbs that are also read-only without one. */
function shown(verbs: string): Program {
  return { class: "safe", options: "", verbs: listed(verbs, looks("", "text*")) };
}

/** A cluster of letters without a dash; those that take a value end it. */
const LETTERS = /^[AacfghHjlLmnrsSTuvVwxXZ]*e[a-zA-Z,]*$/;
const TAKES_VALUE = /^[a-zA-Z]*[oOkpqtU]$/;

/** `ps e` shows processes' variables; an unknown user name is also read as such letters. */
function showsEnvironment({ operands, options }: Parsed): string | undefined {
  const clusters = operands.filter((_, index) => index === 0 || !TAKES_VALUE.test(operands[index - 1]?.text ?? ""));
  const names = options.filter(({ name }) => /^-[uUgGst]$/.test(name)).map(({ value }) => value?.text ?? "");
  const formats = options.filter(({ name }) => /^-(?:[oOk]|-format)$/.test(name)).map(({ value }) => value?.text ?? "");
  return clusters.some(({ text }) => LETTERS.test(text)) ||
    names.some((text) => LETTERS.test(text)) ||
    [...formats, ...operands.map(({ text }) => text)].some((text) => /\benv/i.test(text))
    ? "it shows the environment of processes"
    : undefined;
}

/** Whether it is clear which word is the operator, whatever the others are: one may be `-v`, which runs code. */
function hasPlainOperator([name, ...fields]: readonly Field[]): boolean {
  const words = name?.text === "[" ? fields.slice(0, -1) : fields;
  if (words[0]?.text === "!" && words[0].literal && words.length > 1) words.shift();
  return words.length === 1 || (words.length <= 3 && words[words.length - 2]?.literal === true);
}

const FILE_TEST = /^-[bcdefghkprsuwxLNOSG]$/;

/** The files that a test asks about. */
function tested({ operands }: Parsed): readonly (readonly [Role, string])[] {
  const files: (readonly [Role, string])[] = [];
  for (let index = 0; index < operands.length; index++) {
    const text = operands[index]?.text ?? "";
    if (!text.startsWith("-")) continue;
    const next = operands[index + 1]?.text;
    if (next === undefined || next === "]") continue;
    const unary = FILE_TEST.test(text) || (text === "-a" && /^[!(]?$/.test(operands[index - 1]?.text ?? ""));
    const binary = index > 0 && /^-(?:nt|ot|ef)$/.test(text);
    if (binary) files.push(["list", operands[index - 1]?.text ?? ""]);
    if (unary || binary) files.push(["list", next]);
  }
  return files;
}

function testing(): Program {
  return {
    class: "safe",
    style: "none",
    operands: "text*",
    more: tested,
    takesAny: (fields, index) => fields[index]?.whole === true && hasPlainOperator(fields),
    objection: ({ operands }) =>
      operands.some(({ text }) => text === "-v" || text === "-R")
        ? "it reads the index of an array, which can run code"
        : undefined,
  };
}
