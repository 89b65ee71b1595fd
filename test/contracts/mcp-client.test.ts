import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { when } from "../capabilities.ts";

const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/**
 * What the suite requires of a client without an interactive login. Left out: sep-2322-client-request-state, which is
 * about forms that a server has a person fill in; no server is told that there is anybody for that.
 */
const SCENARIOS = [
  ...["tools_call", "request-metadata", "http-standard-headers", "http-custom-headers"],
  ...["http-invalid-tool-headers", "json-schema-ref-no-deref"],
];

/** Its exit status, and what it said. */
const ran = (scenario: string): Promise<{ code: number | null; said: string }> =>
  new Promise((resolve) => {
    const client = `${process.execPath} test/contracts/mcp-client.mjs`;
    const child = spawn(process.execPath, [SUITE, "client", "--command", client, "--scenario", scenario], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
    child.once("exit", (code) => resolve({ code, said }));
  });

const isNewEnough = Number(process.versions.node.split(".")[0]) >= 22;

describe(
  "the official conformance suite of MCP, client",
  when(isNewEnough, "the suite needs Node 22: npm run test:node24 -- test/contracts"),
  () => {
    test("passes every scenario that applies", async () => {
      const results = await Promise.all(SCENARIOS.map(ran));
      for (const [index, { code, said }] of results.entries()) {
        expect(said, SCENARIOS[index]).toContain("OVERALL: PASSED");
        expect(code, said).toBe(0);
      }
    });
  },
);
