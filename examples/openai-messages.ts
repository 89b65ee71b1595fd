import { answer, tools } from "../src/doors/openai.ts";
import { open } from "../src/index.ts";

type Message = { role: string; content?: unknown; tool_calls?: { id: string; function: Call }[] | null };
type Call = { name: string; arguments: string };
type Model = (request: { messages: Message[]; tools: unknown[] }) => Promise<Message>;

/** An agent in twenty lines: `model` posts a request to any service that speaks Chat Completions. */
export async function agent(workspace: string, task: string, model: Model): Promise<Message[]> {
  const gate = await open({ workspace, mode: "yolo" });
  const messages: Message[] = [{ role: "user", content: task }];
  try {
    for (let turn = 1; turn <= 20; turn++) {
      const message = await model({ messages, tools: tools(gate) });
      messages.push(message);
      if (!message.tool_calls?.length) break;
      messages.push(...(await answer(gate, message, { messageID: `turn ${turn}` })));
    }
    return messages;
  } finally {
    await gate.close();
  }
}
