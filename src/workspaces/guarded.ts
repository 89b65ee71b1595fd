import type { Findings, SearchReport } from "../core/contracts/search.ts";
import { type Change, type FileRead, type Guard, placesAmong, type Sight } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import { eachTouch, isPathTouch, type PathTouch, type Place } from "../core/words/touch.ts";
import { placeMatcher } from "../text/glob.ts";
import { shownBelow } from "./lib/search/task.ts";

type Use = "look" | "read" | "list" | "write" | "remove";

const LOOKING: readonly PathTouch["action"][] = ["read", "list", "write"];

function covers(touch: PathTouch, use: Use): boolean {
  switch (use) {
    case "look":
      return true;
    case "read":
      return LOOKING.includes(touch.action);
    case "list":
      return touch.action === "list" || touch.action === "read";
    case "write":
      return touch.action === "write";
    case "remove":
      return touch.action === "delete" || (touch.action === "write" && touch.restores === true);
  }
}

const isMissing = (error: unknown): boolean => error instanceof ToolFailure && error.code === "NOT_FOUND";

const undeclared = (path: string, use: Use): ToolFailure =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `${path} was not declared by this call (to ${use}).`,
    "A tool reaches only the paths that its touches name.",
  );

/** A view of the workspace that reaches only the files that one call declared. */
export const guarded: Guard = (workspace, touches, { commit, exclude = [], signal } = {}) => {
  const hidden = placeMatcher(exclude);
  const declared = [...eachTouch(touches)].filter(isPathTouch);
  const placeOf = placesAmong(declared, workspace);
  const byReal = new Map<string, PathTouch[]>();
  for (const touch of declared) byReal.set(touch.place.real, [...(byReal.get(touch.place.real) ?? []), touch]);
  const sights: Sight[] = [];
  let closed = false;

  const refuseClosed = (): void => {
    if (closed) throw new ToolFailure("CANCELLED", "The call has ended, so its files are closed.", "Start a new call.");
  };

  /** Touches that name the place or a folder above it. Looked up by path, because a call may declare very many. */
  function* touchesOf({ real }: Place): Generator<PathTouch> {
    for (let at = real; ; at = at.slice(0, at.lastIndexOf("/")) || "/") {
      yield* byReal.get(at) ?? [];
      if (at === "/" || !at.includes("/")) return;
    }
  }

  const reaches = async (touch: PathTouch, place: Place): Promise<boolean> => {
    if (touch.place.real === place.real) return true;
    if (touch.scope !== undefined && (touch.action === "read" || touch.action === "list")) return true;
    return (await workspace.files.stat(touch.place))?.kind === "folder";
  };

  const allowed = async (path: string, use: Use): Promise<Place> => {
    refuseClosed();
    const place = await placeOf(path);
    if (hidden(place) !== undefined) throw undeclared(path, use);
    for (const touch of touchesOf(place)) {
      if (!covers(touch, use) || !(await reaches(touch, place))) continue;
      refuseClosed();
      return place;
    }
    throw undeclared(path, use);
  };

  const present = async (place: Place): Promise<FileRead | undefined> => {
    try {
      return await workspace.files.read(place);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  const change = async (
    path: string,
    use: "write" | "remove",
    after: Uint8Array | null,
    mode?: number,
  ): Promise<void> => {
    const place = await allowed(path, use);
    if (!commit) {
      throw new ToolFailure(
        "PERMISSION_DENIED",
        `${place.shown} can only be looked at now.`,
        "Write when the call is executed.",
      );
    }
    const now = await present(place);
    if (!now && after === null) {
      throw new ToolFailure("NOT_FOUND", `${place.shown} does not exist.`, "There is nothing to remove.");
    }
    refuseClosed();
    const made: Change = { place, before: now?.bytes ?? null, after };
    if (now) Object.assign(made, { modeBefore: now.mode, stamp: now.stamp });
    if (mode !== undefined) made.mode = mode;
    await commit(made);
  };

  /** Its `report` is complete after the last finding. Not a generator, because every hit of a search passes here. */
  function found<T>(path: string, start: (place: Place) => Findings<T>): Findings<T> {
    const report: SearchReport = { engine: "", tookAsText: false, excluded: 0, unreadable: 0 };
    const iterate = (): AsyncIterator<T> => {
      let inner: AsyncIterator<T> | undefined;
      let findings: Findings<T> | undefined;
      const passOn = (step: IteratorResult<T>): IteratorResult<T> => {
        refuseClosed();
        if (step.done) Object.assign(report, findings?.report);
        return step;
      };
      const begin = async (): Promise<IteratorResult<T>> => {
        findings = start(await allowed(path, "list"));
        inner = findings[Symbol.asyncIterator]();
        return passOn(await inner.next());
      };
      return {
        next: () => (inner ? inner.next().then(passOn) : begin()),
        async return(value?: unknown) {
          await inner?.return?.();
          Object.assign(report, findings?.report);
          return { done: true, value: value as T };
        },
      };
    };
    return { report, [Symbol.asyncIterator]: iterate };
  }
  const unseen = <Q extends { exclude?: readonly string[] }>(query: Q): Q => ({
    ...query,
    exclude: [...(query.exclude ?? []), ...exclude],
  });

  return {
    sights,
    close() {
      closed = true;
    },
    async stat(path) {
      const place = await allowed(path, "look");
      const info = await workspace.files.stat(place);
      refuseClosed();
      if (!info) sights.push({ place, bytes: null });
      return info;
    },
    async read(path) {
      const place = await allowed(path, "read");
      try {
        const found = await workspace.files.read(place);
        refuseClosed();
        sights.push({ place, ...found });
        return found;
      } catch (error) {
        if (isMissing(error)) sights.push({ place, bytes: null });
        throw error;
      }
    },
    async shows(path, parts) {
      const { real } = await allowed(path, "look");
      // a file may have been opened more than once for the same answer
      for (const sight of sights) if (sight.place.real === real) sight.parts = [...(sight.parts ?? []), ...parts];
    },
    async *chunks(path, from) {
      const place = await allowed(path, "read");
      const info = await workspace.files.stat(place);
      sights.push(info ? { place, stamp: info.stamp } : { place, bytes: null });
      refuseClosed();
      for await (const piece of workspace.files.chunks(place, from)) {
        refuseClosed();
        yield piece;
        refuseClosed();
      }
    },
    async list(path) {
      const place = await allowed(path, "list");
      const entries = await workspace.files.list(place);
      refuseClosed();
      return entries.map((entry) => ({ ...entry, path: shownBelow(place, entry.name) }));
    },
    async near(path) {
      const place = await allowed(path, "look");
      const names = await workspace.files.near(place);
      refuseClosed();
      return names;
    },
    findFiles: (path, query) => found(path, (place) => workspace.search.files(place, unseen(query), signal?.())),
    findLines: (path, query) => found(path, (place) => workspace.search.lines(place, unseen(query), signal?.())),
    write: (path, content, mode) => change(path, "write", content, mode),
    remove: (path) => change(path, "remove", null),
  };
};
