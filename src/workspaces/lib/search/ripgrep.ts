import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FoundFile, FoundLine, TextQuery } from "../../../core/contracts/search.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { openFolder } from "../opened.ts";
import { Child, type Ended, Heard, type Hearing, type Program } from "./child.ts";
import { confirmed } from "./confirmed.ts";
import { rulesAbove } from "./ignored.ts";
import { closesTooMuch } from "./pattern-regex.ts";
import { filesIn, pathsIn } from "./ripgrep-files.ts";
import { RipgrepLines } from "./ripgrep-output.ts";
import { Settled } from "./settled.ts";
import { endlessRules, stuckAt } from "./stuck.ts";
import { cancelled, type Engine, NEVER, shownBelow, type Task, Unfit } from "./task.ts";

/** A ripgrep: whether it supports look-around and back-references, and whether it is certainly not a wrapper script. */
export type Ripgrep = { name: string; path: string; pcre2: boolean; isAlone?: boolean };

const LONGEST_COUNT = 2_000;
const COUNT_AFTER_STOP = 250;
const NEVER_GLOBS = NEVER.flatMap((name) => ["--glob", `!${name}`]);
// .gitignore applies everywhere below the root and nothing else does: no settings of other programs, nothing from above
const RULES = [
  "--no-config",
  "--no-follow",
  "--hidden",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-dot",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-messages",
  "--color=never",
];
const OUTPUT = [
  "--heading",
  "--null",
  "--line-number",
  "--column",
  "--byte-offset",
  "--field-match-separator=\\x00",
  "--field-context-separator=\\x01",
];

const quoted = (name: string): string => name.replace(/[*?[\]{}\\!]/g, "\\$&");

function whichFiles({ only, query, filter }: Task, isHiding: boolean): string[] {
  if (only !== undefined) return ["--no-ignore", "--max-depth=1", "--glob", `/${quoted(only)}`];
  return [
    ...NEVER_GLOBS,
    ...(query.recursive === false ? ["--max-depth=1"] : []),
    ...(query.noIgnore ? ["--no-ignore-vcs"] : []),
    ...(filter.names ? [...filter.names.map((name) => `--type-add=wanted:${name}`), "--type=wanted"] : []),
    ...filter.unwanted.flatMap((glob) => ["--glob", `!${glob}`]),
    ...(isHiding ? filter.excluded.flatMap((glob) => ["--iglob", `!${glob}`]) : []),
  ];
}

