import type { Arguments } from "../core/contracts/arguments.ts";
import type { Compile } from "./messages.ts";
import { parser } from "./parse.ts";
import { forModel, shownSchema, toJsonSchema } from "./schema.ts";

/** `compile` checks the JSON Schemas of other people's tools. */
export const argumentsWith = (compile: Compile): Arguments => ({
  parser: (shape) => parser(shape, compile),
  schema: (format, { name, description, input, rare, rename }) =>
    forModel(format, { name, description, parameters: shownSchema(toJsonSchema(input), rare, rename) }),
});
