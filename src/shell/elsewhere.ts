import { type Field, type Flow, plainField, type Walk } from "./walk.ts";
import { walkText } from "./words.ts";

const fromInput = /^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0)$/;

/** `make -f -`: the recipes of what it is given. */
export const walkRecipes = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  if (stdin?.text === undefined || !fields.some(({ text }) => fromInput.test(text.replace(/^-f|^--\w+=/, "")))) return;
  for (const [, recipe, after] of stdin.text.matchAll(/^(?:\t(.*)|[^\t#=\n][^=\n]*?:[^=\n]*?;(.*))$/gm))
    walkText((recipe ?? after ?? "").replace(/^[\s@+-]+/, "").replaceAll("$$", "$"), walk, undefined);
};

/** `crontab -`: the command of every line, after five fields or a word such as `@daily`. */
export const walkSchedule = (_: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  for (const [, command = ""] of stdin?.text?.matchAll(/^\s*(?:@\w+|(?:[\w*,/-]+\s+){4}[\w*,/-]+)\s+(.+)$/gm) ?? [])
    walkText(command, walk, undefined);
};

const STARTING = /^(?:run|exec|create|debug)$/;
/** Options that stand alone; all others take the word after them, where they have no `=`. */
const ALONE =
  /^(?:-[ditPqT]+|--(?:rm|init|privileged|read-only|detach|interactive|tty|stdin|publish-all|no-healthcheck|quiet|no-deps|no-TTY|build|service-ports|sig-proxy|use-aliases|quiet-pull|.*=.*))$/s;
const ATTACHED = /^-[a-zA-Z]./;
const MOUNT = /^(?:-v|--volume=)?([~/][^:]*):([^:]+)(?::.*)?$/;

/**
 * `docker run image command`, `kubectl exec pod -- command`: what runs in a container is judged as if it ran here,
 * with the folders of this machine that it is given under their own names.
 */
export const walkContained = (fields: readonly Field[], walk: Walk): void => {
  const verb = fields.findIndex(({ text }) => STARTING.test(text));
  if (verb < 1) return;
  const mounts: [string, string][] = [];
  let entry: string | undefined;
  let index = verb + 1;
  for (; index < fields.length && /^-./.test((fields[index] as Field).text); index++) {
    const { text } = fields[index] as Field;
    if (text === "--") break;
    const alone = ALONE.test(text) || (!text.startsWith("--") && ATTACHED.test(text));
    const value = alone ? text : (fields[++index]?.text ?? "");
    const mount = MOUNT.exec(value);
    if (mount) mounts.push([mount[2] as string, mount[1] as string]);
    if (text.startsWith("--entrypoint")) entry = value.replace(/^--entrypoint=/, "");
  }
  const rest = fields.slice(index + 1);
  // what `kubectl` is given before `--` is its own
  const own = /(?:kubectl|oc)$/.test((fields[0] as Field).text) ? rest.findIndex(({ text }) => text === "--") : -1;
  const words = rest.slice(own + 1);
  const command = (entry === undefined ? words : [plainField(entry), ...words]).map((word) =>
    seenFromHere(word, mounts),
  );
  const from = walk.segments.length;
  if (command.length > 0) walk.command(command, walk, undefined);
  for (const segment of walk.segments.slice(from)) segment.touches = [];
};

const seenFromHere = (word: Field, mounts: readonly (readonly [string, string])[]): Field => {
  let { text } = word;
  for (const [inside, outside] of mounts) text = text.replaceAll(inside, outside === "/" ? "/." : outside);
  return text === word.text ? word : { ...word, text };
};
