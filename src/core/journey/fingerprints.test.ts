import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import type { Change } from "../contracts/workspace.ts";
import type { LoadedEntry } from "../registry.ts";
import type { Ready } from "../words/ready.ts";
import type { Touch } from "../words/touch.ts";
import { type Bound, changedFile, NOTHING_BOUND } from "./binding.ts";
import { changesHash, coveredBy, fingerprint, isGranted, plannedFingerprint } from "./fingerprints.ts";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const clock = { now: () => 0, ticks: () => 0, after: () => () => {} };
const using = { clock, hash };
const bytes = (text: string) => new TextEncoder().encode(text);
const file = (real: string, content: string) => ({ shown: real, real, hash: content });
const bound = (...files: Bound["files"]): Bound => ({ files, whole: true });
const place = { shown: "a", real: "/ws/a", root: "/ws", exists: true };
const change: Change = { place, before: bytes("old"), after: bytes("new"), mode: 0o644 };
const run: Touch = { action: "run", command: "make", class: "dev", inner: [at("write", "a")], setting: "here" };

const ready = (more: Partial<Ready> & { name?: string; scope?: () => unknown } = {}): Ready => {
  const { name = "tool", scope, ...rest } = more;
  return {
    tool: { name, definition: { ...(scope && { scope }) } } as unknown as LoadedEntry,
    ...{ input: { a: 1, b: 2 }, touches: [at("write", "a")], changes: [change], danger: "safe", notes: [] },
    call: {} as Ready["call"],
    ...rest,
  };
};

describe("what a person's yes holds for", () => {
  test.each<[what: string, call: Ready, code: Bound, isSame: boolean]>([
    ["the same", ready(), bound(file("/ws/x", "1")), true],
    ["the same in another order", ready({ input: { b: 2, a: 1 } }), bound(file("/ws/x", "1")), true],
    ["another tool", ready({ name: "other" }), bound(file("/ws/x", "1")), false],
    ["another input", ready({ input: { a: 1, b: 3 } }), bound(file("/ws/x", "1")), false],
    ["another touch", ready({ touches: [at("delete", "a")] }), bound(file("/ws/x", "1")), false],
    ["one touch more", ready({ touches: [at("write", "a"), at("read", "b")] }), bound(file("/ws/x", "1")), false],
    ["other code", ready(), bound(file("/ws/x", "2")), false],
    ["less code", ready(), NOTHING_BOUND, false],
    ["more code", ready(), bound(file("/ws/x", "1"), file("/ws/y", "1")), false],
    ["no change", ready({ changes: [] }), bound(file("/ws/x", "1")), false],
    [
      "another file",
      ready({ changes: [{ ...change, place: { ...place, real: "/ws/b" } }] }),
      bound(file("/ws/x", "1")),
      false,
    ],
    [
      "another content before",
      ready({ changes: [{ ...change, before: bytes("else") }] }),
      bound(file("/ws/x", "1")),
      false,
    ],
    ["nothing before", ready({ changes: [{ ...change, before: null }] }), bound(file("/ws/x", "1")), false],
    [
      "another content after",
      ready({ changes: [{ ...change, after: bytes("else") }] }),
      bound(file("/ws/x", "1")),
      false,
    ],
    ["nothing after", ready({ changes: [{ ...change, after: null }] }), bound(file("/ws/x", "1")), false],
    ["another mode", ready({ changes: [{ ...change, mode: 0o755 }] }), bound(file("/ws/x", "1")), false],
  ])("%s", async (_, call, code, isSame) => {
    const seen = await fingerprint(ready(), bound(file("/ws/x", "1")), using);
    expect((await fingerprint(call, code, using)) === seen).toBe(isSame);
  });

  test("a planned call is the same whether its file is there yet or not, and nothing else may differ", async () => {
    const planned = (touches: Touch[], code = NOTHING_BOUND) => plannedFingerprint(ready({ touches }), code, using);
    const missing = { ...place, exists: false };
    const before = await planned([at("write", "a"), run]);
    expect(await planned([{ ...at("write", "a"), place: missing } as Touch, run])).toBe(before);
    expect(
      await planned([at("write", "a"), { ...run, inner: [{ ...at("write", "a"), place: missing } as Touch] }]),
    ).toBe(before);
    expect(await planned([at("write", "b"), run])).not.toBe(before);
    expect(await planned([at("write", "a"), { ...run, inner: [at("write", "b")] }])).not.toBe(before);
    expect(await planned([at("write", "a"), run], bound(file("/ws/x", "1")))).not.toBe(before);
  });

  test("values that JSON has no word for, and lists that read like objects, are told apart", async () => {
    const inputs = [{ n: 1n }, { n: 2n }, { n: 1 }, { n: ["a"] }, { n: { 0: "a" } }, { n: null }];
    const all = await Promise.all(inputs.map((input) => fingerprint(ready({ input }), NOTHING_BOUND, using)));
    expect(new Set(all).size).toBe(inputs.length);
  });

  test("of changes alone", async () => {
    expect(await changesHash(ready({ name: "other", input: {} }), using)).toBe(await changesHash(ready(), using));
    expect(await changesHash(ready({ changes: [{ ...change, before: bytes("else") }] }), using)).not.toBe(
      await changesHash(ready(), using),
    );
  });
});

