import { withoutStandIns } from "./walk.ts";

/** What an expression of code stands for, as far as it is known. */
export type Value = string | number | readonly Value[] | undefined;
export type Call = (args: readonly Value[]) => Value;

/** A longer text is not followed. */
export const MOST_TEXT = 4_096;
export const MOST_ITEMS = 512;

export const isText = (value: Value): value is string => typeof value === "string";
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The items of a list, or the characters of a text. */
export const itemsOf = (value: Value): readonly Value[] | undefined =>
  isText(value) ? [...value] : isList(value) ? value : undefined;

export const textsOf = (values: readonly Value[]): string[] | undefined => {
  const texts = values.map((value) => (typeof value === "number" ? String(value) : value));
  return texts.every(isText) ? texts : undefined;
};

export const character = (code: Value): Value =>
  typeof code === "number" && Number.isInteger(code) && code > 0 && code < 0x110000
    ? withoutStandIns(String.fromCodePoint(code))
    : undefined;

const characters: Call = (args) => {
  const codes = args.length === 1 && isList(args[0]) ? args[0] : args;
  const all = codes.map((code) => (isText(code) ? code : character(code)));
  return all.every(isText) ? all.join("") : undefined;
};

/** Also the alphabet that is used in addresses. */
export const fromBase64 = (text: string): string | undefined => {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/").replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
};

export const fromHex = (text: string): string | undefined => {
  const digits = text.replace(/\s+/g, "");
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) return undefined;
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
};

export const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
  );

const known = (text: string | undefined): Value => (text === undefined ? undefined : withoutStandIns(text));

const decoded = (text: string, kind: string): Value => {
  if (/base-?64|^m0?$/i.test(kind)) return known(fromBase64(text));
  if (/hex|16|^H\*?$/i.test(kind)) return known(fromHex(text));
  return /rot/i.test(kind) ? rotated(text) : text;
};

const decoding =
  (kind: string): Call =>
  ([text]) =>
    isText(text) ? decoded(text, kind) : undefined;

/** The kind of encoding is the second word, if there is one: `Buffer.from(x, "hex")`. */
const decodingAs: Call = ([text, kind]) => {
  if (isList(text)) return characters([text]);
  return isText(text) ? decoded(text, isText(kind) ? kind : "") : undefined;
};

const packed: Call = ([kind, ...args]) => {
  if (!isText(kind)) return undefined;
  return /^H/.test(kind) && isText(args[0]) ? decoded(args[0], "hex") : characters(args.flat(1));
};

const unescapedUrl: Call = ([text]) => {
  try {
    return isText(text) ? withoutStandIns(decodeURIComponent(text.replaceAll("+", " "))) : undefined;
  } catch {
    return undefined;
  }
};

export const joined = (separator: Value, list: Value): Value => {
  const texts = isText(separator) ? textsOf(itemsOf(list) ?? [undefined]) : undefined;
  if (texts === undefined) return undefined;
  const length = texts.reduce((sum, text) => sum + text.length, (separator as string).length * texts.length);
  return length > 2 * MOST_TEXT ? undefined : texts.join(separator as string);
};

export const reversed: Call = ([value]) =>
  isText(value) ? [...value].reverse().join("") : isList(value) ? [...value].reverse() : undefined;

const splitted: Call = ([text, separator = " "]) => {
  if (!isText(text)) return undefined;
  return isText(separator) ? text.split(separator) : undefined;
};

