import { describe, expect, test } from "vitest";
import { Ending } from "../words/result.ts";
import { cancelled, Life } from "./life.ts";

/** A clock that stands still until it is turned. */
function standing() {
  let now = 0;
  let due: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    ticks: () => now,
    after(milliseconds: number, run: () => void) {
      const each = { at: now + milliseconds, run };
      due.push(each);
      return () => {
        due = due.filter((other) => other !== each);
      };
    },
    async turn(milliseconds: number) {
      now += milliseconds;
      const ready = due.filter(({ at }) => at <= now);
      due = due.filter(({ at }) => at > now);
      for (const { run } of ready) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A signal that counts who listens. */
function counted(controller = new AbortController()) {
  let listeners = 0;
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...given);
  };
  return { controller, signal, listeners: () => listeners };
}

const stop = cancelled("stopped here");
const told = (work: Promise<unknown>) =>
  work.then(JSON.stringify as (value: unknown) => string, (error) => error.message);

describe("why a call must end", () => {
  test("nothing has stopped it", () => {
    const life = new Life(standing(), new AbortController().signal, new Life(standing()));
    expect(life.stopped).toBeUndefined();
    expect(() => life.check()).not.toThrow();
    expect(life.signal.aborted).toBe(false);
  });

  test("it was stopped, and the first reason stays", () => {
    const life = new Life(standing());
    life.stop(stop);
    life.stop(cancelled("later"));
    expect(life.stopped).toBe(stop);
    expect(() => life.check()).toThrow(stop);
    expect(life.signal.reason).toBe(stop);
  });

  test("it has ended: whoever still holds it can do nothing more with it", () => {
    const life = new Life(standing());
    life.end();
    expect(life.stopped).toMatchObject({ status: "cancelled", message: "The call has ended." });
    expect(() => life.check()).toThrow("The call has ended.");
    expect(life.signal.aborted).toBe(true);
  });

  test.each([
    ["an ending of ours", stop, "stopped here"],
    ["anything else", new Error("gone"), "The call was cancelled before it ended."],
  ])("its signal, with %s for a reason", (_, reason, message) => {
    const outer = new AbortController();
    const life = new Life(standing(), outer.signal);
    outer.abort(reason);
    expect(life.stopped).toMatchObject({ status: "cancelled", message });
    expect(life.stopped).toBeInstanceOf(Ending);
    expect(life.signal.aborted).toBe(true);
  });

  test("the call above it", () => {
    const above = new Life(standing());
    const life = new Life(standing(), undefined, above);
    above.stop(stop);
    expect(life.stopped).toBe(stop);
    expect(life.signal.reason).toBe(stop);
  });
});

describe("a signal that somebody holds", () => {
  test.each(["itself", "outside", "above"])("hears of a stop: %s", (who) => {
    const outer = new AbortController();
    const above = new Life(standing());
    const life = new Life(standing(), outer.signal, above);
    const { signal } = life;
    if (who === "itself") life.stop(stop);
    if (who === "outside") outer.abort(stop);
    if (who === "above") above.stop(stop);
    expect([signal.aborted, signal.reason]).toEqual([true, stop]);
  });

  test("of a call with nothing above it hears of its own stop alone", () => {
    const life = new Life(standing());
    const { signal } = life;
    life.stop(stop);
    expect(signal.reason).toBe(stop);
  });

  test.each(["a signal", "a call"])("with %s above it alone", (which) => {
    const outer = new AbortController();
    const above = new Life(standing());
    const life = which === "a call" ? new Life(standing(), undefined, above) : new Life(standing(), outer.signal);
    const { signal } = life;
    if (which === "a call") above.stop(stop);
    else outer.abort(stop);
    expect(signal.reason).toBe(stop);
  });

  test("is one for all, and leaves no listener behind", () => {
    const outer = counted();
    const above = new Life(standing());
    const life = new Life(standing(), outer.signal, above);
    expect(life.signal).toBe(life.signal);
    void life.race(new Promise(() => {}));
    expect(outer.listeners()).toBe(1);
    life.end();
    expect(outer.listeners()).toBe(0);
    const { signal } = life;
    above.stop(stop);
    expect(signal.aborted, "the call above no longer tells it").toBe(false);
  });
});

describe("a signal that several calls share", () => {
  const sharing = () => {
    const outer = counted();
    const lives = Array.from({ length: 20 }, () => new Life(standing(), outer.signal));
    const signals = lives.map(({ signal }) => signal);
    return { outer, lives, signals };
  };

  test("has one listener, and none when the last of them has ended", () => {
    const { outer, lives } = sharing();
    expect(outer.listeners()).toBe(1);
    for (const life of lives.slice(1)) life.end();
    expect(outer.listeners()).toBe(1);
    lives[0]!.end();
    lives[0]!.end();
    expect(outer.listeners()).toBe(0);
    void new Life(standing(), outer.signal).signal;
    expect(outer.listeners(), "the next call listens again").toBe(1);
  });

  test("stops those that have not ended", () => {
    const { outer, lives, signals } = sharing();
    for (const life of lives.slice(0, 5)) life.end();
    outer.controller.abort(stop);
    expect(signals.map(({ aborted }) => aborted)).toEqual(lives.map((_, index) => index >= 5));
  });

  test("one call that ends while all are stopped does not keep the others running", () => {
    const { outer, lives, signals } = sharing();
    signals[0]!.addEventListener("abort", () => lives[1]!.end());
    outer.controller.abort(stop);
    expect(signals.slice(2).every(({ aborted }) => aborted)).toBe(true);
  });
});

