import type { Gate } from "../../../core/gate.ts";
import type { Model } from "../../../crew.ts";
import { countTokens } from "../../../text/tokens.ts";
import { knownAgent, runAgent, withAgent } from "../lib/agent-run.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { modelOf } from "../lib/model-of.ts";
import { sessionNamed } from "../lib/session-named.ts";
import { documentOf, print } from "../lib/terminal.ts";

const NONE: Model = { name: "none", turn: () => Promise.reject(new Error("no model")) };
const GO_ON = "Go on where you stopped.";

/** Runs a model against the gate. */
export const run: Command = async (invocation) => {
  const { values, flags, json, words } = invocation;
  const given = words.join(" ").trim();
  const shows = flags.has("show-prompt");
  if (given === "" && !shows && values.resume === undefined)
    throw new UsageFailure(
      "toolgate run needs a task.",
      'For example: toolgate run "fix the failing test" --model script:FILE',
    );
  const limits = limitsOf(invocation);
  const before = values.resume === undefined ? undefined : await sessionNamed(invocation, values.resume);
  const model = (await modelOf(invocation)) ?? (shows ? NONE : whichModel());
  const agent = values.agent ?? before?.agent ?? "build";
  if (!shows)
    return runAgent(invocation, {
      ...{ model, agent, limits, tasks: [given || GO_ON] },
      ...(before && { resume: before.id }),
    });
  return withAgent(invocation, { model }, async (gate, crew) => {
    knownAgent(crew, agent);
    return showPrompt(gate, await crew.prompt(agent, gate), json);
  });
};

function whichModel(): never {
  throw new UsageFailure(
    "No model is named.",
    "Give --model MODEL, or set TOOLGATE_MODEL or model in toolgate.yaml. For example: --model openai-compatible/qwen3 --base-url http://localhost:11434/v1",
  );
}

function limitsOf({ values }: Invocation) {
  const count = (name: string): number | undefined => {
    const written = values[name];
    if (written === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(written))
      throw new UsageFailure(`--${name} must be a whole number, 1 or more.`, `For example --${name} 20.`);
    return Number(written);
  };
  const cost = values["max-cost"];
  if (cost !== undefined && !/^(?=.*[1-9])\d{1,9}(?:\.\d{1,6})?$/.test(cost))
    throw new UsageFailure("--max-cost must be a number above 0.", "For example --max-cost 0.50.");
  const [steps, seconds, tokens] = [count("max-steps"), count("max-seconds"), count("max-tokens")];
  return {
    ...(steps !== undefined && { steps }),
    ...(seconds !== undefined && { seconds }),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { cost: Number(cost) }),
  };
}

async function showPrompt(gate: Gate, prompt: string, json: boolean): Promise<number> {
  const tools = countTokens(JSON.stringify(gate.schemas()));
  const tokens = countTokens(prompt);
  await print(
    json ? documentOf({ prompt, tokens, tools }) : `${prompt}\n\nAbout ${tokens} tokens, and ${tools} for the tools.\n`,
  );
  return 0;
}
