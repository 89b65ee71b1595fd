import type { Claim } from "../core/words/touch.ts";
import { CALLS, isText } from "./code-values.ts";
import { decided, reclassed, withTouches } from "./decisions.ts";
import { withText } from "./fields.ts";
import { walkCode } from "./foreign-code.ts";
import { blockedAsData } from "./given-data.ts";
import { eachOf } from "./lists.ts";
import { pathClaims } from "./path-claims.ts";
import { nameOf } from "./paths.ts";
import type { Embedding } from "./programs/embedded.ts";
import { walkWithWords } from "./renamed.ts";
import { walkText } from "./texts.ts";
import { forgetProof } from "./values.ts";
import {
  assign,
  type Decision,
  doubt,
  FETCHED_FLOW,
  type Field,
  type Flow,
  forked,
  isKnown,
  SESSION_FLOW,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { isFetchedFile, writtenText } from "./written-files.ts";

export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash ash zsh ksh ksh93 mksh pdksh rbash yash posh fish csh tcsh hush lksh xonsh nu".split(" "),
);

export const INTERPRETERS: ReadonlySet<string> = new Set(
  "python pypy perl ruby node nodejs php lua luajit deno bun tclsh wish expect Rscript osascript gawk mawk nawk awk groovy scala julia guile pwsh powershell ts-node tsx irb jshell elixir erl ghci runghc swift gdb sqlite psql mysql m4 bc ed ex vi vim nvim emacs".split(
    " ",
  ),
);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const DOT = 46;

/** With or without the number of its version: `python3.12`. */
export const isInterpreter = (name: string): boolean => {
  if (INTERPRETERS.has(name)) return true;
  let end = name.length;
  if (!isDigit(name.charCodeAt(end - 1))) return false;
  while (isDigit(name.charCodeAt(end - 1)) || name.charCodeAt(end - 1) === DOT) end--;
  return INTERPRETERS.has(name.slice(0, end));
};

/** Interpreters that read a program from standard input when given nothing else. */
const READS_PROGRAM =
  /^(?:python|pypy|perl|ruby|node|nodejs|php|lua|luajit|tclsh|expect|osascript|Rscript|groovy|julia|guile|pwsh|ts-node|tsx|deno|bun|irb|jshell|elixir|ghci|swift|m4|ed|ex|gdb)[\d.]*$/;

export const FROM_NETWORK = "it runs text fetched from the network";

export const whole = (rule: string, blocked: boolean, flow: Flow, touches: Claim[] = []): Decision =>
  decided(blocked ? "blocked" : "dangerous", blocked ? "high" : "medium", rule, touches, flow);

export const everything: Claim = { action: "unknown", permissions: ["read", "write", "execute", "network"] };

const SHEBANG = /^#!\s*(?:\S*\/)?([\w.-]+)(?:[ \t]+(?:-\S+[ \t]+)*([\w.-]+))?/;

/** A file that this line has written runs with the interpreter that its first line names. */
export const walkWritten = (fields: readonly Field[], walk: Walk): void => {
  const text = writtenText(fields[0] as Field, walk);
  if (text === undefined) return;
  const [, program = "sh", argument = ""] = SHEBANG.exec(text) ?? [];
  const name = program === "env" ? argument : program;
  if (SHELLS.has(name)) walkWithWords(text, fields, walk);
  else walkCode(name, text, walk);
};

/** Text that a shell reads as commands. */
const fromText = (
  text: string,
  walk: Walk,
  stdin: Flow | undefined,
  positional: readonly string[],
  rule: string,
): Decision => {
  if (text.includes("\u0001")) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
  if (!isKnown(text)) {
    walkText(text, walk, stdin);
    return whole(`${rule} whose text is only known when it runs`, false, UNKNOWN_FLOW, [everything]);
  }
  const before = walk.scope;
  walk.scope = forked(before, positional.slice(1));
  forgetProof(walk);
  if (positional[0] !== undefined) assign(walk, "0", positional[0]);
  const flow = walkText(text, walk, stdin);
  walk.scope = before;
  return whole(rule, false, flow);
};

export const fromFlow = (flow: Flow | undefined, walk: Walk, rule: string): Decision => {
  if (flow?.fetched) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
  if (flow?.text !== undefined) return fromText(flow.text, walk, undefined, [], rule);
  const answers = flow === undefined ? UNKNOWN_FLOW : SESSION_FLOW;
  return whole(`${rule} whose text is only known when it runs`, false, answers, [everything]);
};

/** Shells that parse a line as it is parsed here, with options that load only the person's own startup files. */
const readsAlike = (text: string): boolean => ["sh", "bash", "dash"].includes(nameOf(text));
const SHELL_FLAGS = /^-[ceuxfl]+$|^--(?:login|noprofile|norc)$/;

