import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { parse } from "yaml";
import type { AgentDefinition } from "../core/contracts/agents.ts";
import type { ActionGate } from "../core/words/ceiling.ts";
import { AGENT_FOLDERS } from "./lib/agent-folders.ts";
import { regularText } from "./lib/regular-file.ts";

const LARGEST = 100_000;
const MOST_FILES = 200;
const ACTIONS: readonly ActionGate[] = ["Patch", "Delegate", "Finalize"];
/** Keys of other clients that change nothing here. */
const TOLERATED = new Set(["name", "description", "tools", "policy", "gates", "model"]);

/** `broken`: names of files that nobody can understand. */
export type AgentFiles = { definitions: AgentDefinition[]; broken: string[]; notes: string[] };

/** The agents of a workspace, as Markdown with front matter. Reading them starts nothing. */
export async function agentFiles(workspace: string): Promise<AgentFiles> {
  const found = new Map<string, AgentDefinition>();
  const broken: string[] = [];
  const notes: string[] = [];
  for (const folder of AGENT_FOLDERS) {
    const names = await readdir(join(workspace, folder)).catch(() => []);
    for (const file of names
      .filter((name) => name.endsWith(".md"))
      .sort()
      .slice(0, MOST_FILES)) {
      const shown = `${folder}/${file}`;
      try {
        const text = await ownText(workspace, shown, LARGEST);
        const { definition, unknown } = agentOf(text, file.replace(/\.md$/, ""));
        found.set(definition.name, definition);
        if (unknown.length > 0) notes.push(`${shown}: ${unknown.join(", ")} means nothing here and is ignored.`);
      } catch (error) {
        broken.push(file.replace(/\.md$/, ""));
        notes.push(`${shown} was left out: ${error instanceof Error ? error.message : String(error)}.`);
      }
    }
  }
  return { definitions: [...found.values()], broken, notes };
}

/** Throws for what cannot be understood: a doubt must not make an agent that may do more than was meant. */
export function agentOf(text: string, fallback: string): { definition: AgentDefinition; unknown: string[] } {
  const [, head = "", body = ""] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (head === "") throw new Error("it has no front matter");
  const fields: unknown = parse(head);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    throw new Error("its front matter is no map");
  const { name, description, tools, policy, gates } = fields as Record<string, unknown>;
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

/** A link in a strange repository must not show a model what lies elsewhere, nor keep anybody waiting. */
async function ownText(workspace: string, name: string, most: number): Promise<string> {
  const file = await realpath(join(workspace, name));
  if (!file.startsWith(`${await realpath(workspace)}${sep}`)) throw new Error("it leads outside the workspace");
  return regularText(file, most);
}

/** AGENTS.md of the workspace, as much of it as a prompt should hold. */
export async function instructionsOf(workspace: string): Promise<string | undefined> {
  const text = await ownText(workspace, "AGENTS.md", LARGEST * 10).catch(() => undefined);
  return text?.slice(0, LARGEST / 3);
}
