const PEM_START = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
// a pipe or an arrow is the gutter of a quoted line only at the beginning of a line
const AT_LINE = String.raw`(?<=(?:\n|\\n)[ \t>|+-]{0,16})`;
const PEM_GUTTER = `(?:\\s|\\\\+[rnt]|${AT_LINE}[>|+-]){0,64}?`;
const PEM_QUOTED = `(?:[\\s"',+]|\\\\+[rnt"']|${AT_LINE}[>|-]){0,64}?`;
const PEM_NUMBER = String.raw`(?:\d{1,6}[\t:|→] ?)?`;
const PEM_END = new RegExp(
  `${PEM_QUOTED}${PEM_NUMBER}-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?(?:-----)?`,
  "y",
);
// lower-case letters alone may be the path of a script
const PEM_LINE = new RegExp(
  `${PEM_QUOTED}${PEM_NUMBER}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\n\\\\;|&$\`]{0,256}|(?=[a-z+/=]{0,64}[A-Z0-9])[A-Za-z0-9+/=]{16,4096})`,
  "y",
);
const PEM_LAST_LINE = new RegExp(
  `${PEM_GUTTER}${PEM_NUMBER}[A-Za-z0-9+/=]{1,15}(?=\\s{0,8}(?:\\\\+n|\\n|$|["'\`]|-----END ))`,
  "y",
);

function after(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** Where a key's block ends: after its END line, or after the last line that looks like its body. Commands never do. */
function blockEnd(text: string, from: number): number {
  let body = from;
  for (let next = after(PEM_LINE, text, body); next > body; next = after(PEM_LINE, text, body)) body = next;
  const last = after(PEM_LAST_LINE, text, body);
  const end = after(PEM_END, text, last);
  // a short word alone is part of a key only between the two marks
  if (end > last) return end;
  return body > from ? last : from;
}

/** Replaces private keys in armour, also in quotes, in strings and in the gutter of a listing. */
export function redactPrivateKeys(text: string): string {
  let result = "";
  let done = 0;
  PEM_START.lastIndex = 0;
  for (let match = PEM_START.exec(text); match; match = PEM_START.exec(text)) {
    result += `${text.slice(done, match.index)}[redacted private key]`;
    done = blockEnd(text, PEM_START.lastIndex);
    PEM_START.lastIndex = done;
  }
  return result + text.slice(done);
}
