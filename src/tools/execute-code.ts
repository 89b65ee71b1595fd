import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { Tool } from "../core/words/tool.ts";
import { type CommandDefaults, runToEnd } from "./lib/command-output.ts";
import { codeOf, quoted, runClaim } from "./lib/run-claim.ts";
import { TIMEOUT_WORDS, timeAsked } from "./lib/time-asked.ts";

const LANGUAGES = ["python", "javascript", "typescript", "bash"] as const;
type Language = (typeof LANGUAGES)[number];

const OTHER_NAMES: Readonly<Record<string, Language>> = {
  ...{ py: "python", python3: "python" },
  ...{ js: "javascript", node: "javascript", ts: "typescript" },
  ...{ sh: "bash", shell: "bash" },
};

/** For each language, the command line to which the code is appended as the last word; bash needs none. */
type Programs = Partial<Readonly<Record<Exclude<Language, "bash">, string | undefined>>>;

const USUAL: Programs = { python: "python3 -c", javascript: "node -e" };

const TO_GET: Record<Exclude<Language, "bash">, string> = {
  python: "A person can install python3.",
  javascript: "A person can install node.",
  typescript: "A person can install node 22.18 or newer, tsx, deno or bun. Until then write it as javascript.",
};

type CodeDefaults = Pick<CommandDefaults, "defaultTimeout" | "maxOutputLines" | "home"> & {
  /** What code is run with; by default the usual programs. */
  programs?: Programs | undefined;
};

export const executeCode = ({ defaultTimeout, maxOutputLines, home, programs = USUAL }: CodeDefaults): Tool =>
  Tool.define("execute_code", {
    description: "Run a piece of code in the workspace and read what it prints. Judged and contained like a command.",
    permissions: { required: ["execute"] },
    rare: ["timeout"],
    get input() {
      return z.object({
        language: languageOf(programs),
        code: z.string().min(1),
        timeout: z.number().positive().describe(TIMEOUT_WORDS).optional(),
      });
    },
    outputLines: maxOutputLines,
    timeLimit: ({ timeout }) => (timeout === undefined ? defaultTimeout * 1000 : timeAsked(timeout)),
    scope: () => null,
    touches: async (request) => [await runClaim(request, commandFor(programs, request), { home })],
    code: (request) => codeOf(request, commandFor(programs, request), { home }),
    execute: (request, context) =>
      runToEnd(
        context,
        { command: commandFor(programs, request), cwd: "." },
        `Ran ${request.language}`,
        maxOutputLines,
      ),
  });

/** All languages are accepted; only those that run here are shown. */
const languageOf = (programs: Programs) =>
  z
    .preprocess(canonical, z.enum(LANGUAGES))
    .meta({ enum: LANGUAGES.filter((language) => language === "bash" || programs[language]) });

function canonical(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const name = value.trim().toLowerCase();
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
}

/** The code as a shell command, so that both are judged in the same way. */
function commandFor(programs: Programs, { language, code }: { language: Language; code: string }): string {
  if (language === "bash") return code;
  const program = programs[language];
  if (!program) throw new ToolFailure("NOT_FOUND", `Nothing on this machine runs ${language}.`, TO_GET[language]);
  return `${program} ${quoted(code)}`;
}
