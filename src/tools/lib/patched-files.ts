import { type Bytes, type FileInfo, sameStamp } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Look, Proposal } from "../../core/words/tool.ts";
import { type Decoded, decode, encode } from "../../text/decode.ts";
import { replaceEach } from "../../text/edit-list.ts";
import type { Request } from "../../text/match.ts";
import { applyPatch } from "../../text/patch/apply.ts";
import { type FileOperation, type Hunk, isNew, isOld } from "../../text/patch/patch-lines.ts";
import { newContent } from "../../text/patch/splice.ts";
import { encoded } from "./encoded.ts";
import { hunksFailure } from "./hunk-failures.ts";
import { missFailure } from "./miss.ts";
import { missingFile } from "./missing.ts";
import { refuseOmission } from "./omitted.ts";
import { confirmBySystem } from "./system-patched.ts";

/** The state of a file while the patch is applied; `bytes` is undefined if it exists and has not been read yet. */
type Sheet = {
  path: string;
  info: FileInfo | undefined;
  bytes: Bytes | null | undefined;
  mode?: number;
  notes: string[];
  /** Its content before it is moved away, if another file takes its name first. */
  lifted?: Bytes;
};

const byteOrderMark = "\uFEFF";

/** Applies the operations in memory. Returns all proposals, or throws all failures. */
export async function patchedFiles(operations: readonly FileOperation[], look: Look): Promise<Proposal[]> {
  const sheets = new Map<string, Sheet>();
  const failures: ToolFailure[] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      await take(operation, () => operations.slice(index + 1), sheets, look);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw together(failures, operations.length);
  const proposals: Proposal[] = [];
  for (const { path, bytes, mode, notes } of sheets.values()) {
    if (bytes === undefined) continue;
    const note = notes.join("; ");
    proposals.push({ path, after: bytes, ...(mode !== undefined && { mode }), ...(note && { note }) });
  }
  return proposals;
}

async function take(
  operation: FileOperation,
  later: () => readonly FileOperation[],
  sheets: Map<string, Sheet>,
  look: Look,
): Promise<void> {
  const itself = operation.kind === "delete" || operation.kind === "rename";
  const sheet = await sheetOf(operation.path, sheets, look, itself);
  if (operation.note) sheet.notes.push(operation.note);
  switch (operation.kind) {
    case "add":
      return add(operation, sheet, look);
    case "update":
      return update(operation, sheet, look);
    case "delete":
      return remove(operation, sheet, look);
    case "rename": {
      const to = await sheetOf(operation.newPath ?? operation.path, sheets, look, itself);
      if (to !== sheet && to.bytes !== null && (await isMovedLater(to, later(), sheets, look))) await lift(to, look);
      return rename(operation, sheet, to, look);
    }
  }
}

