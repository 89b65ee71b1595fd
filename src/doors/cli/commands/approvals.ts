import type { ApprovalRow } from "../../../core/contracts/store/approvals.ts";
import type { Store } from "../../../core/contracts/store/store.ts";
import { answerRow } from "../../../core/gate-approvals.ts";
import { describe } from "../../../core/words/question.ts";
import { describeTouch } from "../../../core/words/touch.ts";
import { listed, visibleLine } from "../../../core/words/visible.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { userName } from "../lib/person.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { suggestion } from "../lib/suggestion.ts";
import { colours, documentOf, lineWidth, print } from "../lib/terminal.ts";
import { aPerson, withStore } from "../lib/workspace-store.ts";

const HOW = "once | session | always | deny [REASON] | abort";
const ANSWERS = ["once", "session", "always", "deny", "abort", "edit"];

/** Lists questions that wait for a person, and answers them. */
export const run: Command = async (invocation) => {
  const [id, answer, ...more] = invocation.words;
  if (id === "list" && answer !== undefined) throw wrongWords("approvals", invocation.words, { list: "" });
  if (id === undefined || id === "list") return list(invocation);
  if (answer === undefined) return withStore(invocation, none(id), (store) => show(store, id, invocation));
  if (!ANSWERS.includes(answer))
    throw new UsageFailure(
      `${answer} is not an answer.`,
      suggestion(answer, ANSWERS) ?? `The answers are ${ANSWERS.join(", ")}.`,
    );
  return withStore(invocation, none(id), (store) => answerOne(store, id, answer, more.join(" "), invocation));
};

const none = (id: string) => async (): Promise<number> => {
  throw nobodyWaits(id);
};

const nobodyWaits = (id: string) =>
  new UsageFailure(
    `No call ${id} is waiting for approval.`,
    "It has been answered, or its process has ended. `toolgate approvals` lists what is waiting.",
  );

async function list(invocation: Invocation): Promise<number> {
  const rows = await withStore(
    invocation,
    async () => [],
    (store) => store.pending(),
  );
  if (invocation.json) await print(documentOf(rows.map(document)));
  else if (rows.length === 0) await print("No calls are waiting for approval.\n");
  else {
    await print(`${rows.map(summary).join("\n\n")}\n\n`);
    await print(`See one in full: toolgate approvals ID. Answer with: toolgate approvals ID ${HOW}\n`);
  }
  return 0;
}

async function show(store: Store, id: string, { json }: Invocation): Promise<number> {
  const row = await store.approval(id);
  if (!row) throw nobodyWaits(id);
  if (json) await print(documentOf(document(row)));
  else await print(`${whole(row)}\nAnswer with: toolgate approvals ${visibleLine(id)} ${HOW}\n`);
  return 0;
}

async function answerOne(
  store: Store,
  id: string,
  decision: string,
  rest: string,
  invocation: Invocation,
): Promise<number> {
  aPerson(invocation, "answer a question");
  const who = userName();
  const answer =
    decision === "edit"
      ? { decision, args: argumentsIn(rest), who }
      : { decision, ...(rest && { message: rest }), who };
  if (!(await answerRow(store, id, answer))) throw nobodyWaits(id);
  await print(invocation.json ? documentOf({ answered: true, id, answer: decision }) : `Answered: ${decision}.\n`);
  return 0;
}

function argumentsIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageFailure("edit needs the new arguments as one JSON object.", `For example: edit '{"path": "a.txt"}'`);
  }
}

const document = ({ fingerprint: _, ...row }: ApprovalRow) => ({ ...row, time: new Date(row.at).toISOString() });

function summary({ id, tool, reason, touches, agent, at, patience }: ApprovalRow): string {
  const paint = colours();
  const until = patience === undefined ? "" : `, waits until ${new Date(at + patience).toLocaleTimeString()}`;
  return [
    `${paint.bold(visibleLine(id))}  ${visibleLine(tool)}  ${paint.dim(`${visibleLine(agent)}, ${new Date(at).toLocaleTimeString()}${until}`)}`,
    ...[`why: ${visibleLine(reason)}`, ...touches.map((touch) => visibleLine(describeTouch(touch)))].map((each) =>
      listed(`  ${each}`, lineWidth(), "      "),
    ),
  ].join("\n");
}

/** The same text that the person at the terminal of the call would see. */
const whole = ({ wouldGrant: always, ...row }: ApprovalRow): string =>
  describe({ ...row, always }, { width: process.stdout.columns || 100, whole: true });
