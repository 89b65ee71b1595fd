import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Asking, HoldMode, HoldSpace, Wanted } from "../../src/core/contracts/store/holds.ts";
import { type Opened, withStore } from "./store-suite.ts";

const A: Asking = { session: "s1", agent: "a" };
const B: Asking = { session: "s2", agent: "b" };
const wanted = (resource: string, mode: HoldMode = "exclusive"): Wanted => ({
  resources: [resource],
  shown: `shown ${resource}`,
  mode,
});

/** What agents keep for themselves, whoever looks. */
export function holdContract(name: string, make: () => Promise<Opened>): void {
  withStore(`holds of the store: ${name}`, make, (at) => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
    afterEach(() => void vi.useRealTimers());

    const take = (by: Asking, resource: string, mode?: HoldMode, space: HoldSpace = "paths", ms = 1000) =>
      at.store.hold(space, [wanted(resource, mode)], by, ms).then(([answer]) => answer!);
    const tokenOf = async (...given: Parameters<typeof take>): Promise<string> => {
      const answer = await take(...given);
      if ("hold" in answer) return answer.hold.token;
      throw new Error(`held by ${answer.by.agent}`);
    };

    test("a hold is told whole, and each that is wanted is taken or denied by itself", async () => {
      const since = Date.now();
      await tokenOf(A, "/w/src/**");
      const answers = await at.store.hold("paths", [wanted("/w/src/a.ts"), wanted("/w/docs/**")], B, 500);
      const theirs = { ...A, space: "paths", shown: "shown /w/src/**", since, until: since + 1000 };
      expect(answers).toMatchObject([
        { wanted: wanted("/w/src/a.ts"), by: theirs },
        { hold: { ...wanted("/w/docs/**"), ...B, until: since + 500 } },
      ]);
      expect(await at.store.holds("paths")).toMatchObject([theirs, { ...B, resources: ["/w/docs/**"] }]);
      expect(await at.store.holds("names")).toEqual([]);
    });

    test("any of its resources is held", async () => {
      await at.store.hold("paths", [{ ...wanted("/w/link/**"), resources: ["/w/link/**", "/w/real/**"] }], A, 1000);
      expect(await take(B, "/w/real/x")).toMatchObject({ by: A });
      expect(await take(B, "/w/link/x")).toMatchObject({ by: A });
      expect(await take(B, "/w/other/x")).toMatchObject({ hold: B });
    });

    describe.each<[HoldSpace, string, string]>([
      ["paths", "/w/src/**", "/w/src/a.ts"],
      ["names", "the build", "the build"],
    ])("%s", (space, one, same) => {
      const modes: [HoldMode, HoldMode, boolean][] = [
        ["read", "read", true],
        ["read", "write", true],
        ["write", "read", true],
        ["write", "write", false],
        ["read", "exclusive", false],
        ["exclusive", "read", false],
        ["write", "exclusive", false],
        ["exclusive", "write", false],
        ["exclusive", "exclusive", false],
      ];
      test.each(modes)("%s, then another's %s: %s", async (first, second, fits) => {
        await tokenOf(A, one, first, space);
        const over = await at.store.holdOver(space, wanted(same, second), B);
        expect(over === undefined).toBe(fits);
        expect("hold" in (await take(B, same, second, space))).toBe(fits);
        expect(await at.store.holds(space)).toHaveLength(fits ? 2 : 1);
      });
    });

    test("names are equal or not, and no path is a name", async () => {
      await tokenOf(A, "/w/**", "exclusive", "names");
      expect(await take(B, "/w/a", "exclusive", "names")).toMatchObject({ hold: B });
      expect(await take(B, "/w/a")).toMatchObject({ hold: B });
    });

    test.each<[string, Asking, boolean]>([
      ["the same agent of the same session", { ...A }, true],
      ["another agent of the session", { ...A, agent: "b" }, false],
      ["an agent of that name in another session", { ...A, session: "s2" }, false],
      ["a child", { session: "s9", agent: "child", above: [A] }, true],
      ["a child's child", { session: "s9", agent: "child", above: [{ session: "s5", agent: "x" }, A] }, true],
      ["another's child", { session: "s9", agent: "child", above: [B] }, false],
    ])("who passes: %s", async (_, by, passes) => {
      await tokenOf(A, "/w/a");
      expect((await at.store.holdOver("paths", wanted("/w/a", "write"), by)) === undefined).toBe(passes);
      expect("hold" in (await take(by, "/w/a"))).toBe(passes);
    });

    test("a parent does not pass its child's hold, and siblings do not pass each other's", async () => {
      await tokenOf(A, "/w/**");
      await tokenOf({ session: "c1", agent: "x", above: [A] }, "/w/a");
      expect(await take({ session: "c2", agent: "x", above: [A] }, "/w/a")).toMatchObject({ by: { session: "c1" } });
      expect(await at.store.holdOver("paths", wanted("/w/a"), A)).toMatchObject({ session: "c1" });
    });

    test("taken again it keeps its token, in the new mode and for the new time", async () => {
      const token = await tokenOf(A, "/w/a", "read", "paths", 100);
      vi.advanceTimersByTime(50);
      expect(await tokenOf(A, "/w/a", "write", "paths", 1000)).toBe(token);
      vi.advanceTimersByTime(500);
      expect(await at.store.holds()).toMatchObject([{ token, mode: "write" }]);
      await tokenOf(B, "/w/a", "read");
      expect(await take(A, "/w/a", "exclusive"), "another reads it").toMatchObject({ by: B });
      expect(await at.store.holds()).toMatchObject([{ token, mode: "write" }, { mode: "read" }]);
    });

    test.each<[resources: string[], isSame: boolean]>([
      [["/w/a", "/w/b"], true],
      [["/w/b", "/w/a"], true],
      [["/w/a", "/w/b", "/w/a"], true],
      [["/w/a", "/w/a"], false],
      [["/w/a"], false],
      [["/w/a", "/w/b", "/w/c"], false],
      [["/w/a", "/w/c"], false],
    ])("/w/a and /w/b, taken again as %j, are the same hold: %s", async (resources, isSame) => {
      await at.store.hold("paths", [{ ...wanted(""), resources: ["/w/a", "/w/b"] }], A, 1000);
      await at.store.hold("paths", [{ ...wanted(""), resources }], A, 1000);
      expect(await at.store.holds()).toHaveLength(isSame ? 1 : 2);
      for (const path of ["/w/a", "/w/b"]) expect(await at.store.holdOver("paths", wanted(path), B)).toMatchObject(A);
    });

    test("the oldest is the first, however often it was taken again", async () => {
      const resources = ["/w/c", "/w/a", "/w/b"];
      await at.store.hold(
        "paths",
        resources.map((each) => wanted(each)),
        A,
        1000,
      );
      await tokenOf(A, "/w/c");
      expect((await at.store.holds()).map((hold) => hold.resources[0])).toEqual(resources);
    });

    test("it is over at its time, at once and for everybody", async () => {
      const token = await tokenOf(A, "/w/a");
      vi.advanceTimersByTime(999);
      expect(await at.store.holdOver("paths", wanted("/w/a"), B)).toMatchObject(A);
      vi.advanceTimersByTime(1);
      expect(await at.store.holdOver("paths", wanted("/w/a"), B)).toBeUndefined();
      expect(await at.store.holds()).toEqual([]);
      expect(await at.store.letGo([token])).toEqual([]);
      expect(await take(B, "/w/a")).toMatchObject({ hold: B });
      expect(await take(A, "/w/a")).toMatchObject({ by: B });
    });

    test.each([0, -1, Number.NaN])("one of %s ms is refused", async (ms) => {
      await expect(at.store.hold("paths", [wanted("/w/a")], A, ms)).rejects.toThrow(/hold must last/);
    });

    test("it is let go by its keeper, or by whoever names none", async () => {
      const tokens = [await tokenOf(A, "/w/a"), await tokenOf(A, "/w/b"), await tokenOf(B, "/w/c")];
      expect(await at.store.letGo([...tokens, "nothing"], B)).toEqual([tokens[2]]);
      expect(await at.store.letGo([tokens[0]!], A)).toEqual([tokens[0]]);
      expect(await at.store.letGo(tokens)).toEqual([tokens[1]]);
      expect(await at.store.holds()).toEqual([]);
    });

    test("all of a session are let go at once", async () => {
      await tokenOf(A, "/w/a");
      await tokenOf({ ...A, agent: "other" }, "the name", "write", "names");
      const token = await tokenOf(B, "/w/b");
      await at.store.letGoOf("s1");
      expect(await at.store.holds()).toMatchObject([{ token }]);
    });

    test("they hold across handles, and end with theirs", async (context) => {
      if (!at.again) return context.skip("a store in memory cannot be opened again");
      const other = await at.again();
      const [theirs] = await other.hold("paths", [wanted("/w/a")], A, 1000);
      expect(await take(B, "/w/a")).toMatchObject({ by: A });
      const mine = await tokenOf(A, "/w/b");
      await other.letGoOf("s1");
      expect(await at.store.holds(), "another handle's own stay").toMatchObject([{ token: mine }]);
      expect(await other.letGo([mine])).toEqual([mine]);
      expect(theirs).toMatchObject({ hold: A });
      await other.hold("paths", [wanted("/w/a")], A, 1000);
      await other.close();
      expect(await take(B, "/w/a")).toMatchObject({ hold: B });
    });

    test("what comes out belongs to whoever asked", async () => {
      await tokenOf(A, "/w/a");
      const [row] = await at.store.holds();
      Object.assign(row!, { agent: "x" });
      (row!.resources as string[]).push("/w/z");
      const over = await at.store.holdOver("paths", wanted("/w/a"), B);
      Object.assign(over!, { agent: "x" });
      (over!.resources as string[]).push("/w/z");
      expect(await at.store.holds()).toMatchObject([{ agent: "a", resources: ["/w/a"] }]);
    });
  });
}
