import { describe, expect, test, vi } from "vitest";
import type { AskedVerdict, OpenOptions, Question } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "./harness.ts";

const write = (path: string, content = "new\n") => ({ name: "write_file", args: { path, content } });
const edit = (path: string) => ({ decision: "edit", args: write(path).args });

/** A person who gives these answers one after the other, and whose questions can be looked at; in the end a no. */
async function answering(answers: readonly unknown[], options: OpenOptions = {}) {
  const left = [...answers];
  const asked: string[][] = [];
  const shownOf = ({ touches }: Question): string =>
    touches.map((touch) => ("place" in touch ? touch.place.shown : touch.action)).join("+");
  const approve = (call: Question, { others = [] }: AskedVerdict) => {
    asked.push([call, ...others.map((other) => other.call)].map(shownOf));
    return left.shift() as string;
  };
  const store = memoryStore();
  const several = Object.assign(approve, { several: true });
  const it = await bench({}, { mode: "confirm-sensitive", approve: several, store, ...options });
  return { ...it, asked, store, files: () => ["a", "b", "c", "d"].filter((file) => it.text(file) !== undefined) };
}

describe("answers to one call, one after the other", () => {
  const cases: [what: string, answers: unknown[], status: string, asked: string, files: string][] = [
    ["a yes", ["once"], "done", "a", "a"],
    ["an edit, then a yes", [edit("b"), "once"], "done", "a b", "b"],
    ["an edit to the same, then a yes", [edit("a"), "once"], "done", "a a", "a"],
    ["two edits, then a yes", [edit("b"), edit("c"), "once"], "done", "a b c", "c"],
    ["an edit, then a no", [edit("b"), "deny"], "refused", "a b", ""],
    ["an edit, then a stop", [edit("b"), "abort"], "cancelled", "a b", ""],
    ["an edit, then nothing that can be read", [edit("b"), "perhaps"], "refused", "a b", ""],
    ["nothing but edits", [edit("b"), edit("c"), edit("d"), edit("a"), "once"], "refused", "a b c", ""],
    ["an edit to what does not fit", [{ decision: "edit", args: { content: 1 } }], "invalid", "a", ""],
    ["an edit to null, which has no path", [{ decision: "edit", args: null }], "invalid", "a", ""],
    ["an edit to what leads outside", [edit("../b")], "refused", "a", ""],
    ["an edit to what is forbidden", [edit("forbidden")], "refused", "a", ""],
  ];
  test.each(cases)("%s", async (_, answers, status, asked, files) => {
    const config = { workspace: { forbidden_paths: ["forbidden"] } };
    const it = await answering(answers, { config });
    const result = await it.gate.call(write("a"));
    expect([result.status, it.asked.flat().join(" "), it.files().join(" ")]).toEqual([status, asked, files]);
    expect(await it.store.pending(), "nobody is left waiting").toEqual([]);
    expect(await it.store.locks()).toEqual([]);
  });

  test("a call that is only ever edited says that nothing was settled", async () => {
    const { gate } = await answering([edit("b"), edit("c"), edit("d")]);
    expect((await gate.call(write("a"))).error).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("could not be settled"),
    });
  });

  test("a standing yes after an edit is for the edited call alone", async () => {
    const { gate, asked } = await answering([edit("b"), "session", "deny"]);
    await gate.call(write("a"));
    expect((await gate.call(write("b", "more\n"))).status).toBe("done");
    expect((await gate.call(write("a"))).status).toBe("refused");
    expect(asked).toEqual([["a"], ["b"], ["a"]]);
  });

  test("arguments edited to what needs no question are not asked about again", async () => {
    const ran: unknown[] = [];
    const either = plain("either", {
      input: { type: "object", properties: { force: { type: "boolean" } } },
      getDangerLevel: (input) => ((input as { force: boolean }).force ? "dangerous" : "safe"),
      execute: async (input) => String(ran.push(input)),
    });
    const { call, asked } = await answering([{ decision: "edit", args: { force: false } }], { tools: [either] });
    expect((await call("either", { force: true })).status).toBe("done");
    expect([asked.length, ran]).toEqual([1, [{ force: false }]]);
  });

  test("the call is recorded with the arguments that ran", async () => {
    const { gate, store } = await answering([edit("b"), "once"]);
    await gate.call(write("a"));
    await gate.close();
    expect(await store.records({})).toMatchObject([{ target: "b", input: { path: "b" }, verdict: { by: "person" } }]);
  });

  test("what a person typed runs as it is, and is kept without secrets", async () => {
    const secret = ["ghp", "aB3dE5gH7jK9mN1pQ4sT6vX8zaB3dE5gH7jK"].join("_");
    const store = memoryStore();
    const kept: unknown[] = [];
    const answer: typeof store.answer = (...given) => {
      kept.push(given);
      return store.answer(...given);
    };
    const args = { path: "b", content: secret };
    const { gate, text } = await answering(
      [{ decision: "edit", args }, { decision: "deny", message: secret }, "once"],
      {
        store: { ...store, answer },
      },
    );
    const refused = await gate.call(write("a"));
    expect(refused.error?.message).toContain("A person said no");
    expect(JSON.stringify(kept)).toContain("[redacted GitHub token]");
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect((await gate.call({ name: "write_file", args })).status).toBe("done");
    expect(text("b")).toBe(secret);
  });
});

