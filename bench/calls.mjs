// What one call of a tool that does nothing costs: ours is found, judged, guarded and recorded, theirs is run.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apart, isServing, serve } from "./lib/apart.mjs";
import { compare } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";

const CALLS = 1024;
const LANGCHAIN = "LangChain DynamicStructuredTool.invoke(toolCall)";
const NO_PATHS = "Toolgate, no paths, recorded";
const ONE_PATH = "Toolgate, one path, recorded";

/** Microseconds of processor time a call: whoever else uses the machine counts less than by the clock. */
async function each(call, after) {
  const started = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call(index);
  await after?.();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / CALLS;
}

async function langchain() {
  const { DynamicStructuredTool } = await import("@langchain/core/tools");
  const z = await import("zod");
  const tool = new DynamicStructuredTool({
    name: "nothing",
    description: "Does nothing.",
    schema: z.object({ text: z.string(), count: z.number() }),
    func: async ({ count }) => `done ${count}`,
  });
  const call = (index) =>
    tool.invoke({ type: "tool_call", id: `call_${index}`, name: "nothing", args: { text: "a.txt", count: index } });
  return { run: () => each(call) };
}

async function parsing() {
  const z = await import("zod");
  const schema = z.object({ text: z.string(), count: z.number() });
  const execute = async ({ count }) => `done ${count}`;
  return { run: () => each((count) => execute(schema.safeParse({ text: "a.txt", count }).data)) };
}

/** The store is on a disk, and the records of all calls are in it when the clock stops. */
const toolgate = (touches) => () =>
  new Promise((ready, failed) => {
    withFolder(async (folder) => {
      writeFileSync(path.join(folder, "a.txt"), "one\n");
      mkdirSync(path.join(folder, ".toolgate"));
      const { open, Tool, z, read } = await built("index.js");
      const { sqliteStore } = await built("stores/sqlite.js");
      const inner = await sqliteStore(path.join(folder, ".toolgate/store.db"));
      const written = countRecords(inner);
      const nothing = Tool.define("nothing", {
        description: "Does nothing.",
        permissions: { required: ["read"] },
        input: z.object({ text: z.string(), count: z.number() }),
        touches: touches ? ({ text }) => [read(text)] : () => [],
        // calls that are all answered alike would be told that they go round in circles
        execute: async ({ count }) => `done ${count}`,
      });
      const gate = await open({ workspace: folder, config: {}, store: written.store, toolset: [], tools: [nothing] });
      const call = async (index) => {
        const result = await gate.call({
          id: `call_${index}`,
          name: "nothing",
          args: { text: "a.txt", count: index },
        });
        if (!result.success) throw new Error(result.error.message);
      };
      await new Promise((stop) => {
        ready({ run: () => each(call, () => written.reach(CALLS)), stop });
      });
      await gate.close();
      await inner.close();
    }).catch(failed);
  });

/** The gate keeps records in groups of its own time: this says when the last of them was written. */
function countRecords(store) {
  let count = 0;
  let waiting;
  const record = async (group) => {
    await store.record(group);
    count += group.length;
    waiting?.();
  };
  const reach = async (wanted) => {
    while (count < wanted) await new Promise((resolve) => (waiting = resolve));
    count -= wanted;
  };
  return { store: { ...store, record }, reach };
}

const makers = { langchain, parsing, noPaths: toolgate(false), onePath: toolgate(true) };

export async function tables({ quick }) {
  const file = import.meta.filename;
  const cases = [
    apart(file, LANGCHAIN, "langchain"),
    apart(file, "zod safeParse and an async function", "parsing"),
    apart(file, NO_PATHS, "noPaths"),
    apart(file, ONE_PATH, "onePath"),
  ];
  try {
    const table = await compare({
      title: "A call of a tool that does nothing",
      unit: "µs",
      cases,
      rounds: quick ? 40 : 120,
      warmups: 8,
      least: true,
      targets: [
        { name: NO_PATHS, most: 0.6 },
        { name: ONE_PATH, most: 10, of: "min" },
      ],
    });
    return [table];
  } finally {
    for (const each of cases) await each.stop();
  }
}

if (isServing()) await serve(makers);
