import { expect, test } from "vitest";
import { render } from "../../../src/index.ts";
import { bench } from "../harness.ts";
import { plainServer } from "./serving.ts";

const served = async (plan: object, more: object = {}) => {
  const fake = plainServer(plan);
  const it = await bench({}, { config: { mcp_servers: { fake: { ...fake.setting, ...more } } } });
  return { ...it, fake, starts: () => fake.log().filter((line) => line === "started").length };
};

test("one that ends at once is told with what it wrote, and left alone for a while after the second time", async () => {
  const it = await served({ onStart: "exit" });
  const { text } = (await it.gate.servers?.offer()) ?? { text: "?" };
  expect(text).toBe("");
  expect((await it.gate.servers?.states())?.[0]).toMatchObject({
    state: "failed",
    notes: ["it ended with exit code 3"],
  });
  const called = await it.call("mcp_fake_echo", { text: "a" });
  expect(called).toMatchObject({ status: "failed", error: { code: "IO_ERROR" } });
  expect(render(called)).toContain("no licence found");
  const starts = it.starts();
  await it.gate.servers?.offer();
  expect(it.starts()).toBe(starts);
});

test("one that dies during a call fails that call, and the next one starts it again", async () => {
  const it = await served({ answers: { broken: "die" } });
  await it.call("mcp_fake_echo", { text: "a" });
  const died = await it.call("mcp_fake_broken");
  expect(died).toMatchObject({ status: "failed", error: { code: "IO_ERROR" } });
  expect(died.error?.message).toContain("it ended with exit code 1");
  expect(died.error?.hint).toContain("started again");
  expect(await it.call("mcp_fake_echo", { text: "b" })).toMatchObject({ status: "done" });
  expect(it.starts()).toBe(2);
});

test("one that dies between calls is started again without a word", async () => {
  const it = await served({ answers: { broken: "die" } });
  await it.call("mcp_fake_broken");
  expect(await it.call("mcp_fake_echo", { text: "b" })).toMatchObject({ status: "done" });
});

test("one that hangs is stopped by its time limit, and a call of it by its signal", async () => {
  const it = await served({ answers: { broken: "hang" } }, { timeout: 1 });
  const late = await it.call("mcp_fake_broken");
  expect(late.error?.message).toContain("did not answer within 1 s");
  const stop = new AbortController();
  const pending = it.gate.call({ name: "mcp_fake_broken", args: {} }, { signal: stop.signal });
  await expect.poll(() => it.fake.log().filter((line) => line === "tools/call broken").length).toBe(2);
  stop.abort();
  expect(await pending).toMatchObject({ status: "cancelled" });
  await expect.poll(() => it.fake.log()).toContain("notifications/cancelled");
  expect(await it.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "done" });
});

test("one that answers nothing any more is ended, so that the next call finds a new one", async () => {
  const it = await served({}, { timeout: 1 });
  await it.call("mcp_fake_echo", { text: "a" });
  it.fake.say({ mute: ["tools/call", "tools/list"] });
  expect(await it.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "failed" });
  it.fake.say({});
  expect(await it.call("mcp_fake_echo", { text: "b" })).toMatchObject({ status: "done" });
  expect(it.starts()).toBe(2);
});

test.each([
  ["prints a few lines that are no messages", { onStart: "noise" }, undefined],
  ["prints nothing but garbage", { onStart: "garbage" }, "lines that are no messages"],
  ["sends a message that does not end", { onStart: "long" }, "a message of more than 32 MB"],
  ["floods with messages", { answers: { echo: "flood" } }, "messages in 10 s"],
  ["answers with nothing that could be an answer", { answers: { echo: { content: "text" } } }, "failed"],
  [
    "answers with an error of the protocol",
    { answers: { echo: { error: { code: -32603, message: "out of paper" } } } },
    "out of paper",
  ],
])("one that %s never hangs the gate", async (_, plan, trouble) => {
  const it = await served(plan, { startup_timeout: 5, timeout: 20 });
  const result = await it.call("mcp_fake_echo", { text: "a" });
  if (trouble === undefined) expect(result).toMatchObject({ status: "done" });
  else {
    expect(result.success).toBe(false);
    const said = `${render(result)} ${(await it.gate.servers?.states())?.[0]?.notes.join()}`;
    expect(said).toContain(trouble);
  }
  expect((await it.call("file_info", { path: "." })).success).toBe(true);
});

test("one that says nothing when it is started fails within its time, beside others that answer", async () => {
  const mute = plainServer({ mute: ["initialize", "server/discover"] });
  const fake = plainServer();
  const servers = { mute: { ...mute.setting, startup_timeout: 1 }, fake: fake.setting };
  const it = await bench({}, { config: { mcp_servers: servers } });
  const { text } = (await it.gate.servers?.offer()) ?? { text: "" };
  expect(text).toContain("mcp_fake_echo");
  expect(await it.gate.servers?.states()).toMatchObject([
    { name: "fake", state: "connected" },
    { name: "mute", state: "failed" },
  ]);
});

test("a list that changes is heard of: new tools are found, old ones are gone", async () => {
  const tool = (name: string) => ({ name, description: `About ${name}.`, inputSchema: { type: "object" } });
  const plan = (...names: string[]) => ({ tools: names.map(tool), answers: { one: { content: [], changed: true } } });
  const it = await served(plan("one", "two"));
  await it.call("mcp_fake_two");
  it.fake.say(plan("one", "three"));
  await it.call("mcp_fake_one");
  await expect.poll(async () => (await it.gate.servers?.offer())?.names).toEqual(["mcp_fake_one", "mcp_fake_three"]);
  expect(it.gate.registry.has("mcp_fake_two")).toBe(false);
  expect(await it.call("mcp_fake_three")).toMatchObject({ status: "done" });
});

test("a program that is not there is said by its name", async () => {
  const it = await bench({}, { config: { mcp_servers: { gone: { command: "no-such-program" } } } });
  await it.gate.servers?.offer();
  expect((await it.gate.servers?.states())?.[0]?.notes).toEqual(["there is no program no-such-program"]);
});

test("a variable that is not set is named, and its value never repeated", async () => {
  const it = await bench(
    {},
    { config: { mcp_servers: { a: { command: "true", env: { KEY: "${NOT_SET_AT_ALL}" } } } } },
  );
  await it.gate.servers?.offer();
  expect((await it.gate.servers?.states())?.[0]?.notes).toEqual(["the environment variable NOT_SET_AT_ALL is not set"]);
});
