import { describe, expect, test } from "vitest";
import { bytes, placeOf, sha256 } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Laid, Overlay } from "../contracts/overlay.ts";
import type { PlannedCall, PlannedChange } from "../contracts/store/plans.ts";
import type { Place } from "../words/touch.ts";
import { PlanSoFar } from "./plan-so-far.ts";

const LINK = 0o120777;
let rows = 0;
const change = (name: string, after: string | null = "new", more: Partial<PlannedChange> = {}): PlannedChange => ({
  ...{ real: `/ws/${name}`, shown: name, before: null, after: after === null ? null : sha256(bytes(after)) },
  ...more,
});
const call = (changes: PlannedChange[], more: Partial<PlannedCall> = {}): PlannedCall => ({
  ...{ id: `r${++rows}`, call: `c${rows}`, session: "mine", message: "t1", agent: "main", workspace: "/ws" },
  ...{ tool: "write_file", args: {}, at: rows, touches: [], changes, diff: "", state: "planned" },
  ...more,
});
const contents = (...texts: string[]) => new Map(texts.map((text) => [sha256(bytes(text)), bytes(text)]));

/** A plan as one gate sees it, and what is shown of it. */
function seeing(roots = ["/ws", "/more"]) {
  const store = memoryStore();
  const told: string[] = [];
  const laid: Laid[] = [];
  const asked: unknown[] = [];
  const overlay = {
    roots,
    async lay(files: readonly Laid[]) {
      laid.push(...files);
      for (const { place, after } of files) told.push(`${after === null ? "gone" : "laid"} ${place.shown}`);
    },
    clear: () => void told.push("clear"),
    differs: ({ real }: Place) => laid.some(({ place }) => place.real === real || real === roots.at(-1)),
  } as unknown as Overlay;
  const spied = {
    ...store,
    planned: (query: object) => {
      asked.push(query);
      return store.planned(query);
    },
  } as typeof store;
  const plan = new PlanSoFar(spied, overlay, "mine");
  const keep = (row: PlannedCall) => store.plan(row, contents("new", "other"));
  const seen = async (session = "mine") => {
    told.length = 0;
    await plan.refresh(session);
    return [...told];
  };
  return { plan, store, keep, seen, laid, asked };
}

