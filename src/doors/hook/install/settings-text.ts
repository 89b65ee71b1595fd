import { type Member, type Node, parseJsonc, plainOf } from "./jsonc.ts";

/** The path to a list in a settings file. */
type Way = readonly string[];

/** The items of a list; none if there is no such list. */
export function itemsAt(text: string, way: Way): unknown[] {
  const { node, rest } = reach(parseJsonc(text), way);
  return rest.length === 0 && node.kind === "array" ? node.items.map(plainOf) : [];
}

/** Adds to a list, creating it if necessary. All other text stays as it is. */
export function withItem(text: string, way: Way, item: unknown): string {
  const root = parseJsonc(text);
  const { node, rest } = reach(root, way);
  if (rest.length === 0 && node.kind === "array") return inserted(text, node, indented(item, way.length + 1, text));
  if (node.kind !== "object")
    throw new SyntaxError(`${way.slice(0, way.length - rest.length).join(".")} is not an object`);
  const [name, ...deeper] = rest;
  const value = deeper.reduceRight<unknown>((inner, each) => ({ [each]: inner }), [item]);
  const depth = way.length - rest.length + 1;
  return inserted(text, node, `${JSON.stringify(name)}: ${indented(value, depth, text)}`);
}

/** The value at a path; undefined if there is none. */
export function memberAt(text: string, way: Way): unknown {
  const { node, rest } = reach(parseJsonc(text), way);
  return rest.length === 0 ? plainOf(node) : undefined;
}

/** Sets the value at a path, creating the path if necessary. All other text stays as it is. */
export function withMember(text: string, way: Way, value: unknown): string {
  const { node, rest } = reach(parseJsonc(text), way);
  const depth = way.length - rest.length;
  if (rest.length === 0) {
    const isThere = JSON.stringify(plainOf(node)) === JSON.stringify(value);
    return isThere ? text : text.slice(0, node.start) + indented(value, depth, text) + text.slice(node.end);
  }
  if (node.kind !== "object") throw new SyntaxError(`${way.slice(0, depth).join(".")} is not an object`);
  const [name, ...deeper] = rest;
  const nested = deeper.reduceRight<unknown>((inner, each) => ({ [each]: inner }), value);
  return inserted(text, node, `${JSON.stringify(name)}: ${indented(nested, depth + 1, text)}`);
}

/** Removes the value at a path, and everything above it that would be left empty. */
export const withoutMember = (text: string, way: Way): string =>
  memberAt(text, way) === undefined ? text : cutMember(text, way);

/** Removes items from a list, the list itself if it becomes empty, and so on upwards. */
export function withoutItems(text: string, way: Way, isOurs: (item: unknown) => boolean): string {
  const { node, rest } = reach(parseJsonc(text), way);
  if (rest.length > 0 || node.kind !== "array") return text;
  const index = node.items.findIndex((item) => isOurs(plainOf(item)));
  if (index === -1) return text;
  const less = node.items.length > 1 ? without(text, node.items, index) : cutMember(text, way);
  return withoutItems(less, way, isOurs);
}

/** Removes a member, or its parent if it is the only one. */
function cutMember(text: string, way: Way): string {
  const above = way.slice(0, -1);
  const { node } = reach(parseJsonc(text), above);
  if (node.kind !== "object") return text;
  const own = node.members.findIndex(({ name }) => name === way.at(-1));
  if (node.members.length > 1 || above.length === 0) return without(text, spans(node.members), own, node);
  return cutMember(text, above);
}

type Span = { readonly start: number; readonly end: number };
const spans = (members: readonly Member[]): Span[] => members.map(({ start, value }) => ({ start, end: value.end }));

/** Removes one entry with its comma. Removing the only one leaves an empty pair of brackets, or comments. */
function without(text: string, all: readonly Span[], index: number, whole?: Span): string {
  const { start, end } = all[index] as Span;
  const before = all[index - 1];
  if (before) return text.slice(0, before.end) + commentsIn(text.slice(before.end, start)) + text.slice(end);
  const after = all[index + 1];
  if (after) return text.slice(0, start) + commentsIn(text.slice(end, after.start)) + text.slice(after.start);
  if (!whole) return text;
  // comments beside it stay
  const rest = [text.slice(whole.start + 1, start), text.slice(end, whole.end - 1).replace(/^\s*,/, "")];
  const inside = rest.every((part) => part.trim() === "") ? "" : rest.join("").replace(/\n[ \t]*(?=\r?\n)/g, "");
  return `${text.slice(0, whole.start)}{${inside}}${text.slice(whole.end)}`;
}

/** The comments between two entries, without the comma; "" if there are none. */
const commentsIn = (between: string): string =>
  /^\s*,\s*$/.test(between)
    ? ""
    : between.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g, (found) => (found === "," ? "" : found));

/** Follows the path as far as it exists. */
function reach(root: Node, way: Way): { node: Node; rest: Way } {
  let node = root;
  for (const [index, name] of way.entries()) {
    const next = node.kind === "object" ? node.members.findLast((each) => each.name === name) : undefined;
    if (!next) return { node, rest: way.slice(index) };
    node = next.value;
  }
  return { node, rest: [] };
}

/** Inserts after the last entry of an object or a list. */
function inserted(text: string, node: Node, entry: string): string {
  const entries: readonly Span[] =
    node.kind === "object" ? spans(node.members) : node.kind === "array" ? node.items : [];
  const last = entries.at(-1);
  const unit = unitOf(text);
  const outer = indentAt(text, node.start);
  const isOneLine = last !== undefined && !text.slice(node.start, node.end).includes("\n");
  if (last) return `${text.slice(0, last.end)},${isOneLine ? " " : `\n${outer}${unit}`}${entry}${text.slice(last.end)}`;
  const [open, close] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  const inside = text.slice(node.start + 1, node.end - 1).trimEnd();
  return `${text.slice(0, node.start)}${open}${inside}\n${outer}${unit}${entry}\n${outer}${close}${text.slice(node.end)}`;
}

const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";

const indented = (value: unknown, depth: number, text: string): string => {
  const unit = unitOf(text);
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${unit.repeat(depth)}`);
};
