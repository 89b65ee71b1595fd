import * as z from "zod";
import { KEYS } from "./keys.ts";
import type { Row } from "./row.ts";

function mapping(shape: Record<string, z.ZodType>, names = Object.keys(shape)) {
  const accepted = `a mapping with ${names.join(", ")}`;
  // unknown keys get their message elsewhere, where similar keys are known
  return z.strictObject(shape, { error: accepted });
}

type AnyRow = Pick<Row<string, unknown, unknown>, "says" | "default"> & { kind: { schema(zod: typeof z): z.ZodType } };

/** The default as it would be written; undefined if nothing is imposed. */
export const defaultOf = ({ default: written }: Pick<AnyRow, "default">): string | undefined =>
  written === undefined || isEmpty(written) ? undefined : String(written);

export const isEmpty = (written: unknown): boolean =>
  typeof written === "object" && written !== null && Object.keys(written).length === 0;

export const withoutLinks = (says: string): string => says.replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1");

function describedSchema(row: AnyRow): z.ZodType {
  const usual = defaultOf(row);
  const says = usual === undefined ? row.says : `${row.says} Default: ${usual}.`;
  return row.kind.schema(z).optional().describe(withoutLinks(says));
}

const SECTIONS = sectionsOf(KEYS as unknown as Record<string, AnyRow>);

/** Groups rows whose keys contain a dot into sections. */
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

/** Contains only the keys that are written: building the schema of all keys takes longer than opening a gate. */
export const schemaFor = (written: unknown) => schemaWith(NAMES.filter((name) => name in Object(written)));

/** For editors, from the same schema that is used for checking. */
export const configJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(configSchema(), { io: "input" }),
  title: "toolgate.yaml",
});
