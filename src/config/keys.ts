import { agents } from "./keys/agents.ts";
import { commands } from "./keys/commands.ts";
import { general } from "./keys/general.ts";
import { guardrails } from "./keys/guardrails.ts";
import { hooks } from "./keys/hooks.ts";
import { rules } from "./keys/rules.ts";
import { security } from "./keys/security.ts";
import { servers } from "./keys/servers.ts";
import { skills } from "./keys/skills.ts";
import { web } from "./keys/web.ts";
import { workspace } from "./keys/workspace.ts";

/** Every key, as it is written. A new one is a row in `keys/`, and code that enforces it. */
export const KEYS = {
  ...{ ...general, ...workspace, ...commands, ...security, ...guardrails, ...rules, ...hooks, ...web },
  ...servers,
  ...{ ...skills, ...agents },
};
