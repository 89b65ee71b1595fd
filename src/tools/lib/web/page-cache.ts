import type { Fetched } from "./fetching.ts";

const FRESH_MS = 15 * 60_000;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_PAGES = 50;

/** Recently fetched pages by final URL, so that the next part of a long page needs no request. */
export class PageCache {
  readonly #pages = new Map<string, { page: Fetched; until: number }>();
  #bytes = 0;

  get(url: string, now: number): Fetched | undefined {
    const found = this.#pages.get(url);
    if (!found) return undefined;
    if (found.until > now) return found.page;
    this.#drop(url);
    return undefined;
  }

  add(page: Fetched, now: number): void {
    const { "cache-control": control = "", vary = "", age = "", pragma = "" } = page.headers;
    if (/\bno-(?:store|cache)\b/i.test(control) || (control === "" && /\bno-cache\b/i.test(pragma))) return;
    // `Vary: *` means that no two requests are alike
    if (vary.trim() === "*") return;
    const [, seconds] = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control) ?? [];
    const passed = /^\d{1,9}$/.test(age) ? Number(age) : 0;
    const fresh = seconds === undefined ? FRESH_MS : Math.min(FRESH_MS, (Number(seconds) - passed) * 1_000);
    if (fresh <= 0) return;
    this.#drop(page.url);
    this.#pages.set(page.url, { page, until: now + fresh });
    this.#bytes += page.bytes.length;
    for (const [oldest] of this.#pages) {
      if (this.#bytes <= MOST_BYTES && this.#pages.size <= MOST_PAGES) break;
      this.#drop(oldest);
    }
  }

  #drop(url: string): void {
    this.#bytes -= this.#pages.get(url)?.page.bytes.length ?? 0;
    this.#pages.delete(url);
  }
}
