import { read, Tool, ToolFailure, z } from "../src/index.ts";

export const countWords = Tool.define("count_words", {
  description: "Count the words of a text file. Words are separated by white space.",
  permissions: { required: ["read"] },
  input: z.object({ path: z.string() }),
  touches: ({ path }) => [read(path)],
  async execute({ path }, { files }) {
    const info = await files.stat(path);
    if (!info) throw new ToolFailure("NOT_FOUND", `${path} does not exist.`, "Check the name.");
    const text = new TextDecoder().decode((await files.read(path)).bytes);
    const words = text.split(/\s+/).filter(Boolean).length;
    return { title: `Counted ${path}`, output: `${path} has ${words} words.`, metadata: { words } };
  },
});
