import { isRecord } from "../../../core/words/route.ts";
import type { Reading } from "../../../core/words/tool.ts";
import { as, COMMENTS, noEffect, onlyAs, type Readings, refuse, textsIn, unpacked, yes } from "./readings.ts";

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/;
const SCRIPT_NEXT = /^-[a-z]*c$/;

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Names that other clients use for the arguments of a command. */
export const COMMAND_ARGS = {
  command: ["cmd", "script", "shell_command", "command_line", "bash", "sh", "input"],
  cwd: ["workdir", "working_directory", "dir", "directory", "dir_path"],
  background: ["run_in_background", "is_background"],
} as const;

/** The script of `bash -lc script`; undefined if the words are anything else. */
export function scriptOf(words: readonly string[]): string | undefined {
  const [program = "", option = "", script] = words;
  return words.length === 3 && SHELL.test(program) && SCRIPT_NEXT.test(option) ? script : undefined;
}

/** A list of words as a command line. */
const lineOf = (words: readonly string[]): string => scriptOf(words) ?? words.map(quoted).join(" ");

/** A command line, or a program and its arguments as a list. */
const command: Reading = (value) => {
  const words = Array.isArray(value) ? textsIn(value) : undefined;
  return { command: words ? lineOf(words) : value };
};

/** The same under another name. */
const cmd: Reading = (value, args) => {
  if (args.command === undefined || args.command === value) return command(value, args);
  return "command was sent too, and differs from it";
};

/** Several lines run one after the other. */
const commands: Reading = (value) => {
  const lines = textsIn(value);
  return lines ? { command: lines.join("\n") } : "it must be a list of commands";
};

/** The object that model providers wrap around a command. */
const action: Reading = (value) => {
  const given = unpacked(value);
  if (!isRecord(given)) return "it must be an object";
  const { type, user, command: words, commands: lines, working_directory, timeout_ms, env } = given;
  if (type !== undefined && type !== "exec") return `its type must be exec, not ${String(type)}`;
  if (user !== undefined && user !== null) return "user: commands run as the user of this gate";
  const meant = lines === undefined || lines === null ? command(words, {}) : commands(lines, {});
  if (typeof meant === "string") return meant;
  return {
    ...meant,
    ...(working_directory ? { cwd: working_directory } : {}),
    ...(timeout_ms ? { timeout_ms } : {}),
    ...(env ? { env } : {}),
  };
};

const SANDBOX = "a call cannot leave the sandbox; a person can change it in the configuration (commands.sandbox)";

export const commandReadings: Readings = {
  ...COMMENTS,
  description: as("description"),
  explanation: as("description"),
  justification: as("description"),
  command,
  cmd,
  commands,
  action,
  user: refuse("commands run as the user of this gate"),
  shell: onlyAs(["bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash"], "commands run in bash"),
  tty: onlyAs([false, "false"], "commands have no terminal"),
  restart: onlyAs([false, "false"], "every command starts in a new shell, so there is nothing to restart"),
  sandbox_permissions: onlyAs(["use_default"], SANDBOX),
  with_escalated_permissions: onlyAs([false, "false"], SANDBOX),
  dangerouslyDisableSandbox: onlyAs([false, "false"], SANDBOX),
  mode: (value) => (value === "sync" ? {} : value === "async" ? { background: true } : "it must be sync or async"),
  detach: as("background", yes),
  blocking: (value) => ({ background: !yes(value) }),
  // how long a client waits before it moves on, and what only its own screen needs
  login: noEffect,
  yield_time_ms: noEffect,
  initial_wait: noEffect,
  wait_ms_before_async: noEffect,
  delay_ms: noEffect,
  shell_id: noEffect,
  prefix_rule: noEffect,
  requires_approval: noEffect,
  require_user_approval: noEffect,
  safe_to_auto_run: noEffect,
  // the configuration decides how many lines of output are shown
  max_output_tokens: noEffect,
  max_output_length: noEffect,
};

export const processReadings: Readings = {
  ...COMMENTS,
  session_id: as("id", String),
  pid: as("id", String),
  delay: noEffect,
  delay_ms: noEffect,
  block: noEffect,
  yield_time_ms: noEffect,
  max_output_tokens: noEffect,
  filter: refuse("the output is not filtered; search it afterwards"),
};
