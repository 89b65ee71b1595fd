import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { holderOf, newChange } from "./store-samples.ts";
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
    test("unlock concludes the rows that it is given, and no others", async () => {
      await at.store.lock(["/a"], holderOf("c1"));
      const [a, b, c, d] = await at.store.intend(["/a", "/b", "/c", "/d"].map((path) => newChange(path)));
      await at.store.conclude([c!], "void");
      await at.store.unlock("token-c1", [a!, b!, c!]);
      const states = (await at.store.changes({})).map(({ id, state }) => [id, state]);
      expect(states).toEqual([
        [a, "done"],
        [b, "done"],
        [c, "void"],
        [d, "intended"],
      ]);
      expect(await paths()).toEqual([]);
    });
    test("the same token passes its own locks", async () => {
      await at.store.lock(["/a"], holderOf("c1"));
      expect(await at.store.lock(["/a", "/b"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/a", "/b"]);
    });
    test("the same token goes from a file to its whole folder, past its own lock and no other", async () => {
      await at.store.lock(["/w/a"], holderOf("c1"));
      expect(await at.store.lock(["/w/**"], holderOf("c1"))).toBeUndefined();
      expect(await paths()).toEqual(["/w/**", "/w/a"]);
      expect(await at.store.lock(["/w/b"], holderOf("c1")), "covered already").toBeUndefined();
      expect(await paths()).toEqual(["/w/**", "/w/a"]);
      await at.store.unlock("token-c1");
      await at.store.lock(["/w/a"], holderOf("c1"));
      await at.store.lock(["/w/b"], holderOf("c2"));
      expect(await at.store.lock(["/w/**"], holderOf("c1"))).toMatchObject({ path: "/w/b", call: "c2" });
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
    test("to pass one holder of a path is not to pass the other, whichever came first", async () => {
      await at.store.lock(["/a", "/w/**"], holderOf("parent"));
      await at.store.lock(["/a", "/w/a"], holderOf("child", "parent"));
      expect(await at.store.lock(["/a"], holderOf("c", "child"))).toMatchObject({ call: "parent" });
      expect(await at.store.lock(["/a"], holderOf("c", "parent"))).toMatchObject({ call: "child" });
      expect(await at.store.lock(["/w/a"], holderOf("c", "child"))).toMatchObject({ call: "parent" });
      expect(await at.store.lock(["/w/**"], holderOf("c", "parent"))).toMatchObject({ call: "child" });
      expect(await at.store.lock(["/a", "/w/**"], holderOf("c", "parent", "child"))).toBeUndefined();
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
        expect(await at.store.lock([first], holderOf("c1"))).toBeUndefined();
        expect((await at.store.lock([second], holderOf("c2")))?.path).toBe(conflict ? first : undefined);
        expect(await at.store.lock([second], holderOf("child", "c1", "c2"))).toBeUndefined();
        for (const call of ["c1", "c2", "child"]) await at.store.unlock(`token-${call}`);
      }
    });

    describe("waiting", () => {
      const patient = { milliseconds: 60_000 };

      test("without patience, or with none left, the answer comes at once", async () => {
        await at.store.lock(["/a"], holderOf("c1"));
        for (const patience of [undefined, { milliseconds: 0 }, { milliseconds: 9e9, signal: AbortSignal.abort() }])
          expect(await at.store.lock(["/a"], holderOf("c2"), patience)).toMatchObject({ call: "c1" });
        expect(await at.store.lock(["/b"], holderOf("c2"), { milliseconds: 0 })).toBeUndefined();
      });
      test("what is free is taken at once, whatever the patience", async () => {
        expect(await at.store.lock(["/a"], holderOf("c1"), patient)).toBeUndefined();
        expect(
          await at.store.lock(["/b"], holderOf("c2"), { ...patient, signal: AbortSignal.abort() }),
        ).toBeUndefined();
        expect(await paths()).toEqual(["/a", "/b"]);
      });
      test("ends when what was in the way is free", async () => {
        await at.store.lock(["/a"], holderOf("c1"));
        const waiting = at.store.lock(["/a", "/b"], holderOf("c2"), patient);
        await at.store.lock(["/c"], holderOf("c3"));
        await at.store.unlock("token-c3");
        expect(await paths(), "nothing is taken before").toEqual(["/a"]);
        await at.store.unlock("token-c1");
        expect(await waiting).toBeUndefined();
        expect((await at.store.locks()).map(({ call }) => call)).toEqual(["c2", "c2"]);
      });
      test("ends with the patience, and tells what is in the way", async () => {
        await at.store.lock(["/a"], holderOf("c1"));
        expect(await at.store.lock(["/a"], holderOf("c2"), { milliseconds: 5 })).toMatchObject({ call: "c1" });
        await at.store.unlock("token-c1");
        expect(await paths(), "nothing is left of the waiting").toEqual([]);
        expect(await at.store.lock(["/a"], holderOf("c3"))).toBeUndefined();
      });
      test("ends at once with its signal, and the lock is not taken", async () => {
        await at.store.lock(["/a"], holderOf("c1"));
        const stop = new AbortController();
        const waiting = at.store.lock(["/a"], holderOf("c2"), { ...patient, signal: stop.signal });
        const behind = at.store.lock(["/a"], holderOf("c3"), patient);
        stop.abort();
        expect(await waiting).toMatchObject({ path: "/a", call: "c1" });
        await at.store.unlock("token-c1");
        expect(await behind).toBeUndefined();
        expect((await at.store.locks()).map(({ call }) => call)).toEqual(["c3"]);
      });
      test("whoever breaks off is told who holds it rather than who waits for it before them", async () => {
        await at.store.lock(["/a"], holderOf("holder"));
        const stop = new AbortController();
        const first = at.store.lock(["/a"], holderOf("first"), patient);
        const second = at.store.lock(["/a"], holderOf("second"), { ...patient, signal: stop.signal });
        stop.abort();
        expect(await second).toMatchObject({ call: "holder" });
        await at.store.unlock("token-holder");
        expect(await first).toBeUndefined();
      });
      test("one who gives up is out of the way of those behind, at once", async () => {
        await at.store.lock(["/a"], holderOf("holder"));
        const stop = new AbortController();
        const large = at.store.lock(["/a", "/b"], holderOf("large"), { ...patient, signal: stop.signal });
        const small = at.store.lock(["/b"], holderOf("small"), patient);
        stop.abort();
        expect(await large).toMatchObject({ path: "/a", call: "holder" });
        expect(await small).toBeUndefined();
        expect((await at.store.locks()).map(({ call }) => call)).toEqual(["holder", "small"]);
      });
      test("whoever does not wait stands in no line", async () => {
        await at.store.lock(["/a"], holderOf("holder"));
        const large = at.store.lock(["/a", "/b"], holderOf("large"), patient);
        expect(await at.store.lock(["/b"], holderOf("hurried"))).toBeUndefined();
        expect(await at.store.lock(["/b"], holderOf("late"), { milliseconds: 0 })).toMatchObject({ call: "hurried" });
        await at.store.unlock("token-holder");
        await at.store.unlock("token-hurried");
        expect(await large).toBeUndefined();
      });
      test("nothing is left of it, however it ends: a signal that comes later takes no lock", async () => {
        const stop = new AbortController();
        const wait = (path: string, call: string, milliseconds: number) =>
          at.store.lock([path], holderOf(call), { milliseconds, signal: stop.signal });
        await at.store.lock(["/a", "/b", "/c"], holderOf("holder"));
        const ends = [wait("/a", "served", 60_000), wait("/b", "late", 1)];
        expect(await ends[1]).toMatchObject({ call: "holder" });
        await at.store.unlock("token-holder");
        expect(await ends[0]).toBeUndefined();
        await at.store.unlock("token-served");
        expect(getEventListeners(stop.signal, "abort")).toEqual([]);
        await at.store.lock(["/c"], holderOf("holder"));
        const stopped = wait("/c", "stopped", 60_000);
        stop.abort();
        expect(await stopped).toMatchObject({ call: "holder" });
        expect(getEventListeners(stop.signal, "abort")).toEqual([]);
        await at.store.unlock("token-holder");
        expect(await paths()).toEqual([]);
        const closed = new AbortController();
        await at.store.lock(["/d"], holderOf("holder"));
        const ended = at.store.lock(["/d"], holderOf("ended"), { milliseconds: 60_000, signal: closed.signal });
        const told = expect(ended).rejects.toThrow(/closed/);
        await at.store.close();
        await told;
        expect(getEventListeners(closed.signal, "abort")).toEqual([]);
      });
      test("ends with the store", async () => {
        await at.store.lock(["/a"], holderOf("c1"));
        const waiting = at.store.lock(["/a"], holderOf("c2"), patient);
        const ended = expect(waiting).rejects.toThrow(/closed/);
        await at.store.close();
        await ended;
      });
      test("those who come first are first", async () => {
        await at.store.lock(["/a"], holderOf("holder"));
        const order: string[] = [];
        const calls = Array.from({ length: 12 }, (_, index) => `c${index}`);
        const all = calls.map(async (call) => {
          expect(await at.store.lock(["/a"], holderOf(call), patient)).toBeUndefined();
          order.push(call);
          await at.store.unlock(`token-${call}`);
        });
        await at.store.unlock("token-holder");
        await Promise.all(all);
        expect(order).toEqual(calls);
      });
      test("one who needs much does not starve beside many who need little and always hold some of it", async () => {
        let served = false;
        let rounds = 0;
        const small = async (file: string): Promise<void> => {
          for (let round = 0; !served && round < 2000; round++) {
            const call = `${file} ${round}`;
            expect(await at.store.lock([file], holderOf(call), patient)).toBeUndefined();
            rounds++;
            await new Promise((done) => setImmediate(done));
            await at.store.unlock(`token-${call}`);
          }
        };
        const many = ["/w/a", "/w/b", "/w/c", "/w/d"].map(small);
        expect(await at.store.lock(["/w/**"], holderOf("large"), patient)).toBeUndefined();
        served = true;
        expect(rounds).toBeLessThan(50);
        await at.store.unlock("token-large");
        await Promise.all(many);
      });
      test("whoever holds something passes the line, and so do its children: others wait for them", async () => {
        await at.store.lock(["/a"], holderOf("parent"));
        const waiting = at.store.lock(["/a", "/b"], holderOf("large"), patient);
        const behind = at.store.lock(["/b"], holderOf("small"), patient);
        expect(await at.store.lock(["/b"], holderOf("child", "parent"), patient)).toBeUndefined();
        await at.store.unlock("token-child");
        expect(await at.store.lock(["/b"], holderOf("parent"), patient)).toBeUndefined();
        await at.store.unlock("token-parent");
        expect(await waiting).toBeUndefined();
        await at.store.unlock("token-large");
        expect(await behind).toBeUndefined();
      });
      test("two handles wait for each other in the order of coming", async (context) => {
        if (!at.again) return context.skip("a store in memory cannot be opened again");
        const other = await at.again();
        await at.store.lock(["/a"], holderOf("c0"));
        const order: string[] = [];
        const handles = [other, at.store, other, at.store];
        const all = handles.map(async (handle, index) => {
          expect(await handle.lock(["/a"], holderOf(`c${index + 1}`), patient)).toBeUndefined();
          order.push(`c${index + 1}`);
          await handle.unlock(`token-c${index + 1}`);
        });
        await at.store.unlock("token-c0");
        await Promise.all(all);
        expect(order).toEqual(["c1", "c2", "c3", "c4"]);
        await other.close();
      });
    });
  });
}