/** Two names may lead to one file. */
async function sheetOf(path: string, sheets: Map<string, Sheet>, look: Look, itself: boolean): Promise<Sheet> {
  const real = await look.realPath(path, itself);
  const known = sheets.get(real);
  if (known) return known;
  const info = await look.files.stat(path);
  if (info?.kind === "folder")
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a folder.`, "Name a file: patches change files.");
  const sheet: Sheet = { path, info, bytes: info ? undefined : null, notes: [] };
  sheets.set(real, sheet);
  return sheet;
}

/** Files that swap their names are moved all at once. */
async function isMovedLater(sheet: Sheet, later: readonly FileOperation[], sheets: Map<string, Sheet>, look: Look) {
  for (const { kind, path } of later)
    if (kind === "rename" && (await sheetOf(path, sheets, look, true)) === sheet) return true;
  return false;
}

async function lift(sheet: Sheet, look: Look): Promise<void> {
  if (sheet.lifted) return;
  sheet.lifted = await contentOf(sheet, look);
  sheet.bytes = null;
}

async function contentOf(sheet: Sheet, look: Look): Promise<Bytes> {
  if (sheet.bytes === undefined) sheet.bytes = (await look.files.read(sheet.path)).bytes;
  if (sheet.bytes === null) throw await missingFile(sheet.path, look.files);
  return sheet.bytes;
}

async function add({ hunks, mode }: FileOperation, sheet: Sheet, look: Look): Promise<void> {
  refuseOmission(sheet.path, { text: newContent(hunks), old: "" });
  const after = new TextEncoder().encode(newContent(hunks));
  const before = sheet.bytes === null ? null : await contentOf(sheet, look);
  if (before !== null && !sameBytes(before, after))
    throw new ToolFailure(
      "CONFLICT",
      `The patch adds ${sheet.path}, which exists with other content.`,
      "Read it, then update it instead of adding it, or replace it with write_file.",
      { metadata: { path: sheet.path } },
    );
  sheet.bytes = after;
  if (mode !== undefined) sheet.mode = mode;
}

async function update({ hunks, edits, foreign }: FileOperation, sheet: Sheet, look: Look): Promise<void> {
  if (edits) return edit(edits, sheet, look);
  if (sheet.bytes === null && !foreign && hunks.every(isFirstContent)) {
    sheet.bytes = new TextEncoder().encode(newContent(hunks));
    return;
  }
  const decoded = textOf(sheet.path, await contentOf(sheet, look));
  if (!foreign) refuseFirstContent(hunks, decoded, sheet);
  const text = await patched(decoded, hunks, sheet, look);
  if (foreign) {
    await confirmBySystem(sheet.path, { before: markedText(decoded), after: text }, foreign, look);
    sheet.notes.push("applied by the system's patch");
  }
  sheet.bytes = written(sheet.path, text, decoded);
}

/** An empty old text stands for a missing or empty file. */
async function edit(edits: readonly Request[], sheet: Sheet, look: Look): Promise<void> {
  const { path } = sheet;
  const isMissing = sheet.bytes === null && edits[0]?.old === "";
  const decoded = textOf(path, isMissing ? new Uint8Array() : await contentOf(sheet, look));
  const made = replaceEach(decoded.text, edits);
  if ("failed" in made) {
    const which = edits.length > 1 ? `Block ${made.index + 1} of ${edits.length} for ${path}: ` : "";
    throw await missFailure(path, { which, old: "the SEARCH text", found: made.failed, look });
  }
  for (const { old, new: text } of edits) refuseOmission(path, { text, old });
  if (made.how.length > 0) sheet.notes.push(differs(made.how));
  sheet.bytes = encoded(path, decoded, () => encode(made.text, decoded));
}

const differs = (how: readonly string[]): string => `the file differed from the patch in ${how.join(" and ")}`;

/** `@@ -0,0 …`: the file was missing or empty when the patch was made. */
const isFirstContent = ({ stated, lines }: Hunk): boolean => stated?.old === 0 && !lines.some(isOld);

function refuseFirstContent(hunks: readonly Hunk[], { text }: Decoded, { path }: Sheet): void {
  const [first, ...others] = hunks;
  if (first && others.length === 0 && isFirstContent(first) && text !== "")
    throw new ToolFailure(
      "CONFLICT",
      `The patch is for a ${path} that is missing or empty (@@ -0,0), and it has text.`,
      "Read it, then include some of its lines around the change.",
      { metadata: { path } },
    );
}

async function remove({ hunks, showsLines }: FileOperation, sheet: Sheet, look: Look): Promise<void> {
  if (sheet.bytes === null) throw await missingFile(sheet.path, look.files);
  if (await hasMore(hunks, showsLines === true, sheet, look))
    throw new ToolFailure(
      "CONFLICT",
      `The patch deletes ${sheet.path}, which has lines that the patch does not remove.`,
      "Read the file again: it has content that is not in the patch.",
      { metadata: { path: sheet.path } },
    );
  sheet.bytes = null;
}

/** Whether a deleted file has lines that its patch does not show. */
async function hasMore(hunks: readonly Hunk[], showsLines: boolean, sheet: Sheet, look: Look): Promise<boolean> {
  if (hunks.length > 0) {
    const left = await patched(textOf(sheet.path, await contentOf(sheet, look)), hunks, sheet, look);
    return left !== "" && left !== byteOrderMark;
  }
  const { bytes, info } = sheet;
  return showsLines && info?.kind !== "link" && (bytes?.length ?? info?.stamp.size) !== 0;
}

async function rename({ hunks }: FileOperation, from: Sheet, to: Sheet, look: Look): Promise<void> {
  const bytes = from.lifted ?? (await contentOf(from, look));
  if (to === from) throw new ToolFailure("VALIDATION_ERROR", `${from.path} and ${to.path} are one file.`, "Update it.");
  if (to.bytes !== null)
    throw new ToolFailure(
      "CONFLICT",
      `The patch moves ${from.path} to ${to.path}, which exists.`,
      "Choose another name, or delete the file first.",
      { metadata: { path: to.path } },
    );
  if (hunks.length > 0 && from.info?.kind === "link")
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${from.path} is a symbolic link: it can be moved, but its text cannot be patched.`,
      "Move it without hunks; to patch its target, name the target file.",
    );
  if (hunks.length > 0) {
    const decoded = textOf(from.path, bytes);
    refuseFirstContent(hunks, decoded, from);
    to.bytes = written(to.path, await patched(decoded, hunks, from, look), decoded);
  } else to.bytes = bytes;
  to.notes.push(...from.notes);
  from.notes = [];
  const mode = from.lifted ? from.info?.mode : (from.mode ?? from.info?.mode);
  if (mode !== undefined) to.mode = mode;
  if (from.lifted) delete from.lifted;
  else from.bytes = null;
}

