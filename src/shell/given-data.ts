import { withText } from "./fields.ts";
import { blockedCommand, WORTH } from "./tried.ts";
import type { Field, Flow, Walk } from "./walk.ts";
import { isFetchedFile } from "./written-files.ts";

const SCRIPTING = /^(?:node|nodejs|deno|bun|tsx|ts-node)$/;

/** Code that runs its input, and not only texts of its own. */
const AWK =
  /\bsystem\s{0,4}\(\s{0,4}[^"\s)]|[\w$)\]]\s{0,4}\|&?\s{0,4}getline|\bprintf?\b[^|;}\n]{0,200}\|&?\s{0,4}"(?:\/bin\/)?(?:ba|da|z|k)?sh\b/;
const SED =
  /(?:^|[;{}\n\d$!/])\s{0,4}e\s{0,4}(?:$|[;}\n])|s([^\w\s\\])[^\n]{0,400}\1[gpiImM\d]{0,8}e[gpiImM\d]{0,8}(?:$|[\s;}])/;
const SCRIPTS = /\b(?:eval|Function|runIn\w{1,20}Context|execSync|spawnSync|child_process)\b/;
const OTHERS =
  /(?<![\w$-])(?:eval|execv\w{0,3}|popen\d?|instance_eval|class_eval|passthru|shell_exec|loadstring|os\.system|os\.popen|subprocess\.getoutput|load(?=\(io\b))\b\s{0,4}\(?\s{0,4}(?![\s"'`([{]*["'`])[\w$@<(*]/;
/** Perl runs the current line if nothing else is named. */
const OF_LINE = /(?<![\w$-])eval\s{0,4}(?:$|[;}])/;
/** The same by words that also occur in prose, as in `/system requirements/`. */
const BY_WORD =
  /(?<![\w$-])(?:exec|system)\b\s{0,4}(?:\(\s{0,4}(?![\s"'`([{]*["'`])[\w$@<(*]|(?![\s"'`([{]*["'`])(?:[$@<(*]|(?:STDIN|ARG[FV]|gets|read\w{0,5}|shift|pop|join|open|File|IO|do|scalar|map|split)\b|\w{1,30}\s{0,4}(?:$|[;.}<])))/;

/** The shortest of these words that run something. */
const SHORTEST = "eval".length;

const runsGiven = (language: string, code: string): boolean => {
  if (language === "sed") return SED.test(code);
  if (code.length < SHORTEST) return false;
  if (language.endsWith("awk")) return AWK.test(code);
  if (SCRIPTING.test(language)) return SCRIPTS.test(code);
  return OTHERS.test(code) || OF_LINE.test(code) || BY_WORD.test(code);
};

const FROM_NETWORK = "it runs text fetched from the network";
/** `-v name=value` of awk. */
const VALUE = /^(?:-v)?\w{1,40}=(.*)$/s;
const MOST_LINES = 16;

const blockedData = (text: string, walk: Walk): string | undefined => {
  for (const line of text.split("\n").slice(0, MOST_LINES)) {
    const reason = WORTH.test(line) ? blockedCommand(line, walk) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** The names in quotes that code may open. */
const LITERAL = /(["'`])([\w./-]{1,200})\1/g;

/** Why code that runs its input must not run: because of its input, its files or its words. */
export const blockedAsData = (
  language: string,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): string | undefined => {
  const words = fields.slice(1);
  const at = words.findIndex(({ text }) => runsGiven(language, text));
  const code = words[at];
  if (code === undefined) return undefined;
  if (stdin?.fetched) return FROM_NETWORK;
  const named = [...code.text.matchAll(LITERAL)].map(([, , text = ""]) => withText(code, text));
  const others = words.filter((word) => word !== code);
  if ([...others, ...named].some((field) => isFetchedFile(field, walk))) return FROM_NETWORK;
  // each word may be a command, or all of them together may be one
  const together = words
    .slice(at + 1)
    .map(({ text }) => text)
    .join(" ");
  const texts = [stdin?.text, ...others.map(({ text }) => VALUE.exec(text)?.[1] ?? text), together];
  for (const text of texts) {
    const reason = text === undefined ? undefined : blockedData(text, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};

const FETCHING =
  "(?:urlopen|urllib\\d?\\.request|requests\\.(?:get|post)|httpx\\.get|fetch|axios(?:\\.get)?|URI\\.open|URI\\(|open-uri|Net::HTTP|HTTParty|LWP|\\bget\\b|file_get_contents|https?\\.get|curl_exec|HTTP::Tiny|http\\.request|DownloadString|Invoke-WebRequest|\\b(?:iwr|irm)\\b)";
/** The same without words that also occur in prose. */
const FETCHING_PLAINLY = FETCHING.replace("\\bget\\b|", "");
const RUNNING =
  "(?:eval|exec\\w{0,4}|system|popen\\d?|instance_eval|iex|Invoke-Expression|loadstring|(?<![\\w.])load|runInThisContext)";
/** Running and fetching, nested or in sequence: `exec(urlopen(…).read())`, `fetch(…).then(eval)`. */
const FETCHED_AND_RUN = new RegExp(
  String.raw`\b${RUNNING}\b[^;\n]{0,80}${FETCHING}[^;\n]{0,40}["'${"`"}](?:https?|ftp):|${FETCHING_PLAINLY}[^;\n]{0,200}(?:(?:then|map|pipe)\s{0,4}[({]\W{0,4}(?:\w{1,20}\)?\s{0,4}=>)?|\|)\W{0,4}${RUNNING}\b|\b(?:include|require|import)(?:_once)?\b[\s(]{0,4}["'${"`"}](?:https?|ftp|data):`,
  "i",
);
const FETCHED_NAME = new RegExp(
  String.raw`(?<!\w)(\w{1,40})\s{0,4}=\s{0,4}[^;\n]{0,80}${FETCHING}[^;\n]{0,40}["'${"`"}](?:https?|ftp):`,
  "i",
);
const RUN_NAME = new RegExp(String.raw`\b${RUNNING}\s{0,4}\(?\s{0,4}(\w{1,40})`, "gi");
const FETCHES = new RegExp(
  String.raw`${FETCHING}[^;\n]{0,80}["'${"`"}](?:https?|ftp):|\burlretrieve\b|getprint|getstore`,
  "i",
);

/** An address in quotes, or something that passes on what comes before it: one of them is in all such code. */
const FETCHES_OR_PASSES_ON = /["'`](?:https?|ftp|data):|(?:then|map|pipe)\s{0,4}[({]|\|/i;

/** Whether code plainly runs what it fetches itself. */
export const runsWhatItFetches = (code: string): boolean => {
  if (!FETCHES_OR_PASSES_ON.test(code)) return false;
  if (FETCHED_AND_RUN.test(code)) return true;
  const name = FETCHED_NAME.exec(code)?.[1];
  return name !== undefined && [...code.matchAll(RUN_NAME)].some(([, run]) => run === name);
};

/** Whether what code prints may come over the network. */
export const fetchesInCode = (code: string): boolean => FETCHES.test(code);
