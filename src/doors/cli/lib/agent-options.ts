import { type CommandHelp, commandsOrNot, yes } from "./option.ts";

export const agentCommands: Readonly<Record<string, CommandHelp>> = {
  run: {
    usage: 'run "TASK" --model MODEL [--base-url URL] [--agent NAME]\nrun --resume ID ["TASK"] …',
    summary: "run an agent on this workspace",
    about: `MODEL is one of
  openai-compatible/NAME  with --base-url: Ollama, LM Studio, vLLM, OpenRouter …
  openai/NAME, anthropic/NAME, google/NAME
  script:FILE             replays recorded turns, offline

The key comes from OPENAI_API_KEY, ANTHROPIC_API_KEY and so on.
Exit status: 0 if the agent finished, 1 if it did not, 130 if a person stopped it.`,
    options: {
      model: { value: "MODEL", about: "default: TOOLGATE_MODEL, then model in toolgate.yaml" },
      "base-url": { value: "URL", about: "where the model is served (default: OPENAI_BASE_URL)" },
      "api-key-env": {
        value: "NAME",
        about: "the environment variable that holds the key",
      },
      agent: { value: "NAME", about: "build (default), plan, explore, review, test, or one of .toolgate/agents" },
      resume: { value: "ID", about: "continue a session: its id, a prefix of it, or last" },
      record: { value: "FILE", about: "save the model's turns as a script for --model script:FILE" },
      "max-steps": { value: "N", about: "stop after this many turns of the model (default: 50)" },
      "max-seconds": { value: "N", about: "stop after this many seconds" },
      "max-tokens": { value: "N", about: "stop after this many tokens" },
      "max-cost": { value: "N", about: "stop at this cost, if prices are known" },
      "dry-run": { about: "show what would change, but change nothing" },
      plan: { about: "collect changes in a plan instead of making them" },
      ...commandsOrNot,
      "show-prompt": { about: "print the system prompt and its size in tokens" },
    },
    examples: [
      'toolgate run "fix the failing test" --model openai-compatible/qwen3 --base-url http://localhost:11434/v1',
      'toolgate run "what does this project do?" --agent explore --model script:session.jsonl',
    ],
  },
  sessions: {
    usage: "sessions [show ID | export ID | replay ID | remove ID]",
    summary: "list, show, export, replay or remove agent sessions",
    about: `ID may be a prefix; last is the newest session. replay takes the model's turns from
the record, while its calls are judged and run anew. To continue a session, use
toolgate run --resume ID.`,
    options: {
      format: {
        value: "FORMAT",
        choices: ["jsonl", "markdown", "script"],
        about: "export: jsonl (default), markdown, or script (for script:FILE)",
      },
      "dry-run": { about: "replay: show what would change, but change nothing" },
      plan: { about: "replay: collect changes in a plan instead of making them" },
      ...yes,
    },
    examples: ["toolgate sessions", "toolgate sessions show last", "toolgate sessions export last --format markdown"],
  },
};
