import {
  HOOK_EVENTS,
  type Hook,
  type HookAnswer,
  type HookEventName,
  type HookedCall,
  type HookSaid,
  type Moment,
  type MomentName,
  type ScriptHook,
} from "../../core/contracts/hook.ts";
import type { Dialect } from "../../core/registry.ts";
import type { CodeFile } from "../../core/words/code.ts";
import type { Result } from "../../core/words/result.ts";
import type { PathTouch } from "../../core/words/touch.ts";
import { type Failure, type Reading, readAnswer } from "./answer.ts";
import { dialectOf, fileMatcher, filesOf, heardAs, type Naming, toolMatcher } from "./hook-matchers.ts";
import { aboutCall, aboutMoment, type Message, understoodFrom } from "./message.ts";
import { namesFile, withFile } from "./placeholder.ts";
import { type Grounds, runScript, Turns } from "./script-runs.ts";
import { changedScript, codeFilesOf, hashesOf, notAccepted } from "./scripts.ts";
import type { ScriptHooks } from "./written.ts";

export type Scripts = Naming & { readonly grounds: Grounds; readonly inDryRun: boolean };

const MOST_FILES = 50;
const MOST_AT_ONCE = 16;
const MOST_OF_REASON = 500;

/** Scripts as hooks, in the order in which they are written. `ended` waits for the asynchronous ones. */
export async function scriptHooks(
  written: ScriptHooks,
  scripts: Scripts,
): Promise<{ hooks: Hook[]; ended(): Promise<void> }> {
  const later = new Later();
  const hooks: Hook[] = [];
  for (const event of HOOK_EVENTS)
    for (const hook of written[event]) {
      const { root } = scripts.grounds;
      const files = await codeFilesOf(hook.command, root.real);
      // a hook that is not the workspace's own is trusted as it is now
      const accepted = hook.accepted ?? hashesOf(files, root.real);
      hooks.push(new Script(event, hook, { files, accepted }, scripts, later).hook());
    }
  return { hooks, ended: () => later.end() };
}

/** Limits how many scripts run. At the end, asynchronous ones get their time, and no more are started. */
class Later {
  readonly turns = new Turns(MOST_AT_ONCE);
  readonly #others = new Turns(MOST_AT_ONCE);
  readonly #running = new Set<Promise<unknown>>();
  #isOver = false;

