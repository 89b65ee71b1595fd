import type * as unpdf from "unpdf";

export type PdfFound = { pages: number; text: string };

/** Reads a PDF page by page. Its source is sent to another process, so it must be self-contained. */
export async function pdfText(
  { extractText, getDocumentProxy }: Pick<typeof unpdf, "extractText" | "getDocumentProxy">,
  bytes: Uint8Array,
): Promise<PdfFound> {
  const { totalPages, text } = await extractText(await getDocumentProxy(bytes), { mergePages: false });
  return { pages: totalPages, text: text.map((each, index) => `[Page ${index + 1}]\n${each}`).join("\n\n") };
}
