type Bytes = Uint8Array;

/** What to do about a dialog that the page opens meanwhile; absent: it is dismissed. */
export type DialogAnswer = { accept: boolean; text?: string };

/** What is done on a page, or asked of it. `ref` names an element of the last snapshot. */
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

/** `cut`: the page is longer than what is shown of it. */
export type Picture = { mime: string; bytes: Bytes; width: number; height: number; cut?: boolean };

/** How the page is afterwards, and what happened meanwhile that the model has to know: dialogs, refusals. */
export type PageReport = {
  url: string;
  title: string;
  told: readonly string[];
  text?: string;
  picture?: Picture;
  file?: PageFile;
};

export type Capture = { url: string; delayMs: number; width: number; height: number; fullPage: boolean };

/** What one call lets the browser do. */
export type PagePermit = {
  /**
   * Why a request may not be made. `page`: the page itself goes there, so that what would have to be asked about is a
   * no as well; otherwise it is a part of a page. `asks`: a call of its own could be asked about.
   */
  objection(request: { url: string; method: string; page: boolean }): { reason: string; asks?: true } | undefined;
  readonly signal: AbortSignal;
};

/** A browser, with a page for each session. Whatever a page asks for goes the way of the workspace's network. */
export interface Pages {
  /** The address of the page that the session has open; undefined: none. */
  at(session: string): string | undefined;
  act(session: string, deed: PageDeed, permit: PagePermit): Promise<PageReport>;
  /** A page of its own, gone when its picture is taken. */
  capture(session: string, wanted: Capture, permit: PagePermit): Promise<PageReport>;
  /** The session is over. */
  forget(session: string): Promise<void>;
  close(): Promise<void>;
}

/** The browser as one call may use it: to open what it declared to fetch, to act where it declared to. */
export type PageView = {
  act(deed: PageDeed): Promise<PageReport>;
  capture(wanted: Capture): Promise<PageReport>;
};
