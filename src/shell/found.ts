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
