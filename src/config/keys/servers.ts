import { row } from "../row.ts";
import { servers as kind, opensServers } from "../server-kind.ts";

export const servers = {
  mcp_servers: row({
    says: "Servers whose tools can be called, by name. See [MCP](mcp.md#using-other-servers).",
    kind,
    default: {},
    rule: opensServers,
    to: "servers",
  }),
};