const PLACE = /%(?:%|[-+ 0#]*\d{0,4}(?:\.\d{1,4})?[a-zA-Z])|\{\d{0,2}\}/g;

/** `%s` and `{}`, each filled with the next value. */
export const formatted = (format: Value, args: readonly Value[]): Value => {
  if (!isText(format)) return undefined;
  let used = 0;
  let known = format.length * args.length < MOST_TEXT;
  const text = format.replace(PLACE, (place) => {
    if (place === "%%") return "%";
    const at = /^\{(\d+)\}$/.exec(place)?.[1];
    const value = args[at === undefined ? used++ : Number(at)];
    if (typeof value === "number") return place.endsWith("c") ? (character(value) as string) : String(value);
    if (!isText(value)) known = false;
    return String(value);
  });
  return known ? text.slice(0, MOST_TEXT) : undefined;
};

const replaced: Call = ([text, from, to = ""]) => {
  if (!isText(text) || !isText(from) || !isText(to) || from === "") return undefined;
  if (text.length * to.length > from.length * 16 * MOST_TEXT) return undefined;
  return text.replaceAll(from, () => to);
};

const translated: Call = ([text, from, to]) => {
  if (!isText(text) || !isText(from) || !isText(to)) return undefined;
  const [all, others] = [from, to].map(ranges) as [string, string];
  return [...text]
    .map((char) => (all.includes(char) ? (others[all.indexOf(char)] ?? others.at(-1) ?? "") : char))
    .join("");
};
const ranges = (text: string): string =>
  text.replace(/([a-zA-Z0-9])-([a-zA-Z0-9])/g, (_, from: string, to: string) => {
    const [first, length] = [from.charCodeAt(0), to.charCodeAt(0) - from.charCodeAt(0) + 1];
    return String.fromCharCode(...Array.from({ length: Math.max(0, length) }, (__, index) => first + index));
  });

const trimmed: Call = ([text, chars]) => {
  if (!isText(text)) return undefined;
  if (!isText(chars)) return text.trim();
  const kept = [...text];
  while (kept.length > 0 && chars.includes(kept[0] as string)) kept.shift();
  while (kept.length > 0 && chars.includes(kept.at(-1) as string)) kept.pop();
  return kept.join("");
};

export const sliced = (value: Value, from: Value, to: Value): Value => {
  const [start, end] = [from, to].map((at) => (typeof at === "number" ? at : undefined));
  return isText(value) || isList(value) ? value.slice(start, end) : undefined;
};

const first: Call = ([value]) => value;
const listed: Call = ([value]) => itemsOf(value);
const quotedText: Call = ([value]) => (isText(value) ? JSON.stringify(value) : undefined);
const lower: Call = ([text]) => (isText(text) ? text.toLowerCase() : undefined);
const upper: Call = ([text]) => (isText(text) ? text.toUpperCase() : undefined);
const together: Call = (args) => textsOf(args)?.join("");

const named = (names: string, call: Call): [string, Call][] => names.split(" ").map((name) => [name, call]);

/** Some of the characters, from a place on that is counted from `base`. */
export const portion = (base: number, [value, from, length]: readonly Value[]): Value => {
  if (!isText(value) || typeof from !== "number") return undefined;
  const start = from < 0 ? Math.max(0, value.length + from) : Math.max(0, from - base);
  return sliced(value, start, typeof length === "number" && length >= 0 ? start + length : length);
};

/** What is called the same in most languages, by the last part of its name. The first value may be a method's own. */
export const CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ...named("chr fromcharcode fromcodepoint char bytes bytearray implode", characters),
  ...named(
    "b64decode decode_base64 base64_decode atob decode64 strict_decode64 urlsafe_decode64 a2b_base64 urlsafe_b64decode standard_b64decode base64d decodebytes",
    decoding("base64"),
  ),
  ...named("fromhex unhexlify hex2bin a2b_hex b16decode", decoding("hex")),
  ...named("str_rot13 rot13", decoding("rot13")),
  ...named("decode from unpack unpack1", decodingAs),
  ...named("pack", packed),
  ...named("urldecode rawurldecode unquote unquote_plus decodeuricomponent decodeuri unescape", unescapedUrl),
  ...named("reverse reversed strrev", reversed),
  ...named("split", splitted),
  ...named("list values sorted", listed),
  ...named("format sprintf", ([format, ...args]) => formatted(format, args)),
  ...named("replace replaceall gsub sub", replaced),
  ["explode", ([separator, text]) => splitted([text, separator])],
  ...named("str_replace", ([from, to, text]) => replaced([text, from, to])),
  ...named("tr translate", translated),
  ...named("strtr", translated),
  ...named("strip lstrip rstrip trim chomp trimstart trimend", trimmed),
  ...named("slice substring", ([value, from, to]) => sliced(value, from, to)),
  ["scalar", first],
  ...named("lower tolowercase downcase lc strtolower tolower", lower),
  ...named("upper touppercase upcase uc strtoupper toupper", upper),
  ...named("concat paste0 cat", together),
  ...named("paste", (args) => textsOf(args)?.join(" ")),
  ...named("repr stringify inspect dumps", quotedText),
  ...named("str string tostring to_s encode scalar freeze text raw buffer", first),
  ...named("ord charcodeat codepointat", ([text]) => (isText(text) ? text.codePointAt(0) : undefined)),
]);

const ESCAPED =
  /\\(?:x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{1,2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|(\d{1,3})|([\s\S]))/g;
const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", e: "\x1b", "\n": "" };

/** The text that most languages make of escapes. `decimal`: digits are no octal number. */
export const unescaped = (text: string, decimal: boolean): string =>
  withoutStandIns(
    text.replace(ESCAPED, (_, x1?: string, x2?: string, u1?: string, u2?: string, digits?: string, letter = "") => {
      const hex = x1 ?? x2 ?? u1 ?? u2;
      if (hex === undefined && digits === undefined) return LETTERS[letter] ?? letter;
      const code = hex === undefined ? Number.parseInt(digits as string, decimal ? 10 : 8) : Number.parseInt(hex, 16);
      return isText(character(code)) ? (character(code) as string) : "";
    }),
  );

export const added = (left: Value, right: Value): Value => {
  if (isList(left) && isList(right)) return left.length + right.length > MOST_ITEMS ? undefined : [...left, ...right];
  if (typeof left === "number" && typeof right === "number") return left + right;
  const texts = textsOf([left, right]);
  return texts && texts.join("").length <= MOST_TEXT ? texts.join("") : undefined;
};

export const onNumbers =
  (act: (left: number, right: number) => number) =>
  (left: Value, right: Value): Value =>
    typeof left === "number" && typeof right === "number" ? act(left, right) : undefined;

export const repeated = (left: Value, right: Value): Value =>
  isText(left) && typeof right === "number" && left.length * right <= MOST_TEXT && right >= 0
    ? left.repeat(right)
    : undefined;