function whichText({ pattern, literal, ignoreCase, multiline, context = 0 }: TextQuery, pcre2: boolean): string[] {
  const isText = literal || !/[$()*+.?[\\\]^{|}]/.test(pattern);
  return [
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(isText ? ["--fixed-strings"] : ["--crlf", ...(pcre2 ? ["--engine=auto"] : [])]),
    ...(multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(context > 0 ? [`--context=${context}`] : []),
    `--regexp=${pattern}`,
  ];
}

/** Rules that exclude every folder without matches. Unlike globs, they do not re-include ignored files. */
function narrowing({ filter: { folders = [] } }: Task): string {
  const rules = new Set<string>();
  for (const folder of folders)
    for (let depth = 0; depth < folder.length; depth += 1) rules.add(`/${[...folder.slice(0, depth), "*"].join("/")}`);
  for (const folder of folders)
    for (let depth = 1; depth <= folder.length; depth += 1) rules.add(`!/${folder.slice(0, depth).join("/")}/`);
  return [...rules, ""].join("\n").trimStart();
}

/** Starts ripgrep in exactly the folder that was located, with the rules from above it as its input. */
async function launch<T>(
  task: Task,
  { path, isAlone = false }: Ripgrep,
  args: readonly string[],
  start: (program: Program) => T,
): Promise<T> {
  const rulesFor = async () => (task.query.noIgnore ? "" : rulesAbove(task.files, task.folder));
  const above = task.only === undefined ? narrowing(task) + (await rulesFor()) : "";
  const folder = openFolder(task.folder.real, task.folder.shown);
  let input: number | undefined;
  try {
    if (above !== "") input = unnamedFile(above);
    const rules = above === "" ? [] : ["--ignore-file=/dev/stdin"];
    return start({
      path,
      isAlone,
      args: [...RULES, ...rules, ...args, "--", "./"],
      cwd: folder.self,
      ...(input !== undefined && { input }),
    });
  } finally {
    if (input !== undefined) fs.closeSync(input);
    folder.close();
  }
}

/** A descriptor of an unlinked file, which nobody else can find and which is gone when it is closed. */
function unnamedFile(text: string): number {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-rules-"));
  try {
    fs.writeFileSync(path.join(folder, "rules"), text, { mode: 0o600 });
    return fs.openSync(path.join(folder, "rules"), "r");
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const isInvalidPattern = (complaints: string): boolean =>
  /regex parse error|error compiling pattern|not allowed in a regex|regex could not be compiled/.test(complaints);

/** Harmless complaints: files that cannot be opened, and rules that are invalid. */
const PASSED_OVER = /\(os error \d+\)$|: line \d+: error parsing glob /;

/** EPERM and EACCES. */
const UNREADABLE = /\(os error (?:1|13)\)$/;

/** Throws if ripgrep could not finish. Files that it could not read are only counted. */
function refuseFailure({ code, complaints }: Ended, task: Task): void {
  if (task.signal?.aborted) throw cancelled();
  if (code === 0 || code === 1) return;
  const said = complaints.split("\n").filter((line) => line !== "");
  task.report.unreadable += said.filter((line) => UNREADABLE.test(line)).length;
  const lines = said.filter((line) => !PASSED_OVER.test(line));
  if (code === 2 && lines.length === 0) return;
  throw new ToolFailure(
    "IO_ERROR",
    `The search failed${code === null ? "" : ` (exit code ${code})`}: ${lines.join("\n").slice(0, 1_000) || "it was ended from outside"}`,
    "Try a simpler pattern, or search a smaller folder.",
  );
}

const watched = (task: Task): Pick<Hearing<unknown>, "stuck" | "signal"> => ({
  async stuck(isOver, hasBegun) {
    const shown = task.query.noIgnore ? undefined : await endlessRules(task, isOver);
    return shown === undefined ? undefined : stuckAt(shown, hasBegun());
  },
  signal: task.signal,
});

function ripgrepFiles(task: Task, ripgrep: Ripgrep): AsyncIterator<FoundFile> {
  const parse = filesIn(task);
  return begunLater(() =>
    launch(
      task,
      ripgrep,
      ["--files", "--null", ...whichFiles(task, false)],
      (program) => new Heard(program, { parse, finish: async (ended) => refuseFailure(ended, task), ...watched(task) }),
    ),
  );
}

function begunLater<T>(begin: () => Promise<AsyncIterator<T>>): AsyncIterator<T> {
  let begun: AsyncIterator<T> | undefined;
  return {
    async next() {
      begun ??= await begin();
      return begun.next();
    },
    return: async () => (await begun?.return?.()) ?? { done: true, value: undefined },
  };
}

/** Counts excluded files alongside the search, whether they contain a hit or not: a count must not reveal contents. */
class Count {
  readonly #child: Child;
  readonly #done: Promise<void>;
  private constructor(child: Child, task: Task) {
    this.#child = child;
    this.#done = this.#listen(task);
  }

  static async begin(task: Task, ripgrep: Ripgrep): Promise<Count | undefined> {
    // for a single file it is known already whether it is excluded
    if ((task.query.exclude ?? []).length === 0 || task.only !== undefined) return undefined;
    const args = ["--files", "--null", ...whichFiles(task, false)];
    return new Count(await launch(task, ripgrep, args, (program) => new Child(program)), task);
  }

  async #listen({ filter, report }: Task): Promise<void> {
    const list = pathsIn();
    for (let piece = await this.#child.next(); piece; piece = await this.#child.next())
      for (const below of list(piece)) if (filter.accepts(below) && filter.isExcluded(below)) report.excluded += 1;
  }

  /** Waits for it, at most this long. */
  async end(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#child.kill(), ms);
    await this.#done;
    clearTimeout(timer);
    await this.#child.stop();
  }
}

class InvalidPattern extends Error {}

class RipgrepSearch implements AsyncIterator<FoundLine> {
  readonly #task: Task<TextQuery>;
  readonly #ripgrep: Ripgrep;
  #heard: Heard<FoundLine> | undefined;
  #count: Count | undefined;
  constructor(task: Task<TextQuery>, ripgrep: Ripgrep) {
    this.#task = task;
    this.#ripgrep = ripgrep;
  }

  next(): Promise<IteratorResult<FoundLine>> {
    return this.#heard?.next() ?? this.#begin();
  }

  /** An invalid regular expression is reported before anything is found, and is then searched for as text. */
  async #begin(): Promise<IteratorResult<FoundLine>> {
    const { query, report } = this.#task;
    try {
      this.#count = await Count.begin(this.#task, this.#ripgrep);
      if (!query.literal && closesTooMuch(query.pattern)) throw new InvalidPattern();
      this.#heard = await this.#search(query);
      return await this.#heard.next();
    } catch (error) {
      if (!(error instanceof InvalidPattern)) {
        await this.#count?.end(0);
        if (error instanceof Unfit) report.excluded = 0;
        throw error;
      }
    }
    if (!this.#ripgrep.pcre2) {
      await this.#count?.end(0);
      report.excluded = 0;
      throw new Unfit("this ripgrep does not know all patterns");
    }
    report.tookAsText = true;
    this.#heard = await this.#search({ ...query, literal: true });
    return this.#heard.next();
  }

  #search(query: TextQuery): Promise<Heard<FoundLine>> {
    const task = this.#task;
    const lines = new RipgrepLines((below) =>
      task.filter.accepts(below) && !task.filter.isExcluded(below) ? shownBelow(task.folder, below) : undefined,
    );
    const settled = new Settled(task.folder);
    const parse = (piece: Buffer | undefined): FoundLine[] =>
      confirmed(lines.parse(piece), lines, task.folder, settled);
    const finish = async (ended: Ended): Promise<void> => {
      if (ended.code === 2 && !query.literal && isInvalidPattern(ended.complaints)) throw new InvalidPattern();
      await this.#count?.end(task.signal?.aborted ? 0 : LONGEST_COUNT);
      refuseFailure(ended, task);
    };
    const { signal, stuck: heldUp } = watched(task);
    // what blocks the search blocks the count, too
    const stuck: typeof heldUp = async (...asked) => {
      const error = await heldUp(...asked);
      if (error) await this.#count?.end(0);
      return error;
    };
    const args = [...OUTPUT, ...whichFiles(task, true), ...whichText(query, this.#ripgrep.pcre2)];
    return launch(
      task,
      this.#ripgrep,
      args,
      (program) => new Heard({ ...program, gather: true }, { parse, finish, stuck, signal }),
    );
  }

  async return(): Promise<IteratorResult<FoundLine>> {
    await this.#heard?.return();
    await this.#count?.end(COUNT_AFTER_STOP);
    return { done: true, value: undefined };
  }
}

export const ripgrepEngine = (ripgrep: Ripgrep): Engine => ({
  name: ripgrep.name,
  files: (task) => ripgrepFiles(task, ripgrep),
  lines: (task) => new RipgrepSearch(task, ripgrep),
});
