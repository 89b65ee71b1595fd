import { expect, onTestFinished, test } from "vitest";
import { open } from "../../src/index.ts";
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
  expect((await run(["locks", "release", `${token}`])).err, "nobody is seen").toContain("Pass --yes");
  expect(await run(["locks", "release", `${token}`, "--yes"])).toMatchObject({ status: 0 });
  expect(await run(["locks", "release", `${token}`, "--yes"])).toMatchObject({ status: 3 });
  expect((await run(["call", "write_file", "src/a.ts", "content=x", "--mode", "yolo"])).status).toBe(0);
  expect((await run(["locks", "keep"])).status).toBe(3);
});
