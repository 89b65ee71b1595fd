import { ToolFailure } from "../../../core/result.ts";
import type { FileQuery, Findings, Search, SearchReport, TextQuery } from "../../../core/search.ts";
import type { Place } from "../../../core/touch.ts";
import type { Files } from "../../../core/workspace.ts";
import { notFound, notRegular } from "../failures.ts";
import { enginesFor, ownWalk } from "./engines.ts";
import { fileFilter, segmentsBelow } from "./globs.ts";
import { cancelled, type Engine, NEVER, type Task, Unfit } from "./task.ts";

export type SearchOptions = {
  files: Files;
  /** Where the files are on this machine's disk, so that its programs can search them; absent: they are elsewhere. */
  roots?: readonly string[];
  /** The engine to use, in place of the best. */
  engine?: Engine;
};

const LONGEST_PATTERN = 32 * 1024;

function refusePattern(pattern: string): void {
  if (pattern.length <= LONGEST_PATTERN && !/[\0\n]/.test(pattern)) return;
  const what = pattern.length > LONGEST_PATTERN ? `is longer than ${LONGEST_PATTERN} characters` : "holds a line break";
  throw new ToolFailure(
    "VALIDATION_ERROR",
    `The pattern ${what}; text is searched line by line.`,
    "Search for a part of one line, and show more with lines of context.",
  );
}

async function taskOf<Q extends FileQuery>(
  files: Files,
  place: Place,
  query: Q,
  report: SearchReport,
  signal: AbortSignal | undefined,
): Promise<Task<Q>> {
  if (signal?.aborted) throw cancelled();
  const info = await files.stat(place);
  if (!info) throw notFound(place.shown);
  if (info.kind === "other") throw notRegular(place.shown);
  const never = segmentsBelow(place.root, place.real).find((name) => NEVER.includes(name));
  if (never !== undefined)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${place.shown} is never searched: ${never} holds no files of the project.`,
      "Search another folder.",
    );
  const slash = place.real.lastIndexOf("/");
  const folder: Place =
    info.kind === "folder"
      ? place
      : { ...place, real: place.real.slice(0, slash) || "/", shown: folderOf(place.shown) };
  const only = info.kind === "folder" ? undefined : place.real.slice(slash + 1);
  return { folder, only, query, filter: fileFilter(query, folder), files, report, signal };
}

const folderOf = (shown: string): string => {
  const slash = shown.lastIndexOf("/");
  return slash === -1 ? "." : shown.slice(0, slash) || "/";
};

/** Starts when it is first asked; an engine that turns out to be unfit is replaced by the next. */
class Searching<T, Q extends FileQuery> implements AsyncIterator<T> {
  readonly #prepare: () => Promise<Task<Q>>;
  readonly #engines: () => AsyncIterable<Engine>;
  readonly #start: (engine: Engine, task: Task<Q>) => AsyncIterator<T>;
  #iterator: AsyncIterator<T> | undefined;
  #over = false;
  constructor(
    prepare: () => Promise<Task<Q>>,
    engines: () => AsyncIterable<Engine>,
    start: (engine: Engine, task: Task<Q>) => AsyncIterator<T>,
  ) {
    this.#prepare = prepare;
    this.#engines = engines;
    this.#start = start;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#iterator?.next() ?? this.#begin();
  }

  async #begin(): Promise<IteratorResult<T>> {
    const end = { done: true, value: undefined } as const;
    if (this.#over) return end;
    const task = await this.#prepare();
    if (task.only !== undefined && !isShown(task, task.only)) return end;
    for await (const engine of this.#engines()) {
      task.report.engine = engine.name;
      try {
        const iterator = this.#start(engine, task);
        const first = await iterator.next();
        this.#iterator = iterator;
        return first;
      } catch (error) {
        if (!(error instanceof Unfit)) throw error;
      }
    }
    return end;
  }

  async return(): Promise<IteratorResult<T>> {
    this.#over = true;
    await this.#iterator?.return?.();
    return { done: true, value: undefined };
  }
}

/** A single file that must not be shown is not even handed to an engine. */
function isShown({ filter, report }: Task, below: string): boolean {
  if (!filter.accepts(below)) return false;
  if (!filter.isExcluded(below)) return true;
  report.excluded += 1;
  return false;
}

async function* justOne(engine: Engine): AsyncGenerator<Engine> {
  yield engine;
}

/** Finds in the files of a workspace, by the best means that the machine has. */
export function searchIn({ files, roots, engine }: SearchOptions): Search {
  const engines = () => (engine ? justOne(engine) : roots ? enginesFor(roots) : justOne(ownWalk));
  const findings = <T, Q extends FileQuery>(
    prepare: (report: SearchReport) => Promise<Task<Q>>,
    start: (engine: Engine, task: Task<Q>) => AsyncIterator<T>,
  ): Findings<T> => {
    const report: SearchReport = { engine: "", tookAsText: false, excluded: 0 };
    return { report, [Symbol.asyncIterator]: () => new Searching(() => prepare(report), engines, start) };
  };
  return {
    files: (place, query, signal) =>
      findings(
        (report) => taskOf(files, place, query, report, signal),
        (chosen, task) => chosen.files(task),
      ),
    lines: (place, query, signal) =>
      findings(
        async (report) => {
          refusePattern(query.pattern);
          return taskOf<TextQuery>(files, place, query, report, signal);
        },
        (chosen, task) => chosen.lines(task),
      ),
  };
}
