import { describe, expect, test } from "vitest";
import { ready } from "../../../test/judging.ts";
import { followedBy } from "../journey/soon.ts";
import type { Result } from "../words/result.ts";
import { type Onlooker, type RunEnd, type Running, type Step, throughSteps } from "./step.ts";

const DONE: Result = { success: true, status: "done", title: "", output: "out", metadata: {} };
const running = { ready: ready({ tool: "thing" }) } as Running;

/** Steps and onlookers that write down what they see, in order. */
function scene() {
  const log: string[] = [];
  const step = (name: string, more: Partial<Step> = {}): Step => ({
    name,
    applies: () => true,
    around: async (_, next) => {
      log.push(`${name} before`);
      const result = await next();
      log.push(`${name} after`);
      return { ...result, output: `${result.output} ${name}` };
    },
    ...more,
  });
  const onlooker = (name: string, more: Partial<Onlooker> = {}): Onlooker => ({
    name,
    applies: () => true,
    beside: () => {
      log.push(`${name} begins`);
      const hear = (end: RunEnd) =>
        void log.push(`${name} ends ${"result" in end ? end.result.output : String(end.error)}`);
      return { hear };
    },
    ...more,
  });
  const run = (steps: (Step | Onlooker)[], work: () => Promise<Result> = async () => DONE) =>
    throughSteps(
      steps,
      running,
      { begin: (sequel) => followedBy(work(), sequel) },
      {
        done({ output }) {
          log.push("then");
          return `made of ${output}`;
        },
        failed: (error) => Promise.reject(error),
      },
    );
  return { log, step, onlooker, run };
}

describe("a run goes through its steps", () => {
  test("the first is the outermost, and what is made of the result is given back", async () => {
    const { log, step, run } = scene();
    expect(await run([step("one"), step("two")])).toBe("made of out two one");
    expect(log).toEqual(["one before", "two before", "two after", "one after", "then"]);
    expect(await scene().run([])).toBe("made of out");
  });

  test("those to which it does not apply have no part in it", async () => {
    const { log, step, onlooker, run } = scene();
    const applies = ({ tool }: { tool: { name: string } }) => tool.name !== "thing";
    expect(await run([step("no", { applies }), onlooker("nobody", { applies }), step("yes")])).toBe("made of out yes");
    expect(log).toEqual(["yes before", "yes after", "then"]);
  });

  test("a step of somebody's own may give back what is no promise", async () => {
    const { step, run } = scene();
    const plain = step("plain", { around: (() => ({ ...DONE, output: "at once" })) as never });
    expect(await run([plain])).toBe("made of at once");
  });
});

describe("onlookers", () => {
  test("stand outside of all steps, and hear the end before anything is made of it", async () => {
    const { log, step, onlooker, run } = scene();
    await run([step("step"), onlooker("ear")]);
    expect(log).toEqual(["ear begins", "step before", "step after", "ear ends out step", "then"]);
  });

  test("all hear it, however many there are, those next to the run first", async () => {
    const { log, onlooker, run } = scene();
    await run(["one", "two", "three"].map((name) => onlooker(name)));
    const heard = ["three", "two", "one"];
    const [begun, ended] = [heard.map((name) => `${name} begins`), heard.map((name) => `${name} ends out`)];
    expect(log).toEqual([...begun, ...ended, "then"]);
  });

  test.each<[string, () => Promise<Result>]>([
    ["later", () => Promise.reject(new Error("broken"))],
    [
      "at once",
      () => {
        throw new Error("broken");
      },
    ],
  ])("hear of a run that fails %s, which fails all the same", async (_, work) => {
    const { log, onlooker, run } = scene();
    await expect(run([onlooker("ear")], work)).rejects.toThrow("broken");
    expect(log).toEqual(["ear begins", "ear ends Error: broken"]);
  });

  test("one that throws keeps the run from beginning; those that were told of it hear that", async () => {
    const { log, onlooker, run } = scene();
    const beside = () => {
      throw new Error("not now");
    };
    const work = async () => {
      log.push("ran");
      return DONE;
    };
    await expect(run([onlooker("no", { beside }), onlooker("ear")], work)).rejects.toThrow("not now");
    expect(log).toEqual(["ear begins", "ear ends Error: not now"]);
  });
});
