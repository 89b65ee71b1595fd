import { blanked, type Within } from "./shown-code.ts";

const START = /:\/\/([^\s/?#"'<>:@]{0,256})(:?)/g;
const PLAIN = /[^\s/?#"'<>]{0,512}@/y;
const PORT = /\d{1,5}(?![^/?#\s"'<>`),;\]}])/y;
const HOST = /(?:[\w.%-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?=[/?#,;\s"'`)\\]|$)/y;
const REFERENCE = /^(?:\$[{(]|\$[A-Z_][A-Z0-9_]*$|<[^<>]*>$|\{\{|\{\w*\}$|\*+$|%\w+%$|%[sd]$|\[redacted)/;
const LONGEST = 1024;

/** A setting on a line of its own (`DATABASE_URL=…`, `url: …`) is no command with more behind it. */
const SETTING = /^[ \t]*(?:-[ \t]{1,8})?(?:[\w.-]{1,64}[:=][ \t]{0,8})?[\w+.-]{0,32}$/;
const RUNS_TEXT = /(?<![\w.-])(?:eval|(?:ba|da|z|k)?sh|ssh|su|xargs)(?![\w.-])/;

function passwordBlanked(text: string, at: number, start: number, end: number, within: Within): string {
  const note = "[redacted password]";
  const near = text.slice(Math.max(0, at - 1024), at);
  const before = near.slice(near.lastIndexOf("\n") + 1);
  const value = text.slice(start, end);
  if (SETTING.test(before) && !/[$`({]/.test(value)) return note;
  // quotes around a whole command line do not quote for the shell that is given it
  const stop = value.search(/[;|&]/);
  if (stop >= 0 && RUNS_TEXT.test(before) && !/["'][\w+.-]{1,32}$/.test(before))
    return blanked(text, start, start + stop, note, within) + value.slice(stop);
  return blanked(text, start, end, note, within);
}

/** The quote in front of an address, which may then hold blanks and the other quotes. */
function quoteBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && start > at - 40 && /[\w+.:-]/.test(text[start - 1] as string)) start--;
  const quote = text[start - 1] ?? "";
  return quote === '"' || quote === "'" ? quote : "";
}

/** Where a password ends that begins here; -1 where none does. Characters that an address should escape count too. */
function passwordEnd(text: string, at: number, from: number): number {
  PLAIN.lastIndex = from;
  if (PLAIN.test(text)) return PLAIN.lastIndex - 1;
  PORT.lastIndex = from;
  if (PORT.test(text)) return -1;
  const quote = quoteBefore(text, at);
  const near = text.slice(from, from + LONGEST);
  const stop = near.search(quote === '"' ? /["\n]/ : quote === "'" ? /['\n]/ : /[\s"'<>`]/);
  const segment = stop < 0 ? near : near.slice(0, stop);
  for (let sign = segment.lastIndexOf("@"); sign > 0; sign = segment.lastIndexOf("@", sign - 1)) {
    HOST.lastIndex = from + sign + 1;
    if (HOST.test(text)) return from + sign;
  }
  return -1;
}

const TOKEN_AS_USER = /^(?:x-oauth-basic|x-access-token)?$/;

/** Passwords, and tokens in place of a user, in front of the host of an address. */
export function redactUserInfo(text: string, within: Within): string {
  let result = "";
  let done = 0;
  START.lastIndex = 0;
  for (let match = START.exec(text); match; match = START.exec(text)) {
    const { 1: user = "", 2: colon, index } = match;
    const userAt = index + 3;
    const behind = START.lastIndex;
    const end = colon === ":" ? passwordEnd(text, index, behind) : text[behind] === "@" ? behind : -1;
    if (end < 0) continue;
    const password = text.slice(behind, end);
    const blank = (by: string, start: number, stop: number): void => {
      result += text.slice(done, start) + by;
      done = stop;
    };
    const long = user.length >= 20 && /\d/.test(user);
    if (colon === ":" ? user.length >= 8 && TOKEN_AS_USER.test(password) : long)
      blank(blanked(text, userAt, userAt + user.length, "[redacted token]", within), userAt, userAt + user.length);
    if (password !== "" && !REFERENCE.test(password))
      blank(passwordBlanked(text, index, behind, end, within), behind, end);
    START.lastIndex = Math.max(end, behind);
  }
  return result + text.slice(done);
}
