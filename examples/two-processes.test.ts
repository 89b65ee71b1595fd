import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { answerAll, lookOnly, openAgent } from "./two-processes.ts";

const PATIENCE = { timeout: 30_000 };

test("a call waits in the queue until another gate answers; always is a grant that can be revoked", async () => {
  const dir = folder({ "a.txt": "one\n" });
  const store = `sqlite:${path.join(dir, "shared.db")}`;
  await using agent = await openAgent(dir, store);
  const write = () => agent.call({ name: "write_file", args: { path: "a.txt", content: "two\n" } });
  const written = write();
  const asked: string[] = [];
  await vi.waitFor(async () => {
    const decide = (tool: string, diff: string) => {
      asked.push(tool, diff);
      return "always";
    };
    expect(await answerAll(dir, store, decide)).toBe(1);
  }, PATIENCE);
  expect((await written).status).toBe("done");
  expect(asked[0]).toBe("write_file");
  expect(asked[1]).toContain("-one\n+two");
  expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("two\n");
  const [grant] = await agent.grants.list();
  expect(grant).toMatchObject({ tool: "*", shown: ["write(./a.txt)"], session: null });
  expect(await agent.grants.revoke(grant?.id ?? "")).toBe(true);
  expect(await agent.grants.list()).toEqual([]);
});

test.each<[name: string, args: object, status: string, events: string[]]>([
  ["read_file", { path: "docs/a.md" }, "done", ["start", "judged", "done"]],
  ["read_file", { path: "secret.txt" }, "refused", ["start", "judged", "failed"]],
  ["write_file", { path: "docs/a.md", content: "x" }, "refused", ["start", "judged", "failed"]],
])("a child that may only look: %s %j is %s", async (name, args, status, events) => {
  const seen = await lookOnly(folder({ "docs/a.md": "a\n", "secret.txt": "s\n" }), name, args);
  expect(seen.result.status).toBe(status);
  expect(seen.events).toEqual(events);
});
