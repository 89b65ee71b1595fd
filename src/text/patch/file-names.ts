const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
const timestamp = /\s\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[-+]\d\d:?\d\d|Z)?$/;

/** The name in a header line, without a timestamp and unquoted. */
export function headerName(rest: string): string {
  const quoted = quotedName(rest.trim());
  if (quoted) return quoted.name;
  const [beforeTab = ""] = rest.split("\t", 1);
  return beforeTab.trim().replace(timestamp, "").trim();
}

/** The same, but `/dev/null` if the time is the epoch, which is how diff marks a missing file. */
export const fileName = (rest: string): string => (isEpoch(rest) ? nowhere : headerName(rest));

const moment = /\s(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.0+)?(?: ?([-+])(\d\d):?(\d\d)|Z)?$/;

function isEpoch(rest: string): boolean {
  const found = moment.exec(rest.trimEnd());
  if (!found) return false;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [sign, hours = "0", minutes = "0"] = found.slice(7);
  const zone = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - zone, second) === 0;
}

/** A name in double quotes, with bytes written as escapes. */
function quotedName(text: string): { name: string; rest: string } | undefined {
  const found = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (!found) return undefined;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece, octal, letter] of found[1]!.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]/gsu)) {
    const escaped = escapes[letter ?? ""];
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(escaped);
    else bytes.push(...encoder.encode(letter ?? piece));
  }
  return { name: new TextDecoder().decode(new Uint8Array(bytes)), rest: text.slice(found[0].length).trim() };
}

/** The two names of a `diff --git` line; undefined if blanks make it ambiguous. */
export function gitNames(rest: string): { old: string; new: string } | undefined {
  const first = quotedName(rest);
  if (first) return { old: first.name, new: quotedName(first.rest)?.name ?? first.rest };
  const second = rest.trim().indexOf(' "');
  if (second > 0) {
    const quoted = quotedName(rest.trim().slice(second + 1));
    if (quoted?.rest === "") return { old: rest.trim().slice(0, second), new: quoted.name };
  }
  const words = rest.trim().split(" ");
  const half = words.length / 2;
  if (!Number.isInteger(half)) return undefined;
  return { old: words.slice(0, half).join(" "), new: words.slice(half).join(" ") };
}

export const nowhere = "/dev/null";

/**
 * The one file that two names mean: the same name, the same below different first folders (`a/` and `b/`, or two
 * compared trees), or a name and its backup copy.
 */
export function commonName(old: string, fresh: string): string | undefined {
  if (old === fresh) return plainName(old);
  const [oldRest, newRest] = [withoutFirst(old), withoutFirst(fresh)];
  if (oldRest !== undefined && oldRest === newRest) return plainName(oldRest);
  const [plainOld, plainNew] = [withoutPrefix(old, "a/"), withoutPrefix(fresh, "b/")];
  if (plainOld === plainNew || isBackupOf(plainOld, plainNew)) return plainName(plainNew);
  return isBackupOf(plainNew, plainOld) ? plainName(plainOld) : undefined;
}

export function plainName(name: string): string {
  return name.replace(/^(?:\.\/+)+/, "");
}

export function withoutPrefix(name: string, prefix: "a/" | "b/"): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function withoutFirst(name: string): string | undefined {
  const slash = name.indexOf("/");
  return slash <= 0 || name.startsWith(".") ? undefined : name.slice(slash + 1);
}

function isBackupOf(copy: string, name: string): boolean {
  return [".orig", ".old", ".bak", "~"].some((ending) => copy === name + ending);
}
