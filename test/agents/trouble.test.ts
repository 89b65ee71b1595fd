import { describe, expect, test } from "vitest";
import type { Model } from "../../src/agents/crew.ts";
import { openAgent } from "../../src/open-agent.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "../journeys/harness.ts";
import { type Answer, calls, delta, service, text } from "./service.ts";

const APPEND = { id: "a1", name: "write_file", args: { path: "log.txt", content: "once\n", mode: "append" } };
const READ = { id: "r1", name: "read_file", args: { path: "a.txt" } };
const MOST_CALLS = 128;
const end = (finish_reason: string | null) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
const asked = (...tool_calls: object[]) => delta({ tool_calls });
const broken = (chunks: (object | string)[], cut = false): Answer => ({ chunks, ...(cut && { cut }) });
const soon = { "retry-after-ms": "1" };

/** Plays these answers, and looks at all that must hold however they are. */
async function survived(answers: Answer[], limits: object = {}) {
  const { model, requests } = await service(answers);
  const [dir, store] = [folder({ "a.txt": "one\n" }), memoryStore()];
  const { gate, crew } = await openAgent({ workspace: dir, mode: "yolo", store, sandbox: "off", model });
  const signal = new AbortController().signal;
  const outcome = await crew.lead({ gate, agent: "build", task: "go", signal, limits });
  const told = await crew.sessions?.told(gate.sessionID);
  await gate.close();

  const records = await store.records({ session: gate.sessionID, limit: 10_000 });
  const made: string[] = [];
  for (const [index, message] of outcome.messages.entries()) {
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const next = outcome.messages[index + 1];
    expect(next?.role === "tool" && next.answers.map(({ id }) => id)).toEqual(message.calls.map(({ id }) => id));
    made.push(...message.calls.slice(0, MOST_CALLS).map(({ id }) => id));
  }
  expect(new Set(made).size, "each call has an id of its own").toBe(made.length);
  expect(records.map(({ call }) => call).sort(), "each call is on record, once").toEqual([...made].sort());
  expect(told?.lines.map(({ message }) => message.role)).toEqual(outcome.messages.map(({ role }) => role));
  return { outcome, requests, dir, made, log: (await store.changes({ session: gate.sessionID })).length };
}

describe("whatever a service answers once, the work is done once, and everything is on record", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  test.each<[what: string, trouble: Answer]>([
    ["429 with Retry-After in seconds", { status: 429, headers: { "retry-after": "0" } }],
    ["429 with Retry-After as a date", { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } }],
    ["429 with milliseconds", { status: 429, headers: soon }],
    ["500 with a page", { status: 500, headers: { ...soon, "content-type": "text/html" }, body: "<h1>Oh no</h1>" }],
    ["503 without a body", { status: 503, headers: soon, body: "" }],
    ["408", { status: 408, headers: soon }],
    ["a stream that ends at once", broken([])],
    ["a stream that is cut before the first word", broken([], true)],
    [
      "a stream that is cut in the middle of a call",
      broken([asked({ index: 0, id: "a1", function: { name: "write_file", arguments: '{"path": "log' } })], true),
    ],
    [
      "a stream that is cut after a whole call",
      broken(
        [
          asked({
            index: 0,
            id: "a1",
            type: "function",
            function: { name: "write_file", arguments: JSON.stringify(APPEND.args) },
          }),
        ],
        true,
      ),
    ],
    ["an error in the stream", broken([delta({ content: "I w" }), { error: { message: "overloaded", code: 529 } }])],
    ["chunks that are no JSON among others", broken([delta({ content: "I w" }), "{]", end("stop")])],
    ["arguments that are cut off", calls({ id: "x", name: "write_file", args: '{"path": "b.txt", "content": "x' })],
    ["arguments that are nested without end", calls({ id: "x", name: "read_file", args: deep })],
    [
      "arguments that are null, a number, a text",
      calls(...["null", "7", '"a.txt"'].map((args, n) => ({ id: `x${n}`, name: "list_files", args }))),
    ],
    ["empty arguments", calls({ id: "x", name: "list_files", args: "" })],
    [
      "unknown tools, among them names of objects' own",
      calls(...["fly", "__proto__", "constructor", "toString"].map((name, n) => ({ id: `x${n}`, name, args: {} }))),
    ],
    ["a name that is very long", calls({ id: "x", name: "n".repeat(100_000), args: {} })],
    ["wrong types", calls({ id: "x", name: "read_file", args: { path: ["a.txt"], limit: {} } })],
    ["the same id again and again", calls(READ, READ, { ...READ, args: { path: "none" } })],
    ["ids that are empty", calls({ ...READ, id: "" }, { ...READ, id: "" })],
    ["ids that are others' numbered ones", calls(READ, { ...READ, id: "r1_2" }, READ)],
    [
      "thousands of calls",
      calls(
        ...Array.from({ length: 3000 }, (_, n) => ({ id: `m${n % 7}`, name: "file_info", args: { path: "a.txt" } })),
      ),
    ],
    [
      "a reason to end that nobody knows",
      broken([
        delta({ content: "hm" }),
        asked({ index: 0, id: "r1", type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } }),
        end("because"),
      ]),
    ],
    ["an empty answer", broken([end("stop")])],
    ["an answer without room", broken([delta({ content: "half" }), end("length")])],
  ])("%s", async (_, trouble) => {
    const { outcome, log } = await survived([trouble, calls(APPEND), text("Done.")]);
    expect(outcome.stopped).toBeUndefined();
    expect(outcome).toMatchObject({ finished: true, output: "Done." });
    expect(log, "the file was changed once").toBe(1);
  });
});

