import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { PersonsAnswer } from "../../src/core/contracts/approval.ts";
import { type OpenOptions, open, type Store, Tool, write, z } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { failing } from "../contracts/failing.ts";
import { door, folder, sleep } from "../journeys/harness.ts";
import { expectWellFormed } from "./audit.ts";

/** A gate that asks about a tool which counts how often it ran. */
async function asking(approve: NonNullable<OpenOptions["approve"]>, wrap = (store: Store): Store => store) {
  const root = folder({ "a.txt": "old\n" });
  const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
  let ran = 0;
  const counting = Tool.define("counting", {
    description: "A tool of the tests which counts how often it ran.",
    permissions: { required: ["write"] },
    input: z.object({}),
    touches: () => [write("a.txt")],
    async execute(_, { files }) {
      ran++;
      await files.write("a.txt", new TextEncoder().encode("new\n"));
      return "it ran";
    },
  });
  const gate = await open({
    workspace: localWorkspace({ root }),
    store: wrap(store),
    config: {},
    tools: [counting],
    approve,
  });
  const close = async () => {
    await gate.close();
    await store.close();
  };
  return { root, store, gate, close, ran: () => ran };
}

const yes: readonly PersonsAnswer["decision"][] = ["once", "session", "always"];

describe("an answer that comes late", () => {
  test.each(yes)("%s, after the call was aborted, runs nothing and is not remembered", async (decision) => {
    const stop = new AbortController();
    const answer = door();
    const { gate, store, ran, close } = await asking(async () => {
      stop.abort();
      await answer.opened;
      return decision;
    });
    // nobody waits for the person any more
    const result = await gate.call({ name: "counting" }, { signal: stop.signal });
    answer.open();
    expectWellFormed(result);
    expect(result.status).toBe("cancelled");
    await sleep(60);
    expect(ran()).toBe(0);
    expect(await store.grants({ tool: "counting", session: gate.sessionID })).toEqual([]);
    expect(await store.changes({})).toEqual([]);
    expect(await store.pending(), "nobody is asked any more").toEqual([]);
    await close();
  });

  test("a person is not asked about a call that was aborted before", async () => {
    let questions = 0;
    const stop = new AbortController();
    const { gate, close } = await asking(
      () => {
        questions++;
        return Promise.reject(new Error("nobody may hear of this"));
      },
      (store) => ({
        ...store,
        async ask(row) {
          await store.ask(row);
          stop.abort();
        },
      }),
    );
    expect(await gate.call({ name: "counting" }, { signal: stop.signal })).toMatchObject({ status: "cancelled" });
    await sleep(20);
    expect(questions).toBe(0);
    await close();
  });

  test.each<[string, (file: string) => void]>([
    ["changed", (file) => writeFileSync(file, "somebody else's\n")],
    ["deleted", (file) => rmSync(file)],
  ])("after the file was %s, is a conflict and changes nothing", async (_, meanwhile) => {
    const { gate, root, store, close } = await asking(async () => {
      meanwhile(path.join(root, "a.txt"));
      return "once";
    });
    const args = { path: "a.txt", content: "new\n" };
    const result = await gate.call({ name: "write_file", args });
    expect(result).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(await store.changes({})).toEqual([]);
    await close();
  });

  test("a yes is used once: the same call again is asked about again", async () => {
    let questions = 0;
    const { gate, close } = await asking(() => {
      questions++;
      return "once";
    });
    for (const content of ["1\n", "1\n", "2\n"]) {
      const result = await gate.call({ name: "write_file", args: { path: "a.txt", content } });
      expect(result.status).toBe("done");
    }
    expect(questions).toBe(3);
    await close();
  });
});

describe("what was denied never runs, whichever call of the store fails", () => {
  test.each([
    ["deny", "before"],
    ["deny", "after"],
    ["abort", "before"],
    ["abort", "after"],
    ["something else", "after"],
  ] as const)("%s, %s", async (answer, when) => {
    for (let n = 1; ; n++) {
      let calls = 0;
      const { gate, store, ran, close } = await asking(
        () => answer,
        (inner) => {
          const counted = new Proxy(inner, {
            get: (target, key) => {
              calls++;
              return Reflect.get(target, key);
            },
          });
          return failing(counted, n, when);
        },
      );
      const result = await gate.call({ name: "counting" });
      const made = calls;
      expectWellFormed(result);
      expect(result.success).toBe(false);
      expect(ran()).toBe(0);
      expect(await store.changes({})).toEqual([]);
      expect(await store.locks()).toEqual([]);
      await close();
      if (n > made) break;
    }
  });
});