describe("answers to a wave", () => {
  const wave = ["a", "b", "c"].map((path) => write(path));
  const cases: [what: string, answers: unknown[], status: string, files: string][] = [
    ["a yes is for each", ["once"], "done done done", "a b c"],
    ["a no is for each", ["deny"], "refused refused refused", ""],
    ["one set of arguments is meant for none", [edit("d"), "once"], "refused refused refused", ""],
    ["what cannot be read is a no", [{ decision: "all" }], "refused refused refused", ""],
  ];
  test.each(cases)("%s", async (_, answers, status, files) => {
    const it = await answering(answers);
    const results = await it.gate.callAll(wave);
    expect(results.map((result) => result.status).join(" ")).toBe(status);
    expect(it.files().join(" ")).toBe(files);
    expect(it.asked).toEqual([["a", "b", "c"]]);
  });

  test.each([
    ["a yes", "once", "done done done", "a b c"],
    ["a no", "deny", "done done refused", "a b"],
    ["an edit, of the only call that is asked about", edit("d"), "done done done", "a b d"],
  ])("what has a standing yes is left out of the question: %s", async (_, answer, status, files) => {
    const it = await answering(["session", answer, "once"]);
    await it.gate.callAll([write("a"), write("b")]);
    const results = await it.gate.callAll(["a", "b", "c"].map((path) => write(path, "more\n")));
    expect(results.map((result) => result.status).join(" ")).toBe(status);
    expect(it.files().join(" ")).toBe(files);
    expect(it.asked.slice(0, 2)).toEqual([["a", "b"], ["c"]]);
  });

  test("a standing yes for a wave is one for each of its calls", async () => {
    const { gate, asked } = await answering(["session"]);
    await gate.callAll(wave);
    for (const path of ["a", "b", "c"]) expect((await gate.call(write(path, "more\n"))).status).toBe("done");
    expect((await gate.call(write("d"))).status).toBe("refused");
    expect(asked).toEqual([["a", "b", "c"], ["d"]]);
  });

  test("calls that disturb each other are asked about one after the other, each on top of the one before", async () => {
    const diffs: string[] = [];
    const approve = ({ diff }: Question) => {
      diffs.push(diff);
      return "once";
    };
    const it = await answering([], { approve });
    const append = { name: "write_file", args: { path: "a", content: "more\n", mode: "append" } };
    await it.gate.callAll([write("a"), append, { name: "delete_file", args: { path: "b" } }, append]);
    expect(diffs.map((diff) => diff.match(/^[-+ ]\w+$/gm)?.join(" "))).toEqual([
      "+new",
      " new +more",
      " new  more +more",
    ]);
  });

  test("a call that is refused beforehand is not asked about, and the others are", async () => {
    const it = await answering(["once"]);
    const results = await it.gate.callAll([write("a"), write("../out"), { name: "write_file", args: {} }]);
    expect(results.map((result) => result.status)).toEqual(["done", "refused", "invalid"]);
    expect(it.asked).toEqual([["a"]]);
  });
});

describe("two who answer", () => {
  test.each([
    ["deny", "once", "refused"],
    ["once", "deny", "done"],
    ["abort", "session", "cancelled"],
    ["edit", "once", "refused"],
    ["nonsense", "once", "refused"],
  ])("the store took %s first, so that %s comes too late", async (first, second, status) => {
    const store = memoryStore();
    const approve = async () => {
      const [row] = await store.pending();
      await store.answer(row?.id ?? "", first);
      return second;
    };
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve, store });
    expect((await gate.call(write("a"))).status).toBe(status);
    expect(text("a") !== undefined).toBe(status === "done");
    expect(await store.grants({})).toEqual([]);
  });

  test("the reason that came with the first answer is told", async () => {
    const store = memoryStore();
    const approve = async () => {
      const [row] = await store.pending();
      await store.answer(row?.id ?? "", "deny", "not before noon");
      return "once";
    };
    const { gate } = await bench({}, { mode: "confirm-sensitive", approve, store });
    expect((await gate.call(write("a"))).error?.message).toContain("not before noon");
  });
});

