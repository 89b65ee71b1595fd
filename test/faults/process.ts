import { existsSync } from "node:fs";
import path from "node:path";
import { open, Tool, z } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { everyAwait, type Moment, Trigger, watched } from "./ports.ts";
import { road, write } from "./road.ts";
import { ownWriter, scenarioOf } from "./scenarios.ts";

/** A process of its own: `node process.mjs TASK ROOT …`. */
const [task = "", root = "", ...more] = process.argv.slice(2);

/** Where something is written, by the store or the files; looking leaves nothing behind. */
const writing = (moment: Moment): boolean =>
  everyAwait(moment) && ["lock", "unlock", "intend", "conclude", "commit", "record"].includes(moment.method);

const tasks: Record<string, () => Promise<void>> = {
  /** Kills itself at the n-th moment of a scenario; ends well if there is none. */
  async die() {
    const [name = "", mode = "", n = "", which = ""] = more;
    const fits = which === "writing" ? writing : everyAwait;
    const trigger = new Trigger(Number(n), fits, () => process.kill(process.pid, "SIGKILL"));
    const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
    const workspace = localWorkspace({ root });
    const ports = watched({ store, workspace, approve: () => "once" }, trigger.hear);
    const gate = await open({ ...ports, mode: mode as "yolo", config: {}, tools: [ownWriter] });
    trigger.armed = true;
    const results = await scenarioOf(name).run(gate, {});
    await gate.close();
    await store.close();
    if (!results.every(({ success }) => success)) throw new Error(JSON.stringify(results));
  },

  /** Runs a command and kills itself as soon as that has made a file. */
  async interrupted() {
    const [command = "", sign = ""] = more;
    const gate = await open({ workspace: root, mode: "yolo", config: {} });
    void gate.call({ name: "run_command", args: { command }, messageID: "turn" });
    while (!existsSync(path.join(root, sign))) await new Promise((resolve) => setTimeout(resolve, 10));
    process.kill(process.pid, "SIGKILL");
  },

  /** Makes one call and is killed while it runs, if the call is of the tool `lethal`, or right after it. */
  async killed() {
    const [name = "", args = "{}"] = more;
    const die = () => process.kill(process.pid, "SIGKILL");
    const lethal = Tool.define("lethal", {
      description: "Kills its host.",
      input: z.object({}),
      execute: () => `${die()}`,
    });
    const gate = await open({ workspace: root, mode: "yolo", config: {}, tools: [lethal] });
    await gate.call({ name, args: JSON.parse(args) });
    die();
  },

  /** Runs the plan of a workspace and kills itself at the n-th moment that writes; ends well if there is none. */
  async plan() {
    const [n = ""] = more;
    const fits = ({ method }: Moment) => ["movePlan", "intend", "commit", "conclude"].includes(method);
    const trigger = new Trigger(Number(n), fits, () => process.kill(process.pid, "SIGKILL"));
    const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
    const ports = watched({ store, workspace: localWorkspace({ root }), approve: () => "once" }, trigger.hear);
    const gate = await open({ ...ports, mode: "yolo", config: {} });
    trigger.armed = true;
    const outcomes = await gate.plans.run();
    await gate.close();
    await store.close();
    if (!outcomes.every(({ result }) => result.success)) throw new Error(JSON.stringify(outcomes));
  },

  /** Spends, plans and asks, and kills itself at one moment of it. */
  async road() {
    const [moment = ""] = more;
    const die = ({ method, when }: Moment) => {
      if (moment === `${when} ${method}`) process.kill(process.pid, "SIGKILL");
    };
    const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
    const gate = await road(root, store, die);
    await gate.child({ sessionID: "spending" }).callAll([{ name: "spend" }, { name: "spend" }]);
    await gate.child({ plan: true }).call(write("planned"));
    await gate.child({ mode: "confirm-all" }).call(write("no"));
  },

  /** Adds its own lines to a file that another process adds to as well: at the end, and before its own mark. */
  async add() {
    const [file = "", name = "", count = ""] = more;
    const gate = await open({ workspace: root, mode: "yolo", config: {} });
    for (let n = 0; n < Number(count); n++) {
      const line = `${name} ${n}\n`;
      const call =
        n % 2 === 0
          ? { name: "write_file", args: { path: file, content: line, mode: "append" } }
          : { name: "edit_file", args: { path: file, old_str: `# ${name}\n`, new_str: `${line}# ${name}\n` } };
      const result = await gate.call(call);
      if (!result.success) throw new Error(JSON.stringify(result));
    }
    await gate.close();
  },
};

await tasks[task]?.();
