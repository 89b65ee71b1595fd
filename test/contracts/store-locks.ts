import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../src/core/contracts/store.ts";
import { approvalOf, bytes, callRecord, holderOf, newChange, type Opened } from "./store-samples.ts";

/** The locks of a store, and what two handles on the same data see of each other. */
export function lockContract(name: string, make: () => Promise<Opened>): void {
  describe(`locks of the store: ${name}`, () => {
    let opened: Opened;
    let store: Store;
    beforeEach(async () => {
      opened = await make();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.done();
    });

    const paths = async (): Promise<string[]> => (await store.locks()).map(({ path }) => path).sort();

    test("are taken all or none", async () => {
      expect(await store.lock(["/b", "/a", "/b"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/a", "/b"]);
      const held = await store.lock(["/c", "/b"], holderOf("c2"));
      expect(held).toEqual({ path: "/b", token: "token-c1", call: "c1", since: expect.any(Number) });
      expect(await paths()).toEqual(["/a", "/b"]);
    });
    test("tell the first conflict in the order of the paths", async () => {
      await store.lock(["/z", "/m"], holderOf("c1"));
      expect((await store.lock(["/z", "/m"], holderOf("c2")))?.path).toBe("/m");
    });
    test("unlock frees what the token holds and nothing else", async () => {
      await store.lock(["/a"], holderOf("c1"));
      await store.lock(["/b"], holderOf("c2"));
      await store.unlock("token-c1");
      await store.unlock("token-nobody");
      expect(await paths()).toEqual(["/b"]);
      expect(await store.lock(["/a"], holderOf("c3"))).toBeUndefined();
    });
    test("the same token passes its own locks", async () => {
      await store.lock(["/a"], holderOf("c1"));
      expect(await store.lock(["/a", "/b"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/a", "/b"]);
    });
    test("the same token goes from a file to its whole folder, past its own lock and no other", async () => {
      await store.lock(["/w/a"], holderOf("c1"));
      expect(await store.lock(["/w/**"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/w/**", "/w/a"]);
      expect(await store.lock(["/w/b"], holderOf("c1")), "covered already").toBeUndefined();
      expect(await paths()).toEqual(["/w/**", "/w/a"]);
      await store.unlock("token-c1");
      await store.lock(["/w/a"], holderOf("c1"));
      await store.lock(["/w/b"], holderOf("c2"));
      expect(await store.lock(["/w/**"], holderOf("c1"))).toMatchObject({ path: "/w/b", call: "c2" });
      expect(await paths()).toEqual(["/w/a", "/w/b"]);
    });
    test("the same path under another name of the call is a conflict", async () => {
      await store.lock(["/a"], { token: "t1", call: "c1", ancestors: [] });
      expect(await store.lock(["/a"], { token: "t2", call: "c1", ancestors: [] })).toMatchObject({ token: "t1" });
    });
    test("a child passes its ancestors' locks, and its unlock does not free them", async () => {
      await store.lock(["/a"], holderOf("parent", "root"));
      expect(await store.lock(["/a", "/b"], holderOf("child", "root", "parent"))).toBeUndefined();
      await store.unlock("token-child");
      expect(await paths()).toEqual(["/a"]);
      expect(await store.lock(["/a"], holderOf("stranger"))).toMatchObject({ call: "parent" });
    });
    test("siblings don't pass each other, also below a lock that both may pass", async () => {
      await store.lock(["/a"], holderOf("parent"));
      expect(await store.lock(["/a"], holderOf("one", "parent"))).toBeUndefined();
      expect(await store.lock(["/a"], holderOf("two", "parent"))).toMatchObject({ call: "one" });
      await store.unlock("token-one");
      expect(await store.lock(["/a"], holderOf("two", "parent"))).toBeUndefined();
    });
    test("to pass one holder of a path is not to pass the other, whichever came first", async () => {
      await store.lock(["/a", "/w/**"], holderOf("parent"));
      await store.lock(["/a", "/w/a"], holderOf("child", "parent"));
      expect(await store.lock(["/a"], holderOf("c", "child"))).toMatchObject({ call: "parent" });
      expect(await store.lock(["/a"], holderOf("c", "parent"))).toMatchObject({ call: "child" });
      expect(await store.lock(["/w/a"], holderOf("c", "child"))).toMatchObject({ call: "parent" });
      expect(await store.lock(["/w/**"], holderOf("c", "parent"))).toMatchObject({ call: "child" });
      expect(await store.lock(["/a", "/w/**"], holderOf("c", "parent", "child"))).toBeUndefined();
    });
    test("an ancestor does not pass its child's lock", async () => {
      await store.lock(["/a"], holderOf("child", "parent"));
      expect(await store.lock(["/a"], holderOf("parent"))).toMatchObject({ call: "child" });
    });

    const overlaps: [string, string, boolean][] = [
      ["/w/**", "/w/a", true],
      ["/w/**", "/w/a/b", true],
      ["/w/**", "/w", true],
      ["/w/**", "/w/**", true],
      ["/w/**", "/w/a/**", true],
      ["/**", "/a", true],
      ["C:\\w/**", "C:\\w\\a", true],
      ["/w/**", "/wide", false],
      ["/w/**", "/wide/**", false],
      ["/w/**", "/", false],
      ["/w/a/**", "/w", false],
      ["/w/**", "/other/w/a", false],
      ["/w/a/**", "/w/b/**", false],
      ["/w", "/w/a", false],
      ["/w/a", "/w/b", false],
    ];
    test.each(overlaps)("%s and %s overlap: %s, whichever comes first", async (a, b, conflict) => {
      for (const [first, second] of [[a, b] as const, [b, a] as const]) {
        expect(await store.lock([first], holderOf("c1"))).toBeUndefined();
        expect((await store.lock([second], holderOf("c2")))?.path).toBe(conflict ? first : undefined);
        expect(await store.lock([second], holderOf("child", "c1", "c2"))).toBeUndefined();
        for (const call of ["c1", "c2", "child"]) await store.unlock(`token-${call}`);
      }
    });

    test("a second handle sees everything, and locks hold across handles", async (context) => {
      if (!opened.again) return context.skip("a store in memory cannot be opened again");
      const other = await opened.again();
      try {
        await store.record([callRecord("1")]);
        const ids = await store.intend([newChange("/a")]);
        await store.ask(approvalOf("p1"));
        await store.grant([{ tool: "t", action: "write", target: "/a", session: null, at: 1 }]);
        await store.lock(["/a"], holderOf("c1"));

        expect(await other.records({})).toEqual([callRecord("1")]);
        expect((await other.changes({})).map(({ id }) => id)).toEqual(ids);
        expect(await other.content("before /a")).toEqual(bytes("content of /a"));
        expect(await other.grants("t", "s")).toHaveLength(1);
        expect(await other.answer("p1", "once")).toBe(true);
        expect((await store.approval("p1"))?.answer).toBe("once");
        expect(await other.lock(["/a"], holderOf("c2"))).toMatchObject({ call: "c1" });
        expect(await other.lock(["/b"], holderOf("c2"))).toBeUndefined();
        expect(await store.lock(["/b"], holderOf("c1"))).toMatchObject({ call: "c2" });
      } finally {
        await other.close();
      }
      expect(await paths(), "closing frees the locks of that handle alone").toEqual(["/a"]);
    });
    test("what was written is there when opened again", async (context) => {
      if (!opened.again) return context.skip("a store in memory cannot be opened again");
      await store.intend([newChange("/a")]);
      await store.record([callRecord("1")]);
      await store.lock(["/a"], holderOf("c1"));
      await store.close();
      const later = await opened.again();
      try {
        expect(await later.changes({})).toHaveLength(1);
        expect(await later.content("before /a")).toEqual(bytes("content of /a"));
        expect(await later.records({})).toHaveLength(1);
        expect(await later.locks()).toEqual([]);
      } finally {
        await later.close();
      }
    });
  });
}
