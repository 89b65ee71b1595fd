import { belowAnywhere } from "./programs/chosen-names.ts";
import type { Field } from "./walk.ts";

/** What a part of an expression selects; `scopes` undefined means anything. `prints`: it prints the names itself. */
type Selected = { scopes: readonly string[] | undefined; prints: boolean };
const ANYTHING: Selected = { scopes: undefined, prints: false };
const PRINTED: Selected = { scopes: undefined, prints: true };
const PRINTING: ReadonlySet<string> = new Set(["-print", "-print0", "-printf", "-fprint", "-fprint0", "-fprintf"]);

const options = (names: string): ReadonlySet<string> => new Set(names.split(" ").map((name) => `-${name}`));
const ALONE = options(
  "empty executable readable writable false true nogroup nouser depth d daystart follow ignore_readdir_race noignore_readdir_race mount xdev noleaf warn nowarn prune quit print print0",
);
const WITH_VALUE = options(
  "amin cmin mmin atime ctime mtime anewer cnewer mnewer fstype gid uid user group lname ilname inum path ipath regex iregex regextype wholename iwholename links perm samefile size type xtype used maxdepth mindepth printf fprint fprint0",
);
const NEWER = /^-newer[a-zA-Z]{0,2}$/;
/** Longer expressions are not analysed. */
const LONGEST = 200;
const UNREAD = LONGEST + 1;

const OR: ReadonlySet<string> = new Set(["-o", "-or"]);
const AND: ReadonlySet<string> = new Set(["-a", "-and"]);
const NOT: ReadonlySet<string> = new Set(["!", "-not"]);
const ENDING: ReadonlySet<string> = new Set([...OR, ")", ","]);

const union = (parts: readonly Selected[]): Selected => {
  const all: string[] = [];
  let prints = false;
  let anything = false;
  for (const part of parts) {
    prints ||= part.prints;
    if (part.scopes === undefined) anything = true;
    else all.push(...part.scopes);
  }
  return { scopes: anything ? undefined : all, prints };
};

/** An expression while it is read, and how far. */
type Reading = { expression: readonly Field[]; at: number };

const textAt = ({ expression, at }: Reading): string => (at < expression.length ? (expression[at] as Field).text : "");

const skips = (reading: Reading, words: ReadonlySet<string>): boolean => {
  const isOne = words.has(textAt(reading));
  if (isOne) reading.at++;
  return isOne;
};

const choices = (reading: Reading): Selected[] => {
  const parts = [both(reading)];
  while (skips(reading, OR)) parts.push(both(reading));
  return parts;
};

const both = (reading: Reading): Selected => {
  let whole = one(reading);
  while (reading.at < reading.expression.length && !ENDING.has(textAt(reading))) {
    skips(reading, AND);
    const next = one(reading);
    // later tests do not undo what was already printed
    const scopes = whole.prints ? whole.scopes : (whole.scopes ?? next.scopes);
    whole = { scopes, prints: whole.prints || next.prints };
  }
  return whole;
};

const one = (reading: Reading): Selected => {
  if (skips(reading, NOT)) return { scopes: undefined, prints: one(reading).prints };
  const word = textAt(reading);
  if (word === "(") {
    reading.at++;
    const inside = union(choices(reading));
    reading.at = textAt(reading) === ")" ? reading.at + 1 : UNREAD;
    return inside;
  }
  if (word === "-name" || word === "-iname") {
    const value = reading.expression[reading.at + 1];
    reading.at += 2;
    const scope = value && belowAnywhere(value.text, word === "-iname");
    return scope === undefined ? ANYTHING : { scopes: [scope], prints: false };
  }
  reading.at += ALONE.has(word) ? 1 : WITH_VALUE.has(word) || NEWER.test(word) ? 2 : word === "-fprintf" ? 3 : UNREAD;
  return PRINTING.has(word) ? PRINTED : ANYTHING;
};

/** The names that an expression of `find` selects, wherever below its folders; undefined where it may be any. */
export const selectedByFind = (expression: readonly Field[]): readonly string[] | undefined => {
  if (expression.length > LONGEST) return undefined;
  const reading = { expression, at: 0 };
  const parts = choices(reading);
  if (reading.at !== expression.length) return undefined;
  const printing = parts.filter(({ prints }) => prints);
  return union(printing.length > 0 ? printing : parts).scopes;
};
