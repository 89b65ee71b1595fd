import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from "unbash";
import { Assembly, type Expansion } from "./assembly.ts";
import { isHuge, withoutBraces, wordFrom } from "./braces.ts";
import { actsByItself, isExpanded, opensCommand, operandOf } from "./expansions.ts";
import { openField, plainField, unknownField } from "./fields.ts";
import { flood } from "./floods.ts";
import { isTooInvolved, overlooked } from "./overlooked.ts";
import { plainWord } from "./plain-words.ts";
import { guarded, isOwnPlace, tilde } from "./tildes.ts";
import { BLANKS, parameterValue, variableValue } from "./values.ts";
import {
  doubt,
  exhausted,
  type Field,
  type Flow,
  inSubshell,
  isFresh,
  isKnown,
  LIMITS,
  textOf,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
  withoutStandIns,
} from "./walk.ts";

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

const walkScript = (script: ParsedScript | undefined, walk: Walk, stdin: Flow | undefined): Flow => {
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
  const plain = text.replace(/\$\[|\$?\(\(/g, "");
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

/** Arithmetic reads the values of variables again, and runs what is inside them. */
export const walkArithmetic = (node: SyntaxNode, text: string, walk: Walk): void => {
  walk.uses.expansion = true;
  walkNested(node, walk);
  if (/['\\]/.test(text)) walkSubscript(text, walk);
  for (const value of walk.scope.positional) walkSubscript(value, walk);
  if (walk.scope.variables)
    for (const values of walk.scope.variables.values()) for (const value of values) walkSubscript(value, walk);
};

/** Finds every substitution below a node. */
export const walkNested = (node: SyntaxNode, walk: Walk): void => {
  if (exhausted(walk)) return;
  if (node.type === "CommandExpansion") walkSubscript(textOf(substituted(node, walk, undefined)), walk);
  else if (node.type === "ProcessSubstitution") substituted(node, walk, undefined);
  else if (node.type === "ArithmeticCommandExpansion")
    walkSubscript(textOf(inSubshell(walk, () => walkScript(node.script, walk, undefined))), walk);
  else {
    if (node.type === "ParameterExpansion") expanded(node, walk);
    forEachChild(node, (child) => walkNested(child, walk));
  }
};

/** The parser ends the pattern of a replacement at its first slash, even inside a command: `${x/$(ls a/b)/c}`. */
const walkReplacing = (operand: string, walk: Walk): void => {
  if (!opensCommand(operand)) return;
  walk.again++;
  walkAsQuoted(operand, walk);
  if (/[<>]\(/.test(operand)) walkText(`: ${operand}`, walk, undefined);
  walk.again--;
};

type Substitution = Extract<WordPart, { type: "CommandExpansion" | "ProcessSubstitution" }>;

const substituted = (part: Substitution, walk: Walk, stdin: Flow | undefined): Flow => {
  walk.uses.substitution = true;
  if (part.text.startsWith("`")) walk.uses.backticks = true;
  // nothing waits for what is in `<(…)`
  const flooding = part.type === "ProcessSubstitution" ? flood(walk.rounds) : undefined;
  if (flooding) doubt(walk, flooding.rule, flooding.class);
  return inSubshell(walk, () => walkScript(part.script, walk, stdin));
};

/** `stdin` is the input of the enclosing command, which the substituted command shares. */
const expanded = (part: Expansion, walk: Walk, stdin?: Flow): string => {
  walk.uses.expansion = true;
  const acts = actsByItself(part, walk);
  walk.acts ||= acts;
  switch (part.type) {
    case "SimpleExpansion":
      return variableValue(part.text.slice(1), walk);
    case "ParameterExpansion": {
      const { operation } = part;
      if (acts && operation?.type === "Slice") walkArithmetic(parse(""), "", walk);
      if (operation?.type === "Replace") walkReplacing(operandOf(part), walk);
      if (operation?.type === "Transform") walkAsQuoted(variableValue(part.parameter, walk), walk);
      if (part.prefix === "!") walkSubscript(variableValue(part.parameter, walk), walk);
      return parameterValue(part, walk, (word) => {
        const text = textOfWord(word, walk);
        if (word === part.index || operation?.type === "Slice") walkSubscript(text, walk);
        return text;
      });
    }
    case "CommandExpansion":
      return textOf(substituted(part, walk, stdin)).replace(/(?<!\n)\n+$/, "");
    case "ArithmeticExpansion":
      if (acts) walkArithmetic(part, part.text, walk);
      return UNKNOWN;
  }
};

const separators = (walk: Walk): string => {
  const value = walk.scope.variables === undefined ? BLANKS : variableValue("IFS", walk);
  return isKnown(value) ? value : BLANKS;
};

/** A tilde is a folder only if a slash follows its name; otherwise other parts of the word belong to the name. */
const addTilde = (text: string, assembly: Assembly, walk: Walk): void => {
  const place = tilde(text, walk);
  if (isOwnPlace(text, walk) && text.includes("/")) assembly.addWorked(place);
  else assembly.addExpanded(place);
};

const bracketed = (part: WordPart, walk: Walk): string => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
      return part.parts.map((child) => bracketed(child, walk)).join("");
    case "SimpleExpansion":
      return variableValue(part.text.slice(1), walk);
    case "ParameterExpansion":
      return expanded(part, walk);
    default:
      return "";
  }
};

const addPart = (part: WordPart, index: number, assembly: Assembly, walk: Walk, stdin: Flow | undefined): void => {
  switch (part.type) {
    case "Literal":
      if (index === 0 && part.text.startsWith("~")) addTilde(part.value, assembly, walk);
      else assembly.add(assembly.isEmpty ? guarded(part.value) : part.value);
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      assembly.add(withoutStandIns(assembly.isEmpty ? guarded(part.value) : part.value));
      return;
    case "DoubleQuoted":
    case "LocaleString":
      for (const child of part.parts) {
        if (child.type === "Literal") assembly.add(assembly.isEmpty ? guarded(child.value) : child.value);
        else if (/^\$\{?@\}?$/.test(child.text)) {
          expanded(child, walk);
          for (const [number, value] of walk.scope.positional.entries()) {
            if (number > 0) assembly.end();
            assembly.addExpanded(value);
          }
        } else if (child.type === "ParameterExpansion" && child.index?.text === "@" && !child.operation)
          assembly.addSplit(expanded(child, walk), BLANKS, child);
        else assembly.addExpanded(expanded(child, walk, stdin), child);
      }
      return;
    case "Glob":
    case "ExtendedGlob":
      if (part.parts) for (const child of part.parts) walkNested(child, walk);
      // it may be the subscript of a name: `unset a['$(…)']`
      if (part.parts) walkSubscript(part.parts.map((child) => bracketed(child, walk)).join(""), walk);
      // an expansion inside it may end the pattern and the word
      if (part.parts?.some(isExpanded)) assembly.addSplit(UNKNOWN, BLANKS, part);
      else assembly.addGlob(part.text);
      return;
    case "ProcessSubstitution":
      walk.uses.expansion = true;
      assembly.addSource(substituted(part, walk, stdin), part.operator === "<");
      return;
    case "BraceExpansion":
      assembly.addExpanded(part.text);
      return;
    default:
      assembly.addSplit(expanded(part, walk, stdin), separators(walk), part);
  }
};

/** The fields that a word becomes. `stdin` is what a `>(…)` in it would be fed. */
export const fieldsOf = (word: Word, walk: Walk, stdin?: Flow): Field[] => {
  const plain = plainWord(word);
  if (plain !== undefined) return [plain];
  const { parts, text } = word;
  if (parts === undefined) {
    if (!word.value.startsWith("~")) return [plainField(word.value)];
    if (!text.startsWith("~")) return [plainField(guarded(word.value))];
    walk.uses.expansion = true;
    const place = openField(tilde(word.value, walk));
    place.worked = isOwnPlace(word.value, walk);
    place.whole = true;
    return [place];
  }
  if (exhausted(walk)) return [unknownField];
  if (parts.some((part) => part.type === "BraceExpansion")) return fieldsOfBraces(word, walk, stdin);
  const assembly = new Assembly(walk);
  for (let index = 0; index < parts.length && !walk.exceeded; index++)
    addPart(parts[index] as WordPart, index, assembly, walk, stdin);
  assembly.end();
  // only the running shell knows whether this word exists
  if (assembly.fields.length === 0 && !assembly.isCertain) walk.acts = true;
  return assembly.fields;
};

const fieldsOfBraces = (word: Word, walk: Walk, stdin: Flow | undefined): Field[] => {
  walk.uses.expansion = true;
  walk.acts ||= isHuge(word.text);
  const fields = fieldsWithoutBraces(word, walk, stdin);
  // the text may be divided otherwise than the shell does
  walk.again++;
  walkNested(word, walk);
  walk.again--;
  return fields;
};

const fieldsWithoutBraces = (word: Word, walk: Walk, stdin: Flow | undefined): Field[] => {
  const texts = withoutBraces(word.text);
  walk.exceeded ||= texts === undefined;
  if (texts === undefined) return [unknownField];
  if (texts.includes(word.text)) return [openField(word.value)];
  return texts.flatMap((text) => {
    const plain = wordFrom(text);
    if (plain === undefined || plain.parts?.some((part) => part.type === "BraceExpansion")) return [unknownField];
    return fieldsOf(plain, walk, stdin).map((field) => ({ ...field, literal: false }));
  });
};

/** A word where the shell does not split: assignments, here-strings, redirections. */
export const textOfWord = (word: Word, walk: Walk): string => {
  const fields = fieldsOf(word, walk);
  return fields.length === 1 ? (fields[0] as Field).text : fields.map((field) => field.text).join(" ");
};

/** The body of a heredoc, or the inside of double quotes. */
export const textOfParts = (parts: readonly WordPart[], walk: Walk): string => {
  let text = "";
  for (const part of parts) text += part.type === "Literal" ? part.value : expanded(part as Expansion, walk);
  return text;
};
