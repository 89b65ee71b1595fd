import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { open } from "../../src/index.ts";
import { settingsFor } from "../../src/open.ts";
import { logInTo } from "../../src/other-servers.ts";

/** What the official conformance suite tells a client: its server, and what a scenario is about. */
export type Told = {
  url: string;
  scenario: string;
  context: { toolCalls?: { name: string; arguments: object }[]; client_id?: string; client_secret?: string };
};
type Schema = { type?: string; enum?: unknown[]; properties?: Record<string, Schema> };

/** The suite's client: every call goes through a gate that knows the suite's server. Rejects where a login fails. */
export async function meet({ url, scenario, context }: Told): Promise<void> {
  const { toolCalls, client_id, client_secret } = context;
  const dir = mkdtempSync(path.join(os.tmpdir(), "toolgate-conformance-"));
  const variable = `TEST_SECRET_${new URL(url).port}`;
  if (client_secret !== undefined) process.env[variable] = client_secret;
  const isForItself = scenario === "auth/client-credentials-basic";
  const oauth = {
    grant: isForItself ? "client_credentials" : "authorization_code",
    ...(client_id !== undefined && { client_id }),
    ...(client_secret !== undefined && { client_secret_env: variable }),
    // where a service can read who we are, if it wants to know it so
    ...(scenario === "auth/basic-cimd" && { client_id: "https://conformance-test.local/client-metadata.json" }),
  };
  const suite = { url, timeout: 60, startup_timeout: 60, ...(scenario.startsWith("auth/") && { oauth }) };
  const config = { loops: "off", mcp_servers: { suite } };

  const logIn = async (): Promise<void> => {
    const { servers } = (await settingsFor(dir, { config })).settings;
    if (!servers.suite) throw new Error("There is no server suite.");
    await logInTo("suite", servers.suite, { port: 0, signal: AbortSignal.timeout(60_000), show: browse });
  };

  /** Whether a login was wanted for one of the calls. */
  const callAll = async (): Promise<boolean> => {
    const gate = await open({ workspace: dir, mode: "yolo", store: "memory", config, ask: suggested });
    try {
      const names = (await gate.servers?.offer())?.names ?? [];
      const made = names.map(async (name) => ({
        name,
        args: madeUp(((await gate.servers?.search(name, 1))?.[0]?.parameters ?? {}) as Schema),
      }));
      const wanted = toolCalls?.map(({ name, arguments: args }) => ({ name: `mcp_suite_${name}`, args }));
      const results = [];
      for (const call of wanted ?? (await Promise.all(made))) results.push(await gate.call(call));
      return results.some(({ error }) => error?.message.includes("it wants a login"));
    } finally {
      await gate.close();
    }
  };

  try {
    if (scenario.startsWith("auth/") && !isForItself) await logIn();
    // who is told that more rights are needed logs in once more
    if (!(await callAll())) return;
    await logIn();
    await callAll();
  } finally {
    rmSync(dir, { recursive: true, force: true });
    delete process.env[variable];
  }
}

/** What a tool takes, made up from its schema. */
const madeUp = ({ type = "", enum: values, properties = {} }: Schema): unknown => {
  if (values) return values[0];
  if (type === "object")
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, madeUp(each)]));
  return { number: 5, integer: 3, boolean: true, array: [] }[type] ?? "text";
};

/** A person who takes what a form suggests. */
function suggested({ question }: { question: string }): string {
  const [, value] = /, by default (.*)\)$/m.exec(question) ?? [];
  return value === undefined ? "yes" : String(JSON.parse(value));
}

/** A person who agrees to everything: their browser goes wherever it is sent. */
const browse = (page: URL) => void fetch(page).catch(() => {});
