import {
  GIT_FOLDER,
  GIT_HOOKS,
  GOVERNING_FILES,
  OBEYED_BY_GIT,
  SKILLS_OF_STATE,
  STATE_FOLDER,
} from "../core/words/governing.ts";
import type { Claim } from "../core/words/touch.ts";
import { assembled } from "./assembled-code.ts";
import { upTo } from "./blanks.ts";
import { isKnownField, plainField, withText } from "./fields.ts";
import { isUnknownFolder } from "./folders.ts";
import { DOT, marksIn, SLASH, STAND_IN } from "./marks.ts";
import { obeyedEnd } from "./obeyed-ends.ts";
import { pathClaims } from "./path-claims.ts";
import { fits } from "./paths.ts";
import { GOVERNING, searchedFor } from "./searched-names.ts";
import { isInterpreter } from "./shells.ts";
import { type Field, type Flow, LIMITS, type Walk } from "./walk.ts";

type Marked = Pick<Field, "text" | "marks">;

const escaped = (names: readonly string[]): string => names.map((name) => name.replaceAll(".", "\\.")).join("|");

/** Names of files that may decide which code runs or what is judged; the policies make the final decision. */
const GOVERNS = new RegExp(
  `(?:^|/)(?:(?:${escaped([GIT_FOLDER, STATE_FOLDER])})(?:/|$)|(?:${escaped(Object.keys(GOVERNING_FILES))})$)`,
  "i",
);
const OBEYED = Object.keys(OBEYED_BY_GIT);
/** What every such name contains besides a dot, for a quick check. */
const HINT = /git|toolgate|mcp/i;
const NO_PATH = /[^\w./~+@-]+/;
const MOST_TEXT = 8_192;
/** Text after a part that only the running shell knows may be in any folder, including the first. */
const AFTER_UNKNOWN = /[\u0000\u0001]+\/+/g;
const AFTER_PATTERN = /[*?\]})]\/+/g;
const UNKNOWN_HOOKS = /[\u0000\u0001]+\/+hooks(?=\/|$)/gi;
const UNKNOWN_HOOK = new RegExp(`[\\0\\x01]+/+(?=(?:${escaped(GIT_HOOKS)})$)`, "gi");
/** An option with its value in one word. */
const ATTACHED = /^-[A-Za-z](?=\.)/;

const MESSAGE = /^(?:-[a-zA-Z]*m|--(?:message|body|title|comment|description|notes|subject|trailer|grep|author))$/;
/** Programs that only print their words, or take them as places to search. */
const TELLING: ReadonlySet<string> = new Set("echo printf test [ cd pushd popd read export".split(" "));
const ANYWHERE_BELOW = "/**/";

/**
 * A command that is not harmless may write any place that its words name, even inside a text or after an `=`; it need
 * not keep to the role that its table gives a word.
 */
export const namedPlaces = (name: string, words: readonly Field[], walk: Walk, stdin?: Flow): Claim[] => {
  const claims: Claim[] = [];
  if (TELLING.has(name)) return claims;
  const isCode = isInterpreter(name);
  const fields = isCode || READS_COMMANDS.has(name) ? withInput(words, stdin) : words;
  const inside = walk.scope.folders.some((folder) => folder !== "" && INSIDE.test(folder));
  for (let index = 1; index < fields.length; index++) {
    const written = fields[index] as Field;
    const parted = EDITING.has(name) ? withWrites(written) : written;
    const field = isCode ? asAssembled(name, parted) : parted;
    const { text, given } = field;
    if (!inside && given !== "path" && isPlainWord(field)) continue;
    const root = given === "path" ? rootOfObeyed(text) : undefined;
    if (root !== undefined) claims.push({ action: "write", target: `${root}/.git/config`, certain: false });
    if (isMessage(fields, index)) continue;
    const hints = hintsAt(field);
    const place = given === "path" ? undefined : placeLedTo(field, hints, inside);
    if (place !== undefined)
      for (const claim of pathClaims("write", place, walk)) claims.push({ ...claim, certain: false } as Claim);
    if (!hints) continue;
    if (index === 1 && RUNS_FILE.test(name) && isSkillScript(text)) continue;
    claims.push(...governingPlaces(text, walk));
  }
  if (walk.searched !== undefined) claims.push(...searchedFor(name, fields, walk));
  return claims;
};

/** Programs that take from their input which files they write, besides those that run it as code. */
const READS_COMMANDS: ReadonlySet<string> = new Set(["red", "patch", "gpatch", "cpio", "pax"]);

