import { describe, expect, test, vi } from "vitest";
import type { AskPerson, Context, PersonQuestion } from "../../src/index.ts";
import { bench, plain, sleep } from "./harness.ts";

const question: PersonQuestion = { question: "Which branch?", options: ["main", "next"] };
const asks = (more: object = {}) =>
  plain("asks", {
    touches: () => [{ action: "ask", target: "the branch" }],
    execute: async (_, { people }: Context) => `They say ${await people.ask(question)}.`,
    ...more,
  });

const asked = async (ask: AskPerson | undefined, tool = asks()) =>
  (await bench({}, { tools: [tool], store: "memory", ...(ask && { ask }) })).call("asks");

describe("a tool asks a person", () => {
  test("and gets the answer to exactly its question, in children as well", async () => {
    const heard: PersonQuestion[] = [];
    const { gate } = await bench({}, { tools: [asks()], store: "memory", ask: (put) => `next ${heard.push(put)}` });
    const answers = [];
    for (const each of [gate, gate.child({ agent: "helper" })])
      answers.push((await each.call({ name: "asks", args: {} })).output);
    expect(answers).toEqual(["They say next 1.", "They say next 2."]);
    expect(heard).toEqual([question, question]);
  });

  test("without being asked for approval, in the strictest autonomy too", async () => {
    const { call } = await bench({}, { tools: [asks()], store: "memory", ask: () => "main", autonomy: "readonly" });
    expect((await call("asks")).output).toBe("They say main.");
  });

  test.each<[string, AskPerson | undefined, string, RegExp]>([
    ["nobody can be asked", undefined, "CONFIG_ERROR", /^There is nobody to ask/],
    ["nothing is said", () => undefined, "CANCELLED", /did not answer/],
    ["nothing is typed", () => " \n", "CANCELLED", /did not answer/],
    ["the answer is no text", (() => true) as never, "CANCELLED", /did not answer/],
    [
      "asking fails",
      () => {
        throw new Error("the window was closed");
      },
      "UNKNOWN",
      /the window was closed/,
    ],
  ])("is told when %s", async (_, ask, code, message) => {
    const { status, error } = await asked(ask);
    expect([status, error?.code]).toEqual(["failed", code]);
    expect(error?.message).toMatch(message);
  });

  test("only if it declared that it would", async () => {
    const ask = vi.fn<AskPerson>(() => "main");
    const { error } = await asked(ask, asks({ touches: () => [{ action: "read", target: "a" }] }));
    expect(error).toMatchObject({ code: "PERMISSION_DENIED", message: /not declared/ });
    expect(ask).not.toHaveBeenCalled();
  });

  test("for as long as the person thinks, whatever its time limit", async () => {
    const slowly = async () => {
      await sleep(60);
      return "main";
    };
    expect(await asked(slowly, asks({ timeLimit: 5 }))).toMatchObject({ success: true });
  });

  test("until it is stopped, and others see meanwhile that it waits", async () => {
    const stop = new AbortController();
    let told: AbortSignal | undefined;
    const { gate } = await bench(
      {},
      {
        tools: [asks()],
        store: "memory",
        async ask(_, signal) {
          told = signal;
          await vi.waitFor(async () => expect((await gate.underWay()).map(({ tool }) => tool)).toEqual(["asks"]));
          stop.abort();
          return "too late";
        },
      },
    );
    const { status } = await gate.call({ name: "asks", args: {} }, { signal: stop.signal });
    expect([status, told?.aborted]).toEqual(["cancelled", true]);
  });
});

test("there are no agents to hand work to, and a tool is told so", async () => {
  const tool = plain("hands", {
    execute: async (_, { agents }: Context) => (await agents.run({ agent: "a", task: "t" })).output,
  });
  const { call } = await bench({}, { tools: [tool], store: "memory" });
  expect((await call("hands")).error).toMatchObject({ code: "CONFIG_ERROR", message: /no other agents/ });
});
