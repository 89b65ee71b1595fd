import { walkAsQuoted, walkSubscript, walkText } from "./texts.ts";
import { blockedCommand, WORTH } from "./tried.ts";
import { awaitsTarget, refer, referred } from "./values.ts";
import { assign, doubt, UNKNOWN, type Walk } from "./walk.ts";

/** Variables whose value other programs run as a command. */
const RUN_BY_OTHERS =
  /^(?:(?:GIT_|MAN|SYSTEMD_|AWS_|BAT_|DELTA_)?PAGER|(?:GIT_|SVN_|HG|KUBE_|SUDO_|GIT_SEQUENCE_)?EDITOR|VISUAL|FCEDIT|BROWSER|GIT_(?:SSH|SSH_COMMAND|PROXY_COMMAND|EXTERNAL_DIFF|ASKPASS)|(?:SSH_|SUDO_)ASKPASS|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|FZF_\w*_COMMAND)$/;

/** Variables whose value build tools run, with more words behind it. */
const RUN_BY_BUILDS =
  /^(?:CC|CXX|CPP|LD|AR|AS|FC|MAKE|SHELL|(?:RUSTC|CMAKE_\w+)(?:_\w+)*_(?:WRAPPER|LAUNCHER)|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|npm_config_(?:script_shell|shell|editor|viewer|browser|git))$/i;

/** The shell expands these before it shows them. */
const PROMPTS = /^PS[0-4]$/;

/** The prefix that `less` expects before a command to read from. */
const MARKS = /^\|{1,2}-?/;

/** Names that only a script uses. Any other may be an environment variable that programs act on: PATH, LD_PRELOAD, PAGER. */
const OWN =
  /^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*|[A-Z]|DIR|FILES?|ITEM|LINE|NAME|WORD|FOO|BAR|BAZ|COUNT|TOTAL|ROOT|SRC|BRANCH|COMMIT|MSG|TEXT|NUM)$/;
const OBEYED_IN_LOWER_CASE = /_proxy$|^npm_/;
export const mayBeObeyed = (name: string): boolean => !OWN.test(name) || OBEYED_IN_LOWER_CASE.test(name);

/** Variables that only change how output looks: no value of theirs names a file or runs anything. */
const LOOKS =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI|VERBOSE|NODE_ENV|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|RUST_BACKTRACE|CARGO_TERM_COLOR|LS_COLORS|GREP_COLORS?|TIME_STYLE|BLOCK_SIZE|QUOTING_STYLE|GIT_TERMINAL_PROMPT|TZ)$/;
/** A locale or a time zone with a slash in it is a file. */
const LOOK = /^[\w.,:;=+@ -]*$/;
const PAGERS = /^(?:GIT_|MAN)?PAGER$/;

/** For later commands, these have the same effect as a change to git's configuration. */
export const setsGit = (name: string): boolean =>
  /^GIT_(?:CONFIG|DIR$|COMMON_DIR$|EXEC_PATH$|TEMPLATE_DIR$)/.test(name);
/** Where git looks for a person's own configuration. */
export const leadsGit = (name: string): boolean => name === "HOME" || name === "XDG_CONFIG_HOME";

/** Whether the assignments change at most how output looks. */
export const isLook = (name: string, value: string): boolean => {
  if (PAGERS.test(name)) return value === "" || value === "cat";
  if (name === "GIT_OPTIONAL_LOCKS") return value === "0";
  return LOOKS.test(name) && LOOK.test(value) && !(name === "TZ" && value.startsWith(":"));
};

/** Old shells take such a value for a function and run the text after it. */
const FUNCTION = /^\s*\(\)/;

/** Whether setting a variable for one command leaves what it does unchanged. */
export const isHarmlessFor = (program: string, name: string, value: string): boolean =>
  (!mayBeObeyed(name) && !FUNCTION.test(value)) || (name === "IFS" ? program === "read" : isLook(name, value));

const NAME = /^[A-Za-z_]\w*$/;
/** Sets a variable as the line does. A value that other programs would run is judged as a command. */
export const setVariable = (walk: Walk, name: string, text: string): void => {
  if (awaitsTarget(name, walk) && NAME.test(text)) {
    refer(walk, name, text);
    // older shells have no references, and take this for a value
    walk.scope.variables?.set(text, [...(walk.scope.variables.get(text) ?? [UNKNOWN]), text]);
    walkValue(walk, name, text);
    return;
  }
  const meant = referred(name, walk);
  assign(walk, meant, text);
  walkValue(walk, meant, text);
};

/** `x='a[$(…)]'`: arithmetic, subscripts, `${!x}` and `declare -i` would run it: too many ways to follow each. */
const runsAsSubscript = (text: string): boolean => {
  const at = text.search(/\w\[/);
  return at >= 0 && /\$\\*\(|`/.test(text.slice(at));
};

/** Judges a value that other programs would run, and remembers variables that programs may obey. */
export const walkValue = (walk: Walk, name: string, text: string): void => {
  if (mayBeObeyed(name) && !isLook(name, text)) {
    walk.obeyed ??= [];
    walk.obeyed.push({ name, value: text });
  }
  if (runsAsSubscript(text)) walkSubscript(text, walk);
  if (PROMPTS.test(name)) walkAsQuoted(text, walk);
  if (RUN_BY_BUILDS.test(name) && WORTH.test(text)) {
    const reason = blockedCommand(text, walk);
    if (reason !== undefined) doubt(walk, reason, "blocked");
  }
  if (RUN_BY_OTHERS.test(name) && text.trim() !== "") walkText(text.replace(MARKS, ""), walk, undefined);
};
