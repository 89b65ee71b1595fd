import { appendFile, writeFile } from "node:fs/promises";
import type { Gate } from "../../../core/gate.ts";
import type { LoopEvent, Model, Outcome } from "../../../crew.ts";
import { countTokens } from "../../../text/tokens.ts";
import { terminalApprover } from "../lib/asking.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { interruption } from "../lib/interruption.ts";
import { openingOf, withGate } from "../lib/opening.ts";
import { isInteractive } from "../lib/person.ts";
import { colours, documentOf, print, visible, visibleOnTerminal } from "../lib/terminal.ts";

/** A model, the gate, and nothing else in between. */
export const run: Command = async (invocation) => {
  const { values, flags, json, words } = invocation;
  const task = words.join(" ").trim();
  if (task === "" && !flags.has("show-prompt"))
    throw new UsageFailure(
      "toolgate run needs a task.",
      'For example: toolgate run "fix the failing test" --model script:FILE',
    );
  const steps = countOf(invocation, "max-steps");
  const seconds = countOf(invocation, "max-seconds");
  const model = await modelOf(invocation);
  const opening = openingOf(invocation);
  const asks = !json && isInteractive();
  const options = {
    ...opening,
    model,
    ...(flags.has("dry-run") && { dryRun: true }),
    ...(flags.has("plan") && { plan: true }),
    ...(asks && { approve: terminalApprover({ signal: interruption() }) }),
  };
  return withGate(options, async (gate, signal) => {
    const { crewAt } = await import("../../../crew.ts");
    const crew = await crewAt(opening.workspace, model, gate.registry);
    const agent = values.agent ?? "build";
    if (!crew.definitions.some(({ name }) => name === agent))
      throw new UsageFailure(
        `There is no agent named ${agent}.`,
        `The agents are ${crew.definitions.map(({ name }) => name).join(", ")}.`,
      );
    if (flags.has("show-prompt")) return showPrompt(gate, crew.prompt(agent), json);
    const outcome = await crew.lead({
      ...{ gate, agent, task, signal },
      limits: { ...(steps !== undefined && { steps }), ...(seconds !== undefined && { seconds }) },
      ...(!json && { heard: teller() }),
    });
    await tellOutcome(outcome, gate, json);
    return signal.aborted ? 130 : outcome.finished ? 0 : 1;
  });
};

function countOf({ values }: Invocation, name: string): number | undefined {
  const written = values[name];
  if (written === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(written))
    throw new UsageFailure(`--${name} must be a whole number from 1.`, `For example --${name} 20.`);
  return Number(written);
}

async function modelOf({ values, flags }: Invocation): Promise<Model> {
  const named = values.model ?? process.env.TOOLGATE_MODEL;
  if (named === undefined && flags.has("show-prompt"))
    return { name: "none", turn: () => Promise.reject(new Error("no model")) };
  if (named === undefined)
    throw new UsageFailure(
      "Which model? None is named.",
      "Give --model openai-compatible/NAME --base-url URL (Ollama, LM Studio, vLLM, OpenRouter …), or --model script:FILE; TOOLGATE_MODEL is a default.",
    );
  const { modelNamed } = await import("../../../crew.ts");
  const model = await modelNamed(named, {
    ...(values["base-url"] && { baseUrl: values["base-url"] }),
    env: process.env,
  }).catch((error: Error) => {
    throw new UsageFailure(error.message, "`toolgate run --help` shows how a model is named.");
  });
  return values.record ? recorded(model, values.record) : model;
}

/** Writes what the model says to a script, which plays it again. */
async function recorded(model: Model, file: string): Promise<Model> {
  const { scriptLine } = await import("../../../crew.ts");
  await writeFile(file, "", { flag: "wx" }).catch((error: { code?: string }) => {
    throw new UsageFailure(`${file} cannot be written (${error.code}).`, "Give a file that does not exist yet.");
  });
  return {
    name: model.name,
    async turn(request) {
      const turn = await model.turn(request);
      await appendFile(file, scriptLine(turn));
      return turn;
    },
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

/** Text as it comes, and a line for each call. */
function teller(): (event: LoopEvent) => void {
  const paint = colours();
  const show = (text: string): void => void process.stdout.write(process.stdout.isTTY ? visibleOnTerminal(text) : text);
  let isOpen = false;
  return (event) => {
    if (event.type === "text") {
      show(event.text);
      isOpen = !event.text.endsWith("\n");
      return;
    }
    if (isOpen) process.stdout.write("\n");
    isOpen = false;
    if (event.type === "note") process.stderr.write(`${event.text}\n`);
    if (event.type === "results")
      for (const [index, { title, status, error }] of event.results.entries()) {
        const name = visible(event.calls[index]?.name ?? "");
        const end = error ? paint.red(`${status}: ${visible(error.message)}`) : visible(title);
        process.stdout.write(`${paint.dim("·")} ${paint.bold(name)} ${end}\n`);
      }
  };
}

async function tellOutcome(outcome: Outcome, gate: Gate, json: boolean): Promise<void> {
  const { output, finished, stopped, turns, usage } = outcome;
  if (json)
    await print(documentOf({ finished, output, ...(stopped && { stopped }), turns, usage, session: gate.sessionID }));
  else if (!finished) process.stderr.write(`Not finished: ${visible(stopped ?? "it stopped")}\n`);
}
