import { expect, onTestFinished, test } from "vitest";
import { open, Tool, z } from "../../src/index.ts";
import { workspace } from "./cli.ts";

async function shared() {
  const at = await workspace({ "src/a.ts": "a" });
  const gate = await open({ workspace: at.dir, mode: "yolo", toolset: "all", config: {} });
  onTestFinished(() => gate.close());
  return { ...at, gate };
}

test("locks of another process are listed, hold for calls, and are released", async () => {
  const { gate, run } = await shared();
  const { metadata } = await gate.call({ name: "lock_paths", args: { globs: ["src/**", "docs"] } });
  const [token] = metadata.tokens as string[];
  const listed = JSON.parse((await run(["locks", "--json"])).out);
  expect(listed).toMatchObject([
    { glob: "src/**", token, session: gate.sessionID, agent: "main", until: expect.stringMatching(/^\d{4}-.*Z$/) },
    { glob: "docs" },
  ]);
  expect((await run(["locks"])).out).toMatch(/src\/\*\* {2}agent main \(session \S+\), for another 5 min/);
  const written = await run(["call", "write_file", "src/a.ts", "content=x", "--mode", "yolo"]);
  expect(written.status).toBe(2);
  expect(written.err).toContain(`src/a.ts is locked by agent main (session ${gate.sessionID})`);
  expect((await run(["locks", "release", `${token}`])).err, "nobody is seen").toContain("pass --yes");
  expect(await run(["locks", "release", `${token}`, "--yes"])).toMatchObject({ status: 0 });
  expect(await run(["locks", "release", `${token}`, "--yes"])).toMatchObject({ status: 3 });
  expect((await run(["call", "write_file", "src/a.ts", "content=x", "--mode", "yolo"])).status).toBe(0);
  expect((await run(["locks", "keep"])).status).toBe(3);
});

test("a command that locks says that its lock ends with it; the others say nothing of that", async () => {
  const { run } = await shared();
  const lock = ["lock_paths", "src/**", "ttl_ms:=60000", "--mode", "yolo"];
  const { out, status } = await run(["call", ...lock]);
  expect(status).toBe(0);
  expect(out).toMatch(/^Locked src\/\*\* for 60 s, token \S+\.\n\n\[A lock ends with the process that took it/);
  expect(JSON.parse((await run(["call", ...lock, "--json"])).out).output).toContain(
    "so this one ends with this command",
  );
  expect((await run(["locks"])).out).not.toContain("src/**");
  expect((await run(["call", "read_file", "src/a.ts"])).out).not.toContain("lock");
  const line = JSON.stringify({ tool: "lock_paths", args: { globs: ["src/**"] } });
  expect((await run(["call", "--jsonl", "--mode", "yolo"], { input: `${line}\n` })).out).not.toContain("ends with");
});

test("dead letters are listed, made again and dropped", async () => {
  const { run, dir } = await workspace({ "a.txt": "a" });
  const broken = Tool.define("read_file", {
    description: "Fails as often as it is called, in the place of another tool.",
    permissions: { required: ["read"] },
    input: z.object({ path: z.string() }),
    touches: ({ path }) => [{ action: "read", target: path }],
    execute: async () => {
      throw Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
    },
  });
  const gate = await open({ workspace: dir, tools: [{ ...broken, override: true }], config: {} });
  await gate.call({ name: "read_file", args: { path: "a.txt" }, id: "c1" });
  await gate.call({ name: "read_file", args: { path: "b.txt" } });
  await gate.close();
  const rows = JSON.parse((await run(["dead-letters", "--json"])).out);
  const [there, missing] = ["a.txt", "b.txt"].map((target) =>
    rows.find((row: { target: string }) => row.target === target),
  );
  expect(there).toMatchObject({
    ...{ tool: "read_file", target: "a.txt", call: "c1", status: "failed", category: "TRANSIENT", attempts: 1 },
    error: { code: "UNKNOWN", message: "connection reset" },
    nextTry: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect((await run(["dead-letters"])).out).toContain("read_file a.txt  TRANSIENT, 1 attempt, next try");
  expect((await run(["dead-letters", "retry"])).out, "none is due").toBe("No dead letter is due.\n");
  const again = await run(["dead-letters", "retry", there.id, "--json"]);
  expect(JSON.parse(again.out)).toMatchObject([{ id: there.id, status: "done" }]);
  expect(await run(["dead-letters", "retry", missing.id])).toMatchObject({ status: 1 });
  expect(JSON.parse((await run(["dead-letters", "--json"])).out)).toMatchObject([{ id: missing.id, attempts: 1 }]);
  expect(await run(["dead-letters", "drop", missing.id])).toMatchObject({ status: 0, out: "Dropped.\n" });
  expect(await run(["dead-letters", "drop", missing.id])).toMatchObject({ status: 3 });
  expect(await run(["dead-letters", "retry", "none"])).toMatchObject({ status: 3 });
  expect((await run(["dead-letters"])).out).toBe("There are no dead letters.\n");
});

test("log --stats adds up what each tool took, and what the model took", async () => {
  const { run, dir } = await workspace({ "a.txt": "word ".repeat(80) });
  expect((await run(["log", "--stats"])).out).toBe("Nothing has been recorded in this workspace yet.\n");
  expect(JSON.parse((await run(["log", "--stats", "--json"])).out)).toMatchObject({ calls: 0, tools: [] });
  const gate = await open({ workspace: dir, config: {} });
  for (let n = 0; n < 3; n++) await gate.call({ name: "read_file", args: { path: "a.txt" } });
  await gate.call({ name: "write_file", args: { path: "b.txt", content: "b" }, sessionID: "other" });
  await gate.spend({ tokens: 1200, cost: 0.25 });
  await gate.child().spend({ tokens: 100 });
  await gate.close();
  const stats = JSON.parse((await run(["log", "--stats", "--json"])).out);
  expect(stats).toMatchObject({
    ...{ calls: 4, failed: 0, refused: 1, sessions: 2 },
    model: { tokens: 1300, cost: 0.25 },
    tools: [
      { tool: "read_file", calls: 3, refused: 0, tokensIn: 12 },
      { tool: "write_file", calls: 1, refused: 1 },
    ],
  });
  expect(stats.tools[0].tokensOut).toBeGreaterThan(290);
  expect(stats.tools[0].milliseconds).toBeGreaterThan(0);
  const { out } = await run(["log", "--stats"]);
  expect(out).toMatch(/^read_file +3 +0 +0 +[\d.]+ ms +12 +3\d\d {2}█{20}$/m);
  expect(out).toMatch(/^all +4 /m);
  expect(out).toContain("The model took 1300 tokens and cost 0.25, as it was told.");
  const one = JSON.parse((await run(["log", "--stats", "--session", "other", "--json"])).out);
  expect(one).toMatchObject({ calls: 1, model: { tokens: 0, cost: 0 } });
  const main = JSON.parse((await run(["log", "--stats", "--session", gate.sessionID, "--json"])).out);
  expect(main).toMatchObject({ calls: 3, model: { tokens: 1200, cost: 0.25 } });
});
