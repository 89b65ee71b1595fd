import * as z from "zod";
import { KEYS } from "./keys.ts";
import type { Row } from "./row.ts";

function mapping(shape: Record<string, z.ZodType>) {
  const accepted = `a mapping with ${Object.keys(shape).join(", ")}`;
  return z.strictObject(shape, { error: (issue) => (issue.code === "invalid_type" ? accepted : undefined) });
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

/** Rows whose keys have a dot become mappings in a mapping. */
function schemaOf(rows: Readonly<Record<string, AnyRow>>) {
  const shape: Record<string, z.ZodType> = {};
  const sections: Record<string, Record<string, z.ZodType>> = {};
  for (const [key, row] of Object.entries(rows)) {
    const [first = "", field] = key.split(".");
    if (field === undefined) shape[first] = describedSchema(row);
    else {
      sections[first] = { ...sections[first], [field]: describedSchema(row) };
      shape[first] = mapping(sections[first]).optional();
    }
  }
  return mapping(shape);
}

export const configSchema = schemaOf(KEYS as unknown as Record<string, AnyRow>);

/** For editors; the same schema that checks. */
export const configJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(configSchema, { io: "input" }),
  title: "toolgate.yaml",
});
