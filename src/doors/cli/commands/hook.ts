import { clients } from "../../hook/clients.ts";
import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { setUp } from "../lib/hook-setup.ts";
import { suggestion } from "../lib/suggestion.ts";

const VERBS = ["install", "uninstall"] as const;

/** Sets up the hook of another agent. The hook itself has its own main: see toolgate.ts. */
export const run: Command = async (invocation) => {
  const [word = ""] = invocation.words;
  const verb = VERBS.find((each) => each === word);
  if (verb) return setUp(invocation, verb);
  throw new UsageFailure(
    word === "" ? "toolgate hook needs a client." : `toolgate hook has no client ${word}.`,
    suggestion(word, [...VERBS, ...Object.keys(clients)]) ?? "A person sets it up once: toolgate hook install CLIENT.",
  );
};
