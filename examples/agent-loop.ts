import { describe, open, render } from "../src/index.ts";

type ModelCall = { id: string; name: string; args: unknown };

/** One turn of an agent: takes the calls that a model made, and returns the texts to send back. */
export async function oneTurn(
  workspace: string,
  calls: ModelCall[],
  askPerson: (question: string) => Promise<boolean>,
) {
  const gate = await open({
    workspace,
    mode: "confirm-sensitive",
    // describe() gives the text to show: the command or the diff, what it touches, why it needs approval
    approve: async (question) => ((await askPerson(describe(question))) ? "once" : "deny"),
  });
  try {
    const results = await gate.callAll(calls);
    return results.map((result, index) => ({ id: calls[index]?.id, content: render(result) }));
  } finally {
    await gate.close();
  }
}
