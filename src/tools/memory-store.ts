import * as z from "zod";
import type { Embeddings } from "../core/contracts/embeddings.ts";
import { Tool } from "../core/words/tool.ts";
import { redact } from "../text/redact.ts";
import { keepMemory, SCOPES } from "./lib/memories.ts";
import { memoryCategory, memoryKey, memoryTarget } from "./lib/memory-input.ts";
import { vectorFor } from "./lib/memory-vectors.ts";

/** With `embeddings`, what is stored can also be found by its meaning. */
export const memoryStore = (embeddings?: Embeddings): Tool =>
  Tool.define("memory_store", {
    description: "Remember a fact or decision under a key, for later sessions too. An existing key is replaced.",
    permissions: { required: ["read"] },
    aliases: { args: { content: ["text", "value"], category: ["type"] } },
    rare: ["scope"],
    tables: "memory",
    get input() {
      return z.object({
        key: memoryKey(),
        content: z.string().trim().min(1).max(8000),
        category: memoryCategory().default("core").describe("core, daily, conversation, or your own"),
        scope: z.enum(SCOPES).default("project"),
      });
    },
    touches: ({ scope, key }) => [{ action: "remember", target: memoryTarget(scope, key) }],
    // the user's memories are read in workspaces that have nothing to do with this one
    getDangerLevel: ({ scope }) => (scope === "user" ? "moderate" : "safe"),
    async execute({ key, content, category, scope }, context) {
      const kept = redact(content);
      const { agent, sessionID: session, outside } = context;
      const meaning = await vectorFor(embeddings, key, kept, context.abort);
      const said = { content: kept, category, at: context.now(), agent, session, ...(outside && { outside }) };
      const row = { ...said, ...(meaning.vector && { vector: meaning.vector }) };
      const { isNew } = await keepMemory(context, scope, key, row);
      const notes = [
        ...(kept === content ? [] : ["What looked like a secret was left out: memories hold none."]),
        ...(outside ? ["It is marked as from outside, because text from outside came into this session."] : []),
        ...(meaning.note ? [meaning.note] : []),
      ];
      return {
        title: `${isNew ? "Stored" : "Replaced"} ${key}`,
        output: [`${isNew ? "Stored" : "Replaced"} memory: ${key}`, ...notes].join("\n"),
        metadata: { id: key, key, category, scope, replaced: !isNew, redacted: kept !== content, outside },
      };
    },
  });
