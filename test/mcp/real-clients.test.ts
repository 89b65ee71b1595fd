import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { realClients, type Step, scene } from "../real-clients.ts";

const CONFIG = `mode: yolo
rules:
  deny: [{ rule: "write(kept/**)", reason: "kept for the auditors" }]
  ask: ["write(asked.txt)"]
`;
const edit = (path: string): Step => ({
  server: "toolgate",
  tool: "edit_file",
  args: { path, old_str: "two", new_str: "2" },
});

/** What each tells its model where a person has to be asked and there is no terminal. */
const UNASKED: readonly (readonly [client: string, told: RegExp])[] = [
  ["claude", /nobody to ask.*closed the question without an answer/s],
  ["codex", /said no: the question was declined/],
  ["gemini", /nobody to ask.*cannot put questions to a person/s],
  ["opencode", /nobody to ask.*cannot put questions to a person/s],
];

describe.each(UNASKED)("%s with toolgate mcp", (client, unasked) => {
  test("edits a file, and its model is told why another may not be edited, or not without a person", {
    ...realClients,
    timeout: 180_000,
  }, async () => {
    const { run, at, driven } = scene(CONFIG);
    mkdirSync(at("kept"));
    for (const file of ["a.txt", "kept/a.txt", "asked.txt"]) writeFileSync(at(file), "one\ntwo\n");
    run("mcp", "install", client, client === "codex" ? "--user" : "--project", "--yes");
    const { toolResults } = await driven(client, [edit("a.txt"), edit("kept/a.txt"), edit("asked.txt")]);
    const [edited, forbidden, asked] = toolResults.map(({ text }) => text);
    expect(edited).toMatch(/a\.txt/);
    expect(forbidden).toContain("kept for the auditors");
    expect(asked).toMatch(unasked);
    const texts = ["a.txt", "kept/a.txt", "asked.txt"].map((file) => readFileSync(at(file), "utf8"));
    expect(texts).toEqual(["one\n2\n", "one\ntwo\n", "one\ntwo\n"]);
    const log = JSON.parse(run("log", "--json")) as { agent: string; status: string }[];
    expect(log.map(({ status }) => status)).toEqual(["refused", "refused", "done"]);
    run("undo", "a.txt", "--yes");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one\ntwo\n");
  });
});
