import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { ToolFailure } from "../../../core/words/result.ts";

export const MARKER = "TOOLGATE_PROCESS";
const TRUSTED_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
// named one by one: listing all variables of a process costs more than looking these up
const LET_THROUGH =
  "HOME USER LOGNAME LANG LANGUAGE TMPDIR TZ LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME".split(
    " ",
  );
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The dynamic loader obeys these before any program runs, so bubblewrap itself must not get them. */
export const LOADER = /^(?:LD_|DYLD_|GLIBC_TUNABLES$|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|HOSTALIASES$|RES_OPTIONS$)/;

/** Settings of git that a repository cannot override. */
function gitSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(Object.keys(settings).length) };
  for (const [index, [key, value]] of Object.entries(settings).entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

/** A folder that merely looks like a repository must not make git run programs. */
const GIT_ALWAYS = { "safe.bareRepository": "explicit", "core.fsmonitor": "false" } as const;

/** For a read-only command: git starts no program that a repository names, and writes nothing as a side effect. */
const LOOKING: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  npm_config_ignore_scripts: "true",
  npm_config_update_notifier: "false",
  npm_config_logs_max: "0",
  // npm makes the folder that the project's own settings name
  npm_config_cache: "/dev/null",
  // older versions ask for newer ones when they list packages
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  ...gitSettings({
    ...GIT_ALWAYS,
    "core.hooksPath": "/dev/null",
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.askPass": "true",
    "credential.helper": "",
    "protocol.allow": "never",
    "log.showSignature": "false",
    // what a command shows of the history was judged by its words
    "log.follow": "false",
    "diff.submodule": "short",
    "stash.showPatch": "false",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
  }),
};
const HELPERS = /^(?:GIT_(?:EXTERNAL_DIFF|SSH|PROXY_COMMAND|ASKPASS|TRACE.*|CONFIG.*)|LESSOPEN|LESSCLOSE)$/;

/** Nothing may wait for a person: no pager, no editor, no password prompt, no colours. */
const UNATTENDED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  SHELL: "/bin/bash",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  ...gitSettings(GIT_ALWAYS),
};

/** Folders of the workspace, and relative ones, must not decide which program a name means. */
function trustedPath(given: string | undefined, roots: readonly string[]): string {
  const folders = (given ?? "")
    .split(":")
    .filter((each) => path.isAbsolute(each) && !isWithinAny(path.normalize(each), roots));
  return folders.length > 0 ? folders.join(":") : TRUSTED_PATH;
}

/** Without a network, retries take half a minute and change nothing. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: "0",
  PIP_RETRIES: "0",
  CARGO_NET_RETRY: "0",
  BUNDLE_RETRY: "0",
};

export type Surroundings = {
  host: NodeJS.ProcessEnv;
  passEnv: readonly string[];
  roots: readonly string[];
  bash: string;
  /** There is no network. */
  offline?: boolean;
  /** An empty, writable folder in the sandbox. */
  temporary?: string;
};

/** The environment of a command: an allow-list from the host, the unattended settings, and what the call names. */
export function environmentOf(
  { host, passEnv, roots, bash, offline, temporary }: Surroundings,
  asked: Readonly<Record<string, string>> = {},
  onlyLooks = false,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of [...LET_THROUGH, ...passEnv]) {
    const value = Object.hasOwn(host, name) ? host[name] : undefined;
    if (value !== undefined) env[name] = value;
  }
  if (!passEnv.includes("PATH")) env.PATH = trustedPath(host.PATH, roots);
  Object.assign(env, UNATTENDED, offline ? OFFLINE : {}, { SHELL: bash });
  if (temporary !== undefined) env.TMPDIR = temporary;
  for (const [name, value] of Object.entries(asked)) {
    if (!NAME.test(name) || value.includes("\0") || name === MARKER)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${JSON.stringify(name.slice(0, 80))} cannot be set as an environment variable.`,
        "Use letters, digits and _ in names, and no NUL in values.",
      );
    env[name] = value;
  }
  if (!onlyLooks) return env;
  // caches go to the temporary folder, because writing them fails if the home folder is part of the workspace
  const caches = temporary && { XDG_CACHE_HOME: temporary, npm_config_cache: `${temporary}/npm` };
  return { ...withoutHelpers(env), ...LOOKING, ...caches };
}

const withoutHelpers = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !HELPERS.test(name)));
