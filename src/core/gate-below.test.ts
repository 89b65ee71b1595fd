import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../test/gating.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Facts, Policy } from "./contracts/policy.ts";
import type { Keeper } from "./contracts/store/holds.ts";
import type { Store } from "./contracts/store/store.ts";

/** A store that tells who asked it for locks and holds. */
function telling() {
  const inner = memoryStore();
  const locks: { call: string; ancestors: readonly string[] }[] = [];
  const holds: (Keeper & { above?: readonly Keeper[] })[] = [];
  const store: Store = {
    ...inner,
    lock: (paths, who) => {
      locks.push(who);
      return inner.lock(paths, who);
    },
    hold: (space, wanted, by, ttl) => {
      holds.push(by);
      return inner.hold(space, wanted, by, ttl);
    },
  };
  return { store, locks, holds };
}

const nested = (name: string, next: string) =>
  tool(name, { execute: async (_, { gate }) => (await gate.call({ name: next })).output });
const writes = tool("writes", { touches: () => [{ action: "write", target: "a" }] });
const holds = tool("holds", {
  execute: async (_, { holding }) => {
    await holding.hold([{ resources: ["db"], shown: "db", mode: "write" }], 1000);
    return "held";
  },
});

describe("a call below others", () => {
  test("passes the locks of all of them, the nearest last", async () => {
    const { store, locks } = telling();
    const { gate } = gateIn({
      tools: [nested("outer", "middle"), nested("middle", "writes"), writes],
      parts: { store },
    });
    expect((await gate.call({ name: "outer" })).output).toBe("writes");
    await gate.close();
    const idOf = Object.fromEntries((await store.records({})).map(({ tool: name, id }) => [name, id]));
    expect(locks.map(({ ancestors }) => ancestors)).toEqual([[idOf.outer, idOf.middle]]);
  });

  test("and so does what agents keep for themselves", async () => {
    const { store, holds: asked } = telling();
    const { gate } = gateIn({ tools: [nested("outer", "middle"), nested("middle", "holds"), holds], parts: { store } });
    await gate.call({ name: "outer", agent: "boss", sessionID: "theirs" });
    const boss = { session: "theirs", agent: "boss" };
    expect(asked).toMatchObject([{ ...boss, above: [boss, boss] }]);
  });
});

describe("a gate below others", () => {
  test("is kept for all that it works for, the nearest first", async () => {
    const { store, holds: asked } = telling();
    const { gate } = gateIn({ tools: [holds], parts: { store } });
    const child = gate.child({ agent: "child" });
    await child.child({ agent: "grandchild" }).call({ name: "holds" });
    expect(asked[0]?.above).toEqual([
      { session: child.sessionID, agent: "child" },
      { session: "session", agent: "main" },
    ]);
  });

  test("what it does counts for all sessions above", async () => {
    const told: Facts[] = [];
    const policy: Policy = {
      name: "mode",
      judge: (_, facts) => {
        told.push(facts);
        return { answer: "allow", by: "mode", reason: "" };
      },
    };
    const { gate } = gateIn({ tools: [tool("looks")], policies: [policy] });
    const child = gate.child();
    await child.child().call({ name: "looks" });
    const { above } = told[0] as unknown as { above: { id: string; calls: number }[] };
    expect(above.map(({ id }) => id)).toEqual([child.sessionID, "session"]);
  });

  test.each([{ plan: true }, { dryRun: true }])(
    "with %j it works in a picture of the files, and no call is made",
    async (more) => {
      const made: string[] = [];
      const overlay = {
        roots: ["/ws"],
        locate: (name: string) => ({ shown: name, real: `/ws/${name}`, root: "/ws", exists: true }),
      };
      const plain = tool("changes", {
        touches: () => [{ action: "write", target: "a" }],
        execute: () => {
          made.push("changed");
          return "changed";
        },
      });
      let asked = 0;
      const parts = {
        overlay: () => {
          asked += 1;
          return {
            ...overlay,
            files: { stat: () => undefined, commit: async () => {} },
            show: () => {},
            above: () => [],
          } as never;
        },
      };
      const { gate } = gateIn({ tools: [plain], parts });
      const child = gate.child(more);
      expect((await child.call({ name: "changes" })).status).toBe("planned");
      expect([asked, made]).toEqual([1, []]);
      gate.child({ agent: "x" });
      expect(asked, "only where it plans").toBe(1);
    },
  );
});
