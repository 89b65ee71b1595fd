import { describe, expect, test } from "vitest";
import { at, ready } from "../../../test/judging.ts";
import { placeOf, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Launch, Process, Processes } from "../contracts/process.ts";
import type { Ceiling } from "../words/ceiling.ts";
import { ToolFailure } from "../words/result.ts";
import type { RunTouch, Touch } from "../words/touch.ts";
import { commandView, heldWhileRunning } from "./commanding.ts";
import { GateFacts, Session } from "./facts.ts";
import type { Trip } from "./trip.ts";

type Given = {
  ceiling?: Partial<Ceiling>;
  sandbox?: "bubblewrap" | "none";
  exclude?: string[];
  locks?: object[];
  listed?: Partial<Process>[];
};

/** A call under way, and what was started for it. */
async function starting({ ceiling = {}, sandbox = "bubblewrap", exclude, locks = [], listed = [] }: Given = {}) {
  const launches: Launch[] = [];
  const killed: string[] = [];
  const asked: unknown[] = [];
  const processes = {
    enforcement: async (kind?: object) => {
      asked.push(kind);
      return { sandbox, network: "none" as const };
    },
    async start(launch: Launch) {
      launches.push(launch);
      return { id: launch.command, kill: async () => void killed.push(launch.command) } as unknown as Process;
    },
    list: () => listed as Process[],
  } as Partial<Processes> as Processes;
  const store = memoryStore();
  for (const { resources, ...by } of locks as { resources: string[]; session: string; agent: string }[])
    await store.hold("paths", [{ resources, shown: resources.join(), mode: "exclusive" }], by, 60_000);
  const facts = new GateFacts({ mode: "yolo", ...ceiling }, new Session("session"), []);
  const keepers = [{ session: "boss", agent: "lead" }];
  const trip = tripIn({ workspace: { processes }, parts: { store }, station: { facts, keepers } });
  if (exclude) trip.known.verdict = { answer: "allow", by: "mode", reason: "", exclude };
  const view = (touches: Touch[]) => commandView(trip, ready({ touches }));
  const start = (touches: Touch[], command = "x") => view(touches).start({ command, cwd: "sub" });
  return { trip, launches, killed, asked, start, view };
}

const run = (more: Partial<RunTouch> = {}): RunTouch => ({
  action: "run",
  command: "x",
  class: "dev",
  inner: [],
  ...more,
});
const reading = (more: object) => ({ risk: "low", reason: "", parsed: true, uses: {}, segments: [], ...more }) as never;
const safe = run({ class: "safe" });
const build = run({ class: "safe", reading: reading({ runsProject: true }), inner: [at("write", "dist")] });
const named = (...inner: Touch[]) => run({ reading: reading({ writes: "in-place" }), inner });
const OUTSIDE = {
  action: "write",
  certain: true,
  place: { shown: "/o", real: "/o", root: "", exists: true },
} as Touch;

describe("what a command may change is what it was judged by", () => {
  test.each<[string, Touch[], Given, Partial<Launch>]>([
    ["a command", [run()], {}, { access: "read-write" }],
    ["one that only reads", [safe], {}, { access: "read-only" }],
    [
      "one that is called safe and changes something",
      [run({ class: "safe", inner: [at("write", "a")] })],
      {},
      { access: "read-write" },
    ],
    ["one that may do more than it was judged to", [{ ...safe, exposed: "why" }], {}, { access: "read-write" }],
    ["a build", [build], {}, { access: "build" }],
    ["a build that is not called safe", [{ ...build, class: "dev" }], {}, { access: "read-write" }],
    ["the stricter of two readings", [run(), safe], {}, { access: "read-only" }],
    ["the stricter of two readings, in any order", [safe, run()], {}, { access: "read-only" }],
    ["a build before anything", [run(), build], {}, { access: "build" }],
    ["any in a plan", [run()], { ceiling: { plan: true } }, { access: "read-only" }],
    ["any in a dry run", [run()], { ceiling: { dryRun: true } }, { access: "read-only" }],
    ["a command inside another", [run({ command: "y", inner: [run()] })], {}, { access: "read-write" }],
    [
      "all that it writes, where that is known",
      [named(at("write", "a"), at("delete", "b"), at("read", "c"), at("write", "a"))],
      {},
      { access: "read-write", only: { targets: ["/ws/a", "/ws/b"], inPlace: true } },
    ],
    [
      "with files beside them",
      [run({ reading: reading({ writes: "beside" }), inner: [at("write", "a")] })],
      {},
      { only: { targets: ["/ws/a"], inPlace: false } },
    ],
    ["what lies outside is not opened by that", [named(OUTSIDE)], {}, { only: { targets: [], inPlace: true } }],
    ["not where a whole root is meant", [named(at("write", "/ws"))], {}, { access: "read-write" }],
    ["not where it runs something else, too", [named(at("write", "a"), run({ command: "y" }))], {}, {}],
    ["not where two readings differ", [named(at("write", "a")), run()], {}, { access: "read-write" }],
    ["not in a build", [{ ...build, reading: reading({ runsProject: true, writes: "in-place" }) }], {}, {}],
    [
      "what a search must not see is hidden from one that only reads",
      [safe],
      { exclude: [".env"] },
      { hidden: [".env"] },
    ],
    ["and from no other", [run()], { exclude: [".env"] }, { access: "read-write" }],
  ])("%s", async (_, touches, given, wanted) => {
    const { start, launches } = await starting(given);
    await start(touches);
    const launch = { cwd: placeOf("sub"), session: "session", above: ["session"], command: "x", ...wanted };
    expect(launches).toStrictEqual([{ access: expect.any(String), ...launch }]);
  });

  test("what would hold it is asked with the same", async () => {
    const { trip, asked } = await starting();
    await heldWhileRunning(trip.station, safe);
    await heldWhileRunning(trip.station, named(at("write", "a")));
    await heldWhileRunning(trip.station, run());
    expect(asked).toStrictEqual([
      { access: "read-only" },
      { access: "read-write", only: { targets: ["/ws/a"], inPlace: true } },
      { access: "read-write" },
    ]);
    expect(heldWhileRunning({ ...trip.station, workspace: tripIn().station.workspace }, run())).toBeUndefined();
  });
});

