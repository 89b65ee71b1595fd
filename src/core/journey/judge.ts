import type { Facts, Policy } from "../contracts/policy.ts";
import type { Ready } from "../words/ready.ts";
import type { Answer, Verdict } from "../words/verdict.ts";

const SILENCE: Verdict = { answer: "ask", by: "silence", reason: "no policy said that it may" };

const ANSWERS: readonly unknown[] = ["allow", "ask", "deny"] satisfies Answer[];

/** A policy that throws, or that says something nobody understands, has said no. */
function opinion(policy: Policy, ready: Ready, facts: Facts): Verdict | undefined {
  try {
    const verdict = policy.judge(ready, facts) ?? undefined;
    if (verdict === undefined || ANSWERS.includes(verdict.answer)) return verdict;
    return failed(policy, `it answered ${String(verdict.answer)}`);
  } catch (error) {
    return failed(policy, error instanceof Error ? error.message : "it threw no error");
  }
}

const failed = ({ name }: Policy, why: string): Verdict => ({
  answer: "deny",
  by: name,
  reason: `the policy failed: ${why}`,
});

/** The stricter one; of two equally strict ones the first, and a firm ask before one that a grant can answer. */
function stricter(a: Verdict | undefined, b: Verdict): Verdict {
  if (a === undefined) return b;
  if (a.answer === b.answer) return a.answer === "ask" && a.grantable && !b.grantable ? b : a;
  if (a.answer === "deny" || b.answer === "allow") return a;
  return b;
}

/** Deny before ask before allow; silence of all means ask. */
export function judge(policies: readonly Policy[], ready: Ready, facts: Facts): Verdict {
  let verdict: Verdict | undefined;
  let exclude: string[] | undefined;
  for (const policy of policies) {
    const found = opinion(policy, ready, facts);
    if (found === undefined) continue;
    verdict = stricter(verdict, found);
    if (found.exclude?.length) exclude = [...(exclude ?? []), ...found.exclude];
  }
  verdict ??= SILENCE;
  return exclude ? { ...verdict, exclude } : verdict;
}
