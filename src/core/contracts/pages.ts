type Bytes = Uint8Array;

/** How to answer a dialog that the page opens meanwhile. Absent: it is dismissed. */
export type DialogAnswer = { accept: boolean; text?: string };

/** An action on a page, or a question about it. `ref` names an element of the last snapshot. */
export type PageDeed = (
  | { kind: "open"; url: string }
  | { kind: "snapshot" | "text"; ref?: string }
  | { kind: "picture"; ref?: string; fullPage?: boolean }
  | { kind: "click" | "hover"; ref: string }
  | { kind: "type" | "fill" | "select"; ref: string; text: string }
  | { kind: "press"; ref?: string; key: string }
  | { kind: "scroll"; ref?: string; to?: "up" | "down" | "top" | "bottom" }
  | { kind: "wait"; text?: string; ms?: number }
  | { kind: "upload"; ref: string; file: PageFile }
  | { kind: "download"; ref?: string; url?: string }
  | { kind: "back" | "close" }
) & { dialog?: DialogAnswer };

export type PageFile = { name: string; bytes: Bytes };

/** `cut`: the page is longer than what the picture shows. */
export type Picture = { mime: string; bytes: Bytes; width: number; height: number; cut?: boolean };

/** The page afterwards. `told`: what happened meanwhile that the model has to know, such as dialogs and refusals. */
export type PageReport = {
  url: string;
  title: string;
  told: readonly string[];
  text?: string;
  picture?: Picture;
  file?: PageFile;
};

export type Capture = { url: string; delayMs: number; width: number; height: number; fullPage: boolean };

/** What one call permits the browser to do. */
export type PagePermit = {
  /**
   * Why a request may not be made. `page`: the page itself goes there, so an ask counts as a no; otherwise the request
   * is for a part of a page. `asks`: a call of its own could be asked about.
   */
  objection(request: { url: string; method: string; page: boolean }): { reason: string; asks?: true } | undefined;
  readonly signal: AbortSignal;
};

/** A browser with a page for each session. All requests of a page go through the workspace's network. */
export interface Pages {
  /** The address of the page that the session has open, or undefined if it has none. */
  at(session: string): string | undefined;
  act(session: string, deed: PageDeed, permit: PagePermit): Promise<PageReport>;
  /** Opens a page of its own, and closes it when the picture is taken. */
  capture(session: string, wanted: Capture, permit: PagePermit): Promise<PageReport>;
  /** Closes the page of a session that is over. */
  forget(session: string): Promise<void>;
  close(): Promise<void>;
}

/** The browser as one call may use it: opens only declared addresses, and acts only on declared sites. */
export type PageView = {
  act(deed: PageDeed): Promise<PageReport>;
  capture(wanted: Capture): Promise<PageReport>;
};
