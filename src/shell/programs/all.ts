import type { Program } from "./program.ts";
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ls: { class: "safe", options: "-laR", operands: "list*", inert: true, risk: "low" } satisfies Program,
  }),
);
