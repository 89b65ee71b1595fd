export type Scope = "user" | "project";

/** An entry of a list, by the names on the way to it. */
export type Listed = { readonly way: readonly string[]; readonly item: object };

/** What goes into one file of a client: entries of lists in its settings, or a file that is all ours. */
export type Part =
  | { readonly file: string; readonly lists: readonly Listed[]; readonly fresh?: object }
  | { readonly file: string; readonly text: string; readonly mode?: number };

/** `command` is how the client starts the hook. */
export type Setup = {
  parts(scope: Scope, command: string): readonly Part[];
  /** What the person has to know, or to do still. */
  notes(scope: Scope): readonly string[];
};

/** The client's limit; the hook itself answers earlier. */
const SECONDS = 60;

const group = (hook: object, matcher = "*") => ({ matcher, hooks: [hook] });

/** Starts with a comment by which it is known again. */
export const OURS = "Written by `toolgate hook install";

const claude: Setup = {
  parts: (_, command) => [
    {
      file: ".claude/settings.json",
      lists: [
        {
          way: ["hooks", "PreToolUse"],
          item: group({ type: "command", command, timeout: SECONDS, onFailure: "block" }),
        },
        ...["PostToolUse", "PostToolUseFailure"].map((event) => ({
          way: ["hooks", event],
          item: group({ type: "command", command, timeout: SECONDS }),
        })),
      ],
    },
  ],
  notes: () => [
    "Claude Code before 2.1.295 runs a call whose hook could not be started or took too long; later versions refuse it (onFailure).",
    "Files that a person mentions with @ are read without asking any hook.",
  ],
};

export const setups: Readonly<Record<string, Setup>> = { claude };
