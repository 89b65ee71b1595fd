import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { when } from "../capabilities.ts";
import { folder } from "../journeys/harness.ts";
import { EXCEPTIONS } from "../mcp/conformance-exceptions.ts";
import { conformanceServer } from "../mcp/conformance-gate.ts";
import { ERAS, type Era } from "../mcp/served.ts";

const SUITE = path.resolve("node_modules/@modelcontextprotocol/conformance");
const [major = 0] = process.versions.node.split(".").map(Number);
const newEnough = when(major >= 22, "the MCP conformance suite needs Node 22 or later: npm run test:node24");

type Check = { id: string; status: string; errorMessage?: string };

/** Runs all that a revision requires of a server; the checks of each scenario. */
async function checksOf(era: Era): Promise<Map<string, Check[]>> {
  const { url, close } = await conformanceServer();
  const results = folder();
  const args = [`${SUITE}/dist/index.js`, "server", "--url", url, "--requirements", era, "-o", results];
  // it exits with 1 where a check failed; which ones may, we decide
  await new Promise<void>((resolve) => void execFile(process.execPath, args, { timeout: 60_000 }, () => resolve()));
  await close();
  const { server } = parse(readFileSync(`${SUITE}/requirements/${era}.yaml`, "utf8")) as { server: string[] };
  return new Map(
    server.map((scenario) => {
      const run = readdirSync(results).find((name) => name.startsWith(`server-${scenario}-2`));
      return [
        scenario,
        run ? (JSON.parse(readFileSync(path.join(results, run, "checks.json"), "utf8")) as Check[]) : [],
      ];
    }),
  );
}

describe("the official conformance suite", newEnough, () => {
  const failing = new Set<string>();

  test.each(ERAS)("what %s requires of a server holds, but for the exceptions", { timeout: 90_000 }, async (era) => {
    const scenarios = await checksOf(era);
    expect(scenarios.size).toBeGreaterThan(25);
    for (const [scenario, checks] of scenarios) expect(checks, `${scenario} was not run`).not.toEqual([]);
    const failed = [...scenarios.values()].flat().filter(({ status }) => status === "FAILURE");
    for (const { id } of failed) failing.add(id);
    expect(
      failed.filter(({ id }) => !Object.hasOwn(EXCEPTIONS, id)).map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    ).toEqual([]);
  });

  test("no exception is left that is not needed", () => {
    expect([...failing].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
