import { open } from "toolgate";

/** What an agent that may read, and hand nothing on, is told of these calls. */
export async function accessOf(workspace: string, calls: { name: string; args: object }[]): Promise<string[]> {
  await using gate = await open({ workspace, mode: "yolo" });
  const reader = gate.child({ agent: "reader", tools: ["files"], permissions: ["read"], gates: ["Finalize"] });
  const results = await reader.callAll(calls);
  return results.map(({ status, error }) => error?.message ?? status);
}
