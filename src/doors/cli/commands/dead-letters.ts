import type { Gate } from "../../../core/gate.ts";
import { lettersIn } from "../../../core/gate-dead-letters.ts";
import { type DeadLetter, LETTERS } from "../../../core/words/dead-letter.ts";
import type { Result } from "../../../core/words/result.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { exitStatus, UsageFailure } from "../lib/exit-status.ts";
import { interruption } from "../lib/interruption.ts";
import { openingOf, withGate } from "../lib/opening.ts";
import { isInteractive } from "../lib/person.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { tell } from "../lib/telling.ts";
import { colours, documentOf, print } from "../lib/terminal.ts";
import { terminalApprover } from "../lib/terminal-approver.ts";
import { aPerson, withStore } from "../lib/workspace-store.ts";

const LISTED = "`toolgate dead-letters` lists them with their ids.";

/** Dead letters: calls that failed through no fault of their own. Lists, retries and drops them. */
export const run: Command = async (invocation) => {
  const [part = "list", ...ids] = invocation.words;
  if (part === "list" && ids.length === 0) return list(invocation);
  if (part === "retry") return retry(invocation, ids);
  if (part === "drop" && ids.length > 0) return drop(invocation, ids);
  throw wrongWords("dead-letters", invocation.words, { list: "", retry: "[ID …]", drop: "ID …" });
};

async function list(invocation: Invocation): Promise<number> {
  const letters = await withStore(invocation, async () => [], lettersIn);
  if (invocation.json) await print(documentOf(letters.map(row)));
  else await print(letters.length > 0 ? `${letters.map(line).join("\n")}\n` : "There are no dead letters.\n");
  return 0;
}

/** Without ids, retries those that are due. */
async function retry(invocation: Invocation, ids: readonly string[]): Promise<number> {
  const { json, flags } = invocation;
  if (flags.has("yes")) aPerson(invocation, "approve calls that are retried");
  const asks = !json && !flags.has("yes") && isInteractive();
  const options = {
    ...{ toolset: "all", ...openingOf(invocation) },
    ...(asks && { approve: terminalApprover({ signal: interruption() }) }),
    ...(flags.has("yes") && { approve: () => ({ decision: "once", unasked: "--yes was given" }) }),
  };
  return withGate(options, async (gate) => {
    const wanted = ids.length > 0 ? ids : (await gate.deadLetters.list({ due: Date.now() })).map(({ id }) => id);
    const results: { id: string; result: Result }[] = [];
    for (const id of wanted) results.push({ id, result: await again(gate, id) });
    if (json) await print(documentOf(results.map(({ id, result }) => ({ id, ...result }))));
    else for (const { result } of results) await tell(result, false);
    if (results.length === 0 && !json) await print("No dead letter is due.\n");
    return Math.max(0, ...results.map(({ result }) => exitStatus(result.status)));
  });
}

async function again(gate: Gate, id: string): Promise<Result> {
  const result = await gate.deadLetters.retry(id);
  if (result) return result;
  const isThere = (await gate.deadLetters.list()).some((letter) => letter.id === id);
  throw isThere
    ? new UsageFailure(
        `${id} cannot be retried: its arguments were not kept, because they held a secret or were too large.`,
        "Make the call again yourself.",
      )
    : new UsageFailure(`There is no dead letter ${id}.`, LISTED);
}

async function drop(invocation: Invocation, ids: readonly string[]): Promise<number> {
  const dropped = await withStore(
    invocation,
    async () => [],
    async (store) => {
      const gone: string[] = [];
      for (const id of ids) if (await store.table(LETTERS).remove(id)) gone.push(id);
      return gone;
    },
  );
  const unknown = ids.filter((id) => !dropped.includes(id));
  if (unknown.length > 0) throw new UsageFailure(`There is no dead letter ${unknown.join(", ")}.`, LISTED);
  await print(invocation.json ? documentOf({ dropped }) : "Dropped.\n");
  return 0;
}

const time = (at: number): string => new Date(at).toISOString();

const row = (letter: DeadLetter) => ({
  ...letter,
  firstAt: time(letter.firstAt),
  at: time(letter.at),
  nextTry: letter.nextTry === null ? null : time(letter.nextTry),
});

function line({ id, tool, target, category, attempts, error, nextTry }: DeadLetter): string {
  const paint = colours();
  const next = nextTry === null ? "no next try" : `next try ${time(nextTry)}`;
  const head = `${paint.bold(id)}  ${visibleLine(tool)} ${visibleLine(target)}`.trimEnd();
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return `${head}  ${paint.dim(`${category}, ${tries}, ${next}`)}\n  ${error.code}: ${visibleLine(error.message)}`;
}
