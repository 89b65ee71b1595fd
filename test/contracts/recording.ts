import type { Search } from "../../src/core/contracts/search.ts";
import type { Files, Workspace } from "../../src/core/contracts/workspace.ts";
import { eachTouch, isPathTouch, type PathTouch, type Place, type Touch } from "../../src/core/words/touch.ts";

/** One real access: what was done, and to what. */
export type Access = { method: keyof Files | "search"; real: string };

/** The same workspace, with a note of everything that is really looked at or changed. */
export function recording(base: Workspace): { workspace: Workspace; accesses: Access[] } {
  const accesses: Access[] = [];
  const note = (method: Access["method"], { real }: Place): void => void accesses.push({ method, real });
  const noted =
    <R, V extends unknown[]>(method: Access["method"], call: (place: Place, ...more: V) => R) =>
    (place: Place, ...more: V): R => {
      note(method, place);
      return call(place, ...more);
    };
  const { files } = base;
  const search: Search = base.search && {
    files: noted("search", (place, query, signal) => base.search.files(place, query, signal)),
    lines: noted("search", (place, query, signal) => base.search.lines(place, query, signal)),
  };
  return {
    accesses,
    workspace: {
      ...base,
      search,
      files: {
        stat: noted("stat", (place) => files.stat(place)),
        read: noted("read", (place) => files.read(place)),
        chunks: noted("chunks", (place, from?: number) => files.chunks(place, from)),
        list: noted("list", (place) => files.list(place)),
        near: noted("near", (place) => files.near(place)),
        commit(changes, intend) {
          for (const { place } of changes) note("commit", place);
          return files.commit(changes, intend);
        },
      },
    },
  };
}

/**
 * The accesses that the touches do not cover. A change needs its own file to be declared for writing; a read, its own
 * file or a folder above it; to look whether something is there, or what is near it, any declared path will do.
 */
export function undeclared(accesses: readonly Access[], touches: readonly Touch[]): Access[] {
  const declared = [...eachTouch(touches)].filter(isPathTouch);
  return accesses.filter((access) => !declared.some((touch) => covers(touch, access)));
}

function covers({ action, place }: PathTouch, { method, real }: Access): boolean {
  const exact = real === place.real;
  const below = exact || real.startsWith(`${place.real}/`);
  switch (method) {
    case "commit":
      return exact && (action === "write" || action === "delete");
    case "read":
    case "chunks":
      // what is replaced or removed is read first, so that it can come back
      return exact || (below && (action === "read" || action === "list"));
    case "list":
    case "search":
      return below && (action === "list" || action === "read");
    case "near":
      return exact;
    case "stat":
      return below;
  }
}
