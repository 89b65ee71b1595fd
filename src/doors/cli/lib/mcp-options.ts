export const mcpHelp = {
  usage: "mcp [--tools NAMES] [--dialect NAME] [--approvals HOW]",
  summary: "serve the tools to an MCP client, on standard input and output",
  about: `What must be asked about is put to the person by the client, where the client can show a form; the answer holds
for exactly what was shown. Other clients' calls are refused with the reason, and with how a person can allow them.`,
  options: {
    tools: { value: "NAMES", about: "what is served: files, default, all, or names of tools with commas" },
    dialect: { value: "NAME", about: "the names that the client's model was trained on, for example claude" },
    approvals: {
      value: "HOW",
      choices: ["elicit", "queue", "refuse"],
      about: "elicit (default): the client asks; queue: wait for `toolgate approvals`; refuse: nobody is asked",
    },
  },
  examples: ["toolgate mcp", "toolgate mcp --tools files --dialect claude"],
};
