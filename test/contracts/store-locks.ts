import { expect, test } from "vitest";
import { approvalOf, bytes, callRecord, holderOf, newChange } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

/** The locks of a store, and what two handles on the same data see of each other. */
export function lockContract(name: string, make: () => Promise<Opened>): void {
  withStore(`locks of the store: ${name}`, make, (at) => {
    const paths = async (): Promise<string[]> => (await at.store.locks()).map(({ path }) => path).sort();

    test("are taken all or none", async () => {
      expect(await at.store.lock(["/b", "/a", "/b"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/a", "/b"]);
      const held = await at.store.lock(["/c", "/b"], holderOf("c2"));
      expect(held).toEqual({ path: "/b", token: "token-c1", call: "c1", since: expect.any(Number) });
      expect(await paths()).toEqual(["/a", "/b"]);
    });
    test("tell the first conflict in the order of the paths", async () => {
      await at.store.lock(["/z", "/m"], holderOf("c1"));
      expect((await at.store.lock(["/z", "/m"], holderOf("c2")))?.path).toBe("/m");
    });
    test("unlock frees what the token holds and nothing else", async () => {
      await at.store.lock(["/a"], holderOf("c1"));
      await at.store.lock(["/b"], holderOf("c2"));
      await at.store.unlock("token-c1");
      await at.store.unlock("token-nobody");
      expect(await paths()).toEqual(["/b"]);
      expect(await at.store.lock(["/a"], holderOf("c3"))).toBeUndefined();
    });
    test("the same token passes its own locks", async () => {
      await at.store.lock(["/a"], holderOf("c1"));
      expect(await at.store.lock(["/a", "/b"], holderOf("c1"))).toBeUndefined();
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
      await at.store.lock(["/a"], { token: "t1", call: "c1", ancestors: [] });
      expect(await at.store.lock(["/a"], { token: "t2", call: "c1", ancestors: [] })).toMatchObject({ token: "t1" });
    });
    test("a child passes its ancestors' locks, and its unlock does not free them", async () => {
      await at.store.lock(["/a"], holderOf("parent", "root"));
      expect(await at.store.lock(["/a", "/b"], holderOf("child", "root", "parent"))).toBeUndefined();
      await at.store.unlock("token-child");
      expect(await paths()).toEqual(["/a"]);
      expect(await at.store.lock(["/a"], holderOf("stranger"))).toMatchObject({ call: "parent" });
    });
    test("siblings don't pass each other, also below a lock that both may pass", async () => {
      await at.store.lock(["/a"], holderOf("parent"));
      expect(await at.store.lock(["/a"], holderOf("one", "parent"))).toBeUndefined();
      expect(await at.store.lock(["/a"], holderOf("two", "parent"))).toMatchObject({ call: "one" });
      await at.store.unlock("token-one");
      expect(await at.store.lock(["/a"], holderOf("two", "parent"))).toBeUndefined();
    });
    test("an ancestor does not pass its child's lock", async () => {
      await at.store.lock(["/a"], holderOf("child", "parent"));
      expect(await at.store.lock(["/a"], holderOf("parent"))).toMatchObject({ call: "child" });
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
      ["/w/**", "/other/w/a", false],
      ["/w/a/**", "/w/b/**", false],
      ["/w", "/w/a", false],
      ["/w/a", "/w/b", false],
    ];
    test.each(overlaps)("%s and %s overlap: %s, whichever comes first", async (a, b, conflict) => {
      for (const [first, second] of [[a, b] as const, [b, a] as const]) {
        expect(await at.store.lock([first], holderOf("c1"))).toBeUndefined();
        expect((await at.store.lock([second], holderOf("c2")))?.path).toBe(conflict ? first : undefined);
        expect(await at.store.lock([second], holderOf("child", "c1", "c2"))).toBeUndefined();
        for (const call of ["c1", "c2", "child"]) await at.store.unlock(`token-${call}`);
      }
    });
  });
}
