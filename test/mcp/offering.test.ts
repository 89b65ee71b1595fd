import { describe, expect, test } from "vitest";
import { plain } from "../journeys/harness.ts";
import { ERAS, served } from "./served.ts";

const yes = () => ({ action: "accept" as const, content: { decision: "once" } });

describe.each(ERAS)("a client of %s", (era) => {
  test("finds the records, diffs and kept outputs of its calls", async () => {
    const secret = `ghp_${"a1".repeat(20)}`;
    const long = plain("long", {
      dangerLevel: "moderate",
      execute: () => Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join("\n"),
    });
    const { client, call } = await served({
      era,
      files: { "a.txt": `one\n${secret}\n` },
      open: { tools: [long] },
      answers: yes,
    });
    await call("edit_file", { path: "a.txt", old_str: "one", new_str: "two" });
    await call("long");
    await expect.poll(async () => (await client.listResources()).resources.length).toBe(4);
    const { resources } = await client.listResources();
    const uri = (kind: string, name: string) =>
      resources.find((each) => each.uri.includes(`/${kind}/`) && each.name.includes(name))?.uri ?? "";
    const text = async (kind: string, name: string) => {
      const [content] = (await client.readResource({ uri: uri(kind, name) })).contents;
      return content && "text" in content ? content.text : "";
    };
    expect(JSON.parse(await text("record", "edit_file"))).toMatchObject({
      tool: "edit_file",
      status: "done",
      verdict: { by: "person" },
    });
    const diff = await text("diff", "edit_file");
    expect(diff).toMatch(/-one.*\+two/s);
    expect(diff).not.toContain(secret);
    expect(await text("output", "long")).toMatch(/line 4/);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "toolgate://record/{call}",
      "toolgate://diff/{call}",
      "toolgate://output/{call}",
    ]);
  });

  test.each([
    "toolgate://record/none",
    "toolgate://record/../../etc/passwd",
    "toolgate://secrets/x",
    "file:///etc/passwd",
    "nonsense",
  ])("there is no resource %s", async (uri) => {
    const { client } = await served({ era });
    await expect(client.readResource({ uri })).rejects.toThrow();
  });

  test("sees nothing of what others did in the workspace", async () => {
    const { client, gate } = await served({ era, files: { "a.txt": "one\n" } });
    await gate.child().call({ id: "theirs", name: "read_file", args: { path: "a.txt" } });
    await gate.call({ id: "ours", name: "read_file", args: { path: "a.txt" } });
    await expect
      .poll(async () => (await client.listResources()).resources.map(({ uri }) => uri))
      .toEqual(["toolgate://record/ours"]);
    await expect(client.readResource({ uri: "toolgate://record/theirs" })).rejects.toThrow();
  });

  test("is offered the agents as prompts", async () => {
    const { client } = await served({
      era,
      files: { ".toolgate/agents/painter.md": "---\ndescription: Paints.\n---\nYou paint fences.\n" },
    });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(["build", "review", "painter"]));
    expect(await client.getPrompt({ name: "painter", arguments: { task: "The one in the garden." } })).toMatchObject({
      description: "Paints.",
      messages: [{ role: "user", content: { text: "You paint fences.\n\nThe one in the garden." } }],
    });
    await expect(client.getPrompt({ name: "nobody" })).rejects.toThrow(/no prompt nobody/);
  });
});
