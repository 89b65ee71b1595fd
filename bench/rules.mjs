// What rules cost a call that none of them decides: ten, and a thousand of every kind that people write.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apart, isServing, serve } from "./lib/apart.mjs";
import { compare } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";

const CALLS = 512;
const NONE = "no rules";
const TEN = "10 rules";
const THOUSAND = "1,000 rules";

const KINDS = [
  (n) => ({ deny: `write(kept${n}/**)` }),
  (n) => ({ deny: `read(*.secret${n})` }),
  (n) => ({ ask: `write(docs/part${n}/*.md)` }),
  (n) => ({ allow: `write(src/part${n}/**)` }),
  (n) => ({ deny: `write(**/generated${n}/**)` }),
  (n) => ({ allow: `run(tool${n} build *)` }),
  (n) => ({ ask: `run(tool${n} publish *)` }),
  (n) => ({ deny: `fetch(host${n}.example.com)` }),
  (n) => ({ allow: `mcp(server${n}/*)` }),
  (n) => ({ deny: `other_tool_${n}` }),
];

function rules(count) {
  const lists = { allow: [], ask: [], deny: [] };
  for (let index = 0; index < count; index++)
    for (const [kind, rule] of Object.entries(KINDS[index % KINDS.length](index))) lists[kind].push(rule);
  return lists;
}

/** Microseconds of processor time a call. */
async function each(call) {
  const started = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call(index);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / CALLS;
}

const TOUCHES = {
  path: (_, { read }) => [read("lib/a.txt")],
  command: () => [
    {
      action: "run",
      command: "npm test -- --run",
      class: "dev",
      reading: {
        risk: "low",
        reason: "",
        parsed: true,
        sure: true,
        uses: { newline: false, backticks: false, substitution: false },
        segments: [
          {
            text: "npm test -- --run",
            program: "npm",
            class: "dev",
            risk: "low",
            rule: "",
            words: ["npm", "test", "--", "--run"],
            plain: true,
          },
        ],
      },
    },
  ],
};

const toolgate = (what, count) => () =>
  new Promise((ready, failed) => {
    withFolder(async (folder) => {
      mkdirSync(path.join(folder, "lib"));
      writeFileSync(path.join(folder, "lib/a.txt"), "one\n");
      const library = await built("index.js");
      const nothing = library.Tool.define("nothing", {
        description: "Does nothing.",
        permissions: { required: ["read"] },
        input: library.z.object({ count: library.z.number() }),
        touches: (input) => TOUCHES[what](input, library),
        execute: async ({ count }) => `done ${count}`,
      });
      const config = { mode: "yolo", loops: "off", rules: rules(count) };
      const gate = await library.open({ workspace: folder, config, store: "memory", toolset: [], tools: [nothing] });
      const call = async (count) => {
        const result = await gate.call({ name: "nothing", args: { count } });
        if (!result.success) throw new Error(result.error.message);
      };
      await new Promise((stop) => {
        ready({ run: () => each(call), stop });
      });
      await gate.close();
    }).catch(failed);
  });

const COUNTS = { [NONE]: 0, [TEN]: 10, [THOUSAND]: 1_000 };
const makers = Object.fromEntries(
  Object.keys(TOUCHES).flatMap((what) => Object.values(COUNTS).map((n) => [`${what}-${n}`, toolgate(what, n)])),
);

export async function tables({ quick }) {
  const all = [];
  for (const what of Object.keys(TOUCHES)) {
    const cases = Object.entries(COUNTS).map(([name, n]) => apart(import.meta.filename, name, `${what}-${n}`));
    try {
      all.push(
        await compare({
          title: `A call with a ${what}, judged by rules`,
          unit: "µs",
          cases,
          base: TEN,
          rounds: quick ? 20 : 60,
          warmups: 4,
          least: true,
          targets: [{ name: THOUSAND, most: 2 }],
        }),
      );
    } finally {
      for (const each of cases) await each.stop();
    }
  }
  return all;
}

if (isServing()) await serve(makers);
