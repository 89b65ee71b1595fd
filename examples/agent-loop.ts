import { describe, open, render } from "../src/index.ts";

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
    // all that is to be seen before one answers: the command or the diff, what it touches, why it is asked about
    approve: async (question) => ((await askPerson(describe(question))) ? "once" : "deny"),
  });
  try {
    const results = await gate.callAll(calls);
    return results.map((result, index) => ({ id: calls[index]?.id, content: render(result) }));
  } finally {
    await gate.close();
  }
}
