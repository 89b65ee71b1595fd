import { type PathTouch, type Permission, type RunTouch, readsUnknown, type Touch } from "../core/words/touch.ts";
import { normalised } from "../shell/paths.ts";

const MOST = 200;
const DEEPEST = 12;
/** Separates paths: quotes, brackets, colons and signs end one. */
const BETWEEN = /[^\w.\-/~*?[\]]+/;
const HERE = /\$(?:PWD|\{PWD\})\//g;

/** What a command may do with files that its words do not name: it runs code, or takes names from elsewhere. */
const unknownIn = ({ inner }: RunTouch): ReadonlySet<Permission> =>
  new Set(
    inner.flatMap((touch) => (touch.action === "unknown" ? touch.permissions : readsUnknown(touch) ? ["read"] : [])),
  );

/**
 * What a command mentions without saying what it does with it, as uncertain touches: `perl -ne print secrets/key`,
 * `python -c "open('secrets/key')"`, `ssh example.com`. A word without a slash or dot is rarely a path. A command that
 * reads files named elsewhere, such as `xargs cat`, may read anything.
 */
export function mentions(run: RunTouch): Touch[] {
  const unknown = unknownIn(run);
  const actions: PathTouch["action"][] = [
    ...(unknown.has("read") ? (["read"] as const) : []),
    ...(unknown.has("write") ? (["write", "delete"] as const) : []),
  ];
  const reaches = unknown.has("network") || run.inner.some(({ action }) => action === "fetch");
  if (actions.length === 0 && !reaches) return [];
  const words = (run.reading?.segments ?? []).flatMap(({ words: known = [] }) => known.filter((word) => word !== null));
  const named = [run.command, ...words].flatMap((text) => text.replace(HERE, "").split(BETWEEN));
  const likely = named.filter((name) => /[/.]/.test(name) && /\w/.test(name));
  const names = [...new Set([...likely, ...valuesIn(words)])].slice(0, MOST);
  return [
    ...(run.inner.some(readsUnknown) ? [{ ...at("read", PLACE), scope: "**" }] : []),
    ...names.flatMap((name) => actions.flatMap((action) => placesOf(name).map((place) => at(action, place)))),
    ...(reaches ? names.flatMap(fetchesOf) : []),
  ];
}

const HOST = /^\/*([\w-]+(?:\.[\w-]+)+)(\/.*)?$/;

function fetchesOf(name: string): Touch[] {
  const [, host, path = "/"] = HOST.exec(name) ?? [];
  return host === undefined
    ? []
    : ["GET", "POST"].map((method) => ({ action: "fetch", url: `https://${host}${path}`, method }));
}

/** The value of an option may be a folder without looking like one: `-C infra`, `--prefix=infra`. */
const valuesIn = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => {
    const [, attached] = /^--?[\w-]+=([\w-]+)$/.exec(word) ?? [];
    if (attached !== undefined) return [attached];
    return /^--?[\w-]+$/.test(words[index - 1] ?? "") && /^\w[\w-]*$/.test(word) ? [word] : [];
  });

type Place = PathTouch["place"];
const ROOT = "/";
const PLACE: Place = { shown: ".", real: ROOT, root: ROOT, exists: true };
const at = (action: PathTouch["action"], place: Place): PathTouch => ({ action, place, certain: false });

/** The workspace's location is unknown here, so every suffix of an absolute path may be a path in it. */
function placesOf(path: string): Place[] {
  const even = normalised(path.replace(/(?<![.\-/])[.\-/]+$/, ""));
  if (!even.startsWith("/")) return [{ shown: even, real: `${ROOT}${even}`, root: ROOT, exists: true }];
  const names = even.slice(1).split("/");
  const ends = names.slice(0, DEEPEST).map((_, index) => names.slice(index).join("/"));
  return [
    { shown: even, real: even, root: "", exists: true },
    ...ends.map((end) => ({ shown: even, real: `${ROOT}${end}`, root: ROOT, exists: true })),
  ];
}
