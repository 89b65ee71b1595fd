import type {
  FileQuery,
  Findings,
  FoundLine,
  Search,
  SearchReport,
  TextQuery,
} from "../../../core/contracts/search.ts";
import type { Files } from "../../../core/contracts/workspace.ts";
import type { Place } from "../../../core/words/touch.ts";
import { type Engine, type Task, Unfit } from "./task.ts";

export type SearchOptions = {
  files: Files;
  /** Where the files are on this machine's disk, so that its programs can search them. Absent if they are elsewhere. */
  roots?: readonly string[];
  /** The engine to try first, instead of the best one. */
  engine?: Engine;
};

/** Starts on the first request. An engine that turns out to be unfit is replaced by the next. */
class Searching<T> implements AsyncIterator<T> {
  readonly #engines: () => AsyncIterable<Engine>;
  readonly #prepare: () => Promise<((engine: Engine) => AsyncIterator<T>) | undefined>;
  #iterator: AsyncIterator<T> | undefined;
  #over = false;
  constructor(
    engines: () => AsyncIterable<Engine>,
    prepare: () => Promise<((engine: Engine) => AsyncIterator<T>) | undefined>,
  ) {
    this.#engines = engines;
    this.#prepare = prepare;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#iterator?.next() ?? this.#begin();
  }

  async #begin(): Promise<IteratorResult<T>> {
    const end = { done: true, value: undefined } as const;
    const start = this.#over ? undefined : await this.#prepare();
    if (!start) return end;
    for await (const engine of this.#engines()) {
      try {
        const iterator = start(engine);
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

/** Searches the files of a workspace by the best engine of the machine. Engines are loaded on first use. */
export function searchIn({ files, roots, engine }: SearchOptions): Search {
  async function* engines(): AsyncGenerator<Engine> {
    const { enginesFor, ownWalk } = await import("./engines.ts");
    if (engine) yield engine;
    else if (roots) yield* enginesFor(roots);
    if (engine !== ownWalk) yield ownWalk;
  }
  const find = <T, Q extends FileQuery>(
    place: Place,
    query: Q,
    signal: AbortSignal | undefined,
    start: (engine: Engine, task: Task<Q>) => AsyncIterator<T>,
  ): Findings<T> => {
    const report: SearchReport = { engine: "", tookAsText: false, excluded: 0, unreadable: 0 };
    const ready = async () => {
      const { prepare, isShown } = await import("./prepare.ts");
      const task = await prepare(files, place, query, report, signal);
      if (task.only !== undefined && !isShown(task, task.only)) return undefined;
      return (chosen: Engine) => {
        report.engine = chosen.name;
        return start(chosen, task);
      };
    };
    return { report, [Symbol.asyncIterator]: () => new Searching(engines, ready) };
  };
  return {
    files: (place, query, signal) => find(place, query, signal, (chosen, task) => chosen.files(task)),
    lines: (place, query, signal) =>
      find<FoundLine, TextQuery>(place, query, signal, (chosen, task) => chosen.lines(task)),
  };
}
