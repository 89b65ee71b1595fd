import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Gate, type IncomingCall, open } from "../../src/index.ts";

/** One process with agents in it: `agents-process TASK ROOT NAME`. What it did is written to done-NAME.json. */
const [task = "", root = "", name = ""] = process.argv.slice(2);
const ROUNDS = 6;
const MOST_TRIES = 200;

const tell = (value: unknown) => writeFileSync(path.join(root, `done-${name}.json`), JSON.stringify(value));

/** Writes a file of its own, adds to one that all share under a lock of paths, and reads it. */
async function work(gate: Gate, agent: string, made: string[]): Promise<void> {
  const call = async (tool: string, args: object) => {
    const id = `${agent}-${made.length}`;
    made.push(id);
    return gate.call({ id, name: tool, args } satisfies IncomingCall);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await call("write_file", { path: `${agent}.txt`, content: `${round}\n` });
    for (let tries = 0; ; tries++) {
      const { status, metadata } = await call("lock_paths", { globs: ["shared.txt"] });
      if (status !== "done") {
        if (tries > MOST_TRIES) throw new Error("The lock was never free.");
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
        continue;
      }
      const added = await call("edit_file", {
        path: "shared.txt",
        old_str: "end\n",
        new_str: `${agent} ${round}\nend\n`,
      });
      if (added.status !== "done") throw new Error(added.error?.message);
      await call("unlock_paths", { tokens: metadata.tokens });
      break;
    }
    await call("read_file", { path: "shared.txt" });
  }
}

const tasks: Record<string, () => Promise<void>> = {
  async work() {
    const gate = await open({ workspace: root, mode: "yolo", toolset: ["default", "together"] });
    const made: string[] = [];
    const agents = [`${name}a`, `${name}b`];
    await Promise.all(agents.map((agent) => work(gate.child({ agent }), agent, made)));
    await gate.close();
    tell(made);
  },
  async limit() {
    const config = { guardrails: { max_files_modified: 10 }, security: { max_actions_per_hour: 25 } };
    const gate = await open({ workspace: root, mode: "yolo", config });
    const write = (index: number) => ({
      name: "write_file",
      args: { path: `${name}-${index}.txt`, content: "x" },
      sessionID: "together",
    });
    const results = await Promise.all([0, 1, 2, 3, 4].map((index) => gate.call(write(index))));
    await gate.close();
    tell(results.map(({ status }) => status));
  },
  async claim() {
    const gate = await open({ workspace: root, mode: "yolo", toolset: ["default", "together"] });
    await gate.board.claim("release", { mode: "exclusive", ttlMs: 3_600_000 });
    await gate.call({ name: "board_claim", args: { resource: "deploy", mode: "exclusive", ttl_ms: 3_600_000 } });
    await gate.call({ name: "lock_paths", args: { globs: ["**"], ttl_ms: 3_600_000 } });
    await gate.call({ name: "task_create", args: { subject: "paint", description: "" } });
    await gate.call({ name: "task_update", args: { taskId: "1", status: "in_progress" } });
    tell((await gate.board.claims()).map(({ shown }) => shown));
    process.kill(process.pid, "SIGKILL");
  },
};

await tasks[task]?.();
