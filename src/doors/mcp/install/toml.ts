import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";

type Table = Record<string, unknown>;

/** The table at a path; undefined if there is none. */
export function tableAt(text: string, way: readonly string[]): unknown {
  return way.reduce<unknown>((table, name) => (table as Table | undefined)?.[name], read(text));
}

/** Writes a table after all others, replacing an existing one. All other text stays as it is. */
export function withTable(text: string, way: readonly string[], table: object): string {
  const rest = withoutTable(text, way).trimEnd();
  const block = `[${way.join(".")}]\n${stringify(table).trimEnd()}\n`;
  const after = rest === "" ? block : `${rest}\n\n${block}`;
  const [last = "", ...above] = [...way].reverse();
  const changed = above.reduce<unknown>((inner, name) => ({ [name]: inner }), { [last]: table });
  return checked(after, merged(read(text), changed as Table));
}

/** Removes the table and those below it. */
export function withoutTable(text: string, way: readonly string[]): string {
  if (tableAt(text, way) === undefined) return text;
  let isOurs = false;
  const kept = text.split(/(?<=\n)/).filter((line) => {
    const [, header] = /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line.trimEnd()) ?? [];
    if (header !== undefined) isOurs = startsWith(namesIn(header), way);
    else if (/^\s*\[\[/.test(line)) isOurs = false;
    return !isOurs;
  });
  return checked(kept.join(""), without(read(text), way));
}

const namesIn = (header: string): string[] =>
  header.split(".").map((name) => name.trim().replace(/^(["'])(.*)\1$/, "$2"));
const startsWith = (names: readonly string[], way: readonly string[]): boolean =>
  way.every((name, index) => names[index] === name);

/** Tables can be written in several ways. Throws if the edit would not have exactly the intended effect. */
function checked(text: string, wanted: Table): string {
  if (!isDeepStrictEqual(plain(read(text)), plain(wanted)))
    throw new SyntaxError("its tables are written in a way that cannot be changed here");
  return text;
}

function read(text: string): Table {
  try {
    return parse(text) as Table;
  } catch (error) {
    throw new SyntaxError(`it is not valid TOML (${(error as Error).message.split("\n", 1)[0]})`);
  }
}

/** Without the parser's classes and without empty tables. */
const plain = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(plain);
  const members = Object.entries(value).map(([name, each]) => [name, plain(each)] as const);
  return Object.fromEntries(members.filter(([, each]) => !isEmpty(each)));
};

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? Object.keys(value).length === 0
    : false;

function merged(table: Table, more: Table): Table {
  const [[name, value] = ["", undefined]] = Object.entries(more);
  const inner = table[name] as Table | undefined;
  const isLeaf = typeof value !== "object" || value === null || !Object.values(value).every(isTable);
  return { ...table, [name]: isLeaf ? value : merged(inner ?? {}, value as Table) };
}

const isTable = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function without(table: Table, [name = "", ...deeper]: readonly string[]): Table {
  const { [name]: inner, ...rest } = table;
  return deeper.length === 0 ? rest : { ...rest, [name]: without(inner as Table, deeper) };
}
