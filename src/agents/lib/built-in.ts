import type { AgentDefinition } from "../../core/contracts/agents.ts";

const LOOKING = ["read_file", "list_files", "search_code", "grep", "find_files"] as const;

/** Agents that always exist. A file of the same name replaces one, under the same ceiling. */
export const builtInAgents: readonly AgentDefinition[] = [
  {
    name: "build",
    description: "Does the whole work: reads, edits, runs commands.",
    prompt: "Do the task completely. Look before you change, and check what you did by running it.",
  },
  {
    name: "plan",
    description: "Looks, and writes a plan. Changes nothing.",
    prompt: "Look at what is there and write a plan: the steps in order, the files of each, and how to check it.",
    tools: LOOKING,
    autonomy: "readonly",
  },
  {
    name: "explore",
    description: "Finds out how something works. Changes nothing.",
    prompt: "Find the answer in the workspace. Name the files and lines that it rests on.",
    tools: LOOKING,
    autonomy: "readonly",
  },
  {
    name: "review",
    description: "Reads code and says what is wrong with it. Changes nothing.",
    prompt: "Review what you are asked to. Name each problem with its file, its line and why it matters; worst first.",
    tools: LOOKING,
    autonomy: "readonly",
  },
  {
    name: "test",
    description: "Runs tests and says what fails. Edits no file; dangerous commands are refused.",
    prompt: "Run the tests that matter and report what fails, with the messages that say why.",
    tools: [...LOOKING, "run_command"],
    // no Patch gate, because it would rule out tests: what they write is unknown, but journaled and named in the report
    commands: ["safe", "dev"],
  },
];
