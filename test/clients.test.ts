import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { realClients, type Step, scene } from "./real-clients.ts";

/** A refusal ends its whole run, and no model reads the reason. */
test("cline is refused a forbidden command, and its edit is recorded and undone", {
  ...realClients,
  timeout: 180_000,
}, async () => {
  const { run, at, driven } = scene("mode: yolo\n");
  writeFileSync(at("a.txt"), "one\ntwo\n");
  writeFileSync(at("keep.txt"), "keep\n");
  run("hook", "install", "cline", "--project", "--yes");
  await driven("cline", [
    { read: "a.txt" },
    { edit: "a.txt", from: "two", to: "2" },
    { run: "rm keep.txt" },
    { run: "touch made.txt; rm -rf /" },
    { run: "touch after.txt" },
  ]);
  expect(["keep.txt", "made.txt", "after.txt"].filter((name) => existsSync(at(name)))).toEqual([]);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n2\n");
  const log = JSON.parse(run("log", "--json")) as { agent: string; status: string }[];
  expect(log.map(({ agent, status }) => [agent, status])).toEqual([
    ["cline", "refused"],
    ...[1, 2, 3].map(() => ["cline", "done"]),
  ]);
  run("undo", "a.txt", "--yes");
  run("undo", "keep.txt", "--yes");
  expect([readFileSync(at("a.txt"), "utf8"), readFileSync(at("keep.txt"), "utf8")]).toEqual(["one\ntwo\n", "keep\n"]);
});

describe.each(["claude", "codex", "gemini", "opencode", "copilot"])("%s", (client) => {
  test("is refused a forbidden command with its reason, and its edit is recorded and undone", {
    ...realClients,
    timeout: 180_000,
  }, async () => {
    const { run, at, driven } = scene("mode: yolo\n");
    writeFileSync(at("a.txt"), "one\ntwo\n");
    writeFileSync(at("keep.txt"), "keep\n");
    // hooks of a project are run by Copilot only in a folder that was trusted before
    run("hook", "install", client, client === "copilot" ? "--user" : "--project", "--yes");
    const script: Step[] = [
      { run: "rm -rf /" },
      { read: "a.txt" },
      { edit: "a.txt", from: "two", to: "2" },
      { run: "rm keep.txt" },
    ];
    const { toolResults } = await driven(client, script);
    expect(toolResults[0]?.text).toContain("it is blocked in every mode");
    expect([readFileSync(at("a.txt"), "utf8"), existsSync(at("keep.txt"))]).toEqual(["one\n2\n", false]);
    const log = JSON.parse(run("log", "--json")) as { agent: string; status: string }[];
    expect(log.map(({ status }) => status).sort()).toEqual(["done", "done", "done", "refused"]);
    expect(log.every(({ agent }) => agent === client)).toBe(true);
    run("undo", "a.txt", "--yes");
    run("undo", "keep.txt", "--yes");
    expect([readFileSync(at("a.txt"), "utf8"), readFileSync(at("keep.txt"), "utf8")]).toEqual(["one\ntwo\n", "keep\n"]);
  });
});
