import { type Hook, open } from "../src/index.ts";

/** Commands run from a clean tree only, and the model is told where it works. */
const careful = (isClean: () => Promise<boolean>): Hook => ({
  name: "careful",
  applies: ({ touches }) => touches.some(({ action }) => action === "run"),
  before: async () =>
    (await isClean()) ? undefined : { decision: "ask", reason: "there are changes that nobody has committed" },
  on: {
    session_start: () => ({ context: "This is a copy: break what you like." }),
    pre_llm_call: ({ details }) =>
      Number(details.step) > 50 ? { decision: "deny", reason: "50 steps are enough" } : undefined,
  },
});

export const openCarefully = (workspace: string, isClean: () => Promise<boolean>) =>
  open({ workspace, mode: "yolo", store: "memory", hooks: [careful(isClean)] });

/** What an agent does before it calls its model. */
export async function mayCallModel(gate: Awaited<ReturnType<typeof openCarefully>>, step: number): Promise<string> {
  const { blocked, context } = await gate.fire("pre_llm_call", { step });
  return blocked ? `Stopped by ${blocked.by}: ${blocked.reason}.` : context.join("\n");
}
