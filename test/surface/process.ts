import path from "node:path";
import { open } from "../../src/index.ts";
import { counter } from "./counter.ts";
import { interceptor } from "./interceptor.ts";
import { logStore } from "./log-store.ts";
import { rateLimit } from "./rate-limit.ts";

/** A process of its own: `node process.mjs ROOT STORE NAME`. Calls in batches, in a session that others share. */
const [root = "", kind = "", name = ""] = process.argv.slice(2);

const own = kind === "log" ? logStore(path.join(root, ".log")) : undefined;
const gate = await open({
  workspace: root,
  mode: "yolo",
  config: {},
  store: own ?? "sqlite",
  tools: [counter],
  policies: [rateLimit("count", 10, 60_000)],
  hooks: [interceptor("kept")],
});
const child = gate.child({ sessionID: "shared", agent: name });
await child.callAll(Array.from({ length: 8 }, () => ({ name: "count", args: { name: "all" } })));
await child.callAll(
  Array.from({ length: 4 }, (_, n) => ({
    name: "write_file",
    args: { path: `${name}${n}.txt`, content: n === 3 ? "forbidden" : `${name}\n` },
  })),
);
await gate.close();
await own?.close();
