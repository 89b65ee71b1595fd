import { describe, expect, test } from "vitest";
import type { Hook, IncomingCall, OpenOptions } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain } from "./harness.ts";

type Scene = { stop: () => void; heard: (signal: AbortSignal | undefined) => void };
type Case = { what: string; call: IncomingCall; options(scene: Scene, dir: string): OpenOptions };

/** A workspace whose search is stopped as it begins. */
const searching = ({ stop, heard }: Scene, root: string): OpenOptions => {
  const local = localWorkspace({ root });
  const { search } = local;
  const begun = <T>(signal: AbortSignal | undefined, start: () => T): T => {
    heard(signal);
    const findings = start();
    stop();
    return findings;
  };
  return {
    workspace: {
      ...local,
      search: {
        ...search,
        files: (place, query, signal) => begun(signal, () => search.files(place, query, signal)),
        lines: (place, query, signal) => begun(signal, () => search.lines(place, query, signal)),
      },
    },
  };
};

const hooked = (hook: Partial<Hook>): OpenOptions => ({ hooks: [{ name: "slow", ...hook }] });

const cases: Case[] = [
  { what: "a search for files", call: { name: "find_files", args: { pattern: "**" } }, options: searching },
  { what: "a search for lines", call: { name: "grep", args: { pattern: "a" } }, options: searching },
  {
    what: "a hook before the call",
    call: { name: "idle" },
    options: ({ stop, heard }) =>
      hooked({
        before: async (_, signal) => {
          heard(signal);
          stop();
          return undefined;
        },
      }),
  },
  {
    what: "a tool",
    call: { name: "stopping" },
    options: ({ stop, heard }) => ({
      tools: [
        plain("stopping", {
          execute: async (_, { abort }) => {
            heard(abort);
            stop();
            return "late";
          },
        }),
      ],
    }),
  },
];

describe("who works for a call hears that it was stopped", () => {
  test.each(cases)("$what", async ({ call, options }) => {
    const stop = new AbortController();
    const dir = folder({ "a.txt": "a\n" });
    let heard: AbortSignal | undefined;
    const scene = {
      stop: () => stop.abort(),
      heard: (signal: AbortSignal | undefined) => {
        heard = signal;
        expect(signal?.aborted).toBe(false);
      },
    };
    const { gate } = await bench({}, { dir, store: "memory", tools: [plain("idle")], ...options(scene, dir) });
    expect((await gate.call(call, { signal: stop.signal })).status).toBe("cancelled");
    expect(heard?.aborted).toBe(true);
  });
});
