import { open, render } from "../src/index.ts";

type ModelCall = { id: string; name: string; args: unknown };

/** One turn of an agent: the calls that a model asked for go in, the texts that it reads come out. */
export async function oneTurn(
  workspace: string,
  calls: ModelCall[],
  askPerson: (question: string) => Promise<boolean>,
) {
  const gate = await open({
    workspace,
    mode: "confirm-sensitive",
    approve: async (call, verdict) =>
      (await askPerson(`${call.tool}: ${verdict.reason}\n${call.diff}`)) ? "once" : "deny",
  });
  try {
    const results = await gate.callAll(calls);
    return results.map((result, index) => ({ id: calls[index]?.id, content: render(result) }));
  } finally {
    await gate.close();
  }
}
