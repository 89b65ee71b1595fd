import type { Field } from "../walk.ts";
import { onlyComputes } from "./awk-programs.ts";
import { hasAny, isAsWritten, looks, named, type Parsed, type Program, type Role, writesSecond } from "./program.ts";
import { onlyPrints } from "./sed-scripts.ts";

/** A name of a character set with a slash in it is a file that describes one; `UTF-8//TRANSLIT` is none. */
const charmapsOf = ({ options }: Parsed): readonly (readonly [Role, string])[] =>
  options.flatMap(({ value }) => {
    const file = value?.text.replace(/\/\/[A-Z]*$/, "") ?? "";
    return file.includes("/") ? [["read", file] as const] : [];
  });

const HELP = "--help --version";
/** Options of sed that give it a script. */
const SCRIPTS = ["-e", "--expression"];
const inert = { inert: true, abbreviates: true } as const;
/** Text filters that write only to standard output. */
export const FILTERS: Readonly<Record<string, Program>> = {
  cut: looks(
    `-b: -c: -d: -f: -nsz --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated ${HELP}`,
    "read*",
    inert,
  ),
  sort: looks(
    `-bcCdfghimMnrRsuVz -k: -t: -S: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check=? --key= --merge --stable --field-separator= --unique --zero-terminated --parallel= --buffer-size= --batch-size= --files0-from=read --debug ${HELP}`,
    "read*",
    { abbreviates: true, beyond: named("--files0-from") },
  ),
  uniq: looks(
    `-cdDiuz -f: -s: -w: --count --repeated --all-repeated=? --skip-fields= --group=? --ignore-case --skip-chars= --unique --check-chars= --zero-terminated ${HELP}`,
    "read*",
    {
      abbreviates: true,
      objection: writesSecond,
    },
  ),
  tr: looks(`-cCdst --complement --delete --squeeze-repeats --truncate-set1 ${HELP}`, "text*", inert),
  join: looks(
    `-i -a: -e: -j: -o: -t: -v: -1: -2: --ignore-case --check-order --nocheck-order --header --zero-terminated ${HELP}`,
    "read*",
    inert,
  ),
  paste: looks(`-sz -d: --delimiters= --serial --zero-terminated ${HELP}`, "read*", inert),
  fold: looks(`-bs -w: -# --bytes --spaces --width= ${HELP}`, "read*", inert),
  fmt: looks(
    `-cstu -g: -p: -w: -# --crown-margin --split-only --uniform-spacing --width= --goal= ${HELP}`,
    "read*",
    inert,
  ),
  expand: looks(`-i -t: --initial --tabs= ${HELP}`, "read*", inert),
  unexpand: looks(`-a -t: --all --first-only --tabs= ${HELP}`, "read*", inert),
  column: looks(
    "-etxJL -n: -c: -N: -s: -o: -H: -R: --table --separator= --output-separator= --table-columns= --json --columns=",
    "read*",
  ),
  numfmt: looks("-d: -z --from= --to= --suffix= --padding= --field= --format= --grouping --round= --header=?", "text*"),
  shuf: looks("-ezr -i: -n: --echo --input-range= --head-count= --repeat --zero-terminated", "read*"),
  tsort: looks(HELP, "read*"),
  iconv: looks("-cls -f: -t: --from-code= --to-code= --list", "read*", { more: charmapsOf }),
  jq: looks(
    "-cCMSjnrRseag --compact-output --color-output --monochrome-output --sort-keys --join-output --null-input --raw-output --raw-output0 --raw-input --slurp --exit-status --ascii-output --tab --indent= --unbuffered --seq --stream --version --help",
    "text read*",
    {
      objection: ({ operands }) =>
        (operands[0] !== undefined && !isAsWritten(operands[0])) ||
        /\b(?:include|import|modulemeta|input_filename)\b/.test(operands[0]?.text ?? "")
          ? "it loads other files"
          : undefined,
    },
  ),
  awk: awk(),
  gawk: awk(),
  mawk: awk(),
  nawk: awk(),
  sed: looks(
    "-nErsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --sandbox -e: --expression=",
    "text read*",
    {
      patternOptions: SCRIPTS,
      objection: (parsed) =>
        hasHarmlessScripts(parsed) ? undefined : "a script of sed that does more than print lines can write and run",
    },
  ),
};

function hasHarmlessScripts(parsed: Parsed): boolean {
  if (!hasAny(parsed, SCRIPTS)) return isHarmlessScript(parsed.operands[0]);
  return parsed.options.every(({ name, value }) => !SCRIPTS.includes(name) || isHarmlessScript(value));
}

function isHarmlessScript(script: Field | undefined): boolean {
  return script !== undefined && isAsWritten(script) && onlyPrints(script.text);
}

/** Files that are connections to gawk. */
const CONNECTS = /^\/+inet[46]?(?:\/|$)/;

function awk(): Program {
  return {
    class: "safe",
    unprovenRisk: "medium",
    options: "-F: -v:",
    stops: true,
    operands: "text read*",
    objection: ({ operands, options }) => {
      if (options.some(({ name, value }) => name === "-v" && !/^\w+=[\w.,:; -]*$/.test(value?.text ?? "")))
        return "it sets a variable to an unusual value";
      if (operands.slice(1).some(({ text }) => CONNECTS.test(text))) return "it may read from the network";
      // most take it for a file, some for an option
      if (operands.some(({ text }) => text.length > 1 && text.startsWith("-"))) return "an option follows its program";
      return operands[0] && isAsWritten(operands[0]) && onlyComputes(operands[0].text)
        ? undefined
        : "an awk program that does more than print can write and run";
    },
  };
}
