import { describe, expect, test } from "vitest";
import { render } from "../../../src/index.ts";
import { bench, folder } from "../harness.ts";
import { plainServer } from "./serving.ts";

describe("a server of the configuration", () => {
  test("its tools are called by name, and it is started for that alone", async () => {
    const fake = plainServer();
    const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
    expect(fake.log()).toEqual([]);
    const result = await it.call("mcp_fake_echo", { text: "hi", times: 2 });
    expect(result).toMatchObject({ success: true, metadata: { server: "fake" } });
    expect(result.output).toContain("echo:hi,hi");
    expect(result.output).toContain("[From the server fake, outside text");
    expect(it.gate.registry.has("mcp_fake_echo")).toBe(true);
    expect(fake.log().filter((line) => line === "started")).toHaveLength(1);
  });

  test("an error that it reports is an error, with its words", async () => {
    const fake = plainServer();
    const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
    const result = await it.call("mcp_fake_broken");
    expect(result).toMatchObject({ success: false, status: "failed" });
    expect(render(result)).toContain("the pump is jammed");
  });

  test("arguments are checked against its own schema, and coerced where that is due", async () => {
    const fake = plainServer();
    const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
    expect(await it.call("mcp_fake_echo", {})).toMatchObject({
      status: "invalid",
      error: { code: "VALIDATION_ERROR" },
    });
    expect((await it.call("mcp_fake_echo", { text: 1, times: "2" })).output).toContain("echo:1,1");
    expect(fake.log().filter((line) => line === "tools/call echo")).toHaveLength(1);
  });

  test("a second gate knows its tools without starting it", async () => {
    const fake = plainServer();
    const dir = folder();
    const config = { mcp_servers: { fake: fake.setting } };
    const first = await bench({}, { dir, config });
    await first.call("mcp_fake_echo", { text: "hi" });
    await first.gate.close();
    const starts = fake.log().length;
    const second = await bench({}, { dir, config });
    const { text } = (await second.gate.servers?.offer()) ?? { text: "" };
    expect(text).toContain("mcp_fake_echo: Echo a text back, some times over.");
    expect((await second.gate.explain({ name: "mcp_fake_echo", args: { text: "a" } })).touches).toEqual([
      { action: "use", source: "mcp", name: "fake/echo" },
    ]);
    expect(fake.log()).toHaveLength(starts);
  });

  test("its tools are sensitive, and a rule can say otherwise", async () => {
    const fake = plainServer();
    const servers = { mcp_servers: { fake: fake.setting } };
    const asked = await bench({}, { mode: "confirm-sensitive", config: servers });
    const { verdict, touches } = await asked.gate.explain({ name: "mcp_fake_echo", args: { text: "a" } });
    expect([verdict, touches]).toEqual(["ask", [{ action: "use", source: "mcp", name: "fake/echo" }]]);
    expect(fake.log()).not.toContain("tools/call echo");
    expect(await asked.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "refused" });
    const rules = { allow: ["mcp(fake/echo)"], deny: ["mcp(fake/broken)"] };
    const ruled = await bench({}, { mode: "confirm-sensitive", config: { ...servers, rules } });
    expect(await ruled.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "done" });
    expect(await ruled.call("mcp_fake_broken")).toMatchObject({ status: "refused" });
  });

  test.each(["mcp_fake_echo", "mcp__fake__echo", "MCP__Fake__Echo", "mcp(fake/echo)"])(
    "a rule forbids it as %s, also while another server sounds like its own",
    async (rule) => {
      const config = { rules: { deny: [rule] } };
      const servers = { fake: plainServer().setting };
      const alone = await bench({}, { config: { ...config, mcp_servers: servers } });
      expect(await alone.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "refused" });
      const alike = plainServer().setting;
      const both = await bench({}, { config: { ...config, mcp_servers: { ...servers, "fa-ke": alike } } });
      const { names } = (await both.gate.servers?.offer()) ?? { names: [] };
      const renamed = names.filter((name) => name.startsWith("mcp_fake_echo_"));
      expect(renamed.length).toBeGreaterThan(0);
      const results = await Promise.all(renamed.map((name) => both.call(name, { text: "a" })));
      expect(results.some(({ status }) => status === "refused")).toBe(true);
      expect(results.some(({ output }) => output.includes("echo:a"))).toBe(false);
    },
  );

  test("tool_search finds a tool, which is shown to the model from then on", async () => {
    const fake = plainServer();
    const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
    const names = () => it.gate.schemas({ format: "mcp" }).map(({ name }) => name);
    expect(names()).toContain("tool_search");
    expect(names()).not.toContain("mcp_fake_echo");
    const found = await it.call("tool_search", { query: "repeat a text back" });
    expect(found.output).toContain("mcp_fake_echo");
    expect(found.output).toContain('"times"');
    expect(names()).toContain("mcp_fake_echo");
  });

  test("it is ended with the gate", async () => {
    const fake = plainServer({ tools: [{ name: "pid", inputSchema: { type: "object" } }] });
    const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
    await it.call("mcp_fake_pid");
    await it.gate.close();
    expect(fake.log()).toContain("tools/call pid");
  });
});
