import { fitsWord } from "./command-pattern.ts";

type Fetch = { readonly url: string; readonly method: string };

/** `docs.example.com`, `*.example.com`, `POST api.example.com/v1/*`, `https://example.com:8443/*`. */
type UrlPattern = { method?: string; protocol?: string; host: string; port?: string; path?: string };

const SHAPE = /^(?:([A-Za-z]+|\*)\s+)?(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.]+\]|[^/:\s]+)(?::(\d+|\*))?(\/\S*)?$/i;

function read(pattern: string): UrlPattern | undefined {
  const found = SHAPE.exec(pattern.trim());
  if (!found) return undefined;
  const [, method, protocol, host = "", port, path] = found;
  return {
    host: host.toLowerCase(),
    ...(method && { method: method.toUpperCase() }),
    ...(protocol && { protocol: `${protocol.toLowerCase()}:` }),
    ...(port && { port }),
    ...(path && path !== "/" && { path }),
  };
}

export const urlProblem = (pattern: string): string | undefined =>
  read(pattern)
    ? undefined
    : "is not an address: write a host such as docs.example.com, with a path and a method if you like";

const READING: readonly string[] = ["GET", "HEAD"];
const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function isSame({ protocol, host, port, path }: UrlPattern, url: URL): boolean {
  if (!fitsWord(host, url.hostname.toLowerCase().replace(/\.$/, ""))) return false;
  if (protocol && url.protocol !== protocol) return false;
  if (port && port !== "*" && (url.port || PORTS[url.protocol]) !== port) return false;
  return path === undefined || fitsWord(path, url.pathname) || fitsWord(path, `${url.pathname}${url.search}`);
}

/** Compares the URL as a client would read it. What cannot be parsed counts as forbidden. */
export function forbidsUrl(pattern: string, { url, method }: Fetch): boolean {
  const rule = read(pattern);
  if (!rule || !URL.canParse(url)) return true;
  if (rule.method && rule.method !== "*" && rule.method !== method.toUpperCase()) return false;
  return isSame(rule, new URL(url));
}

/** Without a method only reading is allowed; without a port only the default one; a user name in the URL is a doubt. */
export function permitsUrl(pattern: string, { url, method }: Fetch): boolean {
  const rule = read(pattern);
  if (!rule || !URL.canParse(url)) return false;
  const parsed = new URL(url);
  if (parsed.username || parsed.password) return false;
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return false;
  const asked = method.toUpperCase();
  if (rule.method ? rule.method !== "*" && rule.method !== asked : !READING.includes(asked)) return false;
  if (!rule.port && parsed.port) return false;
  return isSame(rule, parsed);
}
