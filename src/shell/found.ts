import { leavesMost } from "./find-tests.ts";
import { type Field, UNKNOWN, type Walk } from "./walk.ts";

const EXECUTING: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
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
    own.push(field);
    if (!EXECUTING.has(field.text)) continue;
    const from = index + 1;
    while (index + 1 < fields.length && !isEnd(fields[index + 1] as Field)) index++;
    commands.push(fields.slice(from, ++index));
  }
  const found = foundBy(own);
  for (const command of commands)
    if (command.length > 0)
      walk.command(
        command.map((word) => (word.text.includes("{}") ? withFound(word, found) : word)),
        walk,
        undefined,
      );
  return own;
};

/** All of a folder, where no test leaves a part of it alone. */
const foundBy = (own: readonly Field[]): string => {
  const root = own.find(({ text }, index) => index > 0 && !/^-[HLPDO]/.test(text));
  const whole = root !== undefined && !/^[-(!]/.test(root.text) && !leavesMost(own);
  return whole ? root.text : UNKNOWN;
};

const withFound = (word: Field, found: string): Field => ({
  text: word.text === "{}" ? found : word.text.split("{}").join(found),
  literal: false,
  glob: word.glob,
  flow: word.flow,
  given: word.given,
});

const FD_EXECUTING = /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;

/** `fd pattern folder -x command`: the command, with what was found after it where it has no `{}`. */
export const walkFoundByFd = (fields: readonly Field[], walk: Walk): void => {
  const at = fields.findIndex(({ text }) => FD_EXECUTING.test(text));
  const command = fields.slice(at + 1);
  if (at < 0 || command.length === 0) return;
  const [pattern, root, ...more] = fields.slice(1, at);
  const whole = root !== undefined && more.length === 0 && /^(?:\.?|\.\*|\^|\*)$/.test(pattern?.text ?? "");
  const found: Field = {
    text: whole ? root.text : UNKNOWN,
    literal: false,
    glob: false,
    flow: undefined,
    given: "anything",
  };
  const isPlaced = command.some(({ text }) => text.includes("{"));
  walk.command(
    isPlaced
      ? command.map((word) => (word.text.includes("{}") ? withFound(word, found.text) : word))
      : [...command, found],
    walk,
    undefined,
  );
};
