// Agents that work in one workspace through one store, beside one agent alone; and what a record of a call costs.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apart, isServing, serve } from "./lib/apart.mjs";
import { compare } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";

const CALLS = 256;
const ONE = "one agent";
const EIGHT = "eight agents at once";
const MEMORY = "kept in memory";
const DISK = "recorded on disk";

const gateOn = (store, agents, work) => () =>
  new Promise((ready, failed) => {
    withFolder(async (folder) => {
      const { open } = await built("index.js");
      mkdirSync(path.join(folder, "src"));
      for (let agent = 0; agent < agents; agent++) writeFileSync(path.join(folder, `src/${agent}.txt`), "0\n");
      const options = { workspace: folder, mode: "yolo", config: { loops: "off" } };
      const gate = await open(store === "memory" ? { ...options, store } : options);
      const all = Array.from({ length: agents }, (_, index) => gate.child({ agent: `agent${index}` }));
      await new Promise((stop) => {
        ready({ run: () => work(all), stop });
      });
      await gate.close();
    }).catch(failed);
  });

let round = 0;
const done = (result) => {
  if (!result.success) throw new Error(result.error.message);
};

/** Milliseconds a call by the clock: every agent reads its file and writes it, in turn. */
async function reading(agents) {
  round++;
  const started = performance.now();
  await Promise.all(
    agents.map(async (agent, index) => {
      for (let call = 0; call < CALLS / agents.length / 2; call++) {
        done(await agent.call({ name: "read_file", args: { path: `src/${index}.txt` } }));
        const content = `${round} ${call}\n`;
        done(await agent.call({ name: "write_file", args: { path: `src/${index}.txt`, content } }));
      }
    }),
  );
  return (performance.now() - started) / CALLS;
}

/** Microseconds of processor time a call that reads. */
async function looking([agent]) {
  const started = process.cpuUsage();
  for (let call = 0; call < CALLS; call++)
    done(await agent.call({ name: "read_file", args: { path: "src/0.txt", offset: 1, limit: call + 1 } }));
  const { user, system } = process.cpuUsage(started);
  return (user + system) / CALLS;
}

const makers = {
  one: gateOn("disk", 1, reading),
  eight: gateOn("disk", 8, reading),
  memory: gateOn("memory", 1, looking),
  disk: gateOn("disk", 1, looking),
};

const table = async (title, unit, names, targets, rounds) => {
  const cases = names.map(([name, maker]) => apart(import.meta.filename, name, maker));
  try {
    return await compare({ title, unit, cases, rounds, warmups: 3, targets });
  } finally {
    for (const each of cases) await each.stop();
  }
};

export async function tables({ quick }) {
  const rounds = quick ? 10 : 40;
  return [
    await table(
      "A read or a write, by agents in one workspace",
      "ms",
      [
        [ONE, "one"],
        [EIGHT, "eight"],
      ],
      [{ name: EIGHT, most: 1.25 }],
      rounds,
    ),
    await table(
      "A call that reads a file",
      "µs",
      [
        [MEMORY, "memory"],
        [DISK, "disk"],
      ],
      [{ name: DISK, most: 1.5 }],
      rounds,
    ),
  ];
}

if (isServing()) await serve(makers);
