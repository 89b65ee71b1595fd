// A server of tools by hand: what it offers and does stands in plan.json of the folder that it is given.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

const [dir] = process.argv.slice(2);
const plan = () => JSON.parse(fs.readFileSync(path.join(dir, "plan.json"), "utf8"));
const note = (line) => fs.appendFileSync(path.join(dir, "log"), `${line}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const object = (properties = {}, required = []) => ({ type: "object", properties, required });

const OWN = [
  {
    name: "echo",
    description: "Echo a text back, some times over.",
    inputSchema: object({ text: { type: "string" }, times: { type: "integer" } }, ["text"]),
  },
  { name: "broken", description: "Always reports an error.", inputSchema: object() },
];

/** By the name of a tool, what is done for it; `answer` of the plan comes first. */
const deeds = {
  echo: ({ text, times = 1 }) => ({ content: [{ type: "text", text: `echo:${Array(times).fill(text).join(",")}` }] }),
  broken: () => ({ content: [{ type: "text", text: "the pump is jammed" }], isError: true }),
};

const { onStart } = plan();
note("started");
if (onStart === "exit") {
  process.stderr.write("no licence found\n");
  process.exit(3);
}
if (onStart === "garbage") for (let n = 0; n < 5_000; n++) process.stdout.write("this is no message\n");
if (onStart === "noise") process.stdout.write("Listening on standard input\n{}\n[1]\nnull\n");
if (onStart === "long") process.stdout.write("x".repeat(40 << 20));

async function called(id, { name, arguments: args = {}, _meta: meta = {} }) {
  const { answers = {} } = plan();
  const answer = answers[name] ?? deeds[name]?.(args) ?? { content: [{ type: "text", text: `${name} ran` }] };
  if (answer === "die") process.exit(1);
  if (answer === "hang") return;
  if (answer === "flood") for (;;) await new Promise((done) => process.stdout.write(NOTICE.repeat(1_000), done));
  for (const progress of answer.progress ?? [])
    send({ method: "notifications/progress", params: { progressToken: meta.progressToken, ...progress } });
  if (answer.changed) send({ method: "notifications/tools/list_changed" });
  if (answer.ask) {
    const replies = await Promise.all(answer.ask.map(asked));
    return send({ id, result: { content: [{ type: "text", text: JSON.stringify(replies) }] } });
  }
  if (answer.error) return send({ id, error: answer.error });
  const { progress: _, changed: __, ...result } = answer;
  send({ id, result });
}

/** Forms that wait for the client's answer, by id. */
const forms = new Map();
const asked = (params) =>
  new Promise((resolve) => {
    const id = `form-${forms.size + 1}`;
    forms.set(id, resolve);
    send({ id, method: "elicitation/create", params });
  });

const NOTICE = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n`;

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params = {}, result, error } = JSON.parse(line);
    if (method === undefined) return forms.get(id)?.(result ?? { error: error?.message });
    note(method + (method === "tools/call" ? ` ${params.name}` : ""));
    const { tools = OWN, mute = [] } = plan();
    if (id === undefined || mute.includes(method)) return;
    if (method === "initialize") {
      const capabilities = { tools: { listChanged: true } };
      send({
        id,
        result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "plain", version: "1" } },
      });
    } else if (method === "tools/list") send({ id, result: { tools } });
    else if (method === "tools/call") void called(id, params);
    else if (method === "ping") send({ id, result: {} });
    else send({ id, error: { code: -32601, message: "Method not found" } });
  })
  .on("close", () => process.exit(0));
