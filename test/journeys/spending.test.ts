import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, folder, plain } from "./harness.ts";

const look = { name: "looks", args: {} };
const tools = [
  plain("looks"),
  plain("fetches", {
    permissions: { required: ["network"] },
    touches: () => [{ action: "fetch", url: "https://example.com/" }],
  }),
];

describe("what calling the model took", () => {
  test("counts on a session and all above it, until a budget is used up", async () => {
    const { gate } = await bench(
      {},
      { tools, store: "memory", config: { budget: { max_tokens: 100, max_cost: 0.3 } } },
    );
    const below = gate.child({ budget: { maxTokens: 50 } });
    const further = below.child();
    expect(await further.spend({ tokens: 49, cost: 0.1 })).toEqual({});
    expect((await further.call(look)).status).toBe("done");
    expect(await further.spend({ tokens: 1, cost: 0.1 })).toEqual({
      usedUp: "all 50 tokens of this session are used up",
    });
    for (const gone of [below, further])
      expect((await gone.call(look)).error).toMatchObject({
        code: "RATE_LIMITED",
        message: expect.stringContaining("all 50 tokens"),
      });
    expect((await gate.call(look)).status).toBe("done");
    expect(await gate.spend({ cost: 0.1 })).toEqual({ usedUp: "the cost of this session has reached 0.3" });
    expect((await gate.child().call(look)).status).toBe("refused");
  });

  test("is counted across gates that share a store and a session", async () => {
    const [store, dir] = [memoryStore(), folder()];
    const config = { budget: { max_tokens: 10 } };
    const one = (await bench({}, { tools, store, dir, config })).gate;
    await Promise.all(Array.from({ length: 10 }, () => one.child().spend({ tokens: 1 })));
    expect((await one.call(look)).status).toBe("refused");
  });

  test.each([{ tokens: -1 }, { tokens: Number.NaN }, { cost: Number.POSITIVE_INFINITY }])(
    "%j is refused",
    async (spending) => {
      const { gate } = await bench({}, { tools, store: "memory" });
      await expect(gate.spend(spending)).rejects.toThrow(/accepted: a number from 0/);
    },
  );

  test("0 allows nothing, unlimited everything; for actions an hour 0 is unlimited, too", async () => {
    const ends = async (config: object) =>
      (await (await bench({}, { tools, store: "memory", config })).call("write_file", { path: "a", content: "x" }))
        .status;
    for (const key of ["max_calls", "max_changes", "max_tokens", "max_cost"]) {
      expect([key, await ends({ budget: { [key]: 0 } })]).toEqual([key, "refused"]);
      expect([key, await ends({ budget: { [key]: "unlimited" } })]).toEqual([key, "done"]);
    }
    for (const none of [0, "unlimited"]) expect(await ends({ security: { max_actions_per_hour: none } })).toBe("done");
  });
});

describe("text from outside", () => {
  test("makes what could carry data out a matter of a person's own word, above and below", async () => {
    const asked: string[] = [];
    const { gate, call } = await bench(
      {},
      {
        ...{ tools, store: "memory", sandbox: "off", config: { trust: { outside_text: "ask" } } },
        approve: async (question, { by }) => {
          asked.push(`${question.tool} ${by}`);
          return "always";
        },
      },
    );
    expect((await call("run_command", { command: "curl --version" })).status).not.toBe("refused");
    expect(asked).toEqual([]);
    await gate.child().call({ name: "fetches", args: {} });
    for (let n = 0; n < 2; n++) await call("fetches");
    await call("run_command", { command: "make all" });
    await gate.child().call({ name: "fetches", args: {} });
    await call("run_command", { command: "ls" });
    await call("looks");
    await call("write_file", { path: "a", content: "x" });
    expect(asked).toEqual(["fetches trust", "fetches trust", "run_command trust", "fetches trust"]);
  });
});

describe("what a child may have", () => {
  test.each<[tools: string[], may: string[], mayNot: string[]]>([
    [["files"], ["read_file", "write_file"], ["run_command", "looks"]],
    [["commands", "Read"], ["run_command", "read_file"], ["write_file"]],
    [["*"], ["looks", "run_command"], []],
    [["files", "looks"], ["looks", "grep"], ["process"]],
  ])("%j", async (names, may, mayNot) => {
    const { gate } = await bench({}, { tools, store: "memory" });
    const shown = gate
      .child({ tools: names })
      .schemas()
      .map((schema) => (schema as { function: { name: string } }).function.name);
    for (const name of may) expect(shown).toContain(name);
    for (const name of mayNot) {
      expect(shown).not.toContain(name);
      const { verdict } = await gate
        .child({ tools: names })
        .child({ tools: ["*"] })
        .explain({ name, args: { command: "ls", path: "a", content: "", action: "list" } });
      expect([name, verdict]).toEqual([name, "deny"]);
    }
  });

  test("a name of nothing is a mistake", async () => {
    const { gate } = await bench({}, { store: "memory" });
    expect(() => gate.child({ tools: ["filess"] })).toThrow(/do not exist: filess/);
  });
});
