import type { Gate } from "../../../core/gate.ts";
import { approverOf } from "../lib/approving.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { tell } from "../lib/telling.ts";
import { documentOf, print } from "../lib/terminal.ts";
import type { Seen } from "../lib/terminal-approver.ts";

const ALL = 1000;
const FORMS = { list: "", recall: "QUERY", store: "KEY CONTENT", forget: "KEY" };

/** Lists, adds and removes what agents remember. Each is a call like any other. */
export const run: Command = async (invocation) => {
  const [part = "list", ...words] = invocation.words;
  const { scope, category, limit } = invocation.values;
  const which = { ...(scope && { scope }), ...(category && { category }) };
  // the user's memories also exist in folders without a store
  const looks = (part === "list" || part === "recall") && scope === "project";
  const opening = { ...openingOf(invocation), toolset: ["memory"] };
  const seen: Seen = { diff: "" };
  const options = { ...opening, ...(looks ? storeForLooking(opening.workspace) : approverOf(invocation, seen)) };
  return withGate(options, async (gate, signal) => {
    const [key, ...more] = words;
    const said = async (name: string, args: object) =>
      tell(await gate.call({ name, args }, { signal }), invocation.json, seen);
    if (part === "list" && key === undefined) return list(gate, invocation, { query: "*", limit: ALL, ...which });
    if (part === "recall" && key !== undefined)
      return list(gate, invocation, { query: words.join(" "), ...(limit && { limit: Number(limit) }), ...which });
    if (part === "store" && key !== undefined && more.length > 0)
      return said("memory_store", { key, content: more.join(" "), ...which });
    if (part === "forget" && key !== undefined && more.length === 0)
      return said("memory_forget", { key, ...(scope && { scope }) });
    throw wrongWords("memory", invocation.words, FORMS);
  });
};

async function list(gate: Gate, { json }: Invocation, args: object): Promise<number> {
  const result = await gate.call({ name: "memory_recall", args });
  if (!json || !result.success) return tell(result, json);
  await print(documentOf(result.metadata.memories));
  return 0;
}