describe("work that may be stopped", () => {
  test("ends as it ends", async () => {
    const life = new Life(standing());
    expect(await life.race(Promise.resolve(1))).toEqual({ value: 1 });
    await expect(life.race(Promise.reject(new Error("own")))).rejects.toThrow("own");
    // and is not heard of any more
    life.stop(stop);
  });

  test("is not waited for after a stop", () => {
    const life = new Life(standing());
    life.stop(stop);
    expect(() => life.race(Promise.reject(new Error("unheard")))).toThrow(stop);
  });

  test.each<[what: string, end: (work: PromiseWithResolvers<string>) => void, turn: number, said: string]>([
    ["in time hands over what it had", ({ resolve }) => resolve("half"), 0, '{"value":"half","stopped":{}}'],
    ["that fails in time", ({ reject }) => reject(new Error("own")), 0, "stopped here"],
    ["that takes its time is left alone", () => {}, 2000, "stopped here"],
    ["still has a moment", () => {}, 1999, "nothing yet"],
  ])("stopped, work %s", async (_, end, turn, said) => {
    const clock = standing();
    const life = new Life(clock);
    const work = deferred<string>();
    const raced = told(life.race(work.promise).then(({ value, stopped }) => ({ value, stopped: stopped && {} })));
    life.stop(stop);
    end(work);
    await clock.turn(turn);
    expect(await Promise.race([raced, Promise.resolve().then(() => tick("nothing yet"))])).toBe(said);
  });

  test("is stopped from outside, though nobody holds a signal", async () => {
    const outer = new AbortController();
    const clock = standing();
    const raced = told(new Life(clock, outer.signal).race(new Promise(() => {})));
    outer.abort(stop);
    await clock.turn(2000);
    expect(await raced).toBe("stopped here");
  });

  test("several are all told, and one that has ended is not", async () => {
    const clock = standing();
    const life = new Life(clock);
    const [one, two] = [deferred<string>(), deferred<string>()];
    await life.race(Promise.resolve("over"));
    await life.race(Promise.reject(new Error("over"))).catch(() => {});
    const raced = [told(life.race(one.promise)), told(life.race(two.promise))];
    let timers = 0;
    const { after } = clock;
    clock.after = (...given) => {
      timers += 1;
      return after(...given);
    };
    life.stop(stop);
    expect(timers).toBe(2);
    await clock.turn(2000);
    expect(await Promise.all(raced)).toEqual(["stopped here", "stopped here"]);
  });

  test("a call that ended tells nobody", async () => {
    const life = new Life(standing());
    const raced = told(life.race(new Promise(() => {})));
    life.end();
    life.stop(stop);
    expect(await Promise.race([raced, tick("nothing")])).toBe("nothing");
  });
});

const tick = (said: string): Promise<string> => new Promise((resolve) => setImmediate(() => resolve(said)));

type PromiseWithResolvers<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void };

function deferred<T>(): PromiseWithResolvers<T> {
  const made = {} as PromiseWithResolvers<T>;
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

describe("while a person thinks", () => {
  test("the time is counted once, however many think, and for the calls above, too", async () => {
    const clock = standing();
    const above = new Life(clock);
    const life = new Life(clock, undefined, above);
    const other = new Life(clock, undefined, above);
    const [one, two] = [deferred<string>(), deferred<string>()];
    const thinking = [life.whileThinking(one.promise), other.whileThinking(two.promise)];
    await clock.turn(10);
    expect([life.thoughtMs, other.thoughtMs, above.thoughtMs]).toEqual([10, 10, 10]);
    one.resolve("yes");
    expect(await thinking[0]).toBe("yes");
    await clock.turn(5);
    expect([life.thoughtMs, other.thoughtMs, above.thoughtMs]).toEqual([10, 15, 15]);
    two.resolve("no");
    await thinking[1];
    await clock.turn(5);
    expect([life.thoughtMs, other.thoughtMs, above.thoughtMs]).toEqual([10, 15, 15]);
    const again = deferred<string>();
    const third = life.whileThinking(again.promise);
    await clock.turn(1);
    again.reject(new Error("window closed"));
    await expect(third).rejects.toThrow("window closed");
    await clock.turn(5);
    expect([life.thoughtMs, above.thoughtMs]).toEqual([11, 16]);
  });

  test("an answer that comes after the stop does not count", async () => {
    const life = new Life(standing());
    const answer = deferred<string>();
    const thinking = life.whileThinking(answer.promise);
    life.stop(stop);
    answer.resolve("yes");
    await expect(thinking).rejects.toBe(stop);
  });
});
