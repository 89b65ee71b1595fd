import { commandsOf, nameOf } from "./command-words.ts";

const SAYS_NO_NETWORK =
  /could(?: not|n't) resolve|failure in name resolution|network is unreachable|\bE(?:NOTFOUND|AI_AGAIN|NETUNREACH)\b|name or service not known|no such host|failed to lookup address|unable to resolve|nodename nor servname|unable to access 'https?:/i;
const SAYS_REFUSED = /connection refused|\bECONNREFUSED\b|failed to connect to (?:localhost|127\.|::1)/i;

/** Useless without a network, and some of them say nothing about it. */
const FETCHES = /^(?:curl|wget|ping|nc|telnet|ftp|ssh|scp|rsync|aria2c)$/;
/** By the subcommand; undefined means always. */
const INSTALLS: Readonly<Record<string, RegExp | undefined>> = {
  ...Object.fromEntries(
    ["npm", "pnpm", "yarn", "bun"].map((name) => [
      name,
      /^(?:i|install|ci|add|update|up|upgrade|view|info|publish|outdated|audit|create|dlx|search|exec|x)?$/,
    ]),
  ),
  ...Object.fromEntries(
    ["pip", "pip3", "uv", "gem", "brew"].map((name) => [name, /^(?:install|download|add|sync|pip)$/]),
  ),
  ...Object.fromEntries(["apt", "apt-get", "apk", "dnf"].map((name) => [name, /^(?:install|update|upgrade|add)$/])),
  ...Object.fromEntries(
    ["poetry", "bundle", "composer"].map((name) => [name, /^(?:install|update|add|require|lock)?$/]),
  ),
  cargo: /^(?:fetch|install|add|update|search|publish|build|check|test|run|clippy)$/,
  go: /^(?:get|mod|install|build|test|run)$/,
  docker: /^(?:pull|push|build|run|login)$/,
  git: /^(?:clone|fetch|pull|push|ls-remote)$/,
  npx: undefined,
  bunx: undefined,
  mvn: undefined,
  gradle: undefined,
};

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i;
/** The hosts in the URLs of a command line. */
const hostsIn = (line: string): string[] =>
  [...line.matchAll(/\bhttps?:\/\/(?:[^\s/@'"]*@)?(\[[^\]\s]*\]|[^\s/:'"?#]+)/gi)].map(([, host = ""]) => host);

const fetches = (words: readonly string[]): boolean =>
  FETCHES.test(nameOf(words)) || (nameOf(words) === "git" && isInstalling(words));

function isInstalling(words: readonly string[]): boolean {
  const name = nameOf(words);
  if (!Object.hasOwn(INSTALLS, name)) return false;
  const verb = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  return INSTALLS[name]?.test(verb) ?? true;
}

export type Said = {
  stdout: string;
  stderr: string;
  succeeded: boolean;
  /** For example by a time limit. */
  stopped: boolean;
  /** Its output may well be the text of a file. */
  onlyLooks: boolean;
};

/**
 * Whether a command that ran without a network needed one: the outside, or a server on this machine. Judged by its
 * output, or, for programs that say nothing or whose exit code was hidden (`|| true`, `| tail`), by what it is.
 */
export function missedNetwork(line: string, said: Said): "outside" | "loopback" | undefined {
  const commands = commandsOf(line);
  const hosts = hostsIn(line);
  const isLocal = hosts.length > 0 && hosts.every((host) => LOOPBACK.test(host));
  const wants = commands.some((words) => fetches(words) || isInstalling(words));
  const all = `${said.stderr}\n${said.stdout}`;
  if (isLocal) return SAYS_REFUSED.test(all) || isSilentFailure(commands, said) ? "loopback" : undefined;
  const complains = SAYS_NO_NETWORK.test(said.succeeded && said.onlyLooks && !wants ? said.stderr : all);
  const fails = said.stopped ? wants : isSilentFailure(commands, said);
  const isCertain = hosts.length > 0 && commands.some(fetches);
  if (complains || fails || isCertain) return "outside";
  return !said.succeeded && SAYS_REFUSED.test(all) ? "loopback" : undefined;
}

const isSilentFailure = (commands: readonly string[][], { succeeded, stdout, stderr }: Said): boolean =>
  !succeeded && `${stdout}${stderr}`.trim() === "" && commands.some(fetches);
