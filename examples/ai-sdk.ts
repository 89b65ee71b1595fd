import { generateText, type LanguageModel, stepCountIs } from "ai";
import { aiSdk } from "../src/doors/ai-sdk.ts";
import { open } from "../src/index.ts";

/** A task for a model of the AI SDK. What the gate would ask about comes back as the SDK's approval requests. */
export async function run(workspace: string, task: string, model: LanguageModel) {
  const door = aiSdk();
  const gate = await open({ workspace, approve: door.approve });
  try {
    return await generateText({ model, tools: door.tools(gate), prompt: task, stopWhen: stepCountIs(20) });
  } finally {
    await gate.close();
  }
}
