/** Quotes, which may be escaped for a shell or a string around them, or the dollars of PostgreSQL. */
const QUOTE = "(\\\\{0,4}[\"']|\\$\\w{0,16}\\$)";
const LITERAL = `([NE]?)${QUOTE}((?:(?!\\3)[^\\n]){1,256})(?=\\3)`;

const ASSIGNED = String.raw`(?:\s{1,8}for\s{1,8}[^=;\n]{1,80}(?==))?\s{0,8}(?:=|\bto\b)?\s{0,8}(?:(?:old_)?password\s{0,4}\(\s{0,4})?`;
const PASSWORD = new RegExp(`(\\bpassword${ASSIGNED})${LITERAL}`, "gi");
const ACCOUNT = "user|role|login|group|server|database|application|master|certificate|credential|asymmetric|symmetric";
/** What stands before it. A statement about an account may say other things in between. */
const BEFORE_PASSWORD = new RegExp(
  String.raw`(?:\b(?:alter|create)\s{1,8}(?:${ACCOUNT})\b[^;]{0,256}|\boptions\s{0,8}\([^)]{0,256}|\b(?:set|with|(?:un)?encrypted|by)\s{1,8})$`,
  "i",
);

const PLUGIN = "(?:with\\s{1,8}[\\w\"'`]{1,64}\\s{1,8})?";
const IDENTIFIED = new RegExp(
  String.raw`(\bidentified\s{1,8}${PLUGIN}(?:by|as)\s{1,8}(?:password\s{1,8}|values\s{1,8})?)${LITERAL}`,
  "gi",
);
/** The password that there was. */
const REPLACED = new RegExp(String.raw`(\breplace\s{1,8})${LITERAL}`, "gi");
const BEFORE_REPLACED = /\bidentified\s{1,8}by\s[^;\n]{1,256}$/i;

/** Without quotes, as Oracle and the settings of Redis have it, a word may be prose unless it has a digit. */
const BARE =
  /(\bidentified\s{1,8}by\s{1,8}(?:values\s{1,8})?|\b(?:requirepass|masterauth)\s{1,8})(?=[A-Za-z_$#!@-]{0,64}\d)([^\s;"'`\\)]{4,128})/gi;

const NOTE = "[redacted password]";
const LOOK_BACK = 256;

function literals(text: string, pattern: RegExp, context?: RegExp): string {
  return text.replace(
    pattern,
    (whole: string, before: string, ...[prefix, quote, value, at]: [string, string, string, number]) => {
      if (/^(?:[$%{<:?*]|\[redacted)/.test(value)) return whole;
      if (context && !context.test(text.slice(Math.max(0, at - LOOK_BACK), at))) return whole;
      return `${before}${prefix}${quote}${NOTE}`;
    },
  );
}

/** Replaces passwords in statements of SQL, and in settings of databases that are written like commands. */
export function redactSql(text: string): string {
  let result = text;
  if (/password/i.test(result)) result = literals(result, PASSWORD, BEFORE_PASSWORD);
  if (/identified/i.test(result)) result = literals(literals(result, REPLACED, BEFORE_REPLACED), IDENTIFIED);
  return /identified|requirepass|masterauth/i.test(result)
    ? result.replace(BARE, (_, before: string) => before + NOTE)
    : result;
}
