import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Policy } from "../../core/contracts/policy.ts";
import type { HandedOver } from "../../core/words/handed-over.ts";
import { type Definition, Tool } from "../../core/words/tool.ts";
import { type Claim, eachTouch, isPathTouch } from "../../core/words/touch.ts";
import type { OpenOptions } from "../../open.ts";
import type { HandingGate } from "../../open-for-others.ts";
import { AGENT_SETTINGS } from "./lib/agent-settings.ts";
import { allTaken, type Json, type Meaning, meantBy, patchMeant, short } from "./lib/call-meaning.ts";
import { type Client, type Event, type Told, Unreadable } from "./lib/client.ts";

export type Opening = OpenOptions & { workspace: string };
const LONGEST_KEY = 200;
/** The chance of tidying per call; now and then is enough. */
const TIDIED = 0.02;

type Stance = "ask" | "allow";

/** The call in our words, the tools needed to judge it, and why it must be asked about in any case. */
type Foreign = {
  readonly name: string;
  readonly args: Json;
  readonly tools: readonly Tool[];
  readonly doubts: readonly string[];
  readonly partly: boolean;
};

/** Judges what the client is about to do; undefined if it is the client's own affair. */
export async function judge(client: Client, told: Told, opening: Opening): Promise<HandedOver | undefined> {
  const meaning = Object.hasOwn(client.tools, told.tool) ? client.tools[told.tool] : undefined;
  if (meaning && "own" in meaning) return undefined;
  let call: Foreign | undefined;
  const gate = await opened(client, told, opening, (stance) => {
    call = foreign(client, told, stance);
    return { tools: call.tools, policies: [doubting(call.doubts), settled(opening.workspace)] };
  });
  try {
    const { id, turn } = told;
    const { name, args, partly } = call as unknown as Foreign;
    const how = { key: keyOf(client, told), asks: client.cannotAsk !== true, unique: id !== undefined, partly };
    return await gate.handOver({ name, args, ...(id && { id }), ...(turn && { messageID: turn }) }, how);
  } finally {
    await gate.close(Math.random() < TIDIED);
  }
}

/** Completes the record of what the client has done. Returns what hooks say about it. */
export async function complete(
  client: Client,
  event: Extract<Event, { kind: "after" }>,
  opening: Opening,
): Promise<string | undefined> {
  const meaning = Object.hasOwn(client.tools, event.tool) ? client.tools[event.tool] : undefined;
  if (meaning && "own" in meaning) return undefined;
  const gate = await opened(client, event, opening, () => ({}));
  try {
    const { failed, output } = event;
    return await gate.handBack(keyOf(client, event), { ...(failed && { failed }), ...(output && { output }) });
  } finally {
    await gate.close(Math.random() < TIDIED);
  }
}

async function opened(
  client: Client,
  told: Told,
  opening: Opening,
  brings: (stance: Stance) => Pick<OpenOptions, "tools" | "policies">,
): Promise<HandingGate> {
  const { openForOthers } = await import("../../open-for-others.ts");
  const who = { session: told.session, agent: agentOf(client, told), asks: client.cannotAsk !== true };
  return openForOthers({ toolset: "all", ...opening }, who, brings);
}

const agentOf = ({ name }: Client, { agent }: Told): string => (agent ? `${name}/${agent}` : name);

/** If the client sends no id, the same call of the same session is meant. */
function keyOf({ name }: Client, { session, id, tool, args }: Told): string {
  const what = JSON.stringify(id === undefined ? [name, session, tool, args] : [name, session, id]);
  return what.length <= LONGEST_KEY ? what : createHash("sha256").update(what).digest("hex");
}

function foreign(client: Client, { tool, args, cwd }: Told, stance: Stance): Foreign {
  const found = Object.hasOwn(client.tools, tool) ? client.tools[tool] : undefined;
  const meaning = found && "as" in found ? found.as(args) : found;
  if (meaning && "tool" in meaning) return { ...meantBy(meaning, args, cwd), tools: [] };
  if (meaning && "patch" in meaning) return { ...patchMeant(meaning.patch, args, cwd), tools: [] };
  if (meaning && "claims" in meaning) return claimed(tool, args, meaning, cwd);
  const server = client.served?.(tool);
  if (server !== undefined) return brought(tool, args, [{ action: "use", source: "mcp", name: server }], []);
  if (stance === "allow") return brought(tool, args, [], []);
  const doubt = `${client.title} has a tool ${short(tool)} that is not known here (clients.unknown_tools)`;
  return brought(tool, args, [{ action: "unknown", permissions: [] }], [doubt]);
}

function claimed(tool: string, args: Json, meaning: Extract<Meaning, { claims: unknown }>, cwd: string): Foreign {
  const { args: taken, doubts } = allTaken(meaning.takes, args, cwd);
  const claims = meaning.claims(taken);
  for (const claim of claims)
    if (("target" in claim && typeof claim.target !== "string") || ("url" in claim && typeof claim.url !== "string"))
      throw new Unreadable(`${tool} does not say what it is for`);
  const text = meaning.puts?.(taken);
  const [first] = claims;
  const file = first?.action === "write" && typeof text === "string" ? first.target : undefined;
  return brought(tool, args, claims, doubts, file === undefined ? undefined : { file, text: text as string });
}

/** The position in the file makes no difference for rules about content. */
const adding =
  ({ file, text }: { file: string; text: string }): NonNullable<Definition["preview"]> =>
  async (_, { files }) => {
    const before = (await files.stat(file)) ? new TextDecoder().decode((await files.read(file)).bytes) : "";
    return [{ path: file, after: new TextEncoder().encode(`${before}${text}\n`) }];
  };

/** A tool of the client, for the journey only: it is judged, and never run here. */
function brought(
  tool: string,
  args: Json,
  claims: readonly Claim[],
  doubts: readonly string[],
  adds?: { file: string; text: string },
): Foreign {
  const name = `client.${tool.replace(/[^\w.-]/g, "_").slice(0, 50)}`;
  const definition = Tool.define(name, {
    description: `${tool} of another agent`,
    permissions: { required: [] },
    parameters: { type: "object", additionalProperties: true },
    touches: () => [...claims],
    ...(adds && { preview: adding(adds) }),
    execute: () => "",
  });
  return { name, args, tools: [definition], doubts, partly: false };
}

/** A person decides about what was not understood, and no standing yes answers it. */
const doubting = (doubts: readonly string[]): Policy => ({
  name: "hook",
  judge: () => (doubts.length > 0 ? { answer: "ask", by: "hook", reason: doubts.join("; ") } : undefined),
});

/** Whoever changes the settings of an agent could disable its hook. */
const settled = (workspace: string): Policy => ({
  name: "hook",
  judge({ touches }) {
    for (const touch of eachTouch(touches)) {
      if (!isPathTouch(touch) || (touch.action !== "write" && touch.action !== "delete")) continue;
      const { real } = touch.place;
      const file = AGENT_SETTINGS.find((each) =>
        overlaps(real, join(workspace, each), touch.action === "delete" || touch.scope !== undefined),
      );
      if (file) return { answer: "ask", by: "hook", reason: `${file} decides whether an agent asks Toolgate at all` };
    }
    return undefined;
  },
});

/** `wide` means that everything below is affected, too. */
const overlaps = (real: string, file: string, wide: boolean): boolean =>
  real === file || real.startsWith(`${file}/`) || (wide && file.startsWith(`${real}/`));