describe("what a gate sees of the plan", () => {
  test("is what its session planned, and sessions below it; never what others did", async () => {
    const { keep, seen } = seeing();
    await keep(call([change("a"), change("b", null)]));
    await keep(call([change("theirs")], { session: "theirs" }));
    await keep(call([change("below")], { session: "child", above: ["mine", "top"] }));
    await keep(call([change("below others")], { session: "child", above: ["theirs"] }));
    await keep(call([change("above")], { session: "top" }));
    await keep(call([change("elsewhere")], { workspace: "/other" }));
    expect(await seen()).toEqual(["laid a", "gone b", "laid below"]);
  });

  test("is not looked up again while nothing changes", async () => {
    const { keep, seen, asked } = seeing();
    await keep(call([change("a")]));
    await seen();
    const before = asked.length;
    expect(await seen()).toEqual([]);
    expect(asked).toHaveLength(before);
  });

  test("grows by what is added, and only by that", async () => {
    const { keep, seen, asked } = seeing();
    await keep(call([change("a")]));
    await seen();
    await keep(call([change("b")]));
    await keep(call([change("theirs")], { session: "theirs" }));
    asked.length = 0;
    expect(await seen()).toEqual(["laid b"]);
    expect(asked, "what was known is not asked for again").toHaveLength(1);
  });

  test("is shown anew where something was dropped or run", async () => {
    const { plan, keep, seen, store } = seeing();
    const [a, b] = [call([change("a")]), call([change("b")])];
    await keep(a);
    await keep(b);
    await keep(call([change("theirs")], { session: "theirs" }));
    await seen();
    await store.movePlan([a.id], ["planned"], "dropped");
    expect(await seen()).toEqual(["clear", "laid b"]);
    expect((await plan.journal.changes({})).map(({ shown }) => shown)).toEqual(["b"]);
    await keep(call([change("c")]));
    await store.movePlan([b.id], ["planned"], "done");
    expect(await seen(), "one less and one more are not nothing").toEqual(["clear", "laid c"]);
  });

  test("takes in another session when it calls through this gate, once", async () => {
    const { keep, seen } = seeing();
    await keep(call([change("a")]));
    await keep(call([change("theirs")], { session: "theirs" }));
    await seen();
    expect(await seen("theirs")).toEqual(["clear", "laid a", "laid theirs"]);
    expect(await seen("theirs")).toEqual([]);
    expect(await seen()).toEqual([]);
  });

  test("does not lay again what this gate has laid itself, until all is shown anew", async () => {
    const { plan, keep, seen, store } = seeing();
    const [own, other] = [call([change("own")]), call([change("other")])];
    await plan.keep(own.id, () => keep(own));
    await keep(other);
    expect(await seen()).toEqual(["laid other"]);
    await store.movePlan([other.id], ["planned"], "dropped");
    expect(await seen()).toEqual(["clear", "laid own"]);
    const another = call([change("another")]);
    await plan.keep(another.id, () => keep(another));
    await store.movePlan([own.id], ["planned"], "dropped");
    expect(await seen(), "what it laid itself since, as well").toEqual(["clear", "laid another"]);
  });

  test("goes on after something could not be kept", async () => {
    const { plan, keep, seen } = seeing();
    await expect(plan.keep("x", () => Promise.reject(new Error("full")))).rejects.toThrow("full");
    await keep(call([change("a")]));
    expect(await seen()).toEqual(["laid a"]);
  });

  test("waits while a call is being kept", async () => {
    const { plan, keep, seen } = seeing();
    const own = call([change("own")]);
    let done = false;
    const keeping = plan.keep(own.id, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await keep(own);
      done = true;
    });
    const looking = seen().then(() => done);
    expect(await looking).toBe(true);
    await keeping;
  });

  test.each<[string, PlannedChange, Partial<Laid> & { place: Place }]>([
    ["a file", change("a"), { place: { shown: "a", real: "/ws/a", root: "/ws", exists: true } }],
    [
      "in another root",
      change("b", "new", { real: "/more/b" }),
      { place: { shown: "b", real: "/more/b", root: "/more", exists: true } },
    ],
    [
      "in none",
      change("c", "new", { real: "/else/c" }),
      { place: { shown: "c", real: "/else/c", root: "", exists: true } },
    ],
    [
      "a link",
      change("d", "new", { mode: LINK }),
      { place: { shown: "d", real: "/ws/d", root: "/ws", exists: true, link: true }, mode: LINK },
    ],
    [
      "a link that goes",
      change("e", "new", { modeBefore: LINK }),
      { place: { shown: "e", real: "/ws/e", root: "/ws", exists: true, link: true } },
    ],
    [
      "no link any more",
      change("f", "new", { mode: 0o644, modeBefore: LINK }),
      { place: { shown: "f", real: "/ws/f", root: "/ws", exists: true }, mode: 0o644 },
    ],
  ])("each file where it is: %s", async (_, given, wanted) => {
    const { keep, seen, laid } = seeing();
    await keep(call([given]));
    await seen();
    expect(laid).toStrictEqual([{ after: bytes("new"), ...wanted }]);
  });

  test("what is no longer kept is not shown as empty", async () => {
    const { store, plan } = seeing();
    await store.plan(call([change("a", "forgotten")]), new Map());
    await expect(plan.refresh("mine")).rejects.toThrow("The planned content of a is no longer kept.");
  });

  test("whether a file, or any, is shown otherwise than it is", async () => {
    const { plan, keep, seen } = seeing();
    expect([plan.isSeen, plan.differs(placeOf("a"))]).toEqual([false, false]);
    await keep(call([change("a")]));
    await seen();
    expect([plan.isSeen, plan.differs(placeOf("a")), plan.differs(placeOf("b"))]).toEqual([true, true, false]);
  });

  test("what nobody knows: commands, and what was cut off", async () => {
    const { plan, keep, seen } = seeing();
    await keep(call([change("a")]));
    const [blind, cut] = [call([], { blind: true }), call([change("c")], { state: "interrupted" })];
    await keep(blind);
    await keep(cut);
    await seen();
    expect(plan.blind.map(({ id }) => id)).toEqual([blind.id, cut.id]);
  });
});

