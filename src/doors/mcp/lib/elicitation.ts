import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import type { Result } from "../../../core/words/result.ts";

/** What the client shows a person, and what it may send back. */
export type Form = {
  readonly message: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
};
export type Reply = { action: "accept"; content: Record<string, unknown> } | { action: "decline" | "cancel" };

type Pending = { readonly form: Form; isShown: boolean; answer(reply: Reply): void };

export type Answers = { readonly keys: readonly string[]; replyTo(key: string): Reply };

export type Shown = { readonly key: string; readonly form: Form };
export type Turn = { readonly result: Result } | { readonly questions: readonly Shown[] };

/** What an exchange needs from the client while one of its requests is open. */
export type Line = {
  readonly signal: AbortSignal;
  /** Whether the request stays open while a person is asked, so that it can be cancelled in the meantime. */
  readonly staysOpen: boolean;
  /** Whether the client can show a form to a person. */
  readonly canAsk: boolean;
  progress(message: string): void;
};

/**
 * One call of a client. It may take several requests: whenever a person has to be asked, the client gets the question
 * instead of a result, and returns with the answer, while the call itself waits here.
 */
export class Exchange {
  readonly id = randomUUID();
  readonly digest: string;
  readonly #pending = new Map<string, Pending>();
  readonly #stop = new AbortController();
  #line: Line | undefined;
  #unlink = () => {};
  #result: Result | undefined;
  #wake = () => {};
  #count = 0;

  constructor(digest: string) {
    this.digest = digest;
  }

  get canAsk(): boolean {
    return this.#line?.canAsk === true;
  }

  begin(run: (signal: AbortSignal) => Promise<Result>): void {
    void run(this.#stop.signal).then((result) => {
      this.#result = result;
      this.#wake();
    });
  }

  /** Waits until a person has to be asked or the call has ended. Cancelling the request stops the call. */
  async next(): Promise<Turn> {
    for (;;) {
      const questions = [...this.#pending].filter(([, { isShown }]) => !isShown);
      if (this.#result) {
        this.#unlink();
        return { result: this.#result };
      }
      for (const [, question] of questions) question.isShown = true;
      if (questions.length > 0) {
        if (!this.#line?.staysOpen) this.#unlink();
        return { questions: questions.map(([key, { form }]) => ({ key, form })) };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** From now on, this request is answered. */
  follow(line: Line): void {
    this.#unlink();
    const { signal } = line;
    const stop = () => this.stop();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    this.#unlink = () => signal.removeEventListener("abort", stop);
    this.#line = line;
  }

  /** Shows a form to the person at the client. */
  ask(form: Form): Promise<Reply> {
    const key = `question-${++this.#count}`;
    return new Promise<Reply>((answer) => {
      this.#pending.set(key, { form, answer, isShown: false });
      this.#wake();
    });
  }

  /** Each question takes one answer, and only after it was shown. A missing one counts as unanswered. */
  answer({ keys, replyTo }: Answers): boolean {
    const shown = keys.flatMap((key) => {
      const question = this.#pending.get(key);
      return question?.isShown ? [[key, question] as const] : [];
    });
    if (shown.length !== keys.length) return false;
    for (const [key, question] of shown) {
      this.#pending.delete(key);
      question.answer(replyTo(key));
    }
    return true;
  }

  progress(message: string): void {
    if (!this.#result) this.#line?.progress(message);
  }

  stop(): void {
    this.#stop.abort();
  }
}

const PATIENCE_MS = 600_000;
const MOST_CALLS = 256;

/** The unfinished calls of all clients. */
export class Exchanges {
  readonly #waiting = new Map<string, { exchange: Exchange; timer: NodeJS.Timeout | undefined }>();
  readonly #current = new AsyncLocalStorage<Exchange>();
  #rest = () => {};

  /** The exchange that the asking code belongs to, however deep below its call. */
  get current(): Exchange | undefined {
    return this.#current.getStore();
  }

  /** Returns undefined if there are too many already. */
  open(digest: string, line: Line, run: (signal: AbortSignal, id: string) => Promise<Result>): Exchange | undefined {
    if (this.#waiting.size >= MOST_CALLS) return undefined;
    const exchange = new Exchange(digest);
    this.#waiting.set(exchange.id, { exchange, timer: undefined });
    exchange.follow(line);
    this.#current.run(exchange, () => exchange.begin((signal) => run(signal, exchange.id)));
    return exchange;
  }

  /** A command's output may arrive outside of the call's async context; then the call id identifies the exchange. */
  progress(callID: string, message: string): void {
    (this.current ?? this.#waiting.get(callID)?.exchange)?.progress(message);
  }

  /** Continues the call with these answers, if it is the one that waits for them. */
  resume(id: string, digest: string, line: Line, answers: Answers): Exchange | undefined {
    const found = this.#waiting.get(id);
    if (found?.exchange.digest !== digest || !found.exchange.answer(answers)) return undefined;
    clearTimeout(found.timer);
    found.timer = undefined;
    found.exchange.follow(line);
    return found.exchange;
  }

  /** Stops the call if the client does not come back in time. */
  park({ id }: Exchange): void {
    const found = this.#waiting.get(id);
    if (!found) return;
    clearTimeout(found.timer);
    found.timer = setTimeout(() => {
      found.exchange.stop();
      this.#waiting.delete(id);
    }, PATIENCE_MS);
    found.timer.unref();
  }

  end({ id }: Exchange): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
    if (!this.isBusy) this.#rest();
  }

  /** Whether a call is running that does not wait for a person. */
  get isBusy(): boolean {
    return [...this.#waiting.values()].some(({ timer }) => timer === undefined);
  }

  /** Resolves when no such call is left, or the time is over. */
  async rested(milliseconds: number): Promise<void> {
    if (!this.isBusy) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#rest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  stopAll(): void {
    for (const { exchange, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      exchange.stop();
    }
    this.#waiting.clear();
  }
}

export const digestOf = (name: string, args: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify([name, args]))
    .digest("hex");
