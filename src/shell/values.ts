import type { ParameterExpansionPart, Word } from "unbash";
import { fits, isAbsolute } from "./paths.ts";
import { FETCHED, isKnown, PROVEN, UNKNOWN, type Walk, withoutStandIns } from "./walk.ts";

const SHELL = "/bin/bash";
/** Set in practically every environment to an absolute path that is not known here. */
const FOLDERS_IN_ENVIRONMENT = new Set(["PATH", "HOME", "PWD", "OLDPWD", "TMPDIR"]);

export const BLANKS = " \t\n";

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** The shell's folder as a word relative to itself; a folder relative to the start would be joined twice. */
export const standing = ({ scope: { folders } }: Walk): string => {
  const folder = folders[0] as string;
  if (isAbsolute(folder)) return folder;
  return folder === "" && folders.length === 1 ? "." : UNKNOWN;
};

const MARK: readonly string[] = [];

const STOOD = "@";
const STANDING = /\$\{?PWD\b|^~\+|\bpwd\b/;
/** Marks a variable whose value is relative to the shell's current folder. */
export const noteStanding = (name: string, source: string, walk: Walk): void => {
  const isAbsoluteThere = walk.scope.variables?.get(name)?.every(isAbsolute);
  if (STANDING.test(source) && !isAbsoluteThere) walk.scope.variables?.set(STOOD + name, MARK);
};
/** From another folder such a value means something else. */
export const forgetStanding = ({ scope: { variables } }: Walk): void => {
  for (const key of variables?.keys() ?? [])
    if (key.startsWith(STOOD)) {
      const name = key.slice(1);
      variables?.set(name, [...(variables.get(name) ?? []), UNKNOWN]);
      variables?.delete(PROVEN + name);
      variables?.delete(key);
    }
};

const REFERENCE = "&";
/** `declare -n name=other`: from here on, one name stands for the other. */
export const refer = (walk: Walk, name: string, other?: string): void => {
  walk.refers = true;
  walk.scope.variables ??= new Map();
  walk.scope.variables.set(REFERENCE + name, other === undefined ? [] : [other]);
};
/** After `declare -n name`, the next value that is assigned to it says which one. */
export const awaitsTarget = (name: string, { refers, scope: { variables } }: Walk): boolean =>
  refers && variables?.get(REFERENCE + name)?.length === 0;
export const referred = (name: string, { refers, scope: { variables } }: Walk): string =>
  refers ? (variables?.get(REFERENCE + name)?.[0] ?? name) : name;

/** Every value that this line may have given to a variable. */
export const variableValues = (name: string, walk: Walk): readonly string[] | undefined =>
  walk.scope.variables?.get(referred(name, walk));

/** Marks the values of a variable as certain, as opposed to a guess at a command's output. */
export const prove = (name: string, { scope: { variables } }: Walk): void => void variables?.set(PROVEN + name, MARK);
export const isProven = (name: string, walk: Walk): boolean =>
  walk.scope.variables?.has(PROVEN + referred(name, walk)) === true;

/** Another shell may or may not have the variable. */
export const forgetProof = ({ scope: { variables } }: Walk): void => {
  for (const key of variables?.keys() ?? []) if (key.startsWith(PROVEN)) variables?.delete(key);
};

/** The value of a variable here, with a stand-in for what only the running shell knows. */
export const variableValue = (written: string, walk: Walk): string => {
  const name = referred(written, walk);
  const values = walk.scope.variables?.get(name);
  if (values !== undefined) {
    if (values.length > walk.choices) walk.choices = values.length;
    return values[Math.min(walk.choice, values.length - 1)] as string;
  }
  switch (name) {
    case "HOME":
      return walk.home ?? "~";
    case "PWD":
      return standing(walk);
    case "IFS":
      return BLANKS;
    case "SHELL":
    case "BASH":
      return SHELL;
    case "0":
      return "bash";
    case "@":
    case "*":
      return walk.scope.positional.join(" ");
    case "#":
      return String(walk.scope.positional.length);
    case "UID":
    case "EUID":
    case "PPID":
      return UNKNOWN;
    default:
      return isDigits(name) ? (walk.scope.positional[Number(name) - 1] ?? "") : UNKNOWN;
  }
};

type Read = (word: Word) => string;

/** `${…}`: what it gives, as far as its operation is one that can be worked out. */
export const parameterValue = (part: ParameterExpansionPart, walk: Walk, read: Read): string => {
  const { operation } = part;
  let value = variableValue(part.parameter, walk);
  const index = part.index && read(part.index);
  if (part.prefix === "#") return isKnown(value) ? String(value.length) : UNKNOWN;
  if (part.prefix === "!" && (index === "@" || index === "*")) return keysOf(part.parameter, walk);
  if (part.prefix === "!") value = variableValue(value, walk);
  if (index !== undefined) {
    const isWhole = index === "@" || index === "*";
    value = variableValue(isWhole ? part.parameter : elementOf(part.parameter, index, walk), walk);
  }
  if (operation === undefined) return value;
  // a part of downloaded text is downloaded, too
  const open = value.includes(FETCHED) ? FETCHED : UNKNOWN;
  switch (operation.type) {
    case "Default":
      return withDefault(operation.operator, value, part.parameter, read(operation.operand), walk);
    case "Slice": {
      const offset = numberFrom(read(operation.offset));
      const length = operation.length && numberFrom(read(operation.length));
      if (offset === undefined || (operation.length && length === undefined)) return open;
      if ((!isKnown(value) && withoutStandIns(value) === "") || value.startsWith("~"))
        return offset === 0 && length === 1 && FOLDERS_IN_ENVIRONMENT.has(part.parameter) ? "/" : open;
      return ofKnownPart(value, (known) => sliced(known, part.parameter, index, offset, length));
    }
    case "Remove": {
      const pattern = read(operation.operand);
      return ofKnownPart(value, (known) => cut(known, operation.operator, pattern));
    }
    case "Replace": {
      const pattern = read(operation.pattern);
      const by = read(operation.replacement);
      return ofKnownPart(value, (known) => replaced(known, operation.operator, pattern, by));
    }
    case "CaseModification":
      if (operation.operand) read(operation.operand);
      return cased(value, operation.operator);
    case "Transform": {
      const how = read(operation.operand);
      if (KEEPS.has(how) && isKnown(value) && !/[\\$`!]/.test(value)) return value;
      const change = CHANGES[how];
      return change !== undefined && isKnown(value) ? cased(value, change) : open;
    }
    default:
      return open;
  }
};

/** What comes of the known part of a text; what is not known may be before it, and behind each of its words. */
const ofKnownPart = (value: string, work: (known: string) => string): string => {
  if (isKnown(value)) return work(value);
  if (value.includes(FETCHED)) return FETCHED;
  const known = withoutStandIns(value);
  if (known === "") return UNKNOWN;
  const words = work(known).split(" ");
  return (isKnown(value.slice(0, 1)) ? "" : UNKNOWN) + words.map((word) => word + UNKNOWN).join(" ");
};

const sliced = (
  value: string,
  parameter: string,
  index: string | undefined,
  offset: number,
  length: number | undefined,
): string => {
  if (parameter === "@" || parameter === "*") return slice(["bash", ...value.split(" ")], offset, length).join(" ");
  if (index === "@" || index === "*") return slice(value.split(" "), offset, length).join(" ");
  return slice([...value], offset, length).join("");
};

/** `${!a[@]}`: what the elements of an array are called. */
const keysOf = (written: string, walk: Walk): string => {
  const start = `${referred(written, walk)}[`;
  const names = [...(walk.scope.variables?.keys() ?? [])].filter((name) => name.startsWith(start));
  return names.length === 0 ? UNKNOWN : names.map((name) => name.slice(start.length, -1)).join(" ");
};

/** `${x@E}`, `${x@P}`: nothing changes where there is nothing to expand. */
const KEEPS: ReadonlySet<string> = new Set(["E", "P"]);
/** `${x@U}` and what does the same. */
const CHANGES: Readonly<Record<string, string>> = { U: "^^", u: "^", L: ",," };

/** `a[-1]`: the last element. */
const elementOf = (name: string, index: string, walk: Walk): string => {
  const key = `${name}[${index}]`;
  // a key that is a variable's name is read as a number where the array has numbers
  const isNamed = /^[A-Za-z_]\w*$/.test(index) && !walk.scope.variables?.has(key);
  if (isNamed && walk.scope.variables?.has(index)) return `${name}[${variableValue(index, walk)}]`;
  const back = numberFrom(index) ?? 0;
  if (back >= 0) return key;
  let count = 0;
  while (walk.scope.variables?.has(`${referred(name, walk)}[${count}]`)) count++;
  return `${name}[${count + back}]`;
};

const slice = (items: readonly string[], offset: number, length: number | undefined): readonly string[] => {
  const from = offset < 0 ? Math.max(items.length + offset, 0) : offset;
  if (length === undefined) return items.slice(from);
  return items.slice(from, length < 0 ? items.length + length : from + length);
};

const numberFrom = (text: string): number | undefined => {
  const trimmed = text.trim().replace(/^\((.*)\)$/, "$1");
  return /^-?\d{1,6}$/.test(trimmed) ? Number(trimmed) : undefined;
};

const withDefault = (operator: string, value: string, name: string, operand: string, walk: Walk): string => {
  const isSet = value !== UNKNOWN && !(operator.startsWith(":") && value === "");
  if (operator.endsWith("+")) return isSet || FOLDERS_IN_ENVIRONMENT.has(name) ? operand : "";
  if (isSet) return value;
  if (operator.endsWith("=")) walk.set(walk, name, operand);
  return operator.endsWith("?") ? UNKNOWN : operand;
};

/** Longer values are not searched. */
const MOST = 256;

/** A class that lists its characters; which ones lie between two, the language of the machine decides. */
const CLASS = /\[([\w.,/:;=@ ]+)\]/g;

/** Whether a text fits a pattern and not only may; undefined where that is not certain. */
const fittingExactly = (pattern: string): ((text: string) => boolean) | undefined => {
  if (!/[[(]/.test(pattern)) return (text) => fits(pattern, text);
  const others = pattern.split(CLASS).filter((_, index) => index % 2 === 0);
  if (others.some((text) => /[[\]()\\*?]/.test(text))) return undefined;
  const classes = [...pattern.matchAll(CLASS)].map(([, chars = ""]) => chars);
  const length = others.join("").length + classes.length;
  return (text) => {
    if (text.length !== length) return false;
    let at = 0;
    return others.every((other, index) => {
      const isHere = text.startsWith(other, at);
      at += other.length;
      const chars = classes[index];
      return isHere && (chars === undefined || chars.includes(text[at++] as string));
    });
  };
};

const cut = (value: string, operator: string, pattern: string): string => {
  if (!isKnown(pattern) || value.length > MOST) return UNKNOWN;
  const fitting = fittingExactly(pattern);
  if (fitting === undefined) return UNKNOWN;
  const sizes = Array.from({ length: value.length + 1 }, (_, size) => size);
  if (operator.length === 2) sizes.reverse();
  for (const size of sizes) {
    if (operator.startsWith("#") && fitting(value.slice(0, size))) return value.slice(size);
    if (operator.startsWith("%") && fitting(value.slice(value.length - size)))
      return value.slice(0, value.length - size);
  }
  return value;
};

const replaced = (value: string, operator: string, pattern: string, by: string): string => {
  // `&` is the replaced text for newer shells, unless it is quoted
  if (!isKnown(pattern) || value.length > MOST || by.includes("&")) return UNKNOWN;
  if (/[*?[(]/.test(pattern)) return replacedByPattern(value, operator, pattern, by);
  if (pattern === "") return value;
  if (operator === "//") return value.split(pattern).join(by);
  if (operator === "/#") return value.startsWith(pattern) ? by + value.slice(pattern.length) : value;
  if (operator === "/%") return value.endsWith(pattern) ? value.slice(0, -pattern.length) + by : value;
  return value.replace(pattern, () => by);
};

/** Longer values are not searched for a pattern. */
const MOST_MATCHED = 48;

/** `${x//[0-9]/}`: at each place the longest text that fits is replaced. */
const replacedByPattern = (value: string, operator: string, pattern: string, by: string): string => {
  const fitting = fittingExactly(pattern);
  if (fitting === undefined || value.length > MOST_MATCHED || (operator !== "/" && operator !== "//")) return UNKNOWN;
  let text = "";
  for (let at = 0; at < value.length; ) {
    let size = value.length - at;
    while (size > 0 && !fitting(value.slice(at, at + size))) size--;
    text += size > 0 ? by : value[at];
    at += Math.max(size, 1);
    if (size > 0 && operator === "/") return text + value.slice(at);
  }
  return text;
};

const cased = (value: string, operator: string): string => {
  const change = (text: string) => (operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
};