/** `bash -lc 'git status'` has the class of the text it runs. */
const isPlainShell = (fields: readonly Field[]): boolean =>
  fields.every(({ text, worked, glob }, index) => {
    if (!worked || glob) return false;
    if (index === 0) return readsAlike(text);
    return index === fields.length - 1 || SHELL_FLAGS.test(text) || /^-[eux]*o$/.test(text) || text === "pipefail";
  });

const WITH_VALUE = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/;
const STARTUP = /^--(?:rc|init-)file(?:=|$)/;
const FROM_INPUT = /^-[a-zA-Z]*s$/;

/** `bash`, `sh` and the like: `-c`, a file, or standard input. */
export const inShell = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined, slash: boolean): Decision => {
  if (fields.length === 2 && fields[1]?.text === "--version" && !slash)
    return decided("safe", "low", "it only prints its version", [], UNKNOWN_FLOW);
  let text = false;
  let index = 1;
  let startup: Decision | undefined;
  const isFish = nameOf((fields[0] as Field).text) === "fish";
  for (; index < fields.length; index++) {
    const option = (fields[index] as Field).text;
    if (option === "--" || option === "-") {
      index++;
      break;
    }
    if (!option.startsWith("-") && !option.startsWith("+")) break;
    if (!option.startsWith("--") && (option.includes("c") || (isFish && option.includes("C")))) text = true;
    if (option.startsWith("--c")) text = true;
    if (option.endsWith("s") && FROM_INPUT.test(option))
      return fromFlow(stdin, walk, "a shell that reads commands from its input");
    if (WITH_VALUE.test(option)) index++;
    const file = option.startsWith("--") && STARTUP.test(option) ? fields[index] : undefined;
    if (file) startup = inFile(withText(file, file.text.replace(/^--[a-z-]+=/, "")), walk);
    if (startup?.class === "blocked") return startup;
  }
  const operand = fields[index];
  if (text && operand) {
    const decision = fromText(
      operand.text,
      walk,
      stdin,
      eachOf(fields.slice(index + 1), (field) => field.text),
      "a shell that runs a command line",
    );
    if (startup) return withTouches(decision, [...decision.touches, ...startup.touches]);
    return decision.class === "dangerous" && !slash && isPlainShell(fields.slice(0, index + 1))
      ? reclassed(decision, "safe", "a shell whose command is judged on its own", "low")
      : decision;
  }
  if (!operand || operand.text === "/dev/stdin" || operand.text === "/proc/self/fd/0")
    return fromFlow(stdin, walk, "a shell that reads commands from its input");
  const decision = inFile(operand, walk, fields.slice(index));
  return decision.class === "dangerous" && !slash && isCheck(fields.slice(0, index + 1))
    ? reclassed(decision, "dev", "a shell that reads a file for mistakes, and runs nothing", "low")
    : decision;
};

/** `bash -n file`. */
const isCheck = (fields: readonly Field[]): boolean =>
  fields.length > 2 &&
  fields.every(
    ({ text, worked, glob }, index) =>
      worked && !glob && (index === fields.length - 1 || (index === 0 ? readsAlike : isChecking)(text)),
  );
const isChecking = (text: string): boolean => /^-[uvx]*n[uvx]*$/.test(text);

/** `at`, `batch` and `newgrp`, which starts a shell. */
export const inShellLater = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const file = fields[fields.findIndex(({ text }) => text === "-f") + 1];
  return file !== undefined && file !== fields[0]
    ? inFile(file, walk)
    : fromFlow(stdin, walk, "it runs its input later");
};

export const inFile = (file: Field, walk: Walk, words?: readonly Field[]): Decision => {
  if (file.flow) return fromFlow(file.flow, walk, "a shell that reads what another command prints");
  if (isFetchedFile(file, walk)) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
  const text = writtenText(file, walk);
  if (text !== undefined && words) walkWithWords(text, words, walk);
  else if (text !== undefined) walkText(text, walk, undefined);
  return whole("it runs a file of commands", false, UNKNOWN_FLOW, [...pathClaims("read", file, walk), everything]);
};

const CODE_OPTION = /^(?:-[a-zA-Z]*[ceErpx]|--(?:eval|execute|exec|print|command|run)(?:=.*)?|-[ceEr].+)$/;
const FORK = /\bfork\b\s{0,4}(?:\(\s{0,4}\)|while|until|[;}])/;
const LOOP = /\b(?:while|for|until|loop)\b/;

const isOperand = ({ text }: Field): boolean => !text.startsWith("-") || !/^-./.test(text);

/** Interpreters whose first word says what to do with the program after it: `deno eval …`, `bun run …`. */
const WITH_VERBS: ReadonlySet<string> = new Set(["deno", "bun", "tsx"]);
const VERB = /^(?:eval|run|watch|serve|test|exec|x)$/;

