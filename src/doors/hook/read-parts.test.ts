import { expect, test } from "vitest";
import { clients } from "./clients.ts";
import { type Json, meantBy } from "./lib/call-meaning.ts";

const FILE = "/w/a.txt";

/** Which lines a client's call reads, in the arguments of ours; `partly` if that cannot be told. */
async function meant(name: string, tool: string, args: Json) {
  const client = await clients[name]!();
  const found = client.tools[tool]!;
  const meaning = "as" in found ? found.as(args) : found;
  if (!("tool" in meaning)) return "claims";
  const { name: ours, args: taken, partly } = meantBy(meaning, args, "/w");
  expect(ours).toBe("read_file");
  const { path: _, ...rest } = taken;
  return partly ? "partly" : rest;
}

test.each<[client: string, tool: string, args: Json, meant: unknown]>([
  ["claude", "Read", { file_path: FILE }, {}],
  ["claude", "Read", { file_path: FILE, offset: 3, limit: 4 }, { offset: 3, limit: 4 }],
  ["claude", "Read", { file_path: FILE, offset: 0 }, "partly"],
  ["claude", "Read", { file_path: FILE, limit: 1.5 }, "partly"],
  ["claude", "Read", { file_path: FILE, pages: "1-5" }, "partly"],
  ["claude", "NotebookRead", { notebook_path: "/w/a.ipynb", cell_id: "c1" }, "partly"],
  ["cursor", "Read", { file_path: FILE, offset: 3, limit: 4 }, { offset: 3, limit: 4 }],
  ["cursor", "Read", { file_path: FILE, offset: -5 }, "partly"],
  ["cursor", "ReadLints", { file_path: FILE }, "partly"],
  ["copilot", "view", { path: FILE, view_range: [3, 6] }, { offset: 3, limit: 4 }],
  ["copilot", "view", { path: FILE, view_range: [3, -1] }, { offset: 3 }],
  ["copilot", "view", { path: FILE, view_range: [3, 2] }, "partly"],
  ["copilot", "view", { path: FILE, view_range: [0, 2] }, "partly"],
  ["copilot", "view", { path: FILE, view_range: [3] }, "partly"],
  ["gemini", "read_file", { file_path: FILE, start_line: 3, end_line: 6 }, { offset: 3, end_line: 6 }],
  ["gemini", "read_file", { file_path: FILE, offset: 0, limit: 4 }, { offset: 1, limit: 4 }],
  ["gemini", "read_file", { file_path: FILE, offset: -1 }, "partly"],
  ["opencode", "read", { filePath: FILE, limit: 4 }, { limit: 4 }],
  ["opencode", "read", { filePath: FILE, offset: 3 }, "partly"],
  ["windsurf", "read_code", { file_path: FILE }, "partly"],
  ["cline", "read_files", { files: [{ path: FILE }] }, { files: [{ path: FILE }] }],
  ["cline", "read_files", { files: [{ path: FILE, start_line: "x" }] }, "partly"],
  ["cline", "read_files", { files: [{ path: FILE }, { path: "/w/b.txt" }] }, "claims"],
  ["cline", "read_files", { files: ["a.txt"] }, "claims"],
])("%s %s %j", async (name, tool, args, lines) => {
  expect(await meant(name, tool, args)).toEqual(lines);
});
