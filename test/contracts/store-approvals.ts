import { afterEach, describe, expect, test, vi } from "vitest";
import { approvalOf } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

/** What people are asked, and what they say. */
export function approvalContract(name: string, make: () => Promise<Opened>): void {
  withStore(`approvals of the store: ${name}`, make, (at) => {
    test("the first answer wins", async () => {
      await at.store.ask(approvalOf("p1"));
      await at.store.ask(approvalOf("p2"));
      expect(await at.store.pending()).toEqual([approvalOf("p1"), approvalOf("p2")]);
      expect(await at.store.answer("p1", "once", "go on")).toBe(true);
      expect(await at.store.answer("p1", "deny")).toBe(false);
      expect(await at.store.approval("p1")).toEqual({
        ...{ ...approvalOf("p1"), answer: "once", message: "go on", answeredAt: expect.any(Number) },
      });
      expect(await at.store.pending()).toEqual([approvalOf("p2")]);
      expect(await at.store.answer("p2", "deny")).toBe(true);
      expect(await at.store.approval("p2")).not.toHaveProperty("message");
      expect(await at.store.approval("p2")).not.toHaveProperty("args");
    });
    test("an answer may bring other arguments, which are kept as they were", async () => {
      await at.store.ask(approvalOf("p1"));
      const args = { path: "b.txt", lines: [1, null] };
      expect(await at.store.answer("p1", "edit", undefined, args)).toBe(true);
      args.path = "c.txt";
      const row = await at.store.approval("p1");
      expect(row).toMatchObject({ answer: "edit", args: { path: "b.txt", lines: [1, null] } });
      expect(row).not.toHaveProperty("message");
    });
    test("who answered is kept, if it was said", async () => {
      await at.store.ask(approvalOf("p1"));
      expect(await at.store.answer("p1", "once", undefined, undefined, "ann")).toBe(true);
      expect(await at.store.approval("p1")).toMatchObject({ answer: "once", who: "ann" });
      await at.store.ask(approvalOf("p2", { answer: "deny", who: "bob", answeredAt: 7 }));
      expect(await at.store.approval("p2")).toEqual(approvalOf("p2", { answer: "deny", who: "bob", answeredAt: 7 }));
    });
    test("one that comes with its answer waits for nobody", async () => {
      const answered = approvalOf("p1", { answer: "edit", message: "so", args: { a: 1 }, answeredAt: 7 });
      await at.store.ask(answered);
      expect(await at.store.approval("p1")).toEqual(answered);
      await at.store.ask(approvalOf("p2", { answer: "deny" }));
      expect(await at.store.approval("p2")).toStrictEqual(approvalOf("p2", { answer: "deny" }));
      expect(await at.store.pending()).toEqual([]);
      expect(await at.store.answer("p1", "deny")).toBe(false);
    });
    test("an unknown one can't be answered, and an id is used once", async () => {
      expect(await at.store.answer("nobody", "once")).toBe(false);
      expect(await at.store.approval("nobody")).toBeUndefined();
      await at.store.ask(approvalOf("p1"));
      await at.store.answer("p1", "deny");
      await expect(at.store.ask(approvalOf("p1"))).rejects.toThrow(/p1/);
      expect((await at.store.approval("p1"))?.answer).toBe("deny");
    });
    test("a withdrawn one is over; an answer that came before stays", async () => {
      for (const id of ["p1", "p2", "p3"]) await at.store.ask(approvalOf(id));
      await at.store.answer("p2", "once");
      await at.store.withdraw(["p1", "p2", "unknown"]);
      expect((await at.store.pending()).map(({ id }) => id)).toEqual(["p3"]);
      expect(await at.store.answer("p1", "once")).toBe(false);
      expect(await at.store.approval("p1")).toEqual(approvalOf("p1"));
      expect((await at.store.approval("p2"))?.answer).toBe("once");
    });

    describe("patience", () => {
      afterEach(() => void vi.useRealTimers());
      test("ends by the store's clock, whatever the question's own time says", async () => {
        vi.useFakeTimers({ toFake: ["Date"] });
        await at.store.ask(approvalOf("short", { at: Date.now() + 1e9, patience: 1000 }));
        await at.store.ask(approvalOf("long", { at: 0, patience: 60_000 }));
        await at.store.ask(approvalOf("endless"));
        await at.store.ask(approvalOf("none", { patience: 0 }));
        const pending = async () => (await at.store.pending()).map(({ id }) => id);
        vi.advanceTimersByTime(999);
        expect(await pending()).toEqual(["short", "long", "endless"]);
        vi.advanceTimersByTime(1);
        expect(await pending()).toEqual(["long", "endless"]);
        expect(await at.store.answer("short", "once")).toBe(false);
        expect(await at.store.approval("short")).not.toHaveProperty("answer");
        expect(await at.store.answer("long", "once")).toBe(true);
        vi.advanceTimersByTime(1e9);
        expect(await pending()).toEqual(["endless"]);
        expect((await at.store.approval("long"))?.answer, "what was said in time holds").toBe("once");
      });
    });
  });
}
