import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { type FileMap, placeOf, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import { globOfPath, splitGlob, withBelow } from "../../text/glob-overlap.ts";
import type { HoldMode, Keeper } from "../contracts/store/holds.ts";
import type { Place, Touch } from "../words/touch.ts";
import { holdView, passHolds } from "./holding.ts";

const globs = { ofPath: globOfPath, withBelow, split: splitGlob, fits: () => false };
const OTHER: Keeper = { session: "other", agent: "main" };
const BOSS: Keeper = { session: "boss", agent: "lead" };

type Lock = { resources: string[]; by?: Keeper; mode?: HoldMode };

/** A call in a world where these are locked. */
async function among(locks: Lock[] = [], files: FileMap = new Map(), locate?: (name: string) => Place) {
  const inner = memoryStore();
  for (const { resources, by = OTHER, mode = "exclusive" } of locks)
    await inner.hold("paths", [{ resources, shown: resources.join(), mode }], by, 60_000);
  const asked: (readonly string[])[] = [];
  const locked: (readonly string[])[] = [];
  const store: typeof inner = {
    ...inner,
    holds: (space) => {
      asked.push([space ?? ""]);
      return inner.holds(space);
    },
    holdOver: (space, wanted, by) => {
      asked.push(wanted.resources);
      return inner.holdOver(space, wanted, by);
    },
    lock: (paths, ...more) => {
      locked.push([...paths]);
      return inner.lock(paths, ...more);
    },
  };
  const trip = tripIn({
    files,
    parts: { store, globs },
    station: { keepers: [BOSS] },
    ...(locate && { workspace: { locate } }),
  });
  return { trip, store: inner, asked, locked };
}

const run = (...inner: Touch[]): Touch => ({ action: "run", command: "x", class: "dev", inner });
const linked: Touch = {
  action: "write",
  certain: true,
  place: { shown: "link", real: "/ws/target", root: "/ws", exists: true },
};
const folder: FileMap = new Map([["src", { text: "", kind: "folder" }]]);
const file: FileMap = new Map([["src", { text: "x" }]]);

describe("a change under another's lock ends the call", () => {
  test.each<[string, Lock, Touch[], FileMap, refused: string | undefined]>([
    ["a write", { resources: ["/ws/a"] }, [at("write", "a")], new Map(), "a"],
    ["a removal", { resources: ["/ws/a"] }, [at("delete", "a")], new Map(), "a"],
    ["a read", { resources: ["/ws/a"] }, [at("read", "a"), at("list", ".")], new Map(), undefined],
    ["another file", { resources: ["/ws/a"] }, [at("write", "b")], new Map(), undefined],
    ["the second of two", { resources: ["/ws/b"] }, [at("write", "a"), at("write", "b")], new Map(), "b"],
    ["what a command writes", { resources: ["/ws/a"] }, [run(at("write", "a"))], new Map(), "a"],
    [
      "a request",
      { resources: ["/ws/**"] },
      [{ action: "fetch", url: "http://a/", method: "POST" }],
      new Map(),
      undefined,
    ],
    ["below a lock", { resources: ["/ws/src/**"] }, [at("write", "src/a")], new Map(), "src/a"],
    ["a folder with something locked in it", { resources: ["/ws/src/a"] }, [at("delete", "src")], folder, "src"],
    ["a file with a name that begins alike", { resources: ["/ws/src/a"] }, [at("delete", "src")], file, undefined],
    ["a pattern over it", { resources: ["/ws/src/a"] }, [at("write", "src", { scope: "**" })], file, "src"],
    [
      "what cannot be looked at",
      { resources: ["/ws/src/a"] },
      [at("delete", "src")],
      new Map([["src", "closed"]]),
      "src",
    ],
    ["what is not there yet", { resources: ["/ws/src/a"] }, [at("write", "src")], new Map(), undefined],
    ["where a link leads", { resources: ["/ws/target"] }, [linked], new Map(), "link"],
    ["where a link lies", { resources: ["/ws/link"] }, [linked], new Map(), "link"],
    [
      "one's own lock",
      { resources: ["/ws/a"], by: { session: "session", agent: "main" } },
      [at("write", "a")],
      new Map(),
      undefined,
    ],
    ["the lock of whom it works for", { resources: ["/ws/a"], by: BOSS }, [at("write", "a")], new Map(), undefined],
    [
      "another agent's of the session",
      { resources: ["/ws/a"], by: { session: "session", agent: "b" } },
      [at("write", "a")],
      new Map(),
      "a",
    ],
    ["a lock for reading", { resources: ["/ws/a"], mode: "read" }, [at("write", "a")], new Map(), undefined],
    ["a lock for writing", { resources: ["/ws/a"], mode: "write" }, [at("write", "a")], new Map(), "a"],
  ])("%s", async (_, lock, touches, files, refused) => {
    const { trip } = await among([lock], files);
    const end = await passHolds(trip, touches).then(
      () => undefined,
      (error) => error,
    );
    if (refused === undefined) expect(end).toBeUndefined();
    else
      expect(end).toMatchObject({
        ...{ status: "refused", code: "CONFLICT" },
        message: expect.stringMatching(new RegExp(`^${refused} is locked by .+ \\(.+\\) for another .+\\.$`)),
        metadata: { by: "locks", lockedBy: { session: expect.any(String), until: expect.any(Number) } },
      });
  });

  test("nobody is asked where nothing is changed, and once where nothing is locked", async () => {
    const { trip, asked } = await among();
    await passHolds(trip, [at("read", "a")]);
    expect(asked).toEqual([]);
    await passHolds(trip, [at("write", "a"), at("write", "b")]);
    expect(asked).toEqual([["paths"]]);
    const locked = await among([{ resources: ["/ws/c"] }]);
    await passHolds(locked.trip, [at("write", "a"), at("write", "b")]);
    expect(locked.asked).toEqual([["paths"], expect.arrayContaining(["/ws/a", "/ws/b"])]);
  });
});

describe("a call takes locks", () => {
  test.each<[string, resources: string[], waitsFor: string]>([
    ["src/**", ["/ws/src/**"], "/ws/src/**"],
    ["package.json", ["/ws/package.json/**"], "/ws/package.json/**"],
    ["docs/*.md", ["/ws/docs/*.md"], "/ws/docs/**"],
    ["*.ts", ["/ws/**/*.ts"], "/ws/**"],
    ["src/*.ts", ["/ws/src/*.ts"], "/ws/src/**"],
    ["./*.ts", ["/ws/*.ts"], "/ws/**"],
    ["/ws/src/*", ["/ws/src/*"], "/ws/src/**"],
  ])("%s", async (glob, resources, waitsFor) => {
    const locate = (name: string): Place => {
      const below = name.replace(/^(\.?\/ws\/?|\.\/?)/, "");
      return { shown: below || ".", real: below ? `/ws/${below}` : "/ws", root: "/ws", exists: true };
    };
    const { trip, store, locked } = await among([], new Map(), locate);
    const [answer] = await holdView(trip).lockPaths([glob], 1000);
    expect(answer).toMatchObject({ hold: { shown: glob, mode: "exclusive", session: "session", agent: "main" } });
    const [held] = await store.holds("paths");
    const withoutDots = held!.resources.map((each) => each.replace("/./", "/").replace(/\/\.$/, ""));
    expect([...new Set(withoutDots)]).toEqual(resources);
    expect(locked).toEqual([[waitsFor]]);
    expect(await store.locks(), "changes may go on").toEqual([]);
  });

  test("by both names of a folder that is reached by a link", async () => {
    const { trip, store } = await among([], new Map(), () => ({ ...placeOf("link"), real: "/ws/target" }));
    await holdView(trip).lockPaths(["link/**"], 1000);
    expect((await store.holds("paths"))[0]?.resources).toEqual(["/ws/target/**", "/ws/link/**"]);
  });

  test("outside of the workspace, by the real name alone", async () => {
    const outside = { shown: "/else", real: "/else", root: "", exists: true };
    const { trip, store } = await among([], new Map(), () => outside);
    await holdView(trip).lockPaths(["/else/**"], 1000);
    expect((await store.holds("paths"))[0]?.resources).toEqual(["/else/**"]);
  });

  test.each<[string, Place, resources: string[]]>([
    [
      "outside, by a name of its own",
      { shown: "~/else", real: "/home/else", root: "", exists: true },
      ["/home/else/**"],
    ],
    ["by its whole name", { shown: "/ws/x", real: "/ws/x", root: "/ws", exists: true }, ["/ws/x/**"]],
  ])("%s", async (_, place, resources) => {
    const { trip, store } = await among([], new Map(), () => place);
    await holdView(trip).lockPaths(["x/**"], 1000);
    expect((await store.holds("paths"))[0]?.resources).toEqual(resources);
  });

  test.each<[string, string]>([
    ["*.ts", "."],
    ["/*", "/"],
    ["/ws/*", "/ws"],
    ["src/*.ts", "src"],
    ["src", "src"],
  ])("%s is looked for at %s", async (glob, wanted) => {
    const names: string[] = [];
    const { trip } = await among([], new Map(), (name) => {
      names.push(name);
      return placeOf("x");
    });
    await holdView(trip).lockPaths([glob], 1000);
    expect(names).toEqual([wanted]);
  });

  test.each<[string, string]>([
    ["", "A glob is empty."],
    ["  ", "A glob is empty."],
    ["!src", "!src is an exclusion, and only files to lock can be named."],
    ["src/*/../x", "src/*/../x has .. after a wildcard."],
  ])("%j is no lock", async (glob, message) => {
    const { trip, store } = await among();
    await expect(holdView(trip).lockPaths([glob, "a"], 1000)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message,
    });
    expect(await store.holds()).toEqual([]);
  });

  test("of folders in one order, each once, and frees them whatever happens", async () => {
    const { trip, store, locked } = await among();
    await holdView(trip).lockPaths(["b/*.x", "a/*.x", "b/*.y"], 1000);
    expect(locked).toEqual([["/ws/a/**", "/ws/b/**"]]);
    trip.station.parts.store.hold = () => Promise.reject(new Error("no store"));
    await expect(holdView(trip).lockPaths(["c"], 1000)).rejects.toThrow("no store");
    expect(await store.locks()).toEqual([]);
  });

  test("and names, which it frees again: its own, and no others", async () => {
    const { trip, store } = await among();
    const view = holdView(trip);
    const wanted = (name: string) => [{ resources: [name], shown: name, mode: "write" as const }];
    const [mine] = await view.hold(wanted("one"), 1000);
    const [theirs] = await store.hold("names", wanted("two"), OTHER, 1000);
    const tokens = [mine, theirs].map((each) => (each && "hold" in each ? each.hold.token : ""));
    expect((await view.holds("names")).map(({ shown }) => shown)).toEqual(["one", "two"]);
    expect(await view.holds("paths")).toEqual([]);
    expect(await view.letGo(tokens)).toEqual([tokens[0]]);
    expect((await store.holds("names")).map(({ shown }) => shown)).toEqual(["two"]);
  });
});
