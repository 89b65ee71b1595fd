import { expect, test } from "vitest";
import { bench, plain } from "./harness.ts";

test("a tool's tables are its own, and stay between its calls", async () => {
  const keeping = (name: string) =>
    plain(name, {
      execute: async (_, { table }) => {
        for (const each of [table(), table("notes")]) await each.put(`${name} ${(await each.list()).length}`, true);
        const kept = [...(await table().list()), ...(await table("notes").list())];
        return kept.map(({ key }) => key).join(", ");
      },
    });
  const { call } = await bench({}, { store: "memory", tools: [keeping("one"), keeping("two")] });
  expect((await call("one")).output).toBe("one 0, one 0");
  expect((await call("two")).output).toBe("two 0, two 0");
  expect((await call("one")).output).toBe("one 0, one 1, one 0, one 1");
});
