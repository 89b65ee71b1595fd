import type fs from "node:fs";
import { type Aftermath, type Bytes, type Found, sameStamp, type Watch } from "../../../core/contracts/workspace.ts";
import { isBelow } from "../../../core/words/containment.ts";
import type { PathTouch, Place } from "../../../core/words/touch.ts";
import { readWhole } from "../file-reading.ts";
import { modeOf } from "../opened.ts";
import { gitIndexOf, type Repository } from "./git-index.ts";
import { objectsOf } from "./git-objects.ts";
import { type KeepLimits, KeptContents } from "./kept.ts";
import { type KnownLimits, knownFiles } from "./known.ts";
import { fromBytes, type Picture, toBytes } from "./picture.ts";
import { Budget, type FileState, isFresh, Listing, lookAtAll, type Names, namesIn, stateOf } from "./tree.ts";

/**
 * What watching may cost. With more than `files` files, or if looking takes longer than `scanMs` before the run or
 * `compareMs` after it, only what was known beforehand is found. Before the run only the first `lookedFiles` are
 * examined: of deeper files only the names are known, and git cannot help.
 */
export type WatchLimits = KnownLimits &
  KeepLimits & {
    files: number;
    scanMs: number;
    lookedFiles: number;
    compareMs: number;
    changes: number;
    changedBytes: number;
  };

const MEGABYTE = 1 << 20;
const LIMITS: WatchLimits = {
  files: 60_000,
  scanMs: 300,
  lookedFiles: 20_000,
  compareMs: 1_000,
  keptFiles: 2_000,
  keptBytes: 20 * MEGABYTE,
  keptEach: 2 * MEGABYTE,
  keepMs: 100,
  knownFiles: 1_000,
  knownBytes: 200 * MEGABYTE,
  knownEach: 20 * MEGABYTE,
  changes: 5_000,
  changedBytes: 200 * MEGABYTE,
};

type Locate = (path: string) => Place;
type Means = { locate: Locate; limits: WatchLimits; apart: ReadonlySet<string>; hash: (bytes: Bytes) => string };
type Differing = { file: string; was: FileState | undefined; existed: boolean; now: FileState | undefined };

/**
 * Finds what a command changed by examining every file before and after. The old content of a file is known if it was
 * kept, if git held it unchanged, if it only moved, or if it did not exist. Ignored files count like others; `.git`,
 * `.toolgate` and `node_modules` are left out. Links, pipes and folders are never restored.
 */
export function watcher(roots: readonly string[], locate: Locate, given: Partial<WatchLimits> = {}) {
  const limits = { ...LIMITS, ...given };
  const kept = new KeptContents();
  return async (touches: readonly PathTouch[], hash: (bytes: Bytes) => string): Promise<Watch> => {
    const known = await knownFiles(touches, limits, locate);
    const apart = new Set(known.map(({ place }) => place.real));
    const picture = await take(roots, limits, kept, apart).catch(() => undefined);
    const end = () => aftermathOf(roots, picture, { locate, limits, apart, hash });
    return { known, end, picture: () => picture && toBytes(picture, apart) };
  };
}

/** Continues a watch that another process began. */
export const rewatcher =
  (roots: readonly string[], locate: Locate, given: Partial<WatchLimits> = {}) =>
  (bytes: Bytes, hash: (bytes: Bytes) => string): Watch | undefined => {
    const kept = fromBytes(bytes);
    if (!kept) return undefined;
    const means = { locate, limits: { ...LIMITS, ...given }, apart: kept.apart, hash };
    return { known: [], end: () => aftermathOf(roots, kept.picture, means) };
  };

async function aftermathOf(roots: readonly string[], picture: Picture | undefined, means: Means): Promise<Aftermath> {
  const now = picture && (await lookAgain(roots, picture, means.limits).catch(() => undefined));
  return now ? compare(picture, now, means) : { found: [], lost: [], whole: false };
}

async function take(
  roots: readonly string[],
  limits: WatchLimits,
  kept: KeptContents,
  apart: ReadonlySet<string>,
): Promise<Picture> {
  const since = Date.now();
  const names = await namesIn(roots, new Budget(limits.files, limits.scanMs));
  const listing = new Listing(names.files);
  const look = lookAtAll(names.files, new Budget(limits.lookedFiles, limits.scanMs), (_, stats, index) => {
    listing.states[index] = stateOf(stats);
  });
  await look.catch(() => {});
  const git = new Map<string, { repository: Repository; id: string }>();
  const indexes = await Promise.all(roots.map(async (root) => ({ root, repository: await gitIndexOf(root) })));
  const unkept: [string, FileState][] = [];
  for (const [index, state] of listing.states.entries()) {
    const file = names.files[index] as string;
    if (!state || apart.has(file)) continue;
    const repository = indexes.find(({ root }) => isBelow(file, root))?.repository;
    const id = repository?.cleanID(file, state);
    if (repository && id !== undefined) git.set(file, { repository, id });
    else unkept.push([file, state]);
  }
  return { since, names, listing, git, contents: await kept.keep(unkept, limits) };
}

