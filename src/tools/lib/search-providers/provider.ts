/** One page that was found. */
export type Found = { readonly title: string; readonly url: string; readonly snippet: string };

export type SearchRequest = {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where a provider is, if not at its usual URL, and the variable that holds its key. */
export type ProviderSettings = { readonly url?: string; readonly keyFrom?: string };

/**
 * A search provider. `read` returns what was found, or why nothing could be read: the provider blocks us, wants a key,
 * or has changed its format.
 */
export type Provider = {
  readonly name: string;
  /** The variable that holds the key, if one is needed and no other is configured. */
  readonly key?: string;
  /** Absent if there is no public instance. */
  readonly url?: string;
  request(query: string, most: number, settings: { url: string; key: string }): SearchRequest;
  read(body: string): readonly Found[] | string;
};

/** Text without tags, on one line. */
export const oneLine = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replace(/<[^<>]{0,200}>/g, "")
        .replace(/\s+/g, " ")
        .trim()
    : "";

export function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses results that are lists of objects with the same fields, under the provider's own names. */
export function listed(list: unknown, names: { title: string; url: string; snippet: string }): Found[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((each: unknown) => {
    const row = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    const url = row[names.url];
    const address = typeof url === "string" ? pageAt(url) : undefined;
    if (address === undefined) return [];
    return [{ title: oneLine(row[names.title]) || address, url: address, snippet: oneLine(row[names.snippet]) }];
  });
}

/** The normalized URL of a page; undefined if it is not one. */
export const pageAt = (url: string): string | undefined =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).href : undefined;

/** Pages that ask for proof of a person before showing others. */
export const isChallenge = (html: string): boolean =>
  /<html|<!doctype html|<div|<form/i.test(html) &&
  /captcha|anomaly-modal|anomaly\.js|challenge-form|cf-chl|challenge-platform|just a moment|not a (?:ro)?bot|a robot\?|unusual traffic|(?:verify|confirm)(?:ing)? (?:that )?you are (?:a )?human|anubis/i.test(
    html.slice(0, 200_000),
  );
export const CHALLENGED = "it asks for proof that a person is searching";

export const CHANGED = "its answer has a form that is not known";
