import { tools } from "../src/doors/langchain.ts";
import { open } from "../src/index.ts";

/** The tools of a workspace for a LangChain agent, and what each call did, by its id. */
export async function workspaceTools(workspace: string, session: string) {
  const gate = await open({ workspace, mode: "yolo" });
  const made = tools(gate, {
    names: ["read_file", "edit_file", "grep"],
    createContext: () => ({ sessionID: session, agent: "chain" }),
    onToolResult: ({ title, status }) => console.error(`${title}: ${status}`),
  });
  return { tools: made, lastResults: made.lastResults, close: () => gate.close() };
}
