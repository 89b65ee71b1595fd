import { open } from "../src/index.ts";

/** Tells a gate what calling the model took; afterwards the budget decides whether more calls are made. */
export async function afterModelCall(
  workspace: string,
  usage: { inputTokens: number; outputTokens: number; cost: number },
) {
  await using gate = await open({ workspace, config: { budget: { max_tokens: 100_000, max_cost: 2.5 } } });
  const { usedUp } = await gate.spend({ tokens: usage.inputTokens + usage.outputTokens, cost: usage.cost });
  const next = await gate.call({ name: "list_files", args: {} });
  return { usedUp, status: next.status };
}
