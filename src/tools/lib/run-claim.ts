import type { Code } from "../../core/words/code.ts";
import type { Claim } from "../../core/words/touch.ts";
import type { AnalyseOptions, Understood } from "../../shell/analyse.ts";
import { FOLLOWS, RUNS_PROJECT } from "../../shell/programs/program.ts";
import { fullScreenNames, isFullScreen } from "./command-words.ts";

type Shell = typeof import("../../shell/analyse.ts");
let shell: Shell | undefined;
/** The shell parser is large, so it is loaded for the first command. */
const loadShell = async (): Promise<Shell> => (shell ??= await import("../../shell/analyse.ts"));

/** The analysis of a request's command, cached so that its touches and its code come from the same analysis. */
const looks = new WeakMap<object, { key: string; understood: Understood }>();

async function understood(request: object, command: string, options: AnalyseOptions): Promise<Understood> {
  const key = JSON.stringify([command, options]);
  const known = looks.get(request);
  if (known?.key === key) return known.understood;
  const { understand } = await loadShell();
  const found = understand(command, options);
  looks.set(request, { key, understood: found });
  return found;
}

/** A command line as a claim: what it would run and touch. */
export async function runClaim(request: object, command: string, options: AnalyseOptions = {}): Promise<Claim> {
  const { analysis } = await understood(request, command, options);
  const { class: kind, risk, reason, parsed, sure, uses, segments, touches } = analysis;
  const shown = segments.map(({ text, program, class: each, risk: danger, rule, words, plain }) => ({
    ...{ text, class: each, risk: danger, rule },
    ...(program !== undefined && { program }),
    words: words.map((word) => word ?? null),
    plain,
  }));
  const { newline, backticks, substitution } = uses;
  const runsProject = kind === "safe" && segments.some(({ rule }) => rule === RUNS_PROJECT);
  const followsLinks = kind === "safe" && segments.some(({ rule }) => rule === FOLLOWS);
  const reading = {
    ...{ risk, reason, parsed, sure, uses: { newline, backticks, substitution }, segments: shown },
    ...(runsProject && { runsProject }),
    ...(followsLinks && { followsLinks }),
    ...(kind !== "safe" && kind !== "blocked" && parsed && sure && writesOf(segments)),
  };
  return { action: "run", command, class: kind, inner: touches, reading };
}

/** A text as one word of a shell line. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A program in the line that would wait for somebody at a terminal, if any. */
export async function fullScreenIn(command: string): Promise<string | undefined> {
  const named = fullScreenNames(command);
  if (named.length === 0) return undefined;
  const { analyse } = await loadShell();
  const { segments } = analyse(command);
  return named.find((name) => segments.some(({ words }) => isFullScreen(name, words)));
}

/** Programs that write only to the files that they name. Of others, except read-only ones, nothing is certain. */
const IN_PLACE = new Set(["touch", "tee", "truncate", "chmod"]);
/** The same, but they also create, rename or remove files in the same folders. */
const BESIDE = new Set(["cp", "mv", "rm", "rmdir", "mkdir", "sed", "install", "ln", "dd", "sort"]);
const REDIRECTS = /^it writes to /;
/** Hard links: both names would have to be on what the kernel takes for one file system. */
const LINKS = /^(?:-[a-zA-Z]*l|--link$|--li)/;
const SYMBOLIC = /^(?:-[a-zA-Z]*s|--sym)/;

type Segments = Understood["analysis"]["segments"];

/** Whether a line certainly writes only what its words say, and how. */
function writesOf(segments: Segments): { writes?: "in-place" | "beside" } {
  let writes: "in-place" | "beside" = "in-place";
  for (const { program = "", class: kind, rule, words } of segments) {
    if (words.some((word) => word === undefined) || rule === RUNS_PROJECT) return {};
    if (kind === "safe" || REDIRECTS.test(rule) || IN_PLACE.has(program)) continue;
    const options = words.slice(1).filter((word): word is string => word !== undefined);
    if (!BESIDE.has(program) || (program === "cp" && options.some((word) => LINKS.test(word)))) return {};
    if (program === "ln" && !options.some((word) => SYMBOLIC.test(word))) return {};
    writes = "beside";
  }
  return { writes };
}

/** The files that decide what a command line runs. */
export async function codeOf(request: object, command: string, options: AnalyseOptions = {}): Promise<Code> {
  return (await understood(request, command, options)).code();
}
