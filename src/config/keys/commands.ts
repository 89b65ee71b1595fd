import { allowsOnly, forbids, harmless, ladder, limit, opens, permission, restriction } from "../restrictions.ts";
import { row } from "../row.ts";
import { names, oneOf, regularExpressions, size, wholeNumber, yesOrNo } from "../value-kinds.ts";

/** From the strictest to the loosest. */
export const SANDBOXES = ["required", "auto", "off"] as const;

export const commands = {
  "commands.enabled": row({
    says: "`false`: the tools that run commands do not exist. `--no-commands`, `--allow-commands` and `open({ commands })` say it for one run.",
    kind: yesOrNo,
    default: true,
    rule: permission,
    to: "commands.enabled",
  }),
  "commands.default_timeout": row({
    says: "Time limit in seconds of a call that names none.",
    kind: wholeNumber,
    default: 30,
    rule: harmless,
    to: "commands.defaultTimeout",
  }),
  "commands.max_output_lines": row({
    says: "Lines of output that a model is shown.",
    kind: wholeNumber,
    default: 200,
    rule: harmless,
    to: "commands.maxOutputLines",
  }),
  "commands.blocked_patterns": row({
    says: "Regular expressions that ignore case; a command line that matches one is refused in every mode. They catch mistakes, not somebody who wants to get around them.",
    kind: regularExpressions,
    default: [],
    rule: forbids,
    to: "commands.blockedPatterns",
  }),
  "commands.safe_commands": row({
    says: "Command prefixes that count as `safe`: they run unasked and pass `allowed_only`. What is blocked stays blocked.",
    kind: names("beginnings of commands"),
    default: [],
    rule: opens,
    to: "commands.safeCommands",
  }),
  "commands.allowed_only": row({
    says: "Refuses commands of the class `dangerous`.",
    kind: yesOrNo,
    default: false,
    rule: restriction,
    to: "commands.allowedOnly",
  }),
  "commands.allowlist": row({
    says: "Only these programs; substitutions, backticks and more than one line are refused.",
    kind: names("names of programs"),
    default: undefined,
    rule: allowsOnly,
    to: "commands.allowlist",
  }),
  "commands.sandbox": row({
    says: "`auto` uses bubblewrap where it works: see [Sandbox](sandbox.md).",
    kind: oneOf(SANDBOXES),
    default: "auto",
    rule: ladder(SANDBOXES),
    to: "commands.sandbox",
  }),
  "commands.network": row({
    says: "Whether commands in the sandbox can reach the network.",
    kind: yesOrNo,
    default: false,
    rule: permission,
    to: "commands.network",
  }),
  "commands.max_memory": row({
    says: "The memory limit of each process in the sandbox: see [Sandbox](sandbox.md#memory).",
    kind: size,
    default: undefined,
    rule: limit,
    to: "commands.maxMemory",
  }),
  "commands.env": row({
    says: "Environment variables of this process that commands see too.",
    kind: names("names of variables"),
    default: [],
    rule: opens,
    to: "commands.passEnv",
  }),
};
