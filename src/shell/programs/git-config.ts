import { upTo } from "../blanks.ts";
import { has, looks, type Parsed, type Program } from "./program.ts";

/** Settings for the look of output or the author of commits, which run nothing and send nothing anywhere. */
const HARMLESS =
  /^(?:user\.(?:name|email)|color\..+|column\..+|advice\..+|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|abbrev|whitespace|safecrlf)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash)|fetch\.prune|diff\.(?:algorithm|renames|mnemonicprefix)|log\.date|status\.\w+|branch\.(?:sort|autosetuprebase)|tag\.sort|rerere\.enabled|commit\.verbose)$/i;
const isHarmlessKey = (key: string): boolean => HARMLESS.test(key);

/** No pager, no signature, no background work: these values only leave something out. */
const LEAVES_OUT =
  /^(?:(?:core\.pager|pager\.\w+)=(?:cat|false)?|(?:core\.fsmonitor|(?:commit|tag|log)\.(?:gpgsign|showsignature)|gc\.auto|maintenance\.auto)=(?:false|0))$/i;

/** A setting in front of a verb: `-c color.ui=never`. */
export const isHarmlessSetting = (setting: string): boolean =>
  LEAVES_OUT.test(setting) || isHarmlessKey(upTo("=", setting));

const GETS = ["--get", "--get-all", "--get-regexp"] as const;
const READING_OPTION =
  /^(?:-z|--(?:all|regexp|local|global|system|worktree|show-origin|show-scope|show-names|name-only|null|type=.*|default=.*))$/;
const READS = /^(?:list|get)$/;
const SETS = /^(?:set|unset)$/;

const looksUp = (parsed: Parsed): boolean => {
  const { operands } = parsed;
  if (has(parsed, ...GETS)) return operands.length === 1 || operands.length === 2;
  if (has(parsed, "-l", "--list")) return operands.length === 0;
  const [verb, ...words] = operands.map(({ text }) => text);
  const rest = words.filter((word) => !READING_OPTION.test(word));
  if (verb === "get") return rest.length === 1 && !rest[0]?.startsWith("-");
  if (verb === "list") return rest.length === 0;
  return operands.length === 1 && operands.every(({ text }) => /^[\w-]+\.[\w.-]+$/.test(text));
};

/** Whether it reads, or sets something harmless. When in doubt, false. */
const isHarmless = (parsed: Parsed): boolean => {
  if (looksUp(parsed) && parsed.unknown === undefined) return true;
  const [first, ...rest] = parsed.operands.map(({ text }) => text);
  if (first === undefined || READS.test(first)) return parsed.unknown === undefined;
  return isHarmlessKey((SETS.test(first) ? rest[0] : first) ?? "");
};

/** `git config`: reading is harmless, but a value that is set may be a command or a URL. */
export const gitConfig: Program = looks(
  "-l -z --list --get --get-all --get-regexp --local --global --system --show-origin --show-scope --name-only --type= --null --all --regexp --default=",
  "text*",
  {
    // behind the key every word is its value, whatever it looks like
    stops: true,
    objection: (parsed) => (looksUp(parsed) ? undefined : "it sets the configuration"),
    risk: "low",
    more: (parsed) => (isHarmless(parsed) ? [] : [["write", ".git/config"]]),
  },
);

const FORMATS: ReadonlySet<string> = new Set(["--format", "--pretty", "--sort"]);

/** `%G?`, `%(signature)`: git checks signatures with a program that the configuration names. `%(raw)`: all of an object. */
export const verifies = ({ options }: Parsed): string | undefined => {
  const formats = options.filter(({ name }) => FORMATS.has(name));
  if (formats.length === 0) return undefined;
  const has = (pattern: RegExp): boolean => formats.some(({ value }) => pattern.test(value?.text ?? ""));
  if (has(/%G|signature/)) return "it runs a program to verify signatures";
  return has(/%\(\*?raw/) ? "it prints whole objects, which may be files" : undefined;
};
