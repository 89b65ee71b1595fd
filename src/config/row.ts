import type { Rule } from "./restrictions.ts";
import type { Kind } from "./value-kinds.ts";

/**
 * All that is known of one key. The schema that checks, the settings, what a workspace's own file may do unasked, the
 * JSON Schema and the reference in the documents are made from rows and from nothing else.
 */
export type Row<To extends string = string, Written = never, Value = never, Default = unknown> = {
  /** For people: what it does. */
  readonly says: string;
  readonly kind: Kind<Written, Value>;
  /** As it would be written; undefined: nothing is imposed. */
  readonly default: Default;
  readonly rule: Rule<NoInfer<Value>>;
  /** Where it is found in the settings. Two keys may mean the same one. */
  readonly to: To;
};

/** A row that keeps its types. */
export const row = <const To extends string, Written, Value, const Default extends NoInfer<Written> | undefined>(
  given: Row<To, Written, Value, Default>,
): Row<To, Written, Value, Default> => given;

/** What is found in the settings. */
export type ValueOf<Given> =
  Given extends Row<string, infer _Written, infer Value, infer Default>
    ? Value | (undefined extends Default ? undefined : never)
    : never;
