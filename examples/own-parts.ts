import { type Hook, open, type Policy, type Step, Tool, z } from "../src/index.ts";

/** At most so many calls of tools that run or change something, in one hour, for a session and all below it. */
const calm = (limit: number): Policy => ({
  name: "calm",
  judge: ({ danger }) =>
    danger === "safe" ? undefined : { by: "calm", reserve: [{ key: "calm", limit, window: 3_600_000 }] },
});

/** Says how long every call took. */
const stopwatch = (say: (line: string) => void): Step => ({
  name: "stopwatch",
  applies: () => true,
  async around({ ready, clock }, next) {
    const start = clock.ticks();
    const result = await next();
    say(`${ready.tool.name} took ${Math.round(clock.ticks() - start)} ms`);
    return result;
  },
});

/** Generated files are not written by hand, and the model is told about every change. */
const generated: Hook = {
  name: "generated",
  applies: ({ touches }) => touches.some(({ action }) => action === "write"),
  before: ({ diff }) =>
    diff.includes("@generated") ? { decision: "deny", reason: "generated files are not edited" } : undefined,
  after: (_, result) => (result.success ? "Run the generator before you commit." : undefined),
};

/** A tool with a table of its own. It says what a standing yes may leave open: here, the text of the note. */
const note = Tool.define("note", {
  description: "Keep a short note under a name.",
  input: z.object({ name: z.string(), text: z.string() }),
  touches: ({ name }) => [{ action: "remember", target: name }],
  scope: ({ name }) => ({ name }),
  async execute({ name, text }, { table }) {
    const row = await table().put(name, text);
    return `Kept ${name}, version ${row?.version}.`;
  },
});

export const openWithOwnParts = (workspace: string, say: (line: string) => void) =>
  open({
    workspace,
    mode: "yolo",
    store: "memory",
    tools: [note],
    policies: [calm(2)],
    steps: [stopwatch(say)],
    hooks: [generated],
  });
