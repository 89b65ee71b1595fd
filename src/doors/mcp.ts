export { type HttpOptions, type HttpServing, type Limits, serveHttp } from "./mcp/http/serve.ts";
export { agentPrompts } from "./mcp/lib/agent-prompts.ts";
export type { Prompts, Resources } from "./mcp/lib/offering.ts";
export { type Kept, recordResources } from "./mcp/lib/record-resources.ts";
export { type McpDoor, mcp, type ServedGate, type ServeOptions, type ServerFactory } from "./mcp/server.ts";
export { type StdioOptions, type StdioServing, serveStdio } from "./mcp/stdio.ts";
