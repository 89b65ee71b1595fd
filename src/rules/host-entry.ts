/**
 * `docs.example.com`, `*.example.com:8443`, `127.0.0.1:8080`, `10.0.0.0/8`, `[fd00::1]:80`, `*:25`: a name, or a block
 * of addresses. Parsed without the address library, which only requests need.
 */
export type HostEntry =
  | { readonly name: string; readonly port?: number }
  | { readonly first: string; readonly bits: number; readonly port?: number };

const SHAPE = /^(\[[^\]]+\](?:\/\d{1,3})?|[^:[\]]+)(?::(\d{1,5}))?$/;
/** A star stands for all names, or for all below one. In the middle of a name it would let strangers in. */
const NAME = /^(?:\*|(?:\*\.)?(?:[^\s.*/@\\?#%]+\.)*[^\s.*/@\\?#%]+)$/;
const FOUR = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/;

export function hostEntry(entry: string): HostEntry | undefined {
  const text = bareName(entry.trim());
  // an IPv6 address without brackets contains colons itself
  const whole = block(text);
  if (whole) return whole;
  const [, host = "", digits] = SHAPE.exec(text) ?? [];
  const number = digits === undefined ? undefined : Number(digits);
  if (number !== undefined && (number < 1 || number > 65_535)) return undefined;
  const port = number === undefined ? {} : { port: number };
  const found = block(host.replace(/^\[([^\]]+)\]/, "$1"));
  if (found) return { ...found, ...port };
  const name = canonical(bareName(host));
  if (name === undefined) return undefined;
  // every browser takes what ends in a number as an address, however it is written
  const isName = NAME.test(name) && (name === "*" || !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name));
  return isName ? { name, ...port } : undefined;
}

/** As a browser would write it: names with non-ASCII letters are converted to Punycode. */
function canonical(name: string): string | undefined {
  const [, star = "", rest = ""] = /^(\*\.)?(.*)$/.exec(name) ?? [];
  if (rest === "*" || /^[a-z0-9_.-]+$/.test(rest)) return name;
  return /[\s/@\\?#%:*]/.test(rest) || !URL.canParse(`http://${rest}/`)
    ? undefined
    : star + new URL(`http://${rest}/`).hostname;
}

function block(text: string): { first: string; bits: number } | undefined {
  const [, first = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const isFour = FOUR.test(first) && !first.endsWith(".");
  if (!isFour && !(first.includes(":") && URL.canParse(`http://[${first}]/`))) return undefined;
  const most = isFour ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  return bits > most ? undefined : { first, bits };
}

/** A name with a trailing dot is the same without it. */
export const bareName = (host: string): string => host.toLowerCase().replace(/\.$/, "");
