import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";
import { Assembly, type Expansion } from "./assembly.ts";
import { isHuge, withoutBraces, wordFrom } from "./braces.ts";
import { actsByItself, isExpanded, isListed, operandOf } from "./expansions.ts";
import { openField, plainField, unknownField } from "./fields.ts";
import { flood } from "./floods.ts";
import { plainWord } from "./plain-words.ts";
import { noteEnd, walkAsQuoted, walkMisread, walkReplacing, walkScript, walkSubscript } from "./texts.ts";
import { guarded, isOwnPlace, tilde } from "./tildes.ts";
import { BLANKS, parameterValue, variableValue } from "./values.ts";
import {
  doubt,
  exhausted,
  type Field,
  type Flow,
  inSubshell,
  isKnown,
  textOf,
  UNKNOWN,
  type Walk,
  withoutStandIns,
} from "./walk.ts";

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
    else if (node.type === "Word") walkMisread(node.text, walk);
    forEachChild(node, (child) => walkNested(child, walk));
  }
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
      noteEnd(part.text, walk);
      if (acts && operation?.type === "Slice") walkArithmetic(parse(""), "", walk);
      if (operation?.type === "Replace") walkReplacing(operation.pattern.text, operandOf(part), walk);
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
        else if (child.text === "$@" || child.text === "${@}") {
          expanded(child, walk);
          for (const [number, value] of walk.scope.positional.entries()) {
            if (number > 0) assembly.end();
            assembly.addExpanded(value);
          }
        } else if (isListed(child)) assembly.addListed(expanded(child, walk), child);
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
  if (walkMisread(text, walk)) return [unknownField];
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
  const texts = withoutBraces(word.text);
  if (texts === undefined || texts.includes(word.text)) {
    walk.exceeded ||= texts === undefined;
    walkNested(word, walk);
    return [texts === undefined ? unknownField : openField(word.value)];
  }
  return texts.flatMap((text) => {
    const plain = wordFrom(text);
    if (plain?.text !== text || plain.parts?.some((part) => part.type === "BraceExpansion")) {
      walkNested(word, walk);
      return [unknownField];
    }
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
