import { describe, expect, test } from "vitest";
import { z } from "../../src/index.ts";
import { plain } from "../journeys/harness.ts";
import { ERAS, served } from "./served.ts";

const says = (pattern: RegExp) => expect.stringMatching(pattern);

/** Resolves once it was told to. */
function signal() {
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell };
}

describe.each(ERAS)("a client of %s", (era) => {
  test("lists the tools with their schemas, reads a file, and is told why a call is refused", async () => {
    const { client, call } = await served({ era, files: { "a.txt": "one\n" } });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain("read_file");
    expect(names).toEqual([...names].sort());
    expect(tools.find(({ name }) => name === "edit_file")?.inputSchema).toMatchObject({ type: "object" });
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ isError: false, text: says(/one/) });
    const refused = await call("write_file", { path: "a.txt", content: "two" });
    expect(refused).toMatchObject({ isError: true, text: says(/needs a person's approval/) });
    expect(refused.text).toMatch(/cannot put questions to a person.*toolgate\.yaml.*toolgate approvals/s);
    expect(client.getServerVersion()).toMatchObject({ name: "toolgate", version: "1.2.3" });
    expect(client.getInstructions()).toMatch(/refused says why/);
  });

  test("accepts other names of tools and arguments, and says what an unknown name may have meant", async () => {
    const { call } = await served({ era, files: { "a.txt": "one\n" } });
    expect(await call("Read", { file_path: "a.txt" })).toMatchObject({ isError: false, text: says(/one/) });
    expect(await call("raed_file", { path: "a.txt" })).toMatchObject({ isError: true, text: says(/read_file/) });
    expect(await call("read_file", {})).toMatchObject({ isError: true, text: says(/path is required/) });
  });

  test("is shown the chosen tools in the chosen dialect, and can call no others", async () => {
    const { client, call } = await served({
      era,
      open: { toolset: ["read_file", "run_command"] },
      serve: { dialect: "claude" },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["Read", "Bash"]);
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toContain("file_path");
    expect(await call("write_file", { path: "a", content: "" })).toMatchObject({ isError: true });
  });

  test("gets pictures as pictures, and structured results where a tool has a schema for them", async () => {
    const count = plain("count", {
      output: z.object({ count: z.number() }),
      input: z.object({ broken: z.boolean().optional(), none: z.boolean().optional() }),
      execute: async ({ broken, none }) => {
        if (broken) throw new Error("lost count");
        return { output: "there are 3", metadata: none ? {} : { structured: { count: 3 } } };
      },
    });
    const picture = plain("picture", {
      execute: () => ({ output: "a dot", attachments: [{ mime: "image/png", data: "AAAA" }] }),
    });
    const { client, call } = await served({ era, open: { tools: [count, picture] } });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "count")?.outputSchema).toMatchObject({
      properties: { count: { type: "number" } },
    });
    expect(await call("count")).toMatchObject({ text: "there are 3", structured: { count: 3 }, isError: false });
    const failed = await call("count", { broken: true });
    expect(failed).toMatchObject({ isError: true, text: says(/lost count/) });
    expect(failed.structured).toBeUndefined();
    expect(await call("count", { none: true })).toMatchObject({ isError: true, text: says(/there are 3/) });
    expect((await call("picture")).content).toEqual([
      { type: "text", text: "a dot" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ]);
  });

  test("hears what a call is doing, without secrets and without signs that steer a terminal", async () => {
    const secret = `ghp_${"a1".repeat(20)}`;
    const heard: string[] = [];
    const both = signal();
    const busy = plain("busy", {
      execute: async (_, { metadata }) => {
        metadata({ title: "first" });
        metadata({ title: `then \u001b[2J${secret}` });
        await both.told;
        return "done";
      },
    });
    const { client } = await served({ era, open: { tools: [busy] } });
    const steps: number[] = [];
    const onprogress = ({ message, progress }: { message?: string | undefined; progress: number }) => {
      heard.push(message ?? "");
      steps.push(progress);
      if (heard.length === 2) both.tell();
    };
    await client.callTool({ name: "busy", arguments: {} }, { onprogress });
    expect(heard[0]).toBe("first");
    expect(heard[1]).toMatch(/^then /);
    expect(heard[1]).not.toContain(secret);
    expect(heard[1]).not.toContain("\u001b");
    expect(steps).toEqual([1, 2]);
  });

  test("stops a call by cancelling it: what runs is really stopped", async () => {
    const begun = signal();
    const stopped = signal();
    const endless = plain("endless", {
      execute: (_, { abort }) =>
        new Promise((resolve) => {
          abort.addEventListener("abort", () => {
            stopped.tell();
            resolve("stopped");
          });
          begun.tell();
        }),
    });
    const { client, call, gate } = await served({ era, open: { tools: [endless] } });
    const ended = new Promise<string>((resolve) => {
      gate.on("event", (event) => {
        if (event.type === "failed") resolve(event.result.status);
      });
    });
    const controller = new AbortController();
    const calling = client.callTool({ name: "endless", arguments: {} }, { signal: controller.signal });
    await begun.told;
    controller.abort("enough");
    await expect(calling).rejects.toThrow();
    await stopped.told;
    expect(await ended).toBe("cancelled");
    expect(await call("list_files")).toMatchObject({ isError: false });
  });

  test("hears of tools that come and go, once for many", async () => {
    const { client, gate } = await served({ era });
    let heard = 0;
    const changed = signal();
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      heard++;
      changed.tell();
    });
    if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
    for (const name of ["late_one", "late_two", "late_three"]) void gate.registry.register(plain(name));
    await changed.told;
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain("late_two");
    expect(heard).toBe(1);
    gate.registry.unregister("late_two");
    expect(await names()).not.toContain("late_two");
  });
});

test.each<[string, object, object]>([
  [
    "reads",
    { permissions: { required: ["read"] } },
    { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  ],
  [
    "writes",
    { permissions: { required: ["write"] } },
    { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  ],
  [
    "runs",
    { permissions: { required: ["execute"] } },
    { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  ],
  [
    "may write",
    { permissions: { required: ["read"], optional: ["write"] } },
    { readOnlyHint: false, destructiveHint: true },
  ],
  [
    "fetches",
    { permissions: { required: ["network"] } },
    { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  ],
  ["does not say", { permissions: undefined }, { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
  ["repeats itself", { idempotent: true }, { idempotentHint: true }],
])("a tool that %s is annotated as such", async (_, definition, annotations) => {
  const { client } = await served({ open: { tools: [plain("mine", definition)] } });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "mine")?.annotations).toMatchObject(annotations);
});
