export const mcpHelp = {
  usage: `mcp [--http PORT] [--tools NAMES] [--dialect NAME] [--approvals HOW]
mcp install|uninstall CLIENT [--user | --project]
mcp servers
mcp login|logout SERVER [--port PORT]`,
  summary: "serve the tools to MCP clients; manage other MCP servers",
  about: `Without a subcommand, serves MCP on standard input and output, or over HTTP.

A call that needs approval is shown as a form by clients that support forms; the
approval covers exactly what was shown. For other clients it is refused, with the
reason and how a person can allow it.

Over HTTP only this machine can connect, unless --host says otherwise. Then every
request needs the bearer token from TOOLGATE_MCP_TOKEN or --token-file. If a token
is set, requests on loopback need it too.

install    add the server to the settings of claude, codex, opencode, gemini,
           vscode or cursor, with the options given here; shows the change
uninstall  remove it again; shows the change
servers    list the MCP servers whose tools can be called here; starts none
login      log in to a server with a url, in your browser; the token is kept in
           your own configuration folder
logout     forget that login`,
  options: {
    http: { value: "PORT", about: "serve HTTP on this port, at /mcp; 0 picks a free one" },
    host: { value: "ADDRESS", about: "the address to listen on (default: 127.0.0.1)" },
    "allow-host": { value: "NAMES", about: "other host names that clients may use, comma-separated" },
    "token-file": { value: "FILE", about: "a file that holds the bearer token" },
    tools: { value: "NAMES", about: "tools to serve: files, default, all, or a list" },
    dialect: { value: "NAME", about: "use the tool names of another client, such as claude" },
    approvals: {
      value: "HOW",
      choices: ["elicit", "queue", "refuse"],
      about: "elicit (default): the client asks; queue: wait for `toolgate approvals`; refuse: do not ask",
    },
    user: { about: "install: change your user settings, for every folder" },
    project: { about: "install: change the workspace's settings (default, except for codex)" },
    port: {
      value: "PORT",
      about: "login: the local port for the browser's redirect (default: a free one)",
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
