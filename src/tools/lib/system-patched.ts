import { ToolFailure } from "../../core/words/result.ts";
import type { Look } from "../../core/words/tool.ts";
import { foreignText } from "../../text/patch/foreign-diff.ts";
import type { ForeignDiff } from "../../text/patch/patch-lines.ts";

const byteOrderMark = "\uFEFF";

/**
 * The last resort, and not trusted: the system's `patch` must produce exactly what our own rules for placing hunks
 * produce, or nothing is changed.
 */
export async function confirmBySystem(
  path: string,
  { before, after }: { before: string; after: string },
  diff: ForeignDiff,
  { patch }: Look,
): Promise<void> {
  if (!patch)
    throw refused(path, `this is a ${diff.format} diff, which only the system's patch reads, and there is none here`);
  // the byte order mark belongs to the file, unless the diff contains it, too
  const isMarked = before.startsWith(byteOrderMark) && !diff.rows.some(({ text }) => text.includes(byteOrderMark));
  const own = isMarked ? before.slice(1) : before;
  const endsLike = own.includes("\r\n") && !/(?<!\r)\n/.test(own) ? "\r\n" : "\n";
  const bytes = new TextEncoder();
  const made = await patch(bytes.encode(own), bytes.encode(foreignText(diff, endsLike)), diff.format);
  if ("refusal" in made) throw refused(path, `the system's patch does not apply it as it stands: ${made.refusal}`);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(made.content);
  if ((isMarked ? byteOrderMark : "") + text !== after)
    throw refused(path, `what the system's patch makes of the ${diff.format} diff is not what its lines say`);
}

const refused = (path: string, why: string) =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `The patch cannot be applied to ${path}: ${why}.`,
    'Send the change as a unified diff: "--- a/file", "+++ b/file", "@@ -1,3 +1,3 @@", then lines that begin with a blank, "-" or "+".',
    { metadata: { path } },
  );