describe("the journal as if the plan had been carried out", () => {
  const journalled = async () => {
    const { plan, keep, seen, store } = seeing();
    const before = { record: "old", call: "c", session: "mine", message: "t0", tool: "x", at: 1, real: "/ws/a" };
    const [id] = await store.intend([
      { ...before, shown: "a", before: null, after: sha256(bytes("new")), content: null },
    ]);
    await store.conclude([id!], "done");
    const one = call([change("a", "other", { modeBefore: 0o644, undoes: [1] }), change("b")], { message: "t1" });
    const two = call([change("a", null, { mode: 0o755, redoes: [2] })], {
      ...{ message: "t2", session: "child", above: ["mine"] },
    });
    await keep(one);
    await keep(two);
    await seen();
    return { plan, one, two, store };
  };

  test("holds what was done and what is planned, in order", async () => {
    const { plan, one, two } = await journalled();
    const [done, ...planned] = await plan.journal.changes({});
    expect(done).toMatchObject({ record: "old", state: "done" });
    const [first, second, third] = planned;
    expect(planned).toHaveLength(3);
    expect(first).toStrictEqual({
      ...{ id: expect.any(Number), record: one.id, call: one.call, session: "mine", message: "t1", tool: "write_file" },
      ...{ at: one.at, real: "/ws/a", shown: "a", before: null, after: sha256(bytes("other")), state: "done" },
      ...{ modeBefore: 0o644, modeAfter: 0o644, undoes: [1] },
    });
    expect(third).toStrictEqual({
      ...{
        id: expect.any(Number),
        record: two.id,
        call: two.call,
        session: "child",
        message: "t2",
        tool: "write_file",
      },
      ...{ at: two.at, real: "/ws/a", shown: "a", before: null, after: null, state: "done" },
      ...{ modeAfter: 0o755, redoes: [2] },
    });
    expect(second).not.toHaveProperty("modeAfter");
    expect(first!.id).toBeGreaterThan(done!.id);
    expect(second!.id).toBeGreaterThan(first!.id);
    expect(third!.id).toBeGreaterThan(second!.id);
  });

  test.each<[object | ((one: PlannedCall, two: PlannedCall) => object), string[]]>([
    [{}, ["done a", "planned a", "planned b", "planned a"]],
    [{ real: "/ws/b" }, ["planned b"]],
    [{ session: "mine" }, ["done a", "planned a", "planned b"]],
    [{ session: "child" }, ["planned a"]],
    [{ message: "t1" }, ["planned a", "planned b"]],
    [{ message: "t1", real: "/ws/a" }, ["planned a"]],
    [{ message: "t2", session: "mine" }, []],
    [(one: PlannedCall) => ({ record: one.id }), ["planned a", "planned b"]],
    [{ record: "old" }, ["done a"]],
    [{ states: ["done"] }, ["done a", "planned a", "planned b", "planned a"]],
    [{ states: ["intended"] }, []],
    [{ states: ["intended", "done"], real: "/ws/b" }, ["planned b"]],
  ])("by %j", async (query, wanted) => {
    const { plan, one, two } = await journalled();
    const found = await plan.journal.changes(typeof query === "function" ? query(one, two) : query);
    expect(found.map(({ record, shown }) => `${record === "old" ? "done" : "planned"} ${shown}`)).toEqual(wanted);
  });

  test("has the contents of both", async () => {
    const { plan, store } = await journalled();
    const row = { record: "x", call: "c", session: "s", message: "m", tool: "x", at: 1, real: "/ws/z", shown: "z" };
    await store.intend([{ ...row, before: sha256(bytes("was")), after: null, content: bytes("was") }]);
    const text = async (content: string) => (await plan.journal.content(sha256(bytes(content))))?.length;
    expect([await text("was"), await text("other"), await text("never")]).toEqual([3, 5, undefined]);
  });
});
