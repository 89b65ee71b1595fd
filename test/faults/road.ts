import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Gate, type OpenOptions, open, type Policy, type Store, Tool, z } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { type Hear, watched } from "./ports.ts";

export const LIMIT = 2;

/** Every run of it leaves a line that nobody takes back. */
const spender = (root: string): Tool =>
  Tool.define("spend", {
    description: "A tool of the tests which leaves a line whenever it runs.",
    permissions: { required: ["write"] },
    input: z.object({}),
    touches: () => [],
    dangerLevel: "safe",
    execute: async () => {
      appendFileSync(path.join(root, "spent"), "once\n");
      return "spent";
    },
  });

export const spent = (root: string): number => {
  const file = path.join(root, "spent");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
};

/** Counted for everybody, whatever their session. */
const limit: Policy = {
  name: "limit",
  judge: ({ tool }) =>
    tool.name === "spend" ? { by: "limit", reserve: [{ key: "spend", limit: LIMIT, session: "all" }] } : undefined,
};
export const LIMIT_KEY = "all limit spend";

/** A gate whose store and files somebody listens at; whoever is asked says yes to what is written to `yes`. */
export async function road(root: string, store: Store, hear: Hear, more: OpenOptions = {}): Promise<Gate> {
  const ports = watched({ store, workspace: localWorkspace({ root }), approve: () => "deny" }, hear);
  const gate = await open({
    ...{ workspace: ports.workspace, store: ports.store, mode: "yolo", config: {}, approve: "queue" },
    ...{ tools: [spender(root)], policies: [limit], ...more },
  });
  gate.on("event", async (event) => {
    if (event.type !== "asked") return;
    const rows = (await store.pending()).filter(({ call }) => call === event.call.id);
    for (const { id, input } of rows)
      await store.answer(id, (input as { path: string }).path === "yes" ? "once" : "deny");
  });
  return gate;
}

export const write = (file: string) => ({ name: "write_file", args: { path: file, content: `${file}\n` } });
