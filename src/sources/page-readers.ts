let pages: Promise<typeof import("./pages.ts")> | undefined;

/** Loaded with the first page, because reading pages takes libraries and a process. */
const loaded = () => {
  pages ??= import("./pages.ts");
  return pages;
};

export const pageReaders = {
  html: async (page: Parameters<typeof import("./pages.ts").readHtml>[0]) => (await loaded()).readHtml(page),
  pdf: async (bytes: Uint8Array) => (await loaded()).readPdf(bytes),
  /** Gates share the process, so it stays while another one is reading a page. */
  close: async (): Promise<void> => (await pages)?.endIfIdle(),
};
