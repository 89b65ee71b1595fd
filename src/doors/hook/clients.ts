import type { Client } from "./lib/client.ts";

/** Each client is a separate chunk: a hook loads only the one that calls it. */
export const clients: Readonly<Record<string, () => Promise<Client>>> = {
  claude: async () => (await import("./clients/claude.ts")).claude,
  codex: async () => (await import("./clients/codex.ts")).codex,
  gemini: async () => (await import("./clients/gemini.ts")).gemini,
  opencode: async () => (await import("./clients/opencode.ts")).opencode,
  copilot: async () => (await import("./clients/copilot.ts")).copilot,
  cursor: async () => (await import("./clients/cursor.ts")).cursor,
  cline: async () => (await import("./clients/cline.ts")).cline,
  windsurf: async () => (await import("./clients/windsurf.ts")).windsurf,
};
