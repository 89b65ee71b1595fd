import * as z from "zod";
import { KEYS } from "./keys.ts";
import type { Row } from "./row.ts";

function mapping(shape: Record<string, z.ZodType>, names = Object.keys(shape)) {
  const accepted = `a mapping with ${names.join(", ")}`;
  // an unknown key has a message of its own, which is made where its neighbours are known
  return z.strictObject(shape, { error: accepted });
}

type AnyRow = Pick<Row<string, unknown, unknown>, "says" | "default"> & { kind: { schema(zod: typeof z): z.ZodType } };

/** The default as people would write it; nothing where nothing is imposed. */
export const defaultOf = ({ default: written }: Pick<AnyRow, "default">): string | undefined =>
  written === undefined || isEmpty(written) ? undefined : String(written);

/** A list or a mapping with nothing in it. */
export const isEmpty = (written: unknown): boolean =>
  typeof written === "object" && written !== null && Object.keys(written).length === 0;

export const withoutLinks = (says: string): string => says.replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1");

function describedSchema(row: AnyRow): z.ZodType {
  const usual = defaultOf(row);
  const says = usual === undefined ? row.says : `${row.says} Default: ${usual}.`;
  return row.kind.schema(z).optional().describe(withoutLinks(says));
}

const SECTIONS = sectionsOf(KEYS as unknown as Record<string, AnyRow>);

/** Rows whose keys have a dot become mappings in a mapping. */
function sectionsOf(rows: Readonly<Record<string, AnyRow>>) {
  const sections: Record<string, AnyRow | Map<string, AnyRow>> = {};
  for (const [key, row] of Object.entries(rows)) {
    const [first = "", field] = key.split(".");
    const section = sections[first];
    if (field === undefined) sections[first] = row;
    else if (section instanceof Map) section.set(field, row);
    else sections[first] = new Map([[field, row]]);
  }
  return sections;
}

const made = new Map<string, z.ZodType>();

function sectionSchema(name: string): z.ZodType {
  const known = made.get(name);
  if (known) return known;
  const section = SECTIONS[name] as AnyRow | Map<string, AnyRow>;
  const schema =
    section instanceof Map
      ? mapping(Object.fromEntries([...section].map(([field, row]) => [field, describedSchema(row)]))).optional()
      : describedSchema(section);
  made.set(name, schema);
  return schema;
}

const NAMES = Object.keys(SECTIONS);

const schemaWith = (names: readonly string[]) =>
  mapping(Object.fromEntries(names.map((name) => [name, sectionSchema(name)])), NAMES);

export const configSchema = () => schemaWith(NAMES);

/** Has only the keys that are written: to make the schema of all keys takes longer than to open a gate. */
export const schemaFor = (written: unknown) => schemaWith(NAMES.filter((name) => name in Object(written)));

/** For editors; the same schema that checks. */
export const configJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(configSchema(), { io: "input" }),
  title: "toolgate.yaml",
});
