import type { Rule } from "./restrictions.ts";
import type { Kind } from "./value-kinds.ts";

/**
 * Everything about one key. The schema, the settings, what a workspace's own file may change without trust, the JSON
 * Schema and the reference in the docs are all derived from rows.
 */
export type Row<To extends string = string, Written = never, Value = never, Default = unknown> = {
  /** For people: what it does. */
  readonly says: string;
  readonly kind: Kind<Written, Value>;
  /** As it would be written; undefined if nothing is imposed. */
  readonly default: Default;
  readonly rule: Rule<NoInfer<Value>>;
  /** Its path in the settings. Two keys may share one. */
  readonly to: To;
};

/** Preserves the types of a row. */
export const row = <const To extends string, Written, Value, const Default extends NoInfer<Written> | undefined>(
  given: Row<To, Written, Value, Default>,
): Row<To, Written, Value, Default> => given;

/** The type of the setting. */
export type ValueOf<Given> =
  Given extends Row<string, infer _Written, infer Value, infer Default>
    ? Value | (undefined extends Default ? undefined : never)
    : never;
