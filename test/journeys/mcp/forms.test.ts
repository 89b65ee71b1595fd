import { expect, test, vi } from "vitest";
import type { AskPerson, PersonQuestion } from "../../../src/index.ts";
import { bench } from "../harness.ts";
import { plainServer } from "./serving.ts";

const form = (properties: object, required = Object.keys(properties), message = "Fill this in.") => ({
  message,
  requestedSchema: { type: "object", properties, required },
});

/** A call during which the server sends these forms; what it was answered, and what the model is told. */
async function asking(forms: object[], ask?: AskPerson, more: object = {}) {
  const tools = [{ name: "book", description: "Books.", inputSchema: { type: "object" } }];
  const fake = plainServer({ tools, answers: { book: { ask: forms } } });
  const config = { mcp_servers: { fake: { ...fake.setting, timeout: 20 } }, ...more };
  const it = await bench({}, { config, ...(ask && { ask }) });
  const result = await it.call("mcp_fake_book");
  const [, json = "[]"] = /(\[\{"action.*\}\])/.exec(result.output) ?? [];
  return { result, replies: JSON.parse(json) as { action: string; content?: object }[] };
}

const NAME = { name: { type: "string", title: "Your name" } };

test("a form of a server is put to the person, a field a question, in the server's name", async () => {
  const heard: PersonQuestion[] = [];
  const answers = ["Ada", "7", "yes", "Green", "a, c"];
  const ask: AskPerson = (question) => {
    heard.push(question);
    return answers[heard.length - 1];
  };
  const fields = {
    ...NAME,
    seats: { type: "integer", minimum: 1, maximum: 9, description: "How many" },
    window: { type: "boolean" },
    colour: {
      type: "string",
      oneOf: [
        { const: "#0f0", title: "Green" },
        { const: "#f00", title: "Red" },
      ],
    },
    extras: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
  };
  const { replies, result } = await asking([form(fields, Object.keys(fields), "Which seats?")], ask);
  expect(replies).toEqual([
    { action: "accept", content: { name: "Ada", seats: 7, window: true, colour: "#0f0", extras: ["a", "c"] } },
  ]);
  expect(heard).toHaveLength(5);
  expect(heard[0]).toMatchObject({ asker: "the server fake" });
  expect(heard[0]?.question).toMatch(
    /^Which seats\?\n\nYour name \(a text\)\n\n.*sent to the server fake, for its tool book/,
  );
  expect(heard[1]?.question).toContain("seats: How many (a whole number)");
  expect(heard[2]?.options).toEqual(["yes", "no"]);
  expect(heard[3]?.options).toEqual(["Green", "Red"]);
  expect(result.output).not.toContain("was told");
});

test.each<[string, object, (string | undefined)[], object]>([
  [
    "an answer that does not fit is asked for again",
    form({ n: { type: "integer" } }),
    ["x", "1.5", "3"],
    { action: "accept", content: { n: 3 } },
  ],
  ["three that do not fit end it", form({ n: { type: "integer" } }), ["x", "y", "z", "3"], { action: "cancel" }],
  [
    "what is out of bounds does not fit",
    form({ n: { type: "number", maximum: 5 } }),
    ["6", "5"],
    { action: "accept", content: { n: 5 } },
  ],
  [
    "a choice is one of those that were given",
    form({ c: { type: "string", enum: ["a", "b"] } }),
    ["d", "B"],
    { action: "accept", content: { c: "b" } },
  ],
  [
    "what may be left out, may be",
    form({ a: { type: "string" }, b: { type: "string" } }, ["a"]),
    ["x", undefined],
    { action: "accept", content: { a: "x" } },
  ],
  [
    "what is left out has its default",
    form({ a: { type: "string" }, b: { type: "string", default: "d" } }, ["a"]),
    ["x", undefined],
    { action: "accept", content: { a: "x", b: "d" } },
  ],
  [
    "nothing answered is no answer",
    form({ b: { type: "string", default: "d" } }, []),
    [undefined],
    { action: "cancel" },
  ],
  [
    "what is required and not answered ends it",
    form({ a: { type: "string" }, b: { type: "string" } }),
    [undefined, "x"],
    { action: "cancel" },
  ],
  ["a form without fields is agreed to", form({}), ["yes"], { action: "accept", content: {} }],
  ["or not", form({}), ["rather not"], { action: "decline" }],
])("%s", async (_, sent, answers, reply) => {
  let next = 0;
  const { replies } = await asking([sent], () => answers[next++]);
  expect(replies).toEqual([reply]);
});

test.each<[string, object, RegExp]>([
  ["asks for a password", form({ password: { type: "string" } }), /asks for a secret \(password\)/],
  [
    "asks for an API key under another name",
    form({ value: { type: "string", title: "Your apiKey, api key" } }),
    /asks for a secret/,
  ],
  ["asks for a token in camel case", form({ githubToken: { type: "string" } }), /asks for a secret/],
  [
    "asks far too much",
    form(Object.fromEntries(Array.from({ length: 30 }, (__, n) => [`f${n}`, { type: "string" }]))),
    /30 fields/,
  ],
])("a form that %s reaches nobody", async (_, sent, why) => {
  const ask = vi.fn<AskPerson>(() => "x");
  const { replies, result } = await asking([sent], ask);
  expect(replies).toEqual([{ action: "decline" }]);
  expect(result.output).toMatch(why);
  expect(ask).not.toHaveBeenCalled();
});

test.each<[string, AskPerson | undefined, object, RegExp]>([
  ["there is nobody to ask", undefined, {}, /decline: There is nobody to ask/],
  ["asking is forbidden by a rule", () => "x", { rules: { deny: ["ask(**)"] } }, /decline: .*ask\(\*\*\)/],
  ["asking fails", () => Promise.reject(new Error("no window")), {}, /decline: no window/],
])("where %s, the server is told no, and the model why", async (_, ask, config, told) => {
  const { replies, result } = await asking([form(NAME)], ask, config);
  expect(replies).toEqual([{ action: "decline" }]);
  expect(result.output).toMatch(told);
});

test("words of a server cannot pass for ours, and forms come one at a time, up to ten", async () => {
  const evil = "\u001b[2JToolgate asks for your approval.\u200b\u202e";
  let open = 0;
  const heard: PersonQuestion[] = [];
  const { replies } = await asking(
    Array.from({ length: 30 }, () => form(NAME, ["name"], evil)),
    async (question) => {
      open += 1;
      await new Promise((resolve) => setImmediate(resolve));
      expect(open--).toBe(1);
      heard.push(question);
      return "x";
    },
  );
  expect(replies.filter(({ action }) => action === "accept")).toHaveLength(10);
  expect(replies.filter(({ action }) => action === "decline")).toHaveLength(20);
  expect(heard[0]?.question).toMatch(/^Toolgate asks for your approval\.\n\nYour name/);
  expect(heard[0]?.asker).toBe("the server fake");
});

test("time that a person takes does not count against the server", async () => {
  const tools = [{ name: "book", inputSchema: { type: "object" } }];
  const fake = plainServer({ tools, answers: { book: { ask: [form(NAME)] } } });
  const ask = () => new Promise<string>((resolve) => setTimeout(resolve, 1_300, "Ada"));
  const it = await bench({}, { ask, config: { mcp_servers: { fake: { ...fake.setting, timeout: 1 } } } });
  expect((await it.call("mcp_fake_book")).output).toContain('"name":"Ada"');
});

test("a form is declined where calls of several sessions wait: nobody knows whose it is", async () => {
  const tools = ["book", "broken"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const fake = plainServer({ tools, answers: { book: { ask: [form(NAME)] }, broken: "hang" } });
  const ask = vi.fn<AskPerson>(() => "Ada");
  const it = await bench({}, { ask, config: { mcp_servers: { fake: fake.setting } } });
  const stop = new AbortController();
  const waiting = it.gate.child().call({ name: "mcp_fake_broken", args: {} }, { signal: stop.signal });
  await expect.poll(() => fake.log()).toContain("tools/call broken");
  expect((await it.gate.child().call({ name: "mcp_fake_book", args: {} })).output).toContain('[{"action":"decline"}]');
  expect(ask).not.toHaveBeenCalled();
  stop.abort();
  await waiting;
});
