import { leavesMost } from "./find-tests.ts";
import { type Field, isKnown, plainField, UNKNOWN, type Walk } from "./walk.ts";

const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const ASKING: ReadonlySet<string> = new Set(["-ok", "-okdir"]);
const NAMING = /^-(?:i?name|i?path|i?wholename|i?regex|o|or|not)$|^[!(]$/;
const isEnd = ({ text }: Field): boolean => text === ";" || text === "+";

/**
 * Walks the commands behind `-exec` and its kind, with the folder of the search in place of `{}`, and gives the words
 * that are left to `find` itself.
 */
export const walkFound = (fields: readonly Field[], walk: Walk): readonly Field[] => {
  const first = fields.findIndex(({ text }) => EXECUTING.has(text));
  if (first < 0) return fields;
  const own = fields.slice(0, first);
  const commands: Field[][] = [];
  for (let index = first; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!EXECUTING.has(field.text)) {
      own.push(field);
      continue;
    }
    const from = index + 1;
    while (index + 1 < fields.length && !isEnd(fields[index + 1] as Field)) index++;
    const command = fields.slice(from, ++index);
    // what asks, does not end, or is not about what was found stays as a word that find is not known to take
    const isAbout = command.some(({ text }) => text === "{}");
    if (ASKING.has(field.text) || !isAbout || index >= fields.length) own.push(field);
    if (command.length > 0) commands.push(command);
  }
  const found = foundBy(own);
  for (const command of commands)
    walk.command(
      command.map((word) => (word.text.includes("{}") ? withFound(word, found) : word)),
      walk,
      undefined,
    );
  return own;
};

type Found = { text: string; glob: boolean };

/** All of a folder, or what has one of the names that are looked for, where a test leaves the rest alone. */
const foundBy = (own: readonly Field[]): Found => {
  const roots = own.slice(1).filter(({ text }) => !/^-[HLPDO]/.test(text));
  const root = roots[0];
  if (root === undefined || /^[-(!]/.test(root.text)) return { text: UNKNOWN, glob: false };
  if (!leavesMost(own)) return { text: root.text, glob: false };
  const named = own.findIndex(({ text }) => text === "-name" || text === "-iname");
  const name = own[named + 1]?.text;
  const isAlone = !own.slice(named + 1).some(({ text }) => NAMING.test(text)) && /^-/.test(roots[1]?.text ?? "-");
  if (named < 0 || name === undefined || !isAlone || name.includes("/")) return { text: UNKNOWN, glob: false };
  return { text: `${root.text.replace(/(?<!\/)\/+$/, "")}/**/${name}`, glob: true };
};

/** Whole words that are found are paths, and start with where the search did; parts of words may be anything. */
const withFound = (word: Field, { text, glob }: Found): Field => ({
  text: word.text === "{}" ? text : word.text.split("{}").join(text),
  literal: false,
  worked: false,
  whole: true,
  glob: word.glob || glob,
  flow: word.flow,
  given: word.text === "{}" && isKnown(text) && !text.startsWith("-") ? "path" : word.given,
});

const FD_EXECUTING = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)(?:=(.*))?$/s;

/** `fd pattern folder -x command`: the command, with what was found after it where it has no `{}`. */
export const walkFoundByFd = (fields: readonly Field[], walk: Walk): void => {
  const at = fields.findIndex(({ text }) => FD_EXECUTING.test(text));
  const command = fields.slice(at + 1);
  const attached = FD_EXECUTING.exec(fields[at]?.text ?? "")?.[1];
  if (attached) command.unshift(plainField(attached));
  if (at < 0 || command.length === 0) return;
  const [pattern, root, ...more] = fields.slice(1, at);
  const whole = root !== undefined && more.length === 0 && /^(?:\.?|\.\*|\^|\*)$/.test(pattern?.text ?? "");
  const found: Field = {
    text: whole ? root.text : UNKNOWN,
    literal: false,
    worked: false,
    whole: true,
    glob: false,
    flow: undefined,
    given: "anything",
  };
  const isPlaced = command.some(({ text }) => text.includes("{"));
  walk.command(
    isPlaced ? command.map((word) => (word.text.includes("{}") ? withFound(word, found) : word)) : [...command, found],
    walk,
    undefined,
  );
};
