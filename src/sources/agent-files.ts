import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { AgentDefinition } from "../core/contracts/agents.ts";
import type { ActionGate } from "../core/words/ceiling.ts";
import { AGENT_FOLDERS } from "./lib/agent-folders.ts";
import { tooLong, yamlHead } from "./lib/front-matter.ts";
import { regularBeginning, regularText } from "./lib/regular-file.ts";

const LARGEST = 100_000;
const MOST_FILES = 200;
const MOST_ALIASES = 100;
const MOST_LISTED = 10;
const ACTIONS: readonly ActionGate[] = ["Patch", "Delegate", "Finalize"];
/** Keys that are understood, or that other clients use and that change nothing here. */
const TOLERATED = new Set(["name", "description", "tools", "policy", "gates", "model"]);

/** `broken` are agents whose file cannot be understood, and that no later folder defines. */
export type AgentFiles = { definitions: AgentDefinition[]; broken: string[]; notes: string[] };

/** The agents of a workspace, from Markdown files with front matter. Reading them starts nothing. */
export async function agentFiles(workspace: string): Promise<AgentFiles> {
  const found = new Map<string, AgentDefinition>();
  const broken = new Set<string>();
  const notes: string[] = [];
  for (const folder of AGENT_FOLDERS) {
    const names = await readdir(join(workspace, folder)).catch(() => []);
    const here = new Set<string>();
    const files = names.filter((name) => name.endsWith(".md")).sort();
    for (const file of files.splice(0, MOST_FILES)) {
      const shown = `${folder}/${file}`;
      const fallback = baseOf(file);
      try {
        const { definition, unknown } = agentOf(await ownText(workspace, shown, LARGEST), fallback);
        found.set(definition.name, definition);
        broken.delete(definition.name);
        if (unknown.length > 0) notes.push(`${shown}: ${listed(unknown)} means nothing here and is ignored.`);
      } catch (error) {
        const text = await ownFile(workspace, shown)
          .then((path) => regularBeginning(path, LARGEST))
          .catch(() => "");
        for (const name of [fallback, ...namesIn(text)]) here.add(name);
        notes.push(`${shown} was left out: ${error instanceof Error ? error.message : String(error)}.`);
      }
    }
    for (const file of files) here.add(baseOf(file));
    if (files.length > 0) notes.push(`${folder}: only ${MOST_FILES} files are read; ${files.length} were left out.`);
    // no other file of this folder or an earlier one stands in for a broken file: a call could have written it
    for (const name of here) {
      found.delete(name);
      broken.add(name);
    }
  }
  return { definitions: [...found.values()], broken: [...broken], notes };
}

const baseOf = (file: string): string => file.replace(/\.md$/, "");

const listed = (keys: readonly string[]): string => {
  const some = keys.slice(0, MOST_LISTED).map((key) => key.slice(0, 80));
  return [...some, ...(keys.length > MOST_LISTED ? [`and ${keys.length - MOST_LISTED} more`] : [])].join(", ");
};

/** The names that a file that cannot be parsed may have meant; all these agents are blocked. */
function namesIn(text: string): string[] {
  const all = text.split(/\r?\n|\r/);
  const begin = all.findIndex((line) => !/^\s*(?:---[ \t]*)?$/.test(line.replace(/^\ufeff/, "")));
  const end = all.findIndex((line, index) => index > begin && /^---[ \t]*$/.test(line));
  const lines = end < 0 ? all : all.slice(0, end);
  return lines.flatMap((line, index) => {
    const [, value] = /^[\s{,?\ufeff]*["']?name["']?[ \t]*:(.*)$/i.exec(line) ?? [];
    if (value === undefined) return [];
    // on the next line, if the value is a block
    const written = /^[ \t]*(?:[|>][-+\d]*[ \t]*)?(?:#.*)?$/.test(value) ? (lines[index + 1] ?? "") : value;
    const bare = (part: string | undefined): string => (part ?? "").replace(/["'{}[\],]/g, "").trim();
    const readings = [written, written.split(" #")[0], written.split(",")[0], written.trim().split(/\s/)[0]];
    return [...new Set(readings.map(bare))].filter(Boolean);
  });
}

/** Throws for what cannot be understood: a doubt must not create an agent that may do more than was meant. */
export function agentOf(text: string, fallback: string): { definition: AgentDefinition; unknown: string[] } {
  const [, head = "", body = ""] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === "") throw new Error("it has no front matter");
  const excess = tooLong(head);
  if (excess) throw new Error(excess);
  const { document, problems } = yamlHead(head);
  if (problems[0]) throw new Error(problems[0].message);
  const fields: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    throw new Error("its front matter is no map");
  const { name, description, tools, policy, gates } = fields as Record<string, unknown>;
  if (name !== undefined && name !== null && typeof name !== "string") throw new Error("name must be text");
  const wantedGates = listOf(policy ?? gates, "policy");
  const actions = wantedGates?.map((each) => {
    const action = ACTIONS.find((known) => known.toLowerCase() === each.toLowerCase());
    if (!action) throw new Error(`policy has ${each}; there are ${ACTIONS.join(", ")}`);
    return action;
  });
  const wantedTools = listOf(tools, "tools");
  return {
    definition: {
      name: typeof name === "string" && name.trim() ? name.trim() : fallback,
      description: typeof description === "string" ? description : "",
      prompt: body.trim(),
      ...(wantedTools && !wantedTools.includes("*") && { tools: wantedTools }),
      ...(actions && { gates: actions }),
    },
    unknown: Object.keys(fields).filter((key) => !TOLERATED.has(key)),
  };
}

function listOf(value: unknown, what: string): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(list) || !list.every((each) => typeof each === "string"))
    throw new Error(`${what} must be a list of names`);
  return list.map((each) => each.trim()).filter(Boolean);
}

/** A link in a strange repository must not show a model files from elsewhere, nor block on a pipe. */
const ownText = async (workspace: string, name: string, most: number): Promise<string> =>
  regularText(await ownFile(workspace, name), most);

async function ownFile(workspace: string, name: string): Promise<string> {
  const file = await realpath(join(workspace, name));
  if (!file.startsWith(`${await realpath(workspace)}${sep}`)) throw new Error("it leads outside the workspace");
  return file;
}

/** AGENTS.md of the workspace, cut to what a prompt should hold. */
export async function instructionsOf(workspace: string): Promise<string | undefined> {
  const text = await ownText(workspace, "AGENTS.md", LARGEST * 10).catch(() => undefined);
  return text?.slice(0, LARGEST / 3);
}