async function patched(decoded: Decoded, hunks: readonly Hunk[], sheet: Sheet, look: Look): Promise<string> {
  const result = applyPatch(markedText(decoded), hunks);
  if ("problems" in result) throw hunksFailure(sheet.path, result.problems, await changedSinceRead(sheet, look));
  for (const { lines } of hunks) {
    const texts = (which: typeof isOld) => lines.filter(which).map(({ text }) => text);
    refuseOmission(sheet.path, { text: texts(isNew).join("\n"), old: texts(isOld).join("\n") });
  }
  if (result.how.length > 0) sheet.notes.push(differs(result.how));
  for (const number of result.appended)
    sheet.notes.push(`hunk ${number} names no place, so its lines were added at the end`);
  for (const [index, { stated, lines }] of hunks.entries())
    if (stated && lines.some(isOld) && stated.old !== result.places[index])
      sheet.notes.push(`hunk ${index + 1} was found at line ${result.places[index]}, not ${stated.old}`);
  return result.text;
}

async function changedSinceRead({ path, info }: Sheet, look: Look): Promise<boolean> {
  const then = await look.seen(path);
  return then !== undefined && info !== undefined && !sameStamp(then, info.stamp);
}

const markedText = ({ bom, text }: Decoded): string => (bom ? byteOrderMark : "") + text;

function textOf(path: string, bytes: Bytes): Decoded {
  const decoded = decode(bytes);
  if (!decoded) throw new ToolFailure("BINARY", `${path} is not text.`, "Only text can be patched.");
  return decoded;
}

/** The text includes its byte order mark while it is patched. */
function written(path: string, text: string, { encoding }: Decoded): Bytes {
  const bom = encoding !== "latin1" && text.startsWith(byteOrderMark);
  return encoded(path, { encoding }, () => encode(bom ? text.slice(1) : text, { encoding, bom }));
}

const sameBytes = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** One failure is thrown as it is; several are combined. */
function together(failures: readonly ToolFailure[], all: number): ToolFailure {
  const [first] = failures;
  if (failures.length === 1 && first)
    return new ToolFailure(first.code, `${first.message} Nothing was changed.`, first.hint, first);
  const code = failures.every((failure) => failure.code === first?.code) ? first!.code : "VALIDATION_ERROR";
  return new ToolFailure(
    code,
    `${failures.length} of the patch's ${all} parts do not fit. Nothing was changed.`,
    "Correct them and send the whole patch again.",
    {
      output: failures
        .map(({ message, output, hint }) => [message, output, hint].filter(Boolean).join("\n"))
        .join("\n\n"),
      metadata: {
        failures: failures.map(({ code: each, message, metadata }) => ({ code: each, message, ...metadata })),
      },
    },
  );
}