describe("whatever a service answers always, the loop ends, and says why", () => {
  test.each<[what: string, trouble: Answer]>([
    ["500", { status: 500, headers: soon }],
    ["429", { status: 429, headers: soon }],
    ["401", { status: 401, headers: soon }],
    ["a page", { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" }],
    ["nothing that can be read", broken(["{]"])],
  ])(
    "%s",
    async (_, trouble) => {
      const { outcome, requests } = await survived(Array.from({ length: 12 }, () => trouble));
      expect(outcome).toMatchObject({
        finished: false,
        stopped: expect.stringContaining("the model could not be asked"),
      });
      expect(requests.length).toBeLessThanOrEqual(4);
    },
    20_000,
  );

  test.each<[what: string, trouble: Answer]>([
    ["empty answers", broken([end("stop")])],
    ["calls of what is not there", calls({ id: "x", name: "fly", args: {} })],
    ["the same call", calls(READ)],
  ])("%s", async (_, trouble) => {
    const { outcome } = await survived(
      Array.from({ length: 12 }, () => trouble),
      { steps: 8 },
    );
    expect(outcome.finished).toBe(false);
  });
});

test.each<[what: string, headers: Record<string, string>, ms: [from: number, to: number]]>([
  ["seconds", { "retry-after": "7" }, [7000, 7000]],
  ["a date that is over", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, [0, 0]],
  ["a date to come", { "retry-after": new Date(Date.now() + 20_000).toUTCString() }, [1, 20_000]],
  ["milliseconds before seconds", { "retry-after-ms": "30", "retry-after": "9" }, [30, 30]],
  ["an hour, which is too long", { "retry-after": "3600" }, [30_000, 30_000]],
  ["something else", { "retry-after": "soon" }, [500, 500]],
  ["nothing", {}, [500, 500]],
])("how long it waits is what the service says: %s", async (_, headers, [from, to]) => {
  const { model, waits } = await service([{ status: 429, headers }, text("Done.")]);
  const request = { system: "", messages: [], tools: [], signal: new AbortController().signal };
  expect((await model.turn(request)).text).toBe("Done.");
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(from);
  expect(waits[0]).toBeLessThanOrEqual(to);
});

test.each([
  ["gives up when it is told to", true],
  ["does not listen", false],
])(
  "a model that does not answer and %s does not outlast the time, and is asked for a last word",
  async (_, listens) => {
    let turns = 0;
    const hanging: Model = {
      name: "hanging",
      turn: ({ signal, tools }) => {
        turns++;
        if (tools.length === 0) return Promise.resolve({ text: "nothing was done", calls: [] });
        return new Promise((_, reject) => listens && signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const { gate, crew } = await openAgent({ workspace: folder(), store: "memory", model: hanging });
    const signal = new AbortController().signal;
    const outcome = await crew.lead({ gate, agent: "build", task: "go", signal, limits: { seconds: 0.05 } });
    await gate.close();
    expect(outcome).toMatchObject({
      finished: false,
      output: "nothing was done",
      stopped: expect.stringMatching(/^The time of/),
    });
    expect(turns).toBe(2);
  },
);

test("an agent without tools has no more time than others", async () => {
  const asked: string[] = [];
  const hanging: Model = {
    name: "hanging",
    turn: ({ messages, tools, signal }) => {
      const last = messages.at(-1);
      const isLast = last?.role === "user" && last.text.includes("Say what is done");
      asked.push(`${isLast ? "last" : "turn"} with ${tools.length} tools`);
      if (isLast) return Promise.resolve({ text: "nothing was done", calls: [] });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const files = { ".toolgate/agents/talker.md": "---\ndescription: Talks.\ntools: []\n---\nTalk.\n" };
  const { gate, crew } = await openAgent({ workspace: folder(files), store: "memory", model: hanging });
  const signal = new AbortController().signal;
  const outcome = await crew.lead({ gate, agent: "talker", task: "go", signal, limits: { seconds: 0.05 } });
  await gate.close();
  expect(outcome).toMatchObject({ finished: false, output: "nothing was done" });
  expect(asked).toEqual(["turn with 0 tools", "last with 0 tools"]);
});
