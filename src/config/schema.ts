import * as z from "zod";
import { AUTONOMIES, MODES, SANDBOXES, STORES } from "./strictness.ts";
import { bytes, DURATION, milliseconds, SIZE } from "./units.ts";

/** Keys that are fixed and that this version does not enforce yet; accepting one would promise what is not done. */
export const NOT_ENFORCED: readonly string[] = [
  "guardrails",
  "hooks",
  "rules",
  "mcp_servers",
  "web",
  "model",
  "agents",
  "skills",
  "trust",
  "loops",
  "workspace.write_safety",
];

// an issue's message is what would have been accepted; check.ts says the rest
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(", ")}` });

const WHOLE = "a whole number from 1";
const wholeNumber = () => z.int({ error: WHOLE }).min(1, { error: WHOLE });

function amount(pattern: RegExp, toNumber: (written: string) => number, accepted: string) {
  const text = z
    .string({ error: accepted })
    .regex(pattern, { error: accepted })
    .refine((written) => !pattern.test(written) || toNumber(written) > 0, { error: accepted });
  const number = z.int({ error: accepted }).min(1, { error: accepted });
  return z.union([text, number], { error: accepted });
}

const duration = () => amount(DURATION, milliseconds, "a duration such as 30d, 12h or 90m, or milliseconds from 1");
const size = () => amount(SIZE, bytes, "a size such as 500MB or 2GB, or bytes from 1");

const PATH = "a path that is not empty";
const path = () =>
  z
    .string({ error: PATH })
    .min(1, { error: PATH })
    .refine((written) => !written.includes("\0"), { error: "a path without NUL" });
const paths = (what: string) => z.array(path(), { error: `a list of ${what}` });

const yesOrNo = () => z.boolean({ error: "true or false" });
const names = (what: string) => z.array(name(`a list of ${what}`), { error: `a list of ${what}` });

const PATTERN = "a valid regular expression";
const regularExpression = () =>
  z.string({ error: PATTERN }).refine(
    (written) => {
      try {
        new RegExp(written);
        return true;
      } catch {
        return false;
      }
    },
    { error: PATTERN },
  );

const name = (accepted: string) => z.string({ error: accepted }).min(1, { error: accepted });
const TOOLSET = "the name of a toolset or a list of names";

function mapping<Shape extends z.core.$ZodShape>(shape: Shape) {
  const accepted = `a mapping with ${Object.keys(shape).join(", ")}`;
  return z.strictObject(shape, { error: (issue) => (issue.code === "invalid_type" ? accepted : undefined) });
}

export const configSchema = mapping({
  mode: oneOf(MODES).optional().describe("What a person is asked about. Default: confirm-sensitive."),
  autonomy: oneOf(AUTONOMIES)
    .optional()
    .describe("The most that may happen on its own. Unset adds nothing to the mode."),
  toolset: z
    .union([name(TOOLSET), z.array(name(TOOLSET), { error: TOOLSET }).min(1, { error: TOOLSET })], { error: TOOLSET })
    .optional()
    .describe("Which tools are registered: files, default, all, or names. Default: default."),
  dialect: name("the name of a dialect").optional().describe("Which names a model is shown. Default: default."),
  store: oneOf(STORES).optional().describe("Where the record is kept. Default: sqlite."),
  budget: mapping({
    max_calls: wholeNumber().optional().describe("Calls in one session."),
    max_changes: wholeNumber().optional().describe("Changed files in one session."),
  }).optional(),
  journal: mapping({
    max_age: duration().optional().describe("How long the contents of changed files are kept. Default: 30d."),
    max_size: size().optional().describe("How much they may take. Default: 500MB."),
  }).optional(),
  workspace: mapping({
    allow_delete: yesOrNo().optional().describe("Whether files may be deleted. Default: false."),
    allowed_paths: paths("paths").optional().describe("More roots beside the workspace; relative ones start there."),
    forbidden_paths: paths("globs").optional().describe("What nobody may touch, read or write."),
  }).optional(),
  commands: mapping({
    enabled: yesOrNo().optional().describe("Whether commands run at all. Default: true."),
    default_timeout: wholeNumber().optional().describe("Seconds, where a call does not say. Default: 30."),
    max_output_lines: wholeNumber().optional().describe("Lines of output that a model is shown. Default: 200."),
    blocked_patterns: z
      .array(regularExpression(), { error: "a list of regular expressions" })
      .optional()
      .describe("Regular expressions; a command that matches one is refused in every mode."),
    safe_commands: names("beginnings of commands")
      .optional()
      .describe("Commands that count as safe beside those known."),
    allowed_only: yesOrNo().optional().describe("Refuse every command that is classed as dangerous."),
    allowlist: names("names of programs")
      .optional()
      .describe("Only these programs; substitutions, backticks and newlines are refused."),
    sandbox: oneOf(SANDBOXES).optional().describe("Default: auto, which uses bubblewrap where it works."),
    network: yesOrNo().optional().describe("Whether commands in the sandbox reach the network. Default: false."),
    max_memory: size().optional().describe("What one process in the sandbox may have of its own. Default: no limit."),
    env: names("names of variables").optional().describe("Variables of this process that commands see, too."),
  }).optional(),
  security: mapping({
    autonomy: oneOf(AUTONOMIES).optional(),
    workspace_only: yesOrNo().optional().describe("Refuse commands that read outside the workspace."),
    forbidden_paths: paths("globs").optional(),
    allowed_commands: names("names of programs").optional().describe("Only these programs; * means all."),
    block_high_risk_commands: yesOrNo().optional(),
    require_approval_for_medium_risk: yesOrNo().optional().describe("For supervised autonomy. Default: true."),
    max_actions_per_hour: wholeNumber().optional(),
  }).optional(),
});

/** The configuration as people write it. */
export type Config = z.input<typeof configSchema>;

/** For editors; the same schema that checks. */
export const configJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(configSchema, { io: "input" }),
  title: "toolgate.yaml",
});