const wordsAfterVerb = (name: string, fields: readonly Field[]): Field[] => {
  const words = fields.slice(1);
  if (!WITH_VERBS.has(name)) return words;
  const first = words.findIndex(isOperand);
  if (VERB.test(words[first]?.text ?? "") && !CODE_OPTION.test(words[first - 1]?.text ?? "")) words.splice(first, 1);
  return words;
};

const SSH_VALUES = /^-[bcDEeFIiJLlmOopQRSWw]$/;

/** A remote command touches nothing here, but is judged in the same way. */
export const walkRemote = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  let index = 1;
  for (; index < fields.length && /^-./.test((fields[index] as Field).text); index++) {
    const { text } = fields[index] as Field;
    const proxy = /^(?:-o)?ProxyCommand[= ](.+)$/s.exec(
      SSH_VALUES.test(text) ? (fields[index + 1]?.text ?? "") : text,
    )?.[1];
    if (proxy !== undefined) walkText(proxy, walk, undefined);
    if (SSH_VALUES.test(text)) index++;
  }
  const text = fields
    .slice(index + 1)
    .map((field) => field.text)
    .join(" ");
  const from = walk.segments.length;
  if (text.trim() !== "") walkText(text, walk, stdin);
  // without a command, the remote shell reads standard input
  else if (stdin?.text !== undefined) walkText(stdin.text, walk, undefined);
  else if (stdin?.fetched) doubt(walk, FROM_NETWORK, "blocked");
  for (const segment of walk.segments.slice(from)) segment.touches = [];
};

/** The command after an option, or after a verb and its options. */
const walkRest = ({ valued }: Embedding, fields: readonly Field[], option: number, walk: Walk): void => {
  const takesWord = (index: number): boolean => valued?.test((fields[index] as Field).text) === true;
  let from = option + (takesWord(option) ? 2 : 1);
  while (from < fields.length && /^-/.test((fields[from] as Field).text)) from += takesWord(from) ? 2 : 1;
  const rest = fields.slice(from);
  if (rest.length === 1) walkText((rest[0] as Field).text, walk, undefined);
  else if (rest.length > 1) walk.command(rest, walk, undefined);
};

/** Commands among a program's own words. */
export const walkEmbedded = (embedding: Embedding & { any: RegExp }, fields: readonly Field[], walk: Walk): void => {
  for (let index = 1; index < fields.length; index++) {
    const { text } = fields[index] as Field;
    if (!embedding.any.test(text)) continue;
    const inside = embedding.attached?.exec(text)?.findLast((group) => group !== undefined);
    if (inside !== undefined) walkText(inside, walk, undefined);
    const next = fields[index + 1]?.text;
    if (embedding.next?.test(text) && next !== undefined) walkText(next.replace(/^:?!/, ""), walk, undefined);
    if (embedding.rest?.test(text)) walkRest(embedding, fields, index, walk);
  }
};

const POWERSHELL = /^(?:pwsh|powershell)/;
/** `-EncodedCommand`, and every beginning of it. */
const ENCODED = /^-e(?:c|n[a-z]{0,14})?$/i;
const fromBase64 = (text: string): string => {
  const decoded = CALLS.get("b64decode")?.([text]);
  return isText(decoded) ? decoded.replaceAll("\0", "") : text;
};

/** Why an interpreter is refused. Other languages are not understood; only what plainly goes to a shell, or comes from the network, is looked at. */
export const inInterpreter = (
  name: string,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): Decision | undefined => {
  const words = wordsAfterVerb(name, fields);
  let code = false;
  let operand: string | undefined;
  let takesCode = false;
  let isEncoded = false;
  for (const word of words) {
    const { text } = word;
    const option = !isOperand(word);
    // the program is what follows such an option, or the first word that is no option: what comes after is data
    const isProgram = takesCode || operand === undefined;
    takesCode = option && CODE_OPTION.test(text);
    if (takesCode) code = true;
    if (!option) operand ??= text;
    if (isProgram && isFetchedFile(word, walk)) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
    if (FORK.test(text) && LOOP.test(text)) return whole("it keeps starting itself", true, UNKNOWN_FLOW, [everything]);
    if (isProgram && walk.writtenFiles) walkCode(name, writtenText(word, walk) ?? "", walk);
    if (isEncoded) walkText(fromBase64(text), walk, undefined);
    if (isProgram || option) walkCode(name, text, walk);
    isEncoded = ENCODED.test(text) && POWERSHELL.test(name);
    if (word.flow?.text !== undefined) walkCode(name, word.flow.text, walk);
  }
  const reason = blockedAsData(name, fields, walk, stdin);
  if (reason !== undefined) return whole(reason, true, FETCHED_FLOW, [everything]);
  const fromInput = operand === undefined || operand === "-" || operand === "/dev/stdin";
  if (!fromInput || code) return undefined;
  if (stdin?.fetched && READS_PROGRAM.test(name)) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
  if (stdin?.text !== undefined) walkCode(name, stdin.text, walk);
  return undefined;
};
