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
    if (typeof url !== "string" || !/^https?:\/\//i.test(url)) return [];
    return [{ title: oneLine(row[names.title]) || url, url, snippet: oneLine(row[names.snippet]) }];
  });
}

export const CHANGED = "its answer has a form that is not known";
