import type { Meant } from "../../../core/words/naming.ts";
import { textsIn } from "./readings.ts";

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/;
/** `apply_patch` with its text behind `<<`, and nothing after it; maybe in a folder. */
const HEREDOC =
  /^\s*(?:cd\s+(?<folder>[\w@%+=:,./-]+|'[^'\n]+'|"[^"$`\\\n]+")\s*&&\s*)?apply_?patch\s*<<(?<dash>-?)\s*(?<quote>['"]?)(?<end>\w+)\k<quote>[ \t]*\r?\n(?<body>[\s\S]*?)\r?\n[ \t]*\k<end>\s*$/;
const NAMED = /^(?<start>\*\*\* (?:Add File|Update File|Delete File|Move to): )(?!\/)/gm;

/**
 * Some models were taught to send a patch as a command that no machine has: `apply_patch <<'EOF'`, or the words
 * `apply_patch` and the patch. Such a call is one to the tool.
 */
export function patchCommand(args: Readonly<Record<string, unknown>>): Meant | undefined {
  const { command = args.cmd, cwd = args.workdir } = args;
  const given = typeof command === "string" ? [command] : Array.isArray(command) ? textsIn(command) : undefined;
  if (!given) return undefined;
  const [program = "", text = ""] = given;
  if (given.length === 2 && /^apply_?patch$/.test(program)) return patch(text, folderOf(cwd));
  const isScript = given.length === 3 && SHELL.test(program) && /^-[a-z]*c$/.test(text);
  const line = given.length === 1 ? program : isScript ? given[2] : undefined;
  const { folder, dash, end, body } = HEREDOC.exec(line ?? "")?.groups ?? {};
  // a text that goes on after the first end of it is more than a patch
  if (body === undefined || end === undefined || body.split(/\r?\n/).some((each) => each.trim() === end))
    return undefined;
  const below = folder?.replace(/^(['"])(.*)\1$/, "$2");
  return patch(dash ? body.replace(/^\t+/gm, "") : body, [folderOf(cwd), below].filter(Boolean).join("/"));
}

const folderOf = (cwd: unknown): string =>
  typeof cwd === "string" && cwd !== "." ? cwd.replace(/(?<!\/)\/+$/, "") : "";

/** Paths are meant from the folder that the command would have run in. */
function patch(text: string, folder: string): Meant | undefined {
  if (folder !== "" && !/^\s*\*\*\* Begin Patch/.test(text)) return undefined;
  const moved = folder === "" ? text : text.replace(NAMED, (start) => `${start}${folder}/`);
  return { name: "apply_patch", args: { patch: moved } };
}
