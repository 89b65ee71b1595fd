import type { ScriptHook } from "../core/contracts/hook.ts";
import { isTooComplicated } from "../text/wildcards.ts";
import { type Kind, yesOrNo } from "./value-kinds.ts";

type WrittenHook = {
  name?: string;
  command: string;
  matcher?: string;
  file_patterns?: readonly string[];
  timeout?: number;
  async?: boolean;
  enabled?: boolean;
  on_failure?: "allow" | "ask" | "deny";
};

const ACCEPTS = "a list of hooks with name, command, matcher, file_patterns, timeout, async, enabled and on_failure";
const SECONDS = "seconds from 1 to 600";
const MATCHER = "names of tools, such as Edit|Write, a regular expression for them, or *";

const isMatcher = (written: string): boolean => {
  if (written.trim() === "*") return true;
  try {
    new RegExp(written);
    return true;
  } catch {
    return false;
  }
};

/** `matcher` is the default for a hook that has none. */
export const hookList = (matcher?: string): Kind<readonly WrittenHook[], readonly ScriptHook[]> => ({
  accepts: ACCEPTS,
  schema: (z) => {
    const text = (error: string) => z.string({ error }).min(1, { error });
    const pattern = text("a glob").refine((written) => !isTooComplicated(written), {
      error: "a glob with fewer stars",
    });
    const shape = {
      name: text("a name that is not empty").optional(),
      command: text("a command that is not empty").refine((written) => !written.includes("\0"), {
        error: "a command without NUL",
      }),
      matcher: z.string({ error: MATCHER }).refine(isMatcher, { error: MATCHER }).optional(),
      file_patterns: z.array(pattern, { error: "a list of globs" }).optional(),
      timeout: z.int({ error: SECONDS }).min(1, { error: SECONDS }).max(600, { error: SECONDS }).optional(),
      async: z.boolean({ error: yesOrNo.accepts }).optional(),
      enabled: z.boolean({ error: yesOrNo.accepts }).optional(),
      on_failure: z.enum(["allow", "ask", "deny"], { error: "one of allow, ask, deny" }).optional(),
    };
    return z.array(z.strictObject(shape, { error: ACCEPTS }), { error: ACCEPTS });
  },
  read: (written) => written.map((hook) => readHook(hook, matcher)),
  write: (hooks) =>
    hooks.map(({ filePatterns, onFailure, accepted: _, ...hook }) => ({
      ...hook,
      ...(filePatterns.length > 0 && { file_patterns: filePatterns }),
      ...(onFailure && { on_failure: onFailure }),
    })),
});

const MOST_OF_NAME = 60;

function readHook(written: WrittenHook, usual: string | undefined): ScriptHook {
  const { name, command, matcher = usual, file_patterns, timeout, async, enabled, on_failure } = written;
  return {
    name: name ?? command.slice(0, MOST_OF_NAME),
    command,
    ...(matcher !== undefined && { matcher }),
    filePatterns: file_patterns ?? [],
    timeout: timeout ?? 10,
    async: async ?? false,
    enabled: enabled ?? true,
    ...(on_failure && { onFailure: on_failure }),
  };
}
