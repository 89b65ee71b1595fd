import type { Hook } from "../../src/index.ts";

/** Keeps what is written inside one folder, forbids some of it, and says so afterwards. */
export const interceptor = (folder: string): Hook => ({
  name: "interceptor",
  applies: ({ tool }) => tool === "write_file",
  before({ args }) {
    const { path, content } = args as { path: string; content: string };
    if (content.includes("forbidden")) return { decision: "deny", reason: "such words are not written here" };
    return path.startsWith(`${folder}/`) ? undefined : { args: { path: `${folder}/${path}`, content } };
  },
  after: ({ touches }) => `${touches.length} file was written under supervision`,
});
