import type { ParameterExpansionPart, SyntaxNode, Word, WordPart } from "unbash";
import { isProven, standing, variableValues } from "./values.ts";
import { isKnown, type Walk } from "./walk.ts";

type Expansion = { type: string; text: string };

const INDEX = /^(?:\d+|[@*])$/;
const NUMBER = /^\s*(?:\(\s*)?-?\d+\s*(?:\)\s*)?$/;

const isNumber = (word: Word | SyntaxNode | undefined): boolean =>
  word === undefined || NUMBER.test((word as { text?: string }).text ?? "x");

/** Whether an expansion has side effects: it may set a variable, or run what a variable contains. */
const parameterActs = ({ prefix, index, operation }: ParameterExpansionPart): boolean => {
  if (prefix === "!" || (index !== undefined && !INDEX.test(index.text))) return true;
  switch (operation?.type) {
    case undefined:
    case "Remove":
    case "Replace":
    case "CaseModification":
      return false;
    case "Default":
      return /[=?]$/.test(operation.operator);
    case "Slice":
      return !isNumber(operation.offset) || !isNumber(operation.length);
    default:
      return true;
  }
};

const SUM = /^[\d\s+\-*/%()<>=!&|^~?:]*$/;
const WITH_BASE = /\b(?:0[xX][\da-fA-F]+|\d\d?#[\dA-Za-z]+)\b/g;
const NAME = /\$?\b[A-Za-z_]\w*\b/g;
const SETS = /(?:^|[^=!<>])=(?!=)|\+\+|--/;
const DIGITS = /^\d{1,15}$/;

/** Sums of numbers, and of variables that this line has set to numbers. Arithmetic runs code in any other variable. */
const isSum = (text: string, walk: Walk): boolean => {
  const inner = text.replace(/^\$\(\(|\)\)$/g, "").replace(WITH_BASE, "0");
  if (SUM.test(inner)) return true;
  const names = inner.match(NAME) ?? [];
  return SUM.test(inner.replace(NAME, "")) && !SETS.test(inner) && names.every((name) => isNumeric(name, walk));
};

const isNumeric = (written: string, walk: Walk): boolean => {
  const name = written.replace("$", "");
  const values = variableValues(name, walk);
  return values !== undefined && isProven(name, walk) && values.every((value) => DIGITS.test(value));
};

export const actsByItself = (part: Expansion, walk: Walk): boolean => {
  if (part.type === "ParameterExpansion") return parameterActs(part as ParameterExpansionPart);
  return part.type === "ArithmeticExpansion" && !isSum(part.text, walk);
};

/** The variable's name if an expansion is nothing but that variable. */
export const variableIn = (part: Expansion): string | undefined => {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return undefined;
  const { prefix, index, operation, parameter } = part as ParameterExpansionPart;
  return prefix === undefined && index === undefined && operation === undefined ? parameter : undefined;
};

/** False after a `cd` that may have failed. */
export const standsCertainly = (walk: Walk): boolean => walk.scope.folders.length === 1 && isKnown(standing(walk));

/** Whether the value worked out for a variable is certain to be the real one. */
export const isCertain = (name: string, walk: Walk): boolean => {
  if (variableValues(name, walk) !== undefined) return isProven(name, walk);
  if (name === "PWD") return standsCertainly(walk);
  return name === "HOME" || (/^(?:[1-9]\d*|[@*])$/.test(name) && walk.scope.positional.length === 0);
};

/** `$?`, `$#` and sums are numbers, which nothing can split. */
export const isNumberLike = (part: Expansion): boolean =>
  part.type === "ArithmeticExpansion" || /^\$(?:[?#$!]|\{[?#$!]\}|\{#\w+\})$/.test(part.text);

/** A pattern or a text in double quotes that is not only what is written. */
export const isExpanded = (part: WordPart): boolean =>
  part.type === "DoubleQuoted" ? part.parts.some(isExpanded) : /^\$[^'"]|^[`<>]/.test(part.text);

/** `"${a[@]}"`, `"${@:2}"`: a word for each element, even in quotes. */
export const isListed = (part: WordPart): part is ParameterExpansionPart =>
  part.type === "ParameterExpansion" && (part.index?.text ?? part.parameter) === "@";

/** All that stands behind the operator of an expansion. */
export const operandOf = ({ text, pos, operation }: ParameterExpansionPart): string =>
  operation === undefined ? "" : text.slice(operation.operatorEnd - pos, -1);

/** Whether a command may start in the text. */
export const opensCommand = (text: string): boolean => /[$<>]\(|`|\$\{[\s|]/.test(text);
