import { expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench } from "./harness.ts";

test.each<[name: string, args: object, told: string[]]>([
  ["run_command", { command: "touch made" }, ["touch made, on the disk"]],
  ["write_file", { path: "made", content: "x" }, ["made, with the intent for made"]],
  ["read_file", { path: "a.txt" }, []],
  ["run_command", { command: "sudo ls" }, []],
])("%s %j is told to the store before it begins: %j", async (name, args, expected) => {
  const told: string[] = [];
  const inner = memoryStore();
  const store = {
    ...inner,
    begin: (...[calls, durable]: Parameters<typeof inner.begin>) => {
      told.push(...calls.map(({ target }) => `${target}${durable ? ", on the disk" : ""}`));
      return inner.begin(calls, durable);
    },
    intend: (...[changes, begun]: Parameters<typeof inner.intend>) => {
      if (begun) told.push(`${begun.target}, with the intent for ${changes.map(({ shown }) => shown)}`);
      return inner.intend(changes, begun);
    },
  };
  const { call, gate } = await bench({ "a.txt": "one\n" }, { store });
  await call(name, args);
  // what takes a while is shown before its work begins, and before anybody knows what it is about
  expect(told.filter((each) => each !== "")).toEqual(expected);
  await gate.close();
  expect(await inner.underWay(), "when it has ended").toEqual([]);
});