describe("what others have locked", () => {
  const locks = [
    { resources: ["/ws/src/**"], session: "other", agent: "main" },
    { resources: ["/ws/mine"], session: "session", agent: "main" },
    { resources: ["/ws/bosses"], session: "boss", agent: "lead" },
    { resources: ["/ws/docs"], session: "session", agent: "another" },
  ];
  test("is told to a command of which nobody knows what it writes; not what the agent and those above it have", async () => {
    const { start, launches } = await starting({ locks });
    await start([run()]);
    expect(launches).toMatchObject([{ locked: ["/ws/src/**", "/ws/docs"] }]);
  });

  test("is told to a build", async () => {
    const { start, launches } = await starting({ locks });
    await start([build]);
    expect(launches).toMatchObject([{ access: "build", locked: ["/ws/src/**", "/ws/docs"] }]);
  });

  test.each<[string, Touch]>([
    ["one that only reads", safe],
    ["one of which it is known", named(at("write", "a"))],
  ])("is nothing to %s", async (_, touch) => {
    const { start, launches } = await starting({ locks, sandbox: "none" });
    await start([touch]);
    expect(launches[0]).not.toHaveProperty("locked");
  });

  test("keeps it from running where no sandbox would hold it", async () => {
    const { start, launches } = await starting({ locks, sandbox: "none" });
    await expect(start([run()])).rejects.toMatchObject({
      status: "refused",
      code: "CONFLICT",
      message: expect.stringMatching(
        /^It is not known what the command would change, and \/ws\/src\/\*\* is locked by /,
      ),
      metadata: { by: "locks", lockedBy: { session: "other", agent: "main", until: expect.any(Number) } },
    });
    expect(launches).toEqual([]);
    const free = await starting({ locks: locks.slice(1, 3), sandbox: "none" });
    await free.start([run()]);
    expect(free.launches).toHaveLength(1);
  });
});

test.each<[string, readonly string[] | undefined, boolean]>([
  ["its own", ["session", "above"], true],
  ["one of a session that works for it", ["below", "session", "above"], true],
  ["one of the session above it", ["above"], false],
  ["one of another session", ["beside", "above"], false],
  ["nobody's", undefined, true],
])("of the commands that run, a session knows %s", async (_, sessions, known) => {
  const { view } = await starting({ listed: [{ id: "p1", ...(sessions && { sessions }) }] });
  expect(view([]).list().length).toBe(known ? 1 : 0);
});

describe("nothing else runs", () => {
  const code = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: ToolFailure) => error.code,
    );

  test.each<[string, Touch[], string]>([
    ["another text", [run()], "x "],
    ["no command at all", [at("write", "a")], "x"],
    ["nothing declared", [], "x"],
  ])("%s", async (_, touches, command) => {
    const { start, launches } = await starting();
    expect(await code(start(touches, command))).toBe("PERMISSION_DENIED");
    expect(launches).toEqual([]);
  });

  test("after the call was stopped", async () => {
    const { trip, start, launches } = await starting();
    trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
    expect(await code(start([run()]))).toBe("CANCELLED");
    expect(launches).toEqual([]);
  });

  test("what was being started when the call was stopped is ended", async () => {
    const { trip, start, killed } = await starting();
    const { workspace } = trip.station;
    const { processes } = workspace as { processes: Processes };
    const before = processes.start;
    processes.start = async (...given) => {
      const started = await before(...given);
      trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
      return started;
    };
    await start([run()]);
    expect(killed).toEqual(["x"]);
    expect(trip.deeds.processes).toHaveLength(1);
  });

  test("what runs is known to the call, and is left alone while the call goes on", async () => {
    const { trip, start, killed } = await starting();
    await start([run()]);
    await start([run()]);
    expect([trip.deeds.processes?.length, killed]).toEqual([2, []]);
  });

  test("where there are no commands, the tool is told so", async () => {
    const trip: Trip = tripIn();
    const view = commandView(trip, ready({ touches: [run()] }));
    expect(() => view.list()).toThrow("Commands cannot be run in this workspace.");
    expect(await code(view.start({ command: "x", cwd: "." }))).toBe("CONFIG_ERROR");
  });
});
