import * as z from "zod";
import { Tool } from "../core/tool.ts";
import { type CommandDefaults, runToEnd } from "./lib/command-output.ts";
import { runClaim } from "./lib/run-claim.ts";

const LANGUAGES = ["python", "javascript", "bash"] as const;
type Language = (typeof LANGUAGES)[number];

const input = z.object({
  language: z.enum(LANGUAGES),
  code: z.string().min(1),
  timeout: z.number().positive().max(600).optional(),
});

export const executeCode = ({ defaultTimeout, maxOutputLines, home }: CommandDefaults): Tool =>
  Tool.define("execute_code", {
    description: "Run a piece of code in the workspace and read what it prints. Judged and contained like a command.",
    permissions: { required: ["execute"] },
    rare: ["timeout"],
    input,
    outputLines: maxOutputLines,
    timeLimit: ({ timeout = defaultTimeout }) => timeout * 1000,
    touches: ({ language, code }) => [runClaim(commandFor(language, code), { home })],
    execute: ({ language, code }, context) =>
      runToEnd(context, { command: commandFor(language, code), cwd: "." }, `Ran ${language}`),
  });

/** The code as a line of shell, so that one judgement serves both. */
function commandFor(language: Language, code: string): string {
  if (language === "bash") return code;
  return `${language === "python" ? "python3 -c" : "node -e"} ${quoted(code)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
