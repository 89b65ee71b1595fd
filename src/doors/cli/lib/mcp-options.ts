export const mcpHelp = {
  usage:
    "mcp [--http PORT] [--tools NAMES] [--dialect NAME] [--approvals HOW] | mcp install|uninstall CLIENT [--user] | mcp servers | mcp login|logout SERVER [--port PORT]",
  summary: "serve the tools to MCP clients, on standard input and output or over HTTP",
  about: `What must be asked about is put to the person by the client, where the client can show a form; the answer holds
for exactly what was shown. Other clients' calls are refused with the reason, and with how a person can allow them.

Over HTTP, only this machine is served unless --host says otherwise; then every request needs the bearer token that is
in TOOLGATE_MCP_TOKEN, or in the file that --token-file names. Where there is a token, it is needed on loopback, too.

install writes the server into the settings of claude, codex, opencode, gemini, vscode or cursor, and uninstall takes it
out again; both show what they change. Options for serving that are given to install are kept there.

servers lists the servers whose tools can be called from here: where each is, which file names it, whether that counts,
and what is known of its tools; it starts none. login has you log in at one with a url, in your browser, and keeps that
in your own configuration folder; logout forgets it.`,
  options: {
    http: { value: "PORT", about: "serve over HTTP at this port, at /mcp; 0 takes any that is free" },
    host: { value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    "allow-host": { value: "NAMES", about: "other names by which clients call this server, with commas" },
    "token-file": { value: "FILE", about: "a file that holds the bearer token" },
    tools: { value: "NAMES", about: "what is served: files, default, all, or names of tools with commas" },
    dialect: { value: "NAME", about: "the names that the client's model was trained on, for example claude" },
    approvals: {
      value: "HOW",
      choices: ["elicit", "queue", "refuse"],
      about: "elicit (default): the client asks; queue: wait for `toolgate approvals`; refuse: nobody is asked",
    },
    user: { about: "install: in the settings of the user, for every folder" },
    project: { about: "install: in the settings of this workspace (default, but for codex)" },
    port: {
      value: "PORT",
      about: "login: where the browser comes back to on this machine (default: any that is free)",
    },
    yes: { about: "do not ask" },
  },
  examples: [
    "toolgate mcp",
    "toolgate mcp --tools files --dialect claude",
    "toolgate mcp --http 8080",
    "toolgate mcp install claude",
    "toolgate mcp servers --json",
    "toolgate mcp login github",
  ],
};
