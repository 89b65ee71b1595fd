import type { AskedVerdict, Question } from "../../../core/contracts/approval.ts";
import { type Section, sectionsOf, written } from "../../../core/words/question.ts";
import { visibleJson, visibleLine } from "../../../core/words/visible.ts";
import { columns } from "./help.ts";
import { readKey, readLine } from "./key-presses.ts";
import { meetPerson, type Person, userName } from "./person.ts";
import { type Colours, colouredLine, coloursOn, toJson, widthOf } from "./terminal.ts";

type Choice = { key: string; label: string; answer: string; about: string };

const ONCE: Choice = {
  ...{ key: "y", label: "yes", answer: "once" },
  about: "Run exactly what is shown, once. If a file that it depends on changes first, nothing is done.",
};
const NO: Choice = {
  ...{ key: "n", label: "no", answer: "deny" },
  about: "Refuse it (also Esc). The model is told that a person said no.",
};
const BECAUSE: Choice = {
  ...{ key: "r", label: "no, because", answer: "deny" },
  about: "Refuse it, and type a reason for the model.",
};
const STANDING: readonly Choice[] = [
  {
    ...{ key: "s", label: "session", answer: "session" },
    about: 'Allow what "Always" says until this session ends.',
  },
  {
    ...{ key: "w", label: "always", answer: "always" },
    about: 'Allow what "Always" says in this workspace from now on. `toolgate grants` lists and revokes it.',
  },
];
const EDIT: Choice = {
  ...{ key: "e", label: "edit", answer: "edit" },
  about: "Change the arguments. The changed call is judged again.",
};
const ABORT: Choice = {
  ...{ key: "a", label: "abort", answer: "abort" },
  about: "Stop this call and all that were to follow it (also Ctrl-C).",
};
const SINGLY: Choice = {
  ...{ key: "o", label: "one by one", answer: "singly" },
  about: "Ask about each of them separately.",
};
const WHOLE: Choice = { key: "d", label: "show all", answer: "whole", about: "Show what was left out above." };
const HELP: Choice = { key: "?", label: "help", answer: "help", about: "Show this help." };

/** Shows a person at the terminal what a call would do, and reads the answer from a key. */
export async function askAtTerminal(call: Question, verdict: AskedVerdict, signal?: AbortSignal) {
  const person = meetPerson();
  try {
    const reply = await new Asking(person, call, verdict, signal).answer();
    const named = (each: Reply) => ({ ...(typeof each === "string" ? { decision: each } : each), who: userName() });
    return Array.isArray(reply) ? reply.map(named) : named(reply);
  } finally {
    person.leave();
  }
}

type Reply = string | { decision: string; message?: string; args?: unknown };

class Asking {
  readonly #person: Person;
  readonly #paint: Colours;
  readonly #signal: AbortSignal | undefined;
  readonly #questions: readonly [Question, ...Question[]];
  readonly #verdict: AskedVerdict;
  readonly #standing: boolean;
  constructor(person: Person, call: Question, verdict: AskedVerdict, signal?: AbortSignal) {
    const { others = [], ...alone } = verdict;
    this.#verdict = alone;
    this.#person = person;
    this.#paint = coloursOn(person.output);
    this.#signal = signal;
    this.#questions = [call, ...others.map((other) => other.call)];
    // a standing yes is offered only if it would take effect
    this.#standing = this.#questions.every(({ always }) => always.length > 0);
  }

  async answer(): Promise<Reply | Reply[]> {
    let cut = await this.#show(false);
    for (;;) {
      const choice = await this.#choose(this.#choices(cut));
      if (choice === WHOLE) {
        await this.#show(true);
        cut = false;
      } else if (choice === HELP) await this.#explain(cut);
      else if (choice === SINGLY) return this.#singly();
      else {
        const reply =
          choice === EDIT ? await this.#edited() : choice === BECAUSE ? await this.#because() : choice.answer;
        if (reply !== undefined) return reply;
      }
    }
  }