/** The second look gets more time: without it the first one is useless. */
async function lookAgain(roots: readonly string[], before: Picture, { files, compareMs }: WatchLimits) {
  const names = await namesIn(roots, new Budget(files * 2, compareMs), before.names);
  const differing: Differing[] = [];
  const { files: were, states } = before.listing;
  const stayed = new Uint8Array(were.length);
  await lookAtAll(names.files, new Budget(files * 2, compareMs), (file, stats) => {
    const index = before.listing.indexOf(file);
    const existed = index !== -1;
    if (existed) stayed[index] = 1;
    const was = states[index];
    if (!existed || mayDiffer(was, stats, before)) differing.push({ file, was, existed, now: stateOf(stats) });
  });
  for (const [index, file] of were.entries())
    if (stayed[index] === 0) differing.push({ file, was: states[index], existed: true, now: undefined });
  return { names, differing };
}

/** If only its name was known, the ctime decides, which the kernel sets and no command can set back. */
const mayDiffer = (was: FileState | undefined, now: fs.Stats, { since }: Picture): boolean =>
  was === undefined ? now.ctimeMs >= since : !sameStamp(was, now) || was.mode !== modeOf(now) || isFresh(was, since);

async function compare(
  before: Picture,
  { names, differing: all }: { names: Names; differing: readonly Differing[] },
  { locate, limits, apart, hash }: Means,
): Promise<Aftermath> {
  const differing = all.filter(({ file }) => !apart.has(file));
  const contents = await contentsOf(differing, before, limits);
  const others = changedSigns(before.names.others, names.others).filter((file) => !apart.has(file));
  const lost = [...others, ...changedSigns(before.names.skipped, names.skipped)];
  const found: Found[] = [];
  let bytes = 0;
  for (const each of differing) {
    bytes += each.now?.size ?? 0;
    const within = found.length < limits.changes && bytes <= limits.changedBytes;
    const change = within ? await changeOf(each, contents, locate, hash) : unknownChange(each);
    if (change === "lost") lost.push(each.file);
    else if (change) found.push(change);
  }
  return { found, lost: lost.map((file) => shownBy(locate, file)), whole: true };
}

/** A path that can no longer be located is shown as it is. */
function shownBy(locate: Locate, file: string): string {
  try {
    const { real, shown } = locate(file);
    return real === file ? shown : file;
  } catch {
    return file;
  }
}

const changedSigns = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((file) => before.get(file) !== now.get(file));

/** The old contents of the differing files, as far as they are known. */
async function contentsOf(
  differing: readonly Differing[],
  before: Picture,
  { knownEach, changedBytes }: WatchLimits,
): Promise<Map<string, Bytes>> {
  const contents = new Map<string, Bytes>();
  const wanted = new Map<Repository, Map<string, string>>();
  const moved = new Map(differing.flatMap(({ file, existed, now }) => (existed || !now ? [] : [[bodyOf(now), file]])));
  const sizes = new Map(differing.map(({ file, was }) => [file, was?.size]));
  let bytes = 0;
  for (const { file, was } of differing) {
    const kept = before.contents.get(file);
    const object = before.git.get(file);
    const target = was && moved.get(bodyOf(was));
    if (kept) contents.set(file, kept.bytes);
    bytes += kept ? 0 : (was?.size ?? 0);
    if (kept || !was || was.size > knownEach || bytes > changedBytes) continue;
    if (object) wanted.set(object.repository, (wanted.get(object.repository) ?? new Map()).set(file, object.id));
    else if (target !== undefined) {
      const read = await readWhole({ real: target, shown: target, root: "/", exists: true }).catch(() => undefined);
      if (read) contents.set(file, read.bytes);
    }
  }
  for (const [index, ids] of wanted)
    for (const [file, bytes] of await objectsOf(index, ids))
      if (bytes.length === sizes.get(file)) contents.set(file, bytes);
  return contents;
}

/** These stay the same if a file is only renamed. */
const bodyOf = ({ ino, size, mtimeMs }: FileState): string => `${ino} ${size} ${mtimeMs}`;

/** Returns undefined if the content turned out to be the same. */
async function changeOf(
  { file, was, existed, now }: Differing,
  contents: ReadonlyMap<string, Bytes>,
  locate: Locate,
  hash: (bytes: Bytes) => string,
): Promise<Found | "lost" | undefined> {
  const before = contents.get(file) ?? null;
  if (existed && before === null) return unknownChange({ was, now });
  try {
    const place = locate(file);
    if (place.real !== file) return "lost";
    const modeBefore = was && { modeBefore: was.mode };
    // what is no file any more, but still there, is in the way
    if (!now) return place.exists ? "lost" : { place, before, after: null, ...modeBefore };
    const { bytes, mode } = await readWhole(place);
    const same = before !== null && was?.mode === mode && Buffer.compare(before, bytes) === 0;
    return same ? undefined : { place, before, after: hash(bytes), modeAfter: mode, ...modeBefore };
  } catch {
    return "lost";
  }
}

/** Without the old content a file counts as changed by its times, except the ctime, which a rename also sets. */
const unknownChange = ({ was, now }: Pick<Differing, "was" | "now">): "lost" | undefined =>
  was && now && bodyOf(was) === bodyOf(now) && was.mode === now.mode ? undefined : "lost";
