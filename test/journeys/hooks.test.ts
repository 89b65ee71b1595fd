import { describe, expect, test } from "vitest";
import type { Hook, HookAnswer, OpenOptions } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

const write = { name: "write_file", args: { path: "a", content: "a\n" } };
const hook = (name: string, before: Hook["before"], more: Partial<Hook> = {}): Hook => ({
  name,
  ...(before && { before }),
  ...more,
});
const saying = (answer: unknown) => hook("says", () => answer as HookAnswer);
const hooked = (hooks: Hook[], options: OpenOptions = {}) => bench({}, { store: "memory", hooks, ...options });

describe("what a hook says before a call", () => {
  const boom = hook("says", () => {
    throw new Error("boom");
  });
  const cases: [what: string, hook: Hook, asked: string, status: string][] = [
    ["nothing", saying(undefined), "", "done"],
    ["allow", saying({ decision: "allow" }), "", "done"],
    ["context alone", saying({ context: "mind the gap" }), "", "done"],
    ["deny", saying({ decision: "deny", reason: "no" }), "", "refused"],
    ["deny, with other arguments", saying({ decision: "deny", args: write.args }), "", "refused"],
    ["ask", saying({ decision: "ask", reason: "unsure" }), "unsure", "done"],
    ["a throw", boom, "the hook failed: boom", "done"],
    ["a rejection", hook("says", () => Promise.reject(new Error("late"))), "the hook failed: late", "done"],
    ["a word nobody knows", saying({ decision: "block" }), "the hook gave an answer that cannot be understood", "done"],
    ["true", saying(true), "the hook gave an answer that cannot be understood", "done"],
    ["what is not about this call", { ...boom, applies: () => false }, "", "done"],
    [
      "a throw when asked whether it applies",
      { ...boom, applies: boom.before as never },
      "the hook failed: boom",
      "done",
    ],
  ];
  test.each(cases)("%s", async (_, each, reason, status) => {
    const asked: string[] = [];
    const approve: OpenOptions["approve"] = (_call, verdict) => {
      asked.push(verdict.reason);
      return "always";
    };
    const { gate, text } = await hooked([each], { approve });
    const result = await gate.call(write);
    expect([asked.join(), result.status, text("a")]).toEqual([reason, status, status === "done" ? "a\n" : undefined]);
    // what a hook asks is never answered by a standing yes
    if (reason) await gate.call(write);
    if (reason) expect(asked).toHaveLength(2);
  });

  test("an ask that nobody can be asked is a no", async () => {
    const { gate, text } = await hooked([saying({ decision: "ask" })]);
    expect([(await gate.call(write)).status, text("a")]).toEqual(["refused", undefined]);
  });

  test("an allow makes no verdict milder", async () => {
    const { gate } = await hooked([saying({ decision: "allow" })], { mode: "confirm-all" });
    expect((await gate.call(write)).status).toBe("refused");
  });
});

describe("several hooks", () => {
  test("hear of a call in order, each with the arguments that the one before left", async () => {
    const heard: string[] = [];
    const adding = (letter: string) =>
      hook(letter, ({ args }) => {
        const { path } = args as { path: string };
        heard.push(`${letter}:${path}`);
        return { args: { path: `${path}${letter}`, content: "x\n" }, context: `${letter} was here` };
      });
    const { gate, text } = await hooked([adding("1"), adding("2"), adding("3")]);
    const { output } = await gate.call(write);
    expect(heard).toEqual(["1:a", "2:a1", "3:a12"]);
    expect([text("a"), text("a123")]).toEqual([undefined, "x\n"]);
    expect(output).toMatch(/\[1\] 1 was here[\s\S]*\[2\] 2 was here[\s\S]*\[3\] 3 was here/);
  });

  test("a no ends the call: those behind it hear nothing", async () => {
    let heard = 0;
    const { gate } = await hooked([saying({ decision: "deny" }), hook("counts", () => void heard++)]);
    expect((await gate.call(write)).error?.message).toBe("Refused by the hook says: it gave no reason");
    expect(heard).toBe(0);
  });

  test("its reason is told whatever its name is, and secrets in it are not", async () => {
    const reason = "a.py:3, password=hunter2-x";
    const { gate } = await hooked([hook("validate-secrets", () => ({ decision: "deny", reason }))]);
    expect((await gate.call(write)).error?.message).toBe(
      "Refused by the hook “validate-secrets”: a.py:3, password=[redacted password]",
    );
  });

  test("what one asks stands, whatever the next says", async () => {
    const asked: string[] = [];
    const approve: OpenOptions["approve"] = (_call, { by }) => String(asked.push(by));
    const { gate } = await hooked([saying({ decision: "ask" }), hook("allows", () => ({ decision: "allow" }))], {
      approve,
    });
    expect((await gate.call(write)).status).toBe("refused");
    expect(asked).toEqual(["hook says"]);
  });
});