  add(work: () => Promise<unknown>): void {
    const running = this.#others
      .take(async () => (this.#isOver ? undefined : work()))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#running);
  }
}

/** The files that it runs, and the hashes that a person accepted. */
type Bound = { readonly files: readonly CodeFile[]; readonly accepted: Readonly<Record<string, string>> };

class Script {
  readonly #event: HookEventName;
  readonly #written: ScriptHook;
  readonly #bound: Bound;
  readonly #scripts: Scripts;
  readonly #later: Later;
  readonly #dialect: Dialect;
  readonly #fitsFile: (touch: PathTouch) => boolean;

  constructor(event: HookEventName, written: ScriptHook, bound: Bound, scripts: Scripts, later: Later) {
    this.#event = event;
    this.#written = written;
    this.#bound = bound;
    this.#scripts = scripts;
    this.#later = later;
    this.#dialect = dialectOf(written, scripts);
    this.#fitsFile = fileMatcher(written);
  }

  hook(): Hook {
    const { name } = this.#written;
    const common = { name, ...(this.#scripts.inDryRun && { inDryRun: true }) };
    const event = this.#event;
    if (event !== "pre_tool_use" && event !== "post_tool_use")
      return {
        ...common,
        on: { [event satisfies MomentName]: (moment: Moment, signal: AbortSignal) => this.#at(moment, signal) },
      };
    const fitsTool = toolMatcher(this.#written, this.#scripts);
    const told = (call: HookedCall) => heardAs(call, fitsTool) ?? call;
    const applies = (call: HookedCall) =>
      heardAs(call, fitsTool) !== undefined && (this.#wantsNoFile || this.#files(call).length > 0);
    return event === "pre_tool_use"
      ? {
          ...common,
          applies,
          before: async (call, signal) => unchanged(call, told(call), await this.#before(told(call), signal)),
        }
      : { ...common, applies, after: (call, result, signal) => this.#after(told(call), result, signal) };
  }

  get #wantsNoFile(): boolean {
    const { filePatterns, command } = this.#written;
    return filePatterns.length === 0 && !(this.#event === "post_tool_use" && namesFile(command));
  }

  #files(call: HookedCall): PathTouch[] {
    return filesOf(call).filter(this.#fitsFile);
  }

  /** A script that takes one file runs once for each; any other runs once. */
  #turns(call: HookedCall): (PathTouch | undefined)[] {
    const files = this.#files(call);
    return namesFile(this.#written.command) && files.length > 0 ? files.slice(0, MOST_FILES) : [files[0]];
  }

  async #before(call: HookedCall, signal: AbortSignal): Promise<HookAnswer | undefined> {
    let given = call;
    let answer: HookAnswer = {};
    for (const file of this.#turns(call)) {
      const reading = await this.#read(this.#about(given, file), call.changesNothing, signal);
      if (!reading) return undefined;
      const next = this.#answer(reading, given);
      if (next.decision === "deny") return next;
      answer = together(answer, next);
      if (next.input !== undefined) given = { ...given, input: next.input };
    }
    return answer;
  }

  #answer(reading: Reading, { tool, input }: HookedCall): HookAnswer {
    const { replaces, changes, failure, blocked: _, ...answer } = reading;
    if (failure) return this.#afterFailure(failure, answer);
    const made = replaces ?? changes;
    if (!made) return answer;
    const own = understoodFrom(made, tool, this.#dialect);
    return { ...answer, input: replaces ? own : { ...(input as object), ...own } };
  }

  /** By default a script that could not answer leads to a question, and one that failed to a note. */
  #afterFailure({ what, grave, always }: Failure, { context, decision }: HookAnswer): HookAnswer {
    const does = this.#written.onFailure ?? (grave ? "ask" : "allow");
    const told = { failed: what, ...(context && { context }) };
    if (does === "allow" && decision !== "ask" && !always) return told;
    const reason = [`it failed (${what})`, context?.slice(0, MOST_OF_REASON)].filter(Boolean).join(": ");
    return { ...told, decision: does === "deny" ? "deny" : "ask", reason };
  }

  async #after(call: HookedCall, result: Result, signal: AbortSignal): Promise<HookSaid | undefined> {
    const said: HookSaid[] = [];
    for (const file of this.#turns(call)) {
      const reading = await this.#read(this.#about(call, file, result), call.changesNothing, signal);
      if (!reading) return undefined;
      const { context, reason, failure, blocked, decision, stop } = reading;
      const failed = failure?.what ?? (blocked === undefined ? undefined : "exit 2");
      const objection = decision === "deny" || decision === "ask" ? reason : undefined;
      const text = blocked ?? [objection, context].filter(Boolean).join("\n");
      said.push({ ...(text && { text }), ...(failed && { failed }), ...(stop !== undefined && { stop }) });
    }
    const text = said.flatMap((each) => each.text ?? []).join("\n");
    const failed = said.find((each) => each.failed)?.failed;
    const stop = said.find((each) => each.stop !== undefined)?.stop;
    return { ...(text && { text }), ...(failed && { failed }), ...(stop !== undefined && { stop }) };
  }

  async #at(moment: Moment, signal: AbortSignal): Promise<HookAnswer | undefined> {
    const reading = await this.#read(aboutMoment(moment, this.#root), moment.changesNothing, signal);
    if (!reading) return undefined;
    const { failure, replaces: _, changes: __, blocked: ___, ...answer } = reading;
    return failure ? this.#afterFailure(failure, answer) : answer;
  }

  #about(call: HookedCall, file: PathTouch | undefined, result?: Result): Message {
    const event = this.#event as "pre_tool_use" | "post_tool_use";
    const known = { root: this.#root, dialect: this.#dialect, file, hook: this.#written.name };
    return aboutCall(event, call, known, result);
  }

  get #root(): string {
    return this.#scripts.grounds.root.real;
  }

  /** Returns undefined if nobody waits for it. */
  async #read(message: Message, changesNothing: boolean, signal: AbortSignal): Promise<Reading | undefined> {
    const { command, timeout, async: isAsync } = this.#written;
    const made = withFile(command);
    if ("problem" in made) return { failure: { what: made.problem, grave: true } };
    const changed = changedScript(this.#bound.accepted, hashesOf(this.#bound.files, this.#root));
    if (changed !== undefined)
      return { failure: { what: `it was not run: ${notAccepted(changed, this.#root)}`, grave: true, always: true } };
    const run = { command: made.command, message, seconds: timeout, changesNothing };
    const { grounds } = this.#scripts;
    if (!isAsync) return readAnswer(await this.#later.turns.take(() => runScript(grounds, run, signal)));
    this.#later.add(() => runScript(grounds, run));
    return undefined;
  }
}

/** A script that changes the command was told of another tool, so it has not seen what would really run: denied. */
function unchanged(call: HookedCall, told: HookedCall, answer: HookAnswer | undefined): HookAnswer | undefined {
  if (call.tool === told.tool || answer?.input === undefined) return answer;
  const { input: _, ...rest } = answer;
  return { ...rest, decision: "deny", reason: `it would change the command, which is fixed for ${call.tool}` };
}

/** Combines the answers of one script for two files. */
function together(one: HookAnswer, next: HookAnswer): HookAnswer {
  const asked = [one, next].find(({ decision }) => decision === "ask");
  const context = [one.context, next.context].filter(Boolean).join("\n");
  return { ...one, ...next, ...(asked && { decision: "ask", reason: asked.reason }), ...(context && { context }) };
}
