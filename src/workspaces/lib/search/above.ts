import type { FileQuery, Findings, Search, SearchReport } from "../../../core/contracts/search.ts";
import type { Entry, Files, Workspace } from "../../../core/contracts/workspace.ts";
import { pathIn } from "../../../core/words/containment.ts";
import type { Place } from "../../../core/words/touch.ts";
import { searchIn } from "./search.ts";
import { NEVER, shownBelow } from "./task.ts";

/** With more changes than this, the walk searches everything. */
const MOST_PATHS = 2_000;

export type Layered = {
  readonly base: Workspace;
  readonly files: Files;
  /** The changed files, by real path. */
  paths(): ReadonlyMap<string, unknown>;
};

/**
 * Searches a layer of changed files over a base: the changed ones by our own walk, the rest by the best engine of the
 * base. If that could give different results (ignore rules were changed, a file replaced a folder), the walk searches
 * all.
 */
export function searchAbove({ base, files, paths }: Layered): Search {
  const walk = searchIn({ files });

  /** Real to shown path of what was changed below a place; undefined if the walk has to search everything. */
  async function changedBelow(place: Place): Promise<ReadonlyMap<string, string> | undefined> {
    const changed = paths();
    if (changed.size > MOST_PATHS) return undefined;
    const found = new Map<string, string>();
    for (const real of changed.keys()) {
      if (/ignore$/.test(real) || `${place.real}/`.startsWith(`${real}/`)) return undefined;
      if ((await base.files.stat({ ...place, real }))?.kind === "folder") return undefined;
      const below = pathIn(place.real, "");
      if (real.startsWith(below)) found.set(real, shownBelow(place, real.slice(below.length)));
    }
    return (await base.files.stat(place))?.kind === "folder" ? found : undefined;
  }

  const find = <T extends { path: string }>(
    place: Place,
    query: FileQuery,
    start: (search: Search) => Findings<T>,
    signal?: AbortSignal,
  ): Findings<T> => {
    const [added, taken]: [SearchReport[], SearchReport[]] = [[], []];
    const sum = (reports: SearchReport[], of: "excluded" | "unreadable"): number =>
      reports.reduce((total, report) => total + report[of], 0);
    const report: SearchReport = {
      get engine() {
        return added.at(-1)?.engine ?? "";
      },
      get tookAsText() {
        return added.some(({ tookAsText }) => tookAsText);
      },
      get excluded() {
        return Math.max(0, sum(added, "excluded") - sum(taken, "excluded"));
      },
      get unreadable() {
        return sum(added, "unreadable");
      },
    };
    const by = (search: Search): Findings<T> => {
      const findings = start(search);
      added.push(findings.report);
      return findings;
    };
    async function* found(): AsyncGenerator<T> {
      const changed = await changedBelow(place);
      if (!changed) {
        yield* by(walk);
        return;
      }
      const shown = new Set(changed.values());
      if (changed.size > 0) {
        const reals = [...changed.keys()];
        for await (const each of by(searchIn({ files: narrowed(files, reals) }))) if (shown.has(each.path)) yield each;
        // the base counts the old versions of changed files, too, if they are excluded: subtracted from the report
        const before = query.exclude && searchIn({ files: narrowed(base.files, reals) }).files(place, query, signal);
        if (before) {
          taken.push(before.report);
          for await (const _ of before);
        }
      }
      for await (const each of by(base.search)) if (!shown.has(each.path)) yield each;
    }
    return { report, [Symbol.asyncIterator]: found };
  };

  return {
    files: (place, query, signal) => find(place, query, (search) => search.files(place, query, signal), signal),
    lines: (place, query, signal) => find(place, query, (search) => search.lines(place, query, signal), signal),
  };
}

/** A view of the files in which folders list only what leads to these files, and ignore rules. */
function narrowed(files: Files, reals: readonly string[]): Files {
  const ways = new Set(reals);
  for (const real of reals)
    for (
      let end = real.lastIndexOf("/");
      end > 0 && !ways.has(real.slice(0, end));
      end = real.lastIndexOf("/", end - 1)
    )
      ways.add(real.slice(0, end));
  const isKept = ({ real }: Place, { name, kind }: Entry): boolean =>
    ways.has(pathIn(real, name)) || NEVER.includes(name) || (kind === "file" && name.endsWith("ignore"));
  return { ...files, list: async (place) => (await files.list(place)).filter((entry) => isKept(place, entry)) };
}
