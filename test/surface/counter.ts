import { Tool, z } from "../../src/index.ts";

/** Counts by name, in a table of its own: nobody's count is lost, whoever counts at the same time. */
export const counter = Tool.define("count", {
  description: "Counts up the number of this name and gives it back.",
  permissions: { required: [] },
  input: z.object({ name: z.string() }),
  touches: ({ name }) => [{ action: "remember", target: `the count of ${name}` }],
  async execute({ name }, context) {
    const counts = context.table("counts");
    for (;;) {
      const before = await counts.get<number>(name);
      const after = await counts.put(name, (before?.value ?? 0) + 1, { ifVersion: before?.version ?? 0 });
      if (after) return { output: String(after.value), metadata: { count: after.value } };
    }
  },
});
