import { type GateEvent, open } from "../src/index.ts";

/** The agent's side: what needs approval waits until somebody answers, in this process or in another one. */
export const openAgent = (workspace: string, store: string) => open({ workspace, store, approve: "queue" });

/** The person's side: answers every question that waits. Shows touches and diff first, in real life. */
export async function answerAll(workspace: string, store: string, decide: (tool: string, diff: string) => string) {
  await using gate = await open({ workspace, store });
  const waiting = await gate.approvals.pending();
  for (const { id, tool, diff } of waiting) await gate.approvals.answer(id, decide(tool, diff));
  return waiting.length;
}

/** A child that may look at one folder, and a listener that hears what it does. */
export async function lookOnly(workspace: string, name: string, args: unknown) {
  await using gate = await open({ workspace, store: "memory", mode: "yolo" });
  const events: GateEvent["type"][] = [];
  const stop = gate.on("event", ({ type }) => events.push(type));
  const child = gate.child({ agent: "reader", permissions: ["read"], paths: ["docs/**"], budget: { maxCalls: 5 } });
  const result = await child.call({ name, args });
  stop();
  return { result, events };
}
