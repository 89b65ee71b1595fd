import type { Ear, Onlooker, RunEnd } from "../core/contracts/step.ts";
import type { Ready } from "../core/words/ready.ts";
import { Ending } from "../core/words/result.ts";
import { isPathTouch, type Touch } from "../core/words/touch.ts";
import { type Trouble, troubleIn, troubleOf } from "../core/words/trouble.ts";

const MOST_FAILURES = 5;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;
const MOST_CIRCUITS = 1_000;

/** `until`: nobody tries before that time. `trying`: one call is finding out whether it works again. */
type Circuit = { failures: number; reason: string; rest: number; until?: number; trying?: boolean };

/**
 * Leaves alone for a while what has failed repeatedly, then tries it once. Only for services outside: a missing file or
 * a failed command says nothing about the next one.
 */
export function circuitBreaker(): Onlooker {
  const circuits = new Map<string, Circuit>();

  const failed = (key: string, reason: string, now: number): void => {
    const circuit = circuits.get(key) ?? { failures: 0, reason, rest: FIRST_REST_MS };
    circuits.delete(key);
    circuits.set(key, circuit);
    if (circuits.size > MOST_CIRCUITS) circuits.delete(circuits.keys().next().value as string);
    circuit.failures += 1;
    circuit.reason = reason;
    if (circuit.failures < MOST_FAILURES) return;
    if (circuit.until !== undefined) circuit.rest = Math.min(circuit.rest * 2, LONGEST_REST_MS);
    circuit.until = now + circuit.rest;
  };

  const ear: Ear = {
    hear(end, { ready, clock }) {
      const trouble = "error" in end ? troubleOf(end.error) : troubleIn(end.result);
      const key = keyOf(ready);
      if (counts(trouble)) failed(key, messageOf(end), clock.ticks());
      else if ("result" in end) circuits.delete(key);
    },
  };

  /** Whoever tried it ends the trial. */
  const endingTrial = (circuit: Circuit): Ear => ({
    hear(end, running) {
      ear.hear(end, running);
      circuit.trying = false;
    },
  });

  return {
    name: "circuit-breaker",
    applies: ({ touches }) => touches.every(isElsewhere),
    beside({ ready, clock }) {
      const circuit = circuits.get(keyOf(ready));
      if (!circuit) return ear;
      if (circuit.until !== undefined) {
        const left = circuit.until - clock.ticks();
        if (left > 0 || circuit.trying) throw open(ready, circuit, left);
        circuit.trying = true;
      }
      return endingTrial(circuit);
    },
  };
}

const isElsewhere = (touch: Touch): boolean => !isPathTouch(touch) && touch.action !== "run";

function messageOf(end: RunEnd): string {
  if ("result" in end) return end.result.error?.message ?? "";
  return end.error instanceof Error ? end.error.message : "";
}

const counts = (trouble: Trouble | undefined): boolean => trouble !== undefined && trouble !== "INTERNAL";

/** A host that is down says nothing about another one. */
function keyOf({ tool, touches }: Ready): string {
  let key = tool.name;
  for (const touch of touches) if (touch.action === "fetch") key += ` ${hostOf(touch.url)}`;
  return key;
}

const hostOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? url;

const open = ({ tool }: Ready, { failures, reason }: Circuit, left: number) =>
  new Ending(
    "failed",
    "RATE_LIMITED",
    `${tool.name} has failed ${failures} times in a row (${reason}), so it is not tried again for ${Math.max(1, Math.ceil(left / 1000))} s.`,
    "Do something else first. After that time one call finds out whether it works again.",
    { metadata: { circuit: "open", retryInMs: Math.max(0, Math.round(left)) } },
  );
