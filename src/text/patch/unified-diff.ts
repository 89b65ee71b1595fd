import type { Steps } from "../turns.ts";
import { contradiction, type Names } from "./contradictions.ts";
import { commonName, fileName, gitNames, headerName, nowhere, plainName, withoutPrefix } from "./file-names.ts";
import { isBody, type ReadHunk, readUncounted, readUnifiedHunk } from "./hunks.ts";
import type { FileOperation, Hunk, PatchProblem, RawLine } from "./patch-lines.ts";

/** What the patch says about one file, before its meaning is decided. */
type Section = Names & {
  line: number;
  mode?: string;
  changesMode?: true;
  refused?: PatchProblem;
  hunks: Hunk[];
};

type Reading = { sections: Section[]; problems: PatchProblem[]; current: Section | undefined };

const bareHeader = { anchors: [], anchorsBind: false };

/** `path` names the file if the headers do not. */
export function* readUnified(
  lines: readonly RawLine[],
  path: string | undefined,
): Steps<{ operations: FileOperation[]; problems: PatchProblem[] }> {
  const reading: Reading = { sections: [], problems: [], current: undefined };
  for (let at = 0; at < lines.length; ) {
    at = readAt(lines, at, reading, path);
    yield;
  }
  const { sections, problems } = reading;
  if (problems.length > 0) return { operations: [], problems };
  const onlyPath = sections.length === 1 ? path : undefined;
  const operations: FileOperation[] = [];
  for (const section of sections) {
    const meant = operationOf(section, onlyPath);
    if ("kind" in meant) operations.push(meant);
    else problems.push(meant);
    yield;
  }
  return { operations, problems };
}

/** A patch that consists only of lines, for a file that is named elsewhere. */
export function readBareLines(lines: readonly RawLine[]): ReadHunk | undefined {
  const first = lines.findIndex(({ text }) => text !== "" && isBody(text));
  if (first === -1 || lines.slice(0, first).some(({ text }) => text !== "" && !text.startsWith("```")))
    return undefined;
  return readUncounted(lines, first, first, bareHeader);
}

function readAt(lines: readonly RawLine[], at: number, reading: Reading, path: string | undefined): number {
  const { number, text } = lines[at]!;
  if (text.startsWith("@@")) return readHunkAt(lines, at, reading, path);
  if (text.startsWith("diff --git ")) {
    const git = gitNames(text.slice(11));
    open(reading, { line: number, hunks: [], gitLine: text.slice(11).trim(), ...(git && { git }) });
    return at + 1;
  }
  const [next, afterNext] = [lines[at + 1]?.text ?? "", lines[at + 2]?.text ?? ""];
  if (text.startsWith("--- ") && next.startsWith("+++ ")) {
    const told = { old: headerName(text.slice(4)), new: headerName(next.slice(4)) };
    name(reading, number, { old: fileName(text.slice(4)), new: fileName(next.slice(4)), told });
    const isBare = afterNext !== "" && isBody(afterNext);
    return isBare ? keepHunk(reading, readUncounted(lines, at, at + 2, bareHeader)) : at + 2;
  }
  if (/^(?:---|\+\+\+) /.test(text) && next.startsWith("@@")) {
    const only = plainName(withoutPrefix(headerName(text.slice(4)), text[0] === "-" ? "a/" : "b/"));
    name(reading, number, { old: only, new: only });
    return at + 1;
  }
  if (reading.current) noteExtra(reading.current, lines[at]!);
  else if (isBinary(text)) reading.problems.push({ line: number, message: "binary content cannot be patched" });
  return at + 1;
}

function readHunkAt(lines: readonly RawLine[], at: number, reading: Reading, path: string | undefined): number {
  const { number, text } = lines[at]!;
  if (text.startsWith("@@@")) {
    reading.problems.push({ line: number, message: "a combined diff of a merge cannot be applied" });
    return at + 1;
  }
  if (!reading.current) {
    if (path === undefined)
      reading.problems.push({ line: number, message: 'no file is named: "--- a/file" and "+++ b/file" are missing' });
    open(reading, { line: number, hunks: [], old: path ?? "?", new: path ?? "?" });
  }
  return keepHunk(reading, readUnifiedHunk(lines, at));
}

function keepHunk(reading: Reading, { hunk, next, problems }: ReadHunk): number {
  if (hunk) reading.current?.hunks.push(hunk);
  for (const problem of problems) reading.problems.push(problem);
  return next;
}

