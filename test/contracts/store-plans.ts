import { expect, test } from "vitest";
import type { PlanQuery } from "../../src/core/contracts/store/plans.ts";
import { bytes, newChange, planOf } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

const NONE = new Map<string, Uint8Array>();

/** Calls that were not run, and what they would have done. */
export function planContract(name: string, make: () => Promise<Opened>): void {
  withStore(`plans of the store: ${name}`, make, (at) => {
    const ids = async (query: PlanQuery): Promise<string[]> => (await at.store.planned(query)).map(({ id }) => id);

    test("come back whole, with their place", async () => {
      await at.store.plan(planOf("1", { seq: 4711 }), NONE);
      await at.store.plan(planOf("2", { state: "approved" }), NONE);
      const found = await at.store.planned({});
      expect(found.map(({ seq: _, ...plan }) => plan)).toEqual([planOf("1"), planOf("2", { state: "approved" })]);
      expect(found[1]?.seq).toBeGreaterThan(found[0]?.seq as number);
    });
    const questions: [PlanQuery, string[]][] = [
      [{}, ["1", "2", "3"]],
      [{ id: "2" }, ["2"]],
      [{ session: "s1" }, ["1", "3"]],
      [{ workspace: "/other" }, ["3"]],
      [{ states: ["planned"] }, ["1", "3"]],
      [{ states: ["approved", "planned"], session: "s2" }, ["2"]],
      [{ states: [] }, []],
      [{ id: "9" }, []],
      [{ after: 0 }, ["1", "2", "3"]],
      [{ after: 1e9 }, []],
    ];
    test.each(questions)("%j gives %j, oldest first", async (query, found) => {
      await at.store.plan(planOf("1"), NONE);
      await at.store.plan(planOf("2", { session: "s2", state: "approved" }), NONE);
      await at.store.plan(planOf("3", { workspace: "/other" }), NONE);
      expect(await ids(query)).toEqual(found);
    });
    test("an id is used once, and a second one changes nothing", async () => {
      await at.store.plan(planOf("1"), new Map([["h", bytes("one")]]));
      await expect(at.store.plan(planOf("1", { tool: "other" }), new Map([["h2", bytes("two")]]))).rejects.toThrow("1");
      expect(await at.store.planned({})).toMatchObject([{ tool: "edit_file" }]);
      expect(await at.store.plannedContent("h2")).toBeUndefined();
    });
    test("very many contents are all kept, once", async () => {
      const many = new Map(Array.from({ length: 1203 }, (_, index) => [`h${index}`, bytes(`content ${index}`)]));
      await at.store.plan(planOf("1"), many);
      for (const index of [0, 499, 500, 1000, 1202])
        expect(await at.store.plannedContent(`h${index}`)).toEqual(bytes(`content ${index}`));
      const others = new Map([...many].map(([hash, content]) => [`other-${hash}`, content]));
      await expect(at.store.plan(planOf("1", { tool: "other" }), others)).rejects.toThrow("1");
      expect(await at.store.plannedContent("other-h0")).toBeUndefined();
    });
    test("contents of a call that is over already are kept as well", async () => {
      const many = new Map(Array.from({ length: 502 }, (_, index) => [`h${index}`, bytes(`content ${index}`)]));
      await at.store.plan(planOf("1", { state: "done" }), many);
      for (const index of [0, 499, 500, 501])
        expect(await at.store.plannedContent(`h${index}`), `${index}`).toEqual(bytes(`content ${index}`));
    });
    test("contents that are tidied away before their plan is there come again", async () => {
      const many = new Map(Array.from({ length: 502 }, (_, index) => [`h${index}`, bytes(`content ${index}`)]));
      const planning = at.store.plan(planOf("1"), many);
      await at.store.tidy({ maxAgeMs: 0, maxBytes: 0, now: 1e9 });
      await planning;
      await at.store.tidy({ maxAgeMs: 0, maxBytes: 0, now: 1e9 });
      for (const index of [0, 499, 500, 501])
        expect(await at.store.plannedContent(`h${index}`), `${index}`).toEqual(bytes(`content ${index}`));
    });
    test("move on only from where they are", async () => {
      for (const id of ["1", "2", "3"]) await at.store.plan(planOf(id), NONE);
      expect(await at.store.movePlan(["1", "2", "unknown"], ["planned"], "approved")).toEqual(["1", "2"]);
      expect(await at.store.movePlan(["1", "3"], ["approved"], "done")).toEqual(["1"]);
      expect(await at.store.movePlan(["1"], ["planned", "approved"], "done"), "only once").toEqual([]);
      expect(await at.store.movePlan([], ["planned"], "done")).toEqual([]);
      expect((await at.store.planned({})).map(({ state }) => state)).toEqual(["done", "approved", "planned"]);
    });
    test("from a place on, it is not included", async () => {
      for (const id of ["1", "2", "3"]) await at.store.plan(planOf(id), NONE);
      const [, second] = await at.store.planned({});
      expect(await ids({ after: second?.seq ?? 0 })).toEqual(["3"]);
    });
    test("what was learnt stays with them, and an error until it is forgotten", async () => {
      await at.store.plan(planOf("1"), NONE);
      const error = { code: "CONFLICT" as const, message: "a.txt has changed" };
      await at.store.movePlan(["1"], ["planned"], "running", { was: "planned", record: "r1" });
      expect(await at.store.planned({})).toMatchObject([{ state: "running", was: "planned", record: "r1" }]);
      await at.store.movePlan(["1"], ["running"], "planned", { error });
      expect(await at.store.planned({})).toMatchObject([{ state: "planned", record: "r1", error }]);
      await at.store.movePlan(["1"], ["planned"], "approved");
      expect(await at.store.planned({})).toMatchObject([{ state: "approved", error }]);
      await at.store.movePlan(["1"], ["approved"], "done", { error: null });
      expect((await at.store.planned({}))[0]).not.toHaveProperty("error");
    });
    test("the mark tells of every call that comes, and of every one that ends", async () => {
      expect(await at.store.planMark("/w")).toEqual({ last: 0, open: 0 });
      await at.store.plan(planOf("1"), NONE);
      await at.store.plan(planOf("2"), NONE);
      await at.store.plan(planOf("3", { workspace: "/other" }), NONE);
      const [, second] = await at.store.planned({ workspace: "/w" });
      const last = second?.seq;
      expect(await at.store.planMark("/w")).toEqual({ last, open: 2 });
      await at.store.movePlan(["1"], ["planned"], "approved");
      await at.store.movePlan(["2"], ["planned"], "running");
      expect(await at.store.planMark("/w")).toEqual({ last, open: 2 });
      await at.store.movePlan(["2"], ["running"], "interrupted");
      await at.store.movePlan(["1"], ["approved"], "dropped");
      expect(await at.store.planMark("/w")).toEqual({ last, open: 1 });
    });
    test("contents come back byte for byte, and are copies", async () => {
      const content = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
      const kept = content.slice();
      await at.store.plan(
        planOf("1"),
        new Map([
          ["h", content],
          ["empty", new Uint8Array()],
        ]),
      );
      content.fill(0);
      expect(await at.store.plannedContent("h")).toEqual(kept);
      expect(await at.store.plannedContent("empty")).toEqual(new Uint8Array());
      expect(await at.store.plannedContent("unknown")).toBeUndefined();
    });
    test("contents are not dropped before all calls that need them have ended", async () => {
      const contents = new Map([["shared", bytes("shared")]]);
      await at.store.plan(planOf("1"), contents);
      await at.store.plan(planOf("2"), contents);
      await at.store.plan(planOf("3"), new Map([["own", bytes("own")]]));
      const all = { maxAgeMs: 0, maxBytes: 0, now: 1e9 };
      const left = async (): Promise<boolean[]> => {
        await at.store.tidy(all);
        const found = await Promise.all(["shared", "own"].map((hash) => at.store.plannedContent(hash)));
        return found.map((content) => content !== undefined);
      };
      expect(await left()).toEqual([true, true]);
      await at.store.movePlan(["1", "3"], ["planned"], "approved");
      expect(await left()).toEqual([true, true]);
      await at.store.movePlan(["1"], ["approved"], "done");
      await at.store.movePlan(["3"], ["approved"], "running");
      expect(await left()).toEqual([true, true]);
      await at.store.movePlan(["3"], ["running"], "failed");
      expect(await left()).toEqual([true, false]);
      expect(await at.store.plannedContent("shared")).toEqual(bytes("shared"));
      await at.store.movePlan(["2"], ["planned"], "dropped");
      expect(await left()).toEqual([false, false]);
    });
    test("a content may be what a change has kept, and the other way round", async () => {
      await at.store.intend([newChange("/a", { before: "h", content: bytes("same") })]);
      await at.store.plan(planOf("1"), new Map([["h", bytes("same")]]));
      expect(await at.store.plannedContent("h")).toEqual(bytes("same"));
      await at.store.movePlan(["1"], ["planned"], "dropped");
      await at.store.tidy({ maxAgeMs: 0, maxBytes: 0, now: 1e9 });
      expect(await at.store.content("h"), "an intended change needs it").toEqual(bytes("same"));
    });
  });
}