  /** Asks one by one. Aborting one also aborts those after it. */
  async #singly(): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (const question of this.#questions) {
      const reply = await new Asking(this.#person, question, this.#verdict, this.#signal).answer();
      replies.push(reply as Reply);
      if (reply === ABORT.answer) break;
    }
    return replies;
  }

  /** Returns whether something was left out. */
  async #show(whole: boolean): Promise<boolean> {
    const width = Math.min(Math.max(widthOf(this.#person.output), 40), 120);
    let cut = false;
    for (const [index, question] of this.#questions.entries()) {
      const sections = sectionsOf(question, { width, whole });
      const count = this.#questions.length > 1 ? this.#paint.dim(`${index + 1} of ${this.#questions.length}\n`) : "";
      await this.#print(`\n${count}${sections.map((section) => this.#painted(section)).join("\n")}\n`);
      cut ||= sections.some((section) => section.cut > 0);
    }
    return cut;
  }

  #painted(section: Section): string {
    const paint = this.#paint;
    const { kind, label } = section;
    const text = written(section);
    if (kind === "title") return paint.bold(text);
    if (kind === "command") return paint.cyan(text);
    if (kind === "diff")
      return text
        .split("\n")
        .map((line) => `    ${colouredLine(line.slice(4), paint)}`.trimEnd())
        .join("\n");
    return (label === "Why" ? paint.yellow : paint.dim)(label) + text.slice(label.length);
  }

  #choices(cut: boolean): Choice[] {
    const single = this.#questions.length === 1;
    return [
      ONCE,
      NO,
      BECAUSE,
      ...(this.#standing ? STANDING : []),
      single ? EDIT : SINGLY,
      ABORT,
      ...(cut ? [WHOLE] : []),
      HELP,
    ];
  }

  async #choose(choices: readonly Choice[]): Promise<Choice> {
    const paint = this.#paint;
    const all = this.#questions.length > 1 ? ` (one answer for all ${this.#questions.length})` : "";
    const shown = choices.map(({ key, label }) => `${paint.bold(key)} ${label}`).join(paint.dim(" · "));
    const keys = choices.map(({ key }) => key).join("");
    const key = await readKey(this.#person, `\n${shown}${all}\n`, keys, this.#signal);
    const choice = key === "escape" ? NO : (choices.find((each) => each.key === key) ?? ABORT);
    await this.#print(`${paint.dim(`> ${choice.label}`)}\n`);
    return choice;
  }

  async #explain(cut: boolean): Promise<void> {
    const width = widthOf(this.#person.output);
    const rows = this.#choices(cut).map(({ key, about }) => [key, about] as const);
    const asks = [...new Set(this.#questions.map(({ by }) => visibleLine(by)))].join(", ");
    await this.#print(
      `\n${columns(rows, width)}\n\nNothing happens until you answer. Asked by: ${asks} (see docs/calls.md).\n`,
    );
  }

  /** Leaving the line aborts; an empty reason is a plain no. */
  async #because(): Promise<Reply> {
    const typed = await readLine(this.#person, "Reason for the model: ", "", this.#signal);
    if (typed === undefined) return ABORT.answer;
    const message = typed.trim();
    return message === "" ? NO.answer : { decision: NO.answer, message };
  }

  /** Returns undefined if nothing was changed, so that the question is asked again. */
  async #edited(): Promise<Reply | undefined> {
    const paint = this.#paint;
    const before = visibleJson(toJson(this.#questions[0].input));
    let text = before;
    for (;;) {
      await this.#print(`${paint.dim("Change the arguments and press Enter; the changed call is judged again.")}\n`);
      const typed = await readLine(this.#person, "", text, this.#signal);
      if (typed === undefined) {
        await this.#print("\n");
        return ABORT.answer;
      }
      if (typed.trim() === "" || typed === before) return undefined;
      try {
        return { decision: EDIT.answer, args: JSON.parse(typed) };
      } catch (error) {
        const why = error instanceof Error ? visibleLine(error.message) : "it cannot be parsed";
        await this.#print(`${paint.red(`That is not JSON: ${why}`)}\n`);
        text = typed;
      }
    }
  }

  #print(text: string): Promise<void> {
    return new Promise((resolve) => void this.#person.output.write(text, () => resolve()));
  }
}
