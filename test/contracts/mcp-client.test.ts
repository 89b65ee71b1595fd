import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { when } from "../capabilities.ts";
import { folder } from "../journeys/harness.ts";
import { ERAS, type Era } from "../mcp/served.ts";
import { meet, type Told } from "./mcp-client.ts";

const SUITE = path.resolve("node_modules/@modelcontextprotocol/conformance");
const AT_ONCE = 2;

type Check = { id: string; status: string; description: string };

/** The suite starts a program for each scenario; it hands what it is told to us, and ends as we say. */
const FORWARD = `
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const body = JSON.stringify({ url: process.argv.at(-1), scenario, context: JSON.parse(context) });
const { status } = await fetch(process.argv.at(-2), { method: "POST", body });
process.exitCode = status === 200 ? 0 : 1;
`;

/** Does what the forwarded programs would do, a few at a time. */
async function clients(): Promise<string> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    if (++running > AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    const ended = await meet(JSON.parse(text) as Told).then(
      () => 200,
      () => 500,
    );
    running--;
    waiting.shift()?.();
    response.writeHead(ended).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs all that a revision requires of a client; the checks of each scenario. */
async function checksOf(era: Era): Promise<Map<string, Check[]>> {
  // loaded before anybody's time runs
  await import("@modelcontextprotocol/client");
  const results = folder({ "forward.mjs": FORWARD });
  const command = `${process.execPath} ${path.join(results, "forward.mjs")} ${await clients()}`;
  const options = ["--requirements", era, "--timeout", "120000", "-o", path.join(results, "checks")];
  const args = [`${SUITE}/dist/index.js`, "client", "--command", command, ...options];
  await new Promise<void>((resolve) => void execFile(process.execPath, args, { timeout: 170_000 }, () => resolve()));
  const { client } = parse(readFileSync(`${SUITE}/requirements/${era}.yaml`, "utf8")) as { client: string[] };
  const runs = readdirSync(path.join(results, "checks"), { recursive: true, encoding: "utf8" });
  return new Map(
    client.map((scenario) => {
      const run = runs.find((name) => name.startsWith(`${scenario}-2`) && name.endsWith("checks.json"));
      const text = run === undefined ? "[]" : readFileSync(path.join(results, "checks", run), "utf8");
      return [scenario, JSON.parse(text) as Check[]];
    }),
  );
}

const isNewEnough = Number(process.versions.node.split(".")[0]) >= 22;

describe(
  "the official conformance suite of MCP, client",
  when(isNewEnough, "the suite needs Node 22: npm run test:node24 -- test/contracts"),
  () => {
    test.each(ERAS)("what %s requires of a client holds, without exception", { timeout: 180_000 }, async (era) => {
      const scenarios = await checksOf(era);
      expect(scenarios.size).toBeGreaterThan(15);
      for (const [scenario, checks] of scenarios) expect(checks, `${scenario} was not run`).not.toEqual([]);
      const failed = [...scenarios].flatMap(([scenario, checks]) =>
        checks
          .filter(({ status }) => status === "FAILURE")
          .map(({ id, description }) => `${scenario} ${id}: ${description}`),
      );
      expect(failed).toEqual([]);
    });
  },
);
