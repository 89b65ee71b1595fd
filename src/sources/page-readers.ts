/** Understanding pages takes libraries and a thread: they are loaded for the first page. */
export const pageReaders = {
  html: async (page: Parameters<typeof import("./pages.ts").readHtml>[0]) =>
    (await import("./pages.ts")).readHtml(page),
  pdf: async (bytes: Uint8Array) => (await import("./pages.ts")).readPdf(bytes),
};
