/** Marks that HFS+ ignores in a name. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** What some disks read differently: characters beyond ASCII, dots and blanks at the end, streams, short names. */
const ODD = /[^\x00-\x7f]|[. ](?:[/\\]|$)|[:\\~]/;

function foldedName(name: string): string {
  const plain = name.replace(IGNORED, "").normalize("NFKC").toLowerCase();
  const stream = plain.indexOf(":");
  let end = stream > 0 ? stream : plain.length;
  while (end > 0 && (plain[end - 1] === "." || plain[end - 1] === " ")) end--;
  // dots alone are no name that a disk would shorten
  return end > 0 ? plain.slice(0, end) : plain;
}

/** A path as the most forgiving disk reads it: without case, forms of Unicode, ends in dots and blanks, and streams. */
export const folded = (path: string): string =>
  ODD.test(path) ? path.split(/[/\\]/).map(foldedName).join("/") : path.toLowerCase();

/** Whether a folded name is one of the short ones that Windows gives to a longer name (`GIT~1`). */
export function isShortFor(name: string, long: string): boolean {
  const [, start, end = ""] = /^([^.~]{1,6})~[1-9](?:\.([^.]{1,3}))?$/.exec(name) ?? [];
  if (start === undefined) return false;
  const bare = long.replace(/^\.+/, "");
  const dot = bare.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [bare.slice(0, dot), bare.slice(dot + 1)] : [bare, ""];
  return (
    stem.replaceAll(".", "").startsWith(start) &&
    start.length === Math.min(stem.length, 6) &&
    extension.slice(0, 3) === end
  );
}
