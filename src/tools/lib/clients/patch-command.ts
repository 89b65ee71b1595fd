import { bareName, type Meant } from "../../../core/words/route.ts";
import { COMMAND_ARGS, commandReadings, scriptOf } from "./command-readings.ts";
import { textsIn } from "./readings.ts";

/** `apply_patch` with a here-document and nothing after it, possibly after a `cd`. */
const HEREDOC =
  /^\s*(?:cd\s+(?<folder>[\w@%+=:,./-]+|'[^'\n]+'|"[^"$`\\\n]+")\s*&&\s*)?apply_?patch\s*<<(?<dash>-?)\s*(?<quote>['"]?)(?<end>\w+)\k<quote>[ \t]*\r?\n(?<body>[\s\S]*?)\r?\n[ \t]*\k<end>\s*$/;
const NAMED = /^(?<start>\*\*\* (?:Add File|Update File|Delete File|Move to): )(?!\/)/gm;

/** Our names for the arguments of a command. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(COMMAND_ARGS).flatMap(([argument, others]) =>
    [argument, ...others].map((name) => [bareName(name), argument] as const),
  ),
);
const READINGS = new Map(Object.entries(commandReadings).map(([name, reading]) => [bareName(name), reading]));
/** Arguments that make no difference to a patch. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["timeout", "timeoutms", "env", "background"]);

/**
 * Some models were trained to send a patch as a command that does not exist: `apply_patch <<'EOF'`, or the words
 * `apply_patch` and the patch. It becomes a call of the tool, unless it has arguments that the tool would not honour.
 */
export function patchCommand(args: Readonly<Record<string, unknown>>): Meant | undefined {
  const { command, cwd = "." } = commandAndFolder(args) ?? {};
  const given = typeof command === "string" ? [command] : Array.isArray(command) ? textsIn(command) : undefined;
  if (!given || typeof cwd !== "string") return undefined;
  const [program = "", text = ""] = given;
  if (given.length === 2 && /^apply_?patch$/.test(program)) return patch(text, folderOf(cwd));
  const line = given.length === 1 ? program : scriptOf(given);
  const { folder, dash, end, body } = HEREDOC.exec(line ?? "")?.groups ?? {};
  // if text follows the first end marker, it is more than a patch
  if (body === undefined || end === undefined || body.split(/\r?\n/).some((each) => each.trim() === end))
    return undefined;
  const below = folder?.replace(/^(['"])(.*)\1$/, "$2");
  return patch(dash ? body.replace(/^\t+/gm, "") : body, [folderOf(cwd), below].filter(Boolean).join("/"));
}

type Meaning = { command?: unknown; cwd?: unknown };

/** Returns undefined if an argument is unknown, refused, or given twice. */
function commandAndFolder(args: Readonly<Record<string, unknown>>): Meaning | undefined {
  const found: Meaning = {};
  for (const [key, value] of Object.entries(args)) {
    if (value === null || value === undefined) continue;
    const name = bareName(key);
    const argument = ARGUMENTS.get(name) ?? name;
    if (argument === "command" || argument === "cwd") {
      if (found[argument] !== undefined) return undefined;
      found[argument] = value;
    } else if (!WITHOUT_EFFECT.has(argument)) {
      const meant = READINGS.get(name)?.(value, {});
      if (meant === undefined || typeof meant === "string") return undefined;
    }
  }
  return found;
}

const folderOf = (cwd: string): string => (cwd === "." ? "" : cwd.replace(/(?<!\/)\/+$/, ""));

/** Paths are relative to the folder that the command would have run in. */
function patch(text: string, folder: string): Meant | undefined {
  if (folder !== "" && !/^\s*\*\*\* Begin Patch/.test(text)) return undefined;
  const moved = folder === "" ? text : text.replace(NAMED, (start) => `${start}${folder}/`);
  return { name: "apply_patch", args: { patch: moved } };
}
