import { expect, test } from "vitest";
import { workspace } from "./cli.ts";

test("memory: store, list, recall and forget, as text and as JSON", async () => {
  const { run, has } = await workspace();
  const toolgate = (...args: string[]) => run(args);
  expect(await toolgate("memory", "--scope", "project")).toMatchObject({
    status: 0,
    out: "No matching memories found.\n",
  });
  expect(has(".toolgate")).toBe(false);
  expect((await toolgate("memory", "store", "deploy day", "Deploys", "go", "out on Tuesday.")).out).toBe(
    "Stored memory: deploy day\n",
  );
  const refused = await toolgate("memory", "store", "editor", "likes vim", "--scope", "user", "--json");
  expect([refused.status, JSON.parse(refused.out).status]).toEqual([2, "refused"]);
  expect((await toolgate("memory", "store", "editor", "likes vim", "--scope", "user", "--yes")).status).toBe(0);
  const list = JSON.parse((await toolgate("memory", "--json")).out);
  expect(list.map(({ key, scope }: { key: string; scope: string }) => `${scope} ${key}`).sort()).toEqual([
    "project deploy day",
    "user editor",
  ]);
  expect((await toolgate("memory", "recall", "tuesday")).out).toContain(
    "- [core] deploy day: Deploys go out on Tuesday.",
  );
  expect((await toolgate("memory", "forget", "deploy day")).out).toBe("Forgot memory: deploy day\n");
  for (const wrong of [
    ["store", "key"],
    ["forget", "a", "b"],
  ])
    expect((await toolgate("memory", ...wrong)).status, wrong.join(" ")).toBe(3);
});
