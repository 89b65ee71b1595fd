/** Loaded with the first page, because reading pages takes libraries and a process. */
export const pageReaders = {
  html: async (page: Parameters<typeof import("./pages.ts").readHtml>[0]) =>
    (await import("./pages.ts")).readHtml(page),
  pdf: async (bytes: Uint8Array) => (await import("./pages.ts")).readPdf(bytes),
};
