import { holdsAny, STAND_IN } from "./marks.ts";
import { fits } from "./paths.ts";
import type { Field } from "./walk.ts";

const ACTS = [
  "call",
  "run",
  "undo",
  "redo",
  "plan",
  "locks",
  "dead-letters",
  "tasks",
  "memory",
  "cron",
  "sessions",
  "skills",
];
const LOOSENS = ["--yes", "-y", "--allow-commands", "--config"];

/** Why a call of our own command line would answer in place of the person who is to be asked. */
const speaksForPerson = (words: readonly Field[]): string | undefined => {
  const may = (field: Field | undefined, text: string): boolean =>
    field !== undefined && (field.glob ? fits(field.text, text) : field.text === text);
  const holds = (text: string): boolean => words.some((word) => may(word, text));
  if (holdsAny(words, STAND_IN)) return "toolgate with arguments that are only known when it runs";
  if (holds("config") && holds("trust")) return "only a person may trust a configuration";
  if (holds("approvals")) return "only a person may answer approvals";
  if (holds("hook")) return "only a person may set up the hook of an agent, and only the agent itself may call it";
  // whoever starts the server could act as the client and answer its questions
  if (words.some((word, index) => may(word, "mcp") && !may(words[index - 1], "--format")))
    return "only a person may serve the tools to a client, or set a client up";
  if (!ACTS.some(holds)) return undefined;
  const loosened = words.some(
    (word, index) =>
      LOOSENS.some((option) => may(word, option)) ||
      word.text.startsWith("--config=") ||
      may(word, "--mode=yolo") ||
      (may(word, "--mode") && may(words[index + 1], "yolo")),
  );
  return loosened ? "a command may not loosen the rules it runs under" : undefined;
};

const NAMED = /toolgate/i;

/** `toolgate`, `toolgate@1`, `npm:toolgate`, `node_modules/toolgate/dist/cli/toolgate.js`. */
const isOwn = (text: string): boolean =>
  text.length >= "toolgate".length &&
  NAMED.test(text) &&
  (/(?:^|[/\\:])toolgate(?:@[^/]*|\.[cm]?[jt]s|\.cmd|\.exe)?$/i.test(text) ||
    /[/\\]toolgate[/\\].*\.[cm]?[jt]s$/i.test(text));

/** The same for programs that start others: `npx toolgate …`, `node …/toolgate.js …`. */
export const speakingThroughRunner = (words: readonly Field[]): string | undefined => {
  const at = words.findIndex(({ text }, index) => index > 0 && isOwn(text));
  return at < 0 ? undefined : speaksForPerson(words.slice(at + 1));
};

export const speaking = (words: readonly Field[]): string | undefined => speaksForPerson(words.slice(1));