describe("the code that decides what runs", () => {
  const before = bound(file("/ws/a", "1"), file("/ws/b", "1"));
  test.each<[what: string, now: Bound, changed: string | undefined]>([
    ["is as it was", bound(file("/ws/b", "1"), file("/ws/a", "1")), undefined],
    ["has changed", bound(file("/ws/a", "1"), file("/ws/b", "2")), "/ws/b"],
    ["is gone", bound(file("/ws/a", "1")), "/ws/b"],
    ["has come", bound(file("/ws/a", "1"), file("/ws/b", "1"), file("/ws/c", "1")), "/ws/c"],
    ["has another name", bound(file("/ws/a", "1"), file("/ws/c", "1")), "/ws/b"],
  ])("%s", (_, now, changed) => expect(changedFile(before, now)).toBe(changed));
});

describe("what a standing yes covers", () => {
  const vary = () => null;
  const covers = (call: Ready, files: Bound["files"] = []) => coveredBy(call, hash, files).map((each) => each.covers);
  const one = (touch: Touch, more: Parameters<typeof ready>[0] = {}) => ready({ touches: [touch], ...more });
  const fetched = (method: string, url = "http://x/"): Touch => ({ action: "fetch", method, url });
  const used = (source: "mcp" | "skill", name: string): Touch => ({ action: "use", source, name });
  const unknown = (...permissions: ("read" | "write")[]): Touch => ({ action: "unknown", permissions });
  const code = [file("/ws/x", "1")];
  const named = (command: string, setting: string): Touch => ({
    action: "run",
    command,
    setting,
    class: "dev",
    inner: [],
  });

  test.each<[what: string, a: Touch, b: Touch, isSame: boolean]>([
    ["a path", at("write", "a"), at("write", "a", { certain: false }), true],
    ["another path", at("write", "a"), at("write", "b"), false],
    ["another action", at("write", "a"), at("delete", "a"), false],
    ["a pattern", at("write", "a"), at("write", "a", { scope: "*" }), false],
    ["another pattern", at("write", "a", { scope: "*.md" }), at("write", "a", { scope: "*" }), false],
    ["where a link leads", at("write", "a"), at("write", "a", { place: { ...place, real: "/ws/b" } }), false],
    ["another command", run, { ...run, command: "make x" }, false],
    ["a command elsewhere", run, { ...run, setting: "there" }, false],
    ["a command without a setting", run, { ...run, setting: undefined } as unknown as Touch, false],
    ["another method", fetched("GET"), fetched("POST"), false],
    ["another address", fetched("GET"), fetched("GET", "http://y/"), false],
    ["another server's tool", used("mcp", "a/b"), used("mcp", "a/c"), false],
    ["a skill of that name", used("mcp", "a"), used("skill", "a"), false],
    ["other permissions", unknown("read"), unknown("read", "write"), false],
    ["another target", { action: "schedule", target: "a" }, { action: "schedule", target: "b" }, false],
    ["a deed that reads like a command", { action: "schedule", target: "a" }, named("schedule", "a"), false],
    ["an address that reads like a path", fetched("write", "/ws/a"), { ...named("write", "/ws/a") }, false],
    ["an address that reads like a deed", fetched("schedule", "a"), { action: "schedule", target: "a" }, false],
    ["an address that reads like a tool", fetched("mcp", "a"), used("mcp", "a"), false],
    ["another deed to it", { action: "schedule", target: "a" }, { action: "remember", target: "a" }, false],
  ])("%s", (_, a, b, isSame) => {
    expect(covers(one(a, { scope: vary }))[0] === covers(one(b, { scope: vary }))[0]).toBe(isSame);
    expect(covers(one(a, { scope: vary }))[0]).not.toBe(covers(one(a, { scope: () => "x" }))[0]);
    expect(covers(one(a, { scope: vary }))[0]).not.toBe(covers(one(a))[0]);
  });

  test("the whole input, unless the tool says what may vary", () => {
    const other = { input: { a: 2 } };
    expect(covers(ready(other))).not.toEqual(covers(ready()));
    expect(covers(ready({ scope: vary, ...other }))).toEqual(covers(ready({ scope: vary })));
    expect(covers(ready({ touches: [] }))).toHaveLength(1);
    expect(covers(ready({ touches: [], ...other }))).not.toEqual(covers(ready({ touches: [] })));
  });

  test("the code that a command runs, and not the code beside a file", () => {
    expect(covers(one(run), code)).not.toEqual(covers(one(run)));
    expect(covers(one(run), code)).not.toEqual(covers(one(run), [file("/ws/x", "2")]));
    expect(covers(one(at("write", "a")), code)).toEqual(covers(one(at("write", "a"))));
  });

  test.each<[call: Ready, files: Bound["files"], shown: string]>([
    [one(run), [], "run (dev) make, with exactly these arguments"],
    [one(run, { scope: vary }), code, "run (dev) make, while /ws/x stays as now"],
    [one(run, { scope: vary }), [...code, ...code], "run (dev) make, while /ws/x stays as now"],
    [one(run, { scope: vary }), [...code, file("/ws/y", "1")], "run (dev) make, while /ws/x, /ws/y stay as now"],
    [one(at("write", "a"), { scope: vary }), code, "write a"],
    [ready({ touches: [] }), [], "tool, with exactly these arguments"],
    [ready({ touches: [], scope: vary }), [], "tool"],
  ])("a person reads what it would cover", (call, files, shown) => {
    expect(coveredBy(call, hash, files).map((each) => each.shown)).toEqual([shown]);
  });

  test("each touch for itself: all of them need a yes", () => {
    const both = coveredBy(ready({ touches: [at("write", "a"), at("write", "b")] }), hash);
    const grant = (text = "") => ({ covers: text }) as never;
    expect(
      isGranted(
        both,
        both.map((each) => grant(each.covers)),
      ),
    ).toBe(true);
    expect(isGranted(both, [grant(both[0]?.covers)])).toBe(false);
    expect(isGranted(both, [])).toBe(false);
  });
});
