import { describe, expect, test } from "vitest";
import { stationWith } from "../../../test/hearing.ts";
import { at, ready } from "../../../test/judging.ts";
import { beforeOf, bytes, sha256, tripIn } from "../../../test/tripping.ts";
import type { EventBody } from "../words/event.ts";
import type { Touch } from "../words/touch.ts";
import { Session } from "./facts.ts";
import type { Station } from "./journey-parts.ts";
import type { Life } from "./life.ts";
import type { Opening } from "./recorder.ts";
import { Roster } from "./roster.ts";
import { begin, lookOnly, mark, rowOf, targetOf } from "./trip.ts";

const named: string[] = [];
const sessions = {
  named: (id: string) => {
    named.push(id);
    return new Session(id);
  },
} as never;
const stationOf = (more: Partial<Station> = {}, parts: object = {}): Station => ({
  ...stationWith({ parts: { sessions, ...parts } }),
  ...more,
});

describe("who makes a call", () => {
  const callers = { sessionID: "callers", agent: "small" };
  test.each<[string, Partial<Station>, object, object]>([
    ["the gate", {}, {}, { sessionID: "session", agent: "main", id: expect.stringMatching(/^call_id/) }],
    ["a call above", { callers }, {}, { sessionID: "callers", agent: "small" }],
    ["whoever says so", { callers }, { sessionID: "own", agent: "me" }, { sessionID: "own", agent: "me" }],
    [
      "odd names are texts",
      {},
      { id: 7, sessionID: 1, agent: null, messageID: {}, name: 3 },
      { id: "7", sessionID: "1", agent: "null", messageID: "[object Object]", name: "3" },
    ],
    ["what is no text at all", {}, { name: Object.create(null) }, { name: "object" }],
    ["a turn of its own", {}, { id: "c" }, { id: "c", messageID: "turn_c" }],
    ["the turn of the batch", { turn: "t" }, { id: "c" }, { messageID: "t" }],
    ["its own turn", { turn: "t" }, { messageID: "m" }, { messageID: "m" }],
  ])("%s", (_, station, incoming, wanted) => {
    const { known } = lookOnly(stationOf(station), { name: "x", args: { a: 1 }, ...incoming } as never);
    expect(known.call).toMatchObject({ args: { a: 1 }, ...wanted });
  });

  test("a session that was named has its own facts, the gate's own keeps its", () => {
    named.length = 0;
    const station = stationOf();
    expect(lookOnly(station, { name: "x" }).station).toBe(station);
    const other = lookOnly(station, { name: "x", sessionID: "other" });
    expect([other.station.facts.session.id, named]).toEqual(["other", ["other"]]);
  });

  test("stands under what each agent may do that it is made for, and under nothing more", () => {
    const asked: string[] = [];
    const agentLimits = (agent: string, tool: string) => {
      asked.push(`${agent} ${tool}`);
      return agent === "boss" ? { mode: "confirm-all" as const } : undefined;
    };
    const keepers = [
      { session: "s", agent: "boss" },
      { session: "t", agent: "main" },
    ];
    const above = stationOf({ keepers }, { agentLimits });
    asked.length = 0;
    const below = lookOnly(above, { name: "x", agent: "me" });
    expect(asked).toEqual(["me x", "main x", "boss x"]);
    expect(below.station.facts.ceiling.mode).toBe("confirm-all");
    const station = stationOf({}, { agentLimits });
    asked.length = 0;
    expect(lookOnly(station, { name: "x" }).station).toBe(station);
    expect(asked).toEqual(["main x"]);
    asked.length = 0;
    lookOnly(above, { name: "x" });
    expect(asked, "also where the gate's own agent calls").toEqual(["main x", "boss x"]);
    asked.length = 0;
    lookOnly(station, { name: "x", agent: "boss" });
    expect(asked).toEqual(["boss x", "main x"]);
  });
});

describe("a call that has begun", () => {
  const beginning = (heard: boolean, incoming: object = {}, more: Partial<Station> = {}) => {
    const [events, openings]: [EventBody[], Opening[]] = [[], []];
    const recorder = { open: (opening: Opening) => void openings.push(opening) } as never;
    const emit = (event: EventBody) => void events.push(event);
    const redact = (text: string) => text.replaceAll("hunter2", "***");
    const lives = new Roster<Life>();
    const station = stationOf({ gates: [{}, {}], ...more }, { recorder, emit, heard: () => heard, redact, lives });
    return { trip: begin(station, { name: "x", ...incoming }), events, openings, lives };
  };

  test("is among those that closing stops, has a record, and is told to those who listen", () => {
    const { trip, events, openings, lives } = beginning(true);
    expect(lives.members).toEqual([trip.life]);
    expect(trip.life.gates).toBe(trip.station.gates);
    expect(openings).toEqual([trip.opening]);
    expect(events).toEqual([{ type: "start", call: trip.known.call }]);
    expect(beginning(false).events).toEqual([]);
  });

  test("is shown to others without secrets, with what it is about once that is known", () => {
    const { trip, openings } = beginning(true, { name: "hunter2" });
    const told = openings[0]!.told();
    expect(told).toStrictEqual({
      ...{ id: trip.recordID, call: trip.known.call.id, session: "session", agent: "main", workspace: "/ws" },
      ...{ tool: "***", target: "", at: trip.startedAt },
    });
    trip.known.ready = ready({ touches: [at("read", "hunter2.txt")], tool: "read_file" });
    expect(openings[0]!.told()).toMatchObject({ tool: "read_file", target: "***.txt" });
    const below = beginning(true, {}, { ancestors: ["top", "parent"] });
    expect(below.openings[0]!.told().parent).toBe("parent");
  });
});

test.each<[Touch[], string]>([
  [[], ""],
  [[at("read", "a"), at("read", "b")], "a"],
  [[{ action: "run", command: "make", class: "dev", inner: [] }], "make"],
  [[{ action: "fetch", url: "http://a/", method: "GET" }], "http://a/"],
  [[{ action: "use", source: "mcp", name: "server" }], "server"],
  [[{ action: "unknown", permissions: [] }], ""],
  [[{ action: "schedule", target: "daily" }], "daily"],
])("%j is about %j", (touches, wanted) => expect(targetOf({ touches })).toBe(wanted));

describe("a change as the journal keeps it", () => {
  test("has what was there and what came of it", () => {
    const trip = tripIn();
    const { id, sessionID: session, messageID: message } = trip.known.call;
    const row = rowOf(trip, beforeOf("a", "old", 0o755), { after: "hash", modeAfter: 0o644 });
    expect(row).toStrictEqual({
      ...{ record: trip.recordID, call: id, session, message, tool: "thing", at: expect.any(Number) },
      ...{ real: "/ws/a", shown: "a", before: sha256(bytes("old")), content: bytes("old") },
      ...{ modeBefore: 0o755, after: "hash", modeAfter: 0o644 },
    });
    trip.known.ready = ready({ tool: "write_file" });
    const made = rowOf(trip, beforeOf("a", null), { after: null });
    expect(made).toMatchObject({ tool: "write_file", before: null, content: null });
    expect(made).not.toHaveProperty("modeBefore");
  });
});

test("marks tell how far a call has come", () => {
  const trip = tripIn();
  mark(trip, "one");
  mark(trip, "two", "allow");
  expect(trip.trace).toStrictEqual([
    { stage: "one", microseconds: expect.any(Number) },
    { stage: "two", microseconds: expect.any(Number), verdict: "allow" },
  ]);
});