describe("arguments that a hook changed", () => {
  const changing = (args: unknown) => hook("changes", () => ({ args }));
  const cases: [what: string, args: unknown, status: string][] = [
    ["to what leads outside", { path: "../a", content: "x" }, "refused"],
    ["to what is forbidden", { path: "secret", content: "x" }, "refused"],
    ["to what does not fit", { content: 1 }, "invalid"],
    ["to null", null, "invalid"],
    ["to something else", { path: "b", content: "x" }, "done"],
  ];
  test.each(cases)("%s are judged anew", async (_, args, status) => {
    const config = { workspace: { forbidden_paths: ["secret"] } };
    const { gate, text } = await hooked([changing(args)], { config });
    expect([(await gate.call(write)).status, text("a")]).toEqual([status, undefined]);
  });

  test("are what a person is asked about, and what they edit is heard of again", async () => {
    const shown: unknown[] = [];
    const heard: unknown[] = [];
    const noting = hook("notes", ({ args }) => {
      heard.push((args as { path: string }).path);
      return heard.length === 1 ? { args: { path: "b", content: "x\n" } } : undefined;
    });
    const { gate, text } = await hooked([noting], {
      mode: "confirm-all",
      approve: ({ input }) => {
        shown.push((input as { path: string }).path);
        return shown.length === 1 ? { decision: "edit", args: { path: "c", content: "y\n" } } : "once";
      },
    });
    expect((await gate.call(write)).status).toBe("done");
    expect([heard, shown, text("c"), text("b")]).toEqual([["a", "c"], ["b", "c"], "y\n", undefined]);
  });
});

describe("after a call", () => {
  test("hooks add to the result, in order; one that fails is named, and nothing is undone", async () => {
    const said: string[] = [];
    const telling = (name: string, text: string | undefined): Hook => ({
      name,
      after: (_, { status }) => {
        said.push(`${name} ${status}`);
        if (text === undefined) throw new Error("boom");
        return text;
      },
    });
    const { gate, text } = await hooked([telling("one", "first"), telling("two", undefined), telling("three", "last")]);
    const { status, output } = await gate.call(write);
    expect([status, text("a"), said]).toEqual(["done", "a\n", ["one done", "two done", "three done"]]);
    expect(output).toMatch(/\[one\] first\n\n\[The hook two failed: boom\]\n\n\[three\] last$/);
  });

  test("they hear of what ran and failed, not of what never ran", async () => {
    const heard: string[] = [];
    const listening: Hook = { name: "hears", after: ({ tool }, { status }) => void heard.push(`${tool} ${status}`) };
    const fails = plain("fails", { execute: () => ({ output: "", error: "no" }) });
    const { gate } = await hooked([listening], { tools: [fails] });
    await gate.call({ name: "fails" });
    await gate.call({ name: "write_file", args: { path: "../a", content: "" } });
    await gate.call({ name: "nothing" });
    expect(heard).toEqual(["fails failed"]);
  });
});

test.each([{ plan: true }, { dryRun: true }])(
  "in %j no hook runs, and explain names those it left out",
  async (options) => {
    let heard = 0;
    const counting = hook("counts", () => void heard++, { after: () => void heard++ });
    const { gate } = await hooked([counting], options);
    expect((await gate.call(write)).status).toBe("planned");
    expect((await gate.explain(write)).leftOut).toContain("the hook counts");
    expect(heard).toBe(0);
  },
);

test("a call that is stopped while a hook thinks is over at once", async () => {
  const stop = new AbortController();
  const { gate, text } = await hooked([
    hook("thinks", () => {
      stop.abort();
      return new Promise(() => {});
    }),
  ]);
  expect((await gate.call(write, { signal: stop.signal })).status).toBe("cancelled");
  expect(text("a")).toBeUndefined();
});
