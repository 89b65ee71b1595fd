import { expect, test } from "vitest";
import type { Policy, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "./harness.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Whoever reads the journal is asked again under the locks. */
const fickle = (next: () => string) =>
  plain("fickle", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "a.txt" }],
    preview: async (_, { journal }) => {
      await journal.changes({});
      return [{ path: "a.txt", after: bytes(next()) }];
    },
  });

test("a standing yes covers the file; what is written in the end counts, is told and is judged as it is then", async () => {
  const contents = ["small", "small", "small", "large", "small", "noted", "small", "denied"];
  const about = (word: string, said: ReturnType<Policy["judge"]>): Policy => ({
    name: word,
    content: true,
    judge: ({ changes }) =>
      changes.some(({ after }) => after && new TextDecoder().decode(after) === word) ? said : undefined,
  });
  const { call, text } = await bench(
    {},
    {
      ...{ mode: "confirm-sensitive", approve: () => "session", store: "memory" },
      tools: [fickle(() => contents.shift() ?? "")],
      policies: [
        about("large", { by: "large", reserve: [{ key: "size", limit: 0 }] }),
        about("noted", { by: "noted", notes: ["it was noted"] }),
        about("denied", { answer: "deny", by: "denied", reason: "that word" }),
      ],
    },
  );
  expect((await call("fickle")).status).toBe("done");
  expect((await call("fickle")).error?.code).toBe("RATE_LIMITED");
  expect(text("a.txt")).toBe("small");
  expect((await call("fickle")).output).toContain("it was noted");
  expect((await call("fickle")).status).toBe("refused");
  expect(text("a.txt")).toBe("noted");
});

test("a planned call is held to its plan until the files are written", async () => {
  // planned, looked at again when it is run, and once more under the locks
  const contents = ["planned", "planned", "other"];
  const { gate, text } = await bench({}, { store: "memory", tools: [fickle(() => contents.shift() ?? "planned")] });
  expect(await gate.child({ plan: true }).call({ name: "fickle" })).toMatchObject({ status: "planned" });
  const [outcome] = await gate.plans.run();
  expect(contents).toEqual([]);
  expect(outcome?.result).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
  expect(text("a.txt")).toBeUndefined();
});

test("a call that is stopped while it looks ahead takes no lock", async () => {
  const stop = new AbortController();
  const inner = memoryStore();
  let locks = 0;
  const store: Store = {
    ...inner,
    lock: (...given) => {
      locks += 1;
      return inner.lock(...given);
    },
  };
  const stopping = plain("stopping", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "a.txt" }],
    preview: async () => {
      stop.abort();
      return [{ path: "a.txt", after: bytes("new") }];
    },
  });
  const { gate, text } = await bench({}, { store, tools: [stopping] });
  expect((await gate.call({ name: "stopping" }, { signal: stop.signal })).status).toBe("cancelled");
  expect([locks, text("a.txt")]).toEqual([0, undefined]);
});
