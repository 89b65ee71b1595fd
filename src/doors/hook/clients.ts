import type { Client } from "./lib/client.ts";

/** Each client is a chunk of its own: a hook loads the one that calls it. */
export const clients: Readonly<Record<string, () => Promise<Client>>> = {
  claude: async () => (await import("./clients/claude.ts")).claude,
};
