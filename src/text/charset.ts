import { attributesOf, walkHtml } from "./html/html-walk.ts";

const MARKS: readonly (readonly [label: string, bytes: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** How far to look: some pages have long scripts before they declare their charset. */
const LOOKED_AT = 65_536;

/** Decodes text from HTTP: by its byte order mark, else the header, else the page, else as most pages are. */
export function textOf(bytes: Uint8Array, contentType = ""): { text: string; charset: string } {
  const mark = MARKS.find(([, first]) => first.every((byte, index) => bytes[index] === byte))?.[0];
  const named = mark ?? charsetIn(contentType);
  const said = (named && decoderFor(named)?.encoding) ?? charsetOfPage(bytes);
  const decoder = said === undefined ? undefined : decoderFor(mark ? said : corrected(said, bytes));
  if (decoder) return { text: western(decoder.decode(bytes), decoder.encoding), charset: decoder.encoding };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), charset: "utf-8" };
  } catch {
    return isMostlyUtf8(bytes)
      ? { text: new TextDecoder("utf-8").decode(bytes), charset: "utf-8" }
      : { text: western(new TextDecoder("windows-1252").decode(bytes), "windows-1252"), charset: "windows-1252" };
  }
}

/** Servers often declare one charset for all pages. Valid UTF-8 is hardly ever anything else, and vice versa. */
function corrected(said: string, bytes: Uint8Array): string {
  if (said === "windows-1252") return isMostlyUtf8(bytes) ? "utf-8" : said;
  if (said !== "utf-8" || isMostlyUtf8(bytes)) return said;
  const own = charsetOfPage(bytes);
  return own !== undefined && decoderFor(own) ? own : said;
}

const FROM_80 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Some versions of Node read windows-1252 as latin1, which has control characters in place of quotes and dashes. */
const western = (text: string, charset: string): string =>
  charset === "windows-1252"
    ? text.replace(/[\u0080-\u009f]/g, (control) => FROM_80.charAt(control.charCodeAt(0) - 0x80))
    : text;

/** Whether it contains non-ASCII UTF-8 and nothing invalid, except perhaps a cut character at its end. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return /[^\0-\x7f]/.test(text);
  } catch {
    return false;
  }
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const charsetIn = (contentType: string): string | undefined =>
  /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType.slice(0, 1_000))?.[1];

function charsetOfPage(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, LOOKED_AT));
  const declared = /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1];
  let found: string | undefined = declared;
  walkHtml(head, {
    open(name, tag) {
      if (name !== "meta" || found !== undefined) return;
      const { charset, content, "http-equiv": kind } = attributesOf(tag);
      found = charset ?? (kind?.toLowerCase() === "content-type" ? charsetIn(content ?? "") : undefined);
    },
  });
  // a page that could be read so far is not UTF-16, whatever it says
  if (found?.toLowerCase().startsWith("utf-16")) return "utf-8";
  return found === undefined ? undefined : decoderFor(found)?.encoding;
}
