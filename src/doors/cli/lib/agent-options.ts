import { type CommandHelp, yes } from "./option.ts";

export const agentCommands: Readonly<Record<string, CommandHelp>> = {
  run: {
    usage: 'run "TASK" --model MODEL [--base-url URL] [--agent NAME] [--resume ID]',
    summary: "an agent on this workspace: a model, the gate, and nothing in between",
    about: `A model is openai-compatible/NAME with --base-url URL (Ollama, LM Studio, vLLM, OpenRouter …), openai/NAME,
anthropic/NAME, google/NAME, or script:FILE, which plays recorded turns. Keys come from OPENAI_API_KEY and its like.
The exit status is 0 if the agent finished, 1 if it did not.`,
    options: {
      model: { value: "MODEL", about: "the model (default: TOOLGATE_MODEL, then model in toolgate.yaml)" },
      "base-url": { value: "URL", about: "where it is served (default: OPENAI_BASE_URL)" },
      "api-key-env": {
        value: "NAME",
        about: "the environment variable that holds the key (default: OPENAI_API_KEY …)",
      },
      agent: { value: "NAME", about: "build (default), plan, explore, review, test, or one of .toolgate/agents" },
      resume: { value: "ID", about: "go on with a session: its id, the beginning of it, or last" },
      record: { value: "FILE", about: "write what the model says to a script that plays it again" },
      "max-steps": { value: "N", about: "turns of the model at the most (default: 50)" },
      "max-seconds": { value: "N", about: "time at the most" },
      "max-tokens": { value: "N", about: "tokens at the most" },
      "max-cost": { value: "N", about: "cost at the most, where prices are known" },
      "dry-run": { about: "show what would change, change nothing" },
      plan: { about: "keep changes as a plan" },
      "show-prompt": { about: "print what the model is told first, with its tokens" },
    },
    examples: [
      'toolgate run "fix the failing test" --model openai-compatible/qwen3 --base-url http://localhost:11434/v1',
      'toolgate run "what does this project do?" --agent explore --model script:session.jsonl',
    ],
  },
  sessions: {
    usage: "sessions [show ID | export ID | replay ID | remove ID]",
    summary: "what agents did here: list it, read it, take it out, play it again",
    about: `ID may be the beginning of one; last is the newest. replay plays the model's part from the record: calls are
judged and made anew. To go on with a session: toolgate run --resume ID.`,
    options: {
      format: {
        value: "FORMAT",
        choices: ["jsonl", "markdown", "script"],
        about: "what export writes: jsonl (default), markdown, or a script for --model script:FILE",
      },
      "dry-run": { about: "replay: show what would change, change nothing" },
      plan: { about: "replay: keep changes as a plan" },
      ...yes,
    },
    examples: ["toolgate sessions", "toolgate sessions show last", "toolgate sessions export last --format markdown"],
  },
};
