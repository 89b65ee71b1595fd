import { Agent, type Model, run, tool } from "@openai/agents-core";
import { open } from "toolgate";
import { openaiAgents } from "toolgate/openai-agents";

/** A task for an agent of the OpenAI Agents SDK. `isWanted` answers what the gate would ask about. */
export async function work(workspace: string, task: string, model: Model, isWanted: (call: string) => boolean) {
  const door = openaiAgents();
  const gate = await open({ workspace, approve: door.approve });
  try {
    const agent = new Agent({ name: "worker", model, tools: door.tools(gate).map((each) => tool(each)) });
    let result = await run(agent, task);
    while (result.interruptions.length > 0) {
      for (const asked of result.interruptions)
        if (isWanted(`${asked.name} ${asked.arguments}`)) result.state.approve(asked);
        else result.state.reject(asked);
      result = await run(agent, result.state);
    }
    return result.finalOutput;
  } finally {
    await gate.close();
  }
}