describe("a question that cannot be put, or an answer that cannot be kept, is a no", () => {
  test.each(["grants", "ask", "answer", "grant"] as const)("%s fails", async (method) => {
    const fails = { ...memoryStore(), [method]: () => Promise.reject(new Error("the disk is full")) };
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve: () => "session", store: fails });
    for (const result of [await gate.call(write("a")), ...(await gate.callAll([write("a"), write("b")]))]) {
      expect(result.success).toBe(false);
      expect(result.error?.message).toContain("the disk is full");
    }
    expect([text("a"), text("b")]).toEqual([undefined, undefined]);
  });
});

describe("a list of answers to a wave, one for each call", () => {
  const cases: [what: string, answers: unknown, statuses: string, files: string][] = [
    ["all yes", ["once", "once", "once"], "done done done", "a b c"],
    ["one no", ["once", "deny", "once"], "done refused done", "a c"],
    ["one that is missing is a no", ["once", "once"], "done done refused", "a b"],
    ["an empty list says yes to nothing", [], "refused refused refused", ""],
    ["a word that is none", ["once", "yes", "once"], "done refused done", "a c"],
    ["a list in a list is none", [["once"], "once", "once"], "refused done done", "b c"],
    ["more than there are", ["deny", "deny", "once", "once"], "refused refused done", "c"],
    ["a reason of its own", [{ decision: "deny", message: "not a" }, "once", "once"], "refused done done", "b c"],
    ["an edit of one of them", ["once", edit("d"), "deny"], "done done refused", "a d"],
    ["a stop ends the batch", ["once", "abort", "once"], "cancelled cancelled cancelled", ""],
    ["one answer is for all", "once", "done done done", "a b c"],
    ["one edit cannot be for all", edit("d"), "refused refused refused", ""],
  ];
  test.each(cases)("%s", async (_, answers, statuses, files) => {
    const it = await answering([answers, "once"]);
    const results = await it.gate.callAll(["a", "b", "c"].map((name) => write(name)));
    expect([results.map(({ status }) => status).join(" "), it.files().join(" ")]).toEqual([statuses, files]);
    expect(it.asked[0]).toEqual(["a", "b", "c"]);
    expect(await it.store.pending()).toEqual([]);
  });

  test("a standing yes in it is kept for its call alone", async () => {
    const it = await answering([["session", "once", "deny"], "deny", "deny"]);
    await it.gate.callAll(["a", "b", "c"].map((name) => write(name)));
    expect((await it.store.grants({})).map(({ shown }) => shown)).toEqual([["write(./a)"]]);
  });

  test("who cannot show several is given one call at a time, and a list of answers is none", async () => {
    const asked: string[] = [];
    const approve = ({ input }: Question) => {
      asked.push((input as { path: string }).path);
      return ["once", "once"];
    };
    const { gate } = await bench({}, { mode: "confirm-sensitive", approve });
    const results = await gate.callAll(["a", "b"].map((name) => write(name)));
    expect([asked, results.map(({ status }) => status)]).toEqual([
      ["a", "b"],
      ["refused", "refused"],
    ]);
  });
});

describe("who answered is kept", () => {
  test.each<[answer: unknown, status: string, verdict: object]>([
    ["once", "done", { answer: "allow", by: "person", reason: "a person allowed it (once)" }],
    [{ decision: "once", who: "ann" }, "done", { answer: "allow", by: "person", reason: "ann allowed it (once)" }],
    [
      { decision: "deny", who: "ann", message: "no" },
      "refused",
      { answer: "deny", by: "person", reason: "ann said no: no" },
    ],
    [{ decision: "once", who: " " }, "done", { answer: "allow", by: "person", reason: "a person allowed it (once)" }],
    [{ decision: "once", who: 7 }, "done", { answer: "allow", by: "person", reason: "a person allowed it (once)" }],
  ])("%j", async (answer, status, verdict) => {
    const it = await answering([answer]);
    expect((await it.gate.call(write("a"))).status).toBe(status);
    await it.gate.close();
    expect((await it.store.records({}))[0]?.verdict).toEqual(verdict);
  });

  test("also where the answer came from another process, and which rule answers the next call", async () => {
    const store = memoryStore();
    const it = await bench({}, { mode: "confirm-sensitive", approve: "queue", store });
    const running = it.gate.call(write("a"));
    await vi.waitFor(async () => expect(await store.pending()).toHaveLength(1));
    const [row] = await store.pending();
    await it.gate.approvals.answer(row?.id ?? "", { decision: "always", who: "bob" });
    expect((await running).status).toBe("done");
    expect((await store.approval(row?.id ?? ""))?.who).toBe("bob");
    expect(await it.gate.explain(write("a", "more"))).toMatchObject({ verdict: "allow", by: "grant" });
    await it.gate.call(write("a", "more"));
    await it.gate.close();
    expect((await store.records({})).map(({ verdict }) => verdict?.reason)).toEqual([
      "a person allowed write(./a) before",
      "bob allowed it (always)",
    ]);
  });
});
