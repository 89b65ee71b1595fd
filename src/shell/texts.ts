import { type ParsedScript, parse } from "unbash";
import { opensCommand } from "./expansions.ts";
import { isTooInvolved, overlooked } from "./overlooked.ts";
import { doubt, exhausted, type Flow, isFresh, LIMITS, UNKNOWN_FLOW, type Walk } from "./walk.ts";

/** Walks text that a running shell would read as a command; nesting too deeply counts as reaching a limit. */
export const walkText = (text: string, walk: Walk, stdin: Flow | undefined): Flow => {
  if (exhausted(walk, 4 + (text.length >> 4)) || isTooInvolved(text)) {
    walk.exceeded = true;
    return UNKNOWN_FLOW;
  }
  const { source } = walk;
  const judged = walk.trying === 0 && isFresh(walk) ? { text, folders: walk.scope.folders } : undefined;
  walk.source = text;
  walk.flowing = true;
  walk.feeding ||= text.includes(">(");
  const script = parse(text);
  const reason = walk.trying > 0 ? undefined : overlooked(script, text);
  if (reason !== undefined) {
    walk.parsed = false;
    doubt(walk, reason);
  }
  const flow = walkScript(script, walk, stdin);
  walk.source = source;
  walk.judged = judged;
  return flow;
};

export const walkScript = (script: ParsedScript | undefined, walk: Walk, stdin: Flow | undefined): Flow => {
  if (script === undefined) {
    doubt(walk, "a substitution could not be read");
    return UNKNOWN_FLOW;
  }
  if (script.errors?.length) {
    walk.parsed = false;
    doubt(walk, "part of it is not valid shell");
  }
  if (walk.depth >= LIMITS.depth) {
    walk.exceeded = true;
    return UNKNOWN_FLOW;
  }
  const { source } = walk;
  if (script.source !== undefined) walk.source = script.source;
  walk.depth++;
  const flow = walk.script(script, walk, stdin);
  walk.depth--;
  walk.source = source;
  return flow;
};

const SUBSTITUTES = /\$\(|`|\$\{[\s|]/;

/** Of text in double quotes, only the substitutions run. */
export const walkAsQuoted = (text: string, walk: Walk): void => {
  if (!SUBSTITUTES.test(text)) return;
  const plain = text.replace(/\$\[|\$?\(\(/g, " ");
  walkText(`: "${plain.replaceAll('"', "")}"`, walk, undefined);
  const nested = text.indexOf("$((");
  if (nested >= 0 && /\)\s*[;&|<>]|\)\s+\)/.test(text.slice(nested)))
    walkText(`: "${text.replaceAll('"', "").replaceAll("$((", "$( (")}"`, walk, undefined);
  // the quotes may belong to a command inside: `$(sh -c "…")`
  if (!plain.includes('"')) return;
  let end = "END";
  while (plain.includes(end)) end += "_";
  walkText(`: <<${end}\n${plain}\n${end}\n`, walk, undefined);
};

/** The shell expands a subscript again when it uses it, whatever quotes it is written in; a backslash only delays that. */
export const walkSubscript = (text: string, walk: Walk): void => {
  walkAsQuoted(text, walk);
  if (text.includes("\\")) walkAsQuoted(text.replaceAll("\\", ""), walk);
};

/** The parser ends the pattern of a replacement at its first slash, even inside a command: `${x/$(ls a/b)/c}`. */
export const walkReplacing = (pattern: string, operand: string, walk: Walk): void => {
  if (!opensCommand(operand) || !parse(`: x${pattern}`).errors?.length) return;
  walkAsQuoted(operand, walk);
  if (/[<>]\(/.test(operand)) walkText(`: x${operand}`, walk, undefined);
};

/** Where bash looks for the end of an expansion, it takes the `${` of `$${` for the start of another one. */
const UNEVEN = /\$\$[{(]/;
export const noteEnd = (expansion: string, walk: Walk): void => {
  if (!UNEVEN.test(expansion)) return;
  walk.parsed = false;
  doubt(walk, "an expansion in it may end elsewhere");
};

/** With a number in front, the parser takes a `<(…)` for a part of the text: `ls 1<(date)`. */
const MISREAD = /^(?:\d+|\{[^{}]*\})[<>]\(/;
/** Whether the parser has misread a word, which is then walked as the shell reads it. */
export const walkMisread = (text: string, walk: Walk): boolean => {
  if (!text.includes("(") || !MISREAD.test(text)) return false;
  walk.uses.expansion = true;
  walk.again++;
  walkText(`: x${text}`, walk, undefined);
  walk.again--;
  return true;
};