/** A folder alone, in quotes: most scripts name it to leave it out. */
const LEFT_OUT = /(["'`])\.(?:git|toolgate)\1/g;

/** The input as one more word, as far as it is known. */
const withInput = (words: readonly Field[], stdin: Flow | undefined): readonly Field[] =>
  stdin?.text === undefined ? words : [...words, plainField(withoutLeftOut(stdin.text.slice(0, LIMITS.value)))];

const withoutLeftOut = (text: string): string =>
  text.includes(GIT_FOLDER) || text.includes(STATE_FOLDER) ? text.replace(LEFT_OUT, "$1$1") : text;

/** `".gi" + "t/config"` in code. */
const asAssembled = (name: string, field: Field): Field => {
  const text = assembled(name, field.text.slice(0, MOST_TEXT));
  // where code chooses, only one of the texts is in what is put together
  return text === field.text ? field : withText(field, `${field.text}\n${text}`);
};

/** Editors take the name of a file right behind a letter: `sed -n w.git/config`. */
const EDITING: ReadonlySet<string> = new Set("sed gsed ssed ed red ex vi vim nvim view".split(" "));
const WRITES = /(^|[\s;{}/|#,!\d$a-zA-Z])[wWrR](?=\.|toolgate)/g;
const withWrites = (field: Field): Field =>
  field.text.search(WRITES) >= 0 ? withText(field, field.text.replace(WRITES, "$1 ")) : field;

/** Most words are: no name of such a place is without a dot and a slash. */
const isPlainWord = ({ marks, glob }: Field): boolean => !glob && (marks & (STAND_IN | DOT | SLASH)) === 0;

const INSIDE = /(?:^|\/)(?:\.git|\.toolgate)(?:\/|$)/i;

/** The place that a word names, if that may be one of these by a pattern or a link. `inside`: all here are. */
const placeLedTo = (field: Field, hints: boolean, inside: boolean): Field | undefined => {
  const place = placeIn(field);
  const leads = inside ? !place.text.startsWith("-") : (field.glob || !hints) && mayLeadThere(place);
  return leads ? place : undefined;
};

/** `--out=file`: the value of an option. */
const placeIn = (field: Field): Field => {
  const equals = field.text.startsWith("--") ? field.text.indexOf("=") : -1;
  return equals < 0 ? field : withText(field, field.text.slice(equals + 1));
};

/** A pattern that spells most of such a name, or a name that git obeys behind what may be a link to its folder. */
const mayLeadThere = (field: Field): boolean => {
  const { text, marks, glob } = field;
  if (!isKnownField(field)) return false;
  if (glob) return text.split("/").some(spellsMost);
  if ((marks & SLASH) === 0) return false;
  const slash = text.indexOf("/");
  return slash > 0 && !text.startsWith("-") && obeyedEnd(text.slice(slash + 1)) !== undefined;
};
const spellsMost = (part: string): boolean => {
  const { length } = part.replace(WILD, "");
  return GOVERNING.some((name) => length * 2 >= name.length && fits(part, name));
};
const WILD = /\[[^[\]]*\]|[*?]/g;

const hintsAt = ({ text, marks }: Marked): boolean =>
  ((marks & DOT) !== 0 && HINT.test(text)) ||
  ((marks & STAND_IN) !== 0 && (text.search(UNKNOWN_HOOKS) >= 0 || text.search(UNKNOWN_HOOK) >= 0));

/** Protected places, wherever they occur in a text. */
export function governingPlaces(text: string, walk: Walk): Claim[] {
  if (!hintsAt({ text, marks: marksIn(text) })) return [];
  const known = text
    .slice(0, MOST_TEXT)
    .replace(UNKNOWN_HOOKS, " .git/hooks")
    .replace(UNKNOWN_HOOK, " .git/hooks/")
    .replace(AFTER_UNKNOWN, " ");
  const pieces = known
    .replace(AFTER_PATTERN, " ")
    .split(NO_PATH)
    .map((piece) => piece.replace(ATTACHED, ""));
  return pieces
    .filter((piece) => GOVERNS.test(piece))
    .flatMap((piece) => {
      const claims = pathClaims("write", plainField(piece), walk);
      // in an unknown folder it may be any file of that name
      if (walk.scope.folders.some(isUnknownFolder)) claims.push({ action: "write", target: piece, certain: false });
      return claims.map((claim) => ({ ...claim, certain: false }) as Claim);
    });
}

/** Programs whose first word is a program to run; that does not change the program's file. */
const RUNS_FILE = /^(?:sh|bash|dash|zsh|python[\d.]*|node|ruby|perl|tsx)$/;
const SKILL_SCRIPT = new RegExp(`^[\\w./@-]*\\${STATE_FOLDER}/${SKILLS_OF_STATE}/[\\w./@-]+$`);
const isSkillScript = (text: string): boolean => SKILL_SCRIPT.test(text) && !text.split("/").includes("..");

/** The starting folder of a search that may find git's configuration. */
const rootOfObeyed = (text: string): string | undefined => {
  const at = text.lastIndexOf(ANYWHERE_BELOW);
  if (at < 0) return undefined;
  const name = text.slice(at + ANYWHERE_BELOW.length);
  return OBEYED.some((each) => fits(name, each)) ? text.slice(0, at) : undefined;
};

const isMessage = (fields: readonly Field[], index: number): boolean => {
  const { text } = fields[index] as Field;
  return namesMessage((fields[index - 1] as Field).text) || (text.startsWith("-") && namesMessage(upTo("=", text)));
};
const namesMessage = (text: string): boolean =>
  text.startsWith("-") && (text.startsWith("--") || text.endsWith("m")) && MESSAGE.test(text);
