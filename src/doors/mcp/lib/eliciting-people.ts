import type { Approver, Question } from "../../../core/contracts/approval.ts";
import type { AskPerson } from "../../../core/contracts/people.ts";
import { sectionsOf, written } from "../../../core/words/question.ts";
import { visibleLine, visibleLines } from "../../../core/words/visible.ts";
import { redact } from "../../../text/redact.ts";
import type { Exchanges, Form, Reply } from "./elicitation.ts";

/** What a client can reasonably show; `toolgate approvals` shows the rest. */
const LONGEST = 16_000;
const WIDTH = 100;

/** Shows the person at the client what the terminal would show, and accepts the same answers. */
export function elicitingApprover(exchanges: Exchanges): Approver {
  return async (question) => {
    const exchange = exchanges.current;
    if (!exchange?.canAsk) return nobody(exchange ? CANNOT_ASK : "", question);
    return answerIn(await exchange.ask(approvalForm(question)), question);
  };
}

/** Asks the person at the client a tool's own question. */
export function elicitingPerson(exchanges: Exchanges): AskPerson {
  return async ({ question, options = [], asker = "a tool" }) => {
    const exchange = exchanges.current;
    if (!exchange?.canAsk) return undefined;
    const suggested = options.length > 0 ? { description: `For example: ${options.map(oneLine).join(", ")}` } : {};
    const reply = await exchange.ask({
      // quoted and attributed, so that it cannot pass for a question of ours
      message: `${sentence(oneLine(asker))} asks you:\n\n${visibleLines(question).map(quoted).join("\n")}`,
      properties: { answer: { type: "string", title: "Answer", ...suggested } },
      required: ["answer"],
    });
    const answer = reply.action === "accept" ? reply.content.answer : undefined;
    return typeof answer === "string" ? answer : undefined;
  };
}

const oneLine = (text: string): string => visibleLine(text);
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const quoted = (line: string): string => (line === "" ? ">" : `> ${line}`);

const CHOICES = {
  once: "once: does exactly what is shown, once",
  session: 'session: allows what "Always" says until this session ends',
  always: 'always: allows what "Always" says in this workspace from now on',
  no: "no: refuses it",
};

/** A standing yes is offered only if there is one to give. */
function approvalForm(question: Question): Form {
  const decisions = question.always.length > 0 ? ["once", "session", "always", "no"] : ["once", "no"];
  const about = decisions.map((each) => CHOICES[each as keyof typeof CHOICES]).join("; ");
  return {
    message: `Toolgate asks for your approval.\n\n${shownTo(question)}`,
    properties: {
      decision: { type: "string", title: "Allow it?", description: `${about}.`, enum: decisions },
      reason: { type: "string", title: "If no, why? (the model reads it)", maxLength: 500 },
    },
    required: ["decision"],
  };
}

/** Words that cannot contain anything executable. */
const PLAIN_WORD = /[\w\-.=+/:@%"',]+/g;

/** The client must not get secrets, but the person must see everything else: only parts of plain words are masked. */
const masked = (text: string): string => text.replace(PLAIN_WORD, (word) => redact(word));

/** The whole text, if a client can show that much. */
function shownTo(question: Question): string {
  const text = (whole: boolean) => masked(sectionsOf(question, { width: WIDTH, whole }).map(written).join("\n"));
  const short = sectionsOf(question, { width: WIDTH });
  if (short.every(({ cut }) => cut === 0)) return text(false);
  const whole = text(true);
  return whole.length <= LONGEST ? whole : `${text(false)}\nSee all of it in a terminal: toolgate approvals`;
}

function answerIn(reply: Reply, question: Question) {
  if (reply.action !== "accept")
    return reply.action === "cancel"
      ? nobody("The client closed the question without an answer. ", question)
      : { decision: "deny", message: "the question was declined" };
  const { decision, reason } = reply.content;
  const isOffered = decision === "once" || question.always.length > 0;
  if (isOffered && (decision === "once" || decision === "session" || decision === "always")) return { decision };
  return { decision: "deny", ...(typeof reason === "string" && reason.trim() && { message: reason.trim() }) };
}

const CANNOT_ASK = "This client cannot put questions to a person. ";

const nobody = (why: string, { always }: Question) => ({
  decision: "nobody" as const,
  hint: `${why}Do not repeat the call; tell the person what you need it for. They can allow it with a rule in toolgate.yaml${
    always.length > 0 ? ", with another mode (toolgate mcp --mode)" : ""
  }, or answer in a terminal (\`toolgate approvals\`) if the server runs with --approvals queue.`,
});