function open(reading: Reading, section: Section): void {
  reading.sections.push(section);
  reading.current = section;
}

function name(reading: Reading, line: number, names: Names): void {
  const { current } = reading;
  const isNamed = !current || current.old !== undefined || current.hunks.length > 0;
  if (isNamed) open(reading, { line, ...names, hunks: [] });
  else Object.assign(current, names);
}

const isBinary = (text: string): boolean => text === "GIT binary patch" || /^Binary files .* differ$/.test(text);

/** Notes the lines that git puts between the names and the hunks. */
function noteExtra(section: Section, { number, text }: RawLine): void {
  if (isBinary(text)) section.refused ??= { line: number, message: "binary content cannot be patched" };
  if (section.hunks.length > 0) return;
  const [, key, value = ""] =
    /^(rename from|rename to|copy from|copy to|new file mode|deleted file mode|old mode|new mode) (.+)$/.exec(text) ??
    [];
  if (key === "rename from") section.renameFrom = headerName(value);
  else if (key === "rename to") section.renameTo = headerName(value);
  else if (key === "new file mode") Object.assign(section, { isAdded: true, mode: value.trim() });
  else if (key === "deleted file mode") section.isDeleted = true;
  else if ((key === "old mode" || key === "new mode") && /^\s*100/.test(value)) section.changesMode = true;
  else if (key === "old mode" || key === "new mode")
    section.refused ??= {
      line: number,
      message: `only regular files can be patched, and this has mode ${value.trim()}`,
    };
  else if (key === "copy from" || key === "copy to")
    section.refused ??= { line: number, message: "copies are not supported: add the file with its content" };
}

function operationOf(section: Section, path: string | undefined): FileOperation | PatchProblem {
  const { line, hunks, refused, renameFrom, renameTo } = section;
  if (refused) return refused;
  const contradicts = contradiction(section);
  if (contradicts) return { line, message: `the patch contradicts itself: ${contradicts}` };
  if (renameFrom !== undefined && renameTo !== undefined)
    return { kind: "rename", path: renameFrom, newPath: renameTo, hunks, line };
  const isAdded = section.isAdded || section.old === nowhere;
  const isDeleted = section.isDeleted || section.new === nowhere;
  if (isAdded && isDeleted) return { line, message: "both names are /dev/null" };
  const target = path ?? nameOf(section);
  if (typeof target !== "string") return target;
  if (target === "") return { line, message: "the file has no name" };
  if (isAdded) return added(section, target);
  if (isDeleted)
    return hunks.some((hunk) => hunk.lines.some(({ mark }) => mark !== "-"))
      ? { line, message: `${target} is to be deleted, but the patch keeps some of its lines` }
      : { kind: "delete", path: target, hunks, line, showsLines: true };
  const note = section.changesMode && "its change of mode was left out";
  if (hunks.length > 0) return { kind: "update", path: target, hunks, line, ...(note && { note }) };
  const message = section.changesMode
    ? `${target}: a change of the mode alone is not supported`
    : `${target}: there are no changed lines`;
  return { line, message };
}

function added(section: Section, path: string): FileOperation | PatchProblem {
  const { line, hunks, mode } = section;
  if (mode !== undefined && !mode.startsWith("100"))
    return { line, message: `${path}: only regular files can be made, and this has mode ${mode}` };
  if (hunks.some((hunk) => hunk.lines.some(({ mark }) => mark !== "+")))
    return { line, message: `${path} is to be new, but the patch has old lines of it` };
  return { kind: "add", path, hunks, line, ...(mode === "100755" && { mode: 0o755 }) };
}

function nameOf({ line, git, ...section }: Section): string | PatchProblem {
  const old = section.old ?? git?.old;
  const fresh = section.new ?? git?.new;
  if (old === undefined || fresh === undefined) return { line, message: "the names of the file cannot be read" };
  if (old === nowhere || fresh === nowhere) {
    const ofGit = git && commonName(git.old, git.new);
    return ofGit ?? plainName(old === nowhere ? withoutPrefix(fresh, "b/") : withoutPrefix(old, "a/"));
  }
  return (
    commonName(old, fresh) ?? {
      line,
      message: `two different files are named, ${old} and ${fresh}: to rename, say "rename from" and "rename to"`,
    }
  );
}
