/** One page that was found. */
export type Found = { readonly title: string; readonly url: string; readonly snippet: string };

export type SearchRequest = {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where a provider is, if not where it usually is, and the variable that holds its key. */
export type ProviderSettings = { readonly url?: string; readonly keyFrom?: string };

/**
 * Somebody who answers searches. `read` gives what was found, or in a word why nothing could be read: the provider
 * blocks, wants a key, or answers in another way than it used to.
 */
export type Provider = {
  readonly name: string;
  /** The variable that holds the key, where one is needed and no other is named. */
  readonly key?: string;
  /** undefined: there is none that everybody may use. */
  readonly url?: string;
  request(query: string, most: number, settings: { url: string; key: string }): SearchRequest;
  read(body: string): readonly Found[] | string;
};

/** Text as a person reads it, in one line. */
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

/** Results that are lists of objects with the same few fields, under names of their own. */
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

/** The address of a page as it is fetched; undefined: it is none. */
export const pageAt = (url: string): string | undefined =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).href : undefined;

/** Pages that stand before others and want to see a person. */
export const isChallenge = (html: string): boolean =>
  /<html|<!doctype html|<div|<form/i.test(html) &&
  /captcha|anomaly-modal|anomaly\.js|challenge-form|cf-chl|challenge-platform|just a moment|not a (?:ro)?bot|a robot\?|unusual traffic|(?:verify|confirm)(?:ing)? (?:that )?you are (?:a )?human|anubis/i.test(
    html.slice(0, 200_000),
  );
export const CHALLENGED = "it asks for proof that a person is searching";

export const CHANGED = "its answer has a form that is not known";
