import { describe, expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Change } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import type { RunTouch, Touch } from "../core/words/touch.ts";
import { type ChangeLimits, changeLimits } from "./change-limits.ts";

const bytes = (text: string | null) => (text === null ? null : new TextEncoder().encode(text));
const change = (shown: string, before: string | null, after: string | null): Change => ({
  ...{ before: bytes(before), after: bytes(after) },
  place: { shown, real: `/ws/${shown}`, root: "/ws", exists: before !== null },
});
const ALL: ChangeLimits = { maxFilesModified: 3, maxLinesChanged: 10, maxCommandsExecuted: 2 };
const taken = (call: Partial<Ready>, limits = ALL) =>
  (changeLimits(limits).judge({ ...ready({}), ...call }, factsUnder({ mode: "yolo" }))?.reserve ?? []).map(
    ({ key, limit, amount = 1, once }) => [key, limit, once ?? amount],
  );
const fresh = at("write", "new", { place: { shown: "new", real: "/ws/new", root: "/ws", exists: false } });
const mkdir = {
  ...(run(fresh) as RunTouch),
  reading: { segments: [{ program: "mkdir" }] },
} as unknown as Touch;

describe("what a call counts against", () => {
  test.each<[what: string, call: Partial<Ready>, taken: unknown[]]>([
    ["nothing for a look", { touches: [at("read", "a")] }, []],
    [
      "a new file",
      { changes: [change("a", null, "1\n2\n")] },
      [
        ["files", 3, "/ws/a"],
        ["lines", 10, 2],
      ],
    ],
    [
      "a line replaced",
      { changes: [change("a", "1\n2\n", "1\n3\n")] },
      [
        ["files", 3, "/ws/a"],
        ["lines", 10, 2],
      ],
    ],
    [
      "a file removed",
      { changes: [change("a", "1\n2\n3\n", null)] },
      [
        ["files", 3, "/ws/a"],
        ["lines", 10, 3],
      ],
    ],
    [
      "several files",
      { changes: [change("a", "", "1"), change("b", "1", "")] },
      [
        ["files", 3, "/ws/a"],
        ["files", 3, "/ws/b"],
        ["lines", 10, 2],
      ],
    ],
    ["what is no text", { changes: [change("a", null, "\0\0\u0001\0")] }, [["files", 3, "/ws/a"]]],
    ["a command", { touches: [run()] }, [["commands", 2, 1]]],
    [
      "a command that writes a new file",
      { touches: [run(fresh)] },
      [
        ["files", 3, "/ws/new"],
        ["commands", 2, 1],
      ],
    ],
    ["a command that makes a folder", { touches: [mkdir] }, [["commands", 2, 1]]],
    [
      "a command that replaces a file",
      { touches: [run()], replaces: [{ place: change("a", "", "").place, stamp: {} as never }] },
      [
        ["files", 3, "/ws/a"],
        ["commands", 2, 1],
      ],
    ],
    [
      "a command that may write something",
      { touches: [run({ ...fresh, certain: false } as Touch)] },
      [["commands", 2, 1]],
    ],
    [
      "a command that writes outside",
      {
        touches: [run(at("write", "/tmp/x", { place: { shown: "/tmp/x", real: "/tmp/x", root: "", exists: false } }))],
      },
      [["commands", 2, 1]],
    ],
  ])("%s", (_, call, expected) => {
    expect(taken(call)).toEqual(expected);
    expect(taken(call, {})).toEqual([]);
    expect(taken(call, { maxFilesModified: Number.POSITIVE_INFINITY })).toEqual([]);
  });

  const held = (more: object) =>
    at("write", "new", { place: { shown: "new", real: "/ws/new", root: "/ws", exists: false, ...more } });
  test.each<[what: string, call: Partial<Ready>, files: string[]]>([
    ["a file that is there, which may stay as it is", { touches: [run(held({ exists: true }))] }, []],
    ["files of a pattern", { touches: [run({ ...held({}), scope: "*.ts" } as Touch)] }, []],
    ["files that are removed", { touches: [run({ ...held({}), action: "delete" } as Touch)] }, []],
    ["files that a command of a command writes", { touches: [run(run(fresh))] }, ["/ws/new"]],
    [
      "files beside a fetch",
      { touches: [run({ action: "fetch", url: "http://x/", method: "GET" }, fresh)] },
      ["/ws/new"],
    ],
    ["files beside a folder, of two commands", { touches: [run(fresh), mkdir] }, []],
    [
      "files beside another program",
      { touches: [{ ...run(fresh), reading: { segments: [{ program: "cat" }] } } as unknown as Touch] },
      ["/ws/new"],
    ],
    [
      "files beside a folder, of one command",
      {
        touches: [
          { ...run(fresh), reading: { segments: [{ program: "cat" }, { program: "mkdir" }] } } as unknown as Touch,
        ],
      },
      [],
    ],
    ["what a tool writes without a command", { touches: [fresh] }, []],
    [
      "the changes of a command that is already done",
      { touches: [run(fresh)], changes: [change("a", "1", "2")] },
      ["/ws/a"],
    ],
  ])("of commands: %s", (_, call, files) => {
    expect(taken(call, { maxFilesModified: 3 }).map(([, , once]) => once)).toEqual(files);
  });

  test("a change that leaves every line counts as no lines, and a limit that is not set counts nothing", () => {
    expect(taken({ changes: [change("a", "1\n", "1\n")] })).toEqual([["files", 3, "/ws/a"]]);
    expect(taken({ changes: [change("a", "1\n", "2\n")] }, { maxFilesModified: 3 })).toEqual([["files", 3, "/ws/a"]]);
    expect(taken({ changes: [change("a", "\0\0\u0001\0", "1\n")] }), "it was no text").toEqual([["files", 3, "/ws/a"]]);
  });

  test("says what is used up, and which key allows none", () => {
    const full = (limits: ChangeLimits, call: Partial<Ready>) =>
      changeLimits(limits)
        .judge({ ...ready({}), ...call }, factsUnder({ mode: "yolo" }))
        ?.reserve?.map((each) => each.full);
    const changes = [change("a", "1\n", "2\n")];
    expect(full({ maxFilesModified: 3 }, { changes })).toEqual([
      "all 3 files of guardrails.max_files_modified are used up",
    ]);
    expect(full({ maxFilesModified: 0 }, { changes })).toEqual(["guardrails.max_files_modified allows none"]);
    expect(full({ maxLinesChanged: 3 }, { changes })).toEqual([
      "it would change 2 lines, more than is left of the 3 of guardrails.max_lines_changed",
    ]);
    expect(full({ maxLinesChanged: 0 }, { changes })).toEqual([
      "it would change 2 lines, and guardrails.max_lines_changed allows none",
    ]);
    expect(full({ maxCommandsExecuted: 1 }, { touches: [run(), run()] })).toHaveLength(2);
  });

  test("a call that counts against nothing is none of its business", () => {
    const said = (touches: Touch[], limits = ALL) =>
      changeLimits(limits).judge(ready({ touches }), factsUnder({ mode: "yolo" }));
    expect(said([at("read", "a")])).toBeUndefined();
    expect(said([run()], {})).toBeUndefined();
  });

  test("what a command turned out to change", () => {
    expect(changeLimits(ALL).found?.([change("a", "1\n", "2\n")])).toMatchObject([
      { key: "files", once: "/ws/a" },
      { key: "lines", amount: 2 },
    ]);
  });
});
