import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, test } from "vitest";
import { type Disk, disk, failure } from "../../../../test/contracts/disk.ts";
import type { Findings } from "../../../core/contracts/search.ts";
import type { Files } from "../../../core/contracts/workspace.ts";
import type { Place } from "../../../core/words/touch.ts";
import { engineNamed } from "./engines.ts";
import { walk } from "./file-walk.ts";
import { searchIn } from "./search.ts";
import type { Engine } from "./task.ts";

const all = async <T>(findings: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const each of findings) found.push(each);
  return found;
};
const cancelled = failure("CANCELLED");

let one: Disk;
let controller: AbortController;
beforeEach(() => {
  one = disk();
  controller = new AbortController();
  for (let n = 0; n < 20; n += 1) one.put(`d${n}/f.txt`, "needle\n");
});

/** The same files; with the n-th use of this method the search is aborted. Counts what is used after that. */
function aborting(method: keyof Files, n: number): { files: Files; late: string[] } {
  const late: string[] = [];
  let uses = 0;
  const noted = (name: keyof Files) => (place: Place, from?: number) => {
    if (controller.signal.aborted) late.push(`${name} ${place.shown}`);
    if (name === method && ++uses === n) controller.abort();
    return (one.workspace.files[name] as (place: Place, from?: number) => never)(place, from);
  };
  const { near, commit } = one.workspace.files;
  const files = {
    stat: noted("stat"),
    read: noted("read"),
    chunks: noted("chunks"),
    list: noted("list"),
    near,
    commit,
  };
  return { files: files as Files, late };
}

describe("our own walk, once it is aborted", () => {
  test("lists no further folder", async () => {
    const { files, late } = aborting("list", 5);
    await expect(all(searchIn({ files }).files(one.at("."), {}, controller.signal))).rejects.toMatchObject(cancelled);
    expect(late.filter((use) => use.startsWith("list"))).toEqual([]);
  });

  test.each(["needle", "ne+dle"])("reads no further file for %s", async (pattern) => {
    const { files, late } = aborting("read", 3);
    const found = searchIn({ files }).lines(one.at("."), { pattern }, controller.signal);
    await expect(all(found)).rejects.toMatchObject(cancelled);
    expect(late.filter((use) => use.startsWith("read"))).toEqual([]);
  });

  test.each(["needle", "ne+dle"])("reads a large file no further for %s", async (pattern) => {
    one.put("d0/large.txt", `${"x".repeat(99)}\nneedle\n`.repeat(60_000));
    let pieces = 0;
    const files: Files = {
      ...one.workspace.files,
      async *chunks(place, from) {
        for await (const piece of one.workspace.files.chunks(place, from)) {
          pieces += 1;
          if (pieces === 3) controller.abort();
          yield piece;
        }
      },
    };
    const found = searchIn({ files }).lines(one.at("d0/large.txt"), { pattern }, controller.signal);
    await expect(all(found)).rejects.toMatchObject(cancelled);
    // what was read already is matched by the megabyte
    expect(pieces).toBeLessThan(40);
  });

  test("and only then: a search that is left, or comes to its end, is not", async () => {
    const search = searchIn({ files: one.workspace.files });
    expect(await all(search.lines(one.at("."), { pattern: "ne+dle" }, controller.signal))).toHaveLength(20);
    for await (const _ of search.lines(one.at("."), { pattern: "ne+dle" }, controller.signal)) break;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

describe.each(["ripgrep", "walk"])("%s", (name) => {
  let search: ReturnType<typeof searchIn>;
  beforeEach(async () => {
    const engine = (await engineNamed(name, [])) as Engine;
    search = searchIn({ files: one.workspace.files, roots: [one.root], engine });
  });
  const kinds: [what: string, start: (signal: AbortSignal) => Findings<unknown>][] = [
    ["files", (signal) => search.files(one.at("."), {}, signal)],
    ["lines", (signal) => search.lines(one.at("."), { pattern: "needle", exclude: ["d1"] }, signal)],
    ["lines by a pattern", (signal) => search.lines(one.at("."), { pattern: "ne+dle" }, signal)],
  ];

  test.each(kinds)(
    "of %s that are aborted in the middle ends as cancelled, and hears of nothing more",
    async (_, start) => {
      const iterator = start(controller.signal)[Symbol.asyncIterator]();
      expect((await iterator.next()).done).toBe(false);
      controller.abort();
      const rest = async () => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next());
      };
      await expect(rest()).rejects.toMatchObject(cancelled);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    },
  );

  test.each(kinds)("of %s that are aborted before they begin looks at nothing", async (_, start) => {
    controller.abort();
    const found = start(controller.signal);
    await expect(all(found)).rejects.toMatchObject(cancelled);
    expect(found.report.engine).toBe("");
  });

  test.each(kinds)("of %s that are left early hears of no abort any more", async (_, start) => {
    for await (const _ of start(controller.signal)) break;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

test("a search that is stopped before it began never begins", async () => {
  let looked = 0;
  const files: Files = {
    ...one.workspace.files,
    stat: (place) => {
      looked += 1;
      return one.workspace.files.stat(place);
    },
  };
  const found = searchIn({ files, engine: walk(1_000) })
    .files(one.at("."), {})
    [Symbol.asyncIterator]();
  await found.return?.();
  expect([await found.next(), looked]).toEqual([{ done: true, value: undefined }, 0]);
});
