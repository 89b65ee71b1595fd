import { isBeyond, plainText } from "../text/html/plain.ts";
import { withoutInvisible } from "../text/invisible.ts";
import type { PageFound, PageTask } from "./lib/page-conversion.ts";
import { convertedApart } from "./lib/page-process.ts";
import type { PdfFound } from "./lib/pdf-text.ts";

export { endIfIdle } from "./lib/page-process.ts";

/** A larger document is not converted: its beginning is returned as plain text. */
const MOST = { elements: 30_000, depth: 400 };
const MOST_PLAIN = 2_000_000;

export type ReadPage = {
  readonly title: string;
  readonly text: string;
  /** The page was too large to convert: this is only the text of its beginning. */
  readonly plain?: true;
};

/** The content of a page as markdown, as text, or as the visible HTML. */
export async function readHtml(task: PageTask): Promise<ReadPage> {
  if (isBeyond(task.html, MOST)) return asPlain(task.html);
  const found = await convertedApart<PageFound>({ page: task });
  if (!found) return asPlain(task.html);
  const body = task.format === "text" ? plainText(found.text) : found.text;
  return { title: withoutInvisible(found.title), text: withoutInvisible(body) };
}

const asPlain = (html: string): ReadPage => ({
  title: "",
  text: withoutInvisible(plainText(html.slice(0, MOST_PLAIN))),
  plain: true,
});

/** The text of a PDF; undefined if it cannot be read. */
export async function readPdf(bytes: Uint8Array): Promise<PdfFound | undefined> {
  const found = await convertedApart<PdfFound>({ pdf: bytes });
  return found && { pages: found.pages, text: withoutInvisible(found.text) };
}
