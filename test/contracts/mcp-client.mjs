// The client of the official conformance suite: every call goes through a gate that knows the suite's server.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { open } from "../../dist/lib/index.js";

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const dir = mkdtempSync(path.join(os.tmpdir(), "toolgate-conformance-"));
process.env.XDG_CONFIG_HOME = dir;

/** What a tool takes, made up from its schema. */
const madeUp = ({ type, enum: values, properties = {} }) => {
  if (values) return values[0];
  if (type === "object")
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, madeUp(each)]));
  return { number: 5, integer: 3, boolean: true, array: [] }[type] ?? "text";
};

const gate = await open({
  workspace: dir,
  mode: "yolo",
  store: "memory",
  config: { loops: "off", mcp_servers: { suite: { url, timeout: 20 } } },
});
try {
  const { names } = await gate.servers.offer();
  const wanted = context.toolCalls;
  for (const { name, arguments: args } of wanted ?? []) await gate.call({ name: `mcp_suite_${name}`, args });
  if (!wanted)
    for (const name of names) {
      const found = await gate.servers.search(name, 1);
      const result = await gate.call({ name, args: madeUp(found[0]?.parameters ?? {}) });
      console.error(scenario, name, result.status, result.error?.message ?? "");
    }
} finally {
  await gate.close();
  rmSync(dir, { recursive: true, force: true });
}
