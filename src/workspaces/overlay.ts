import type { Laid, Overlay } from "../core/contracts/overlay.ts";
import type { Search } from "../core/contracts/search.ts";
import {
  type Bytes,
  type Change,
  type Entry,
  type FileInfo,
  type FileRead,
  type Files,
  isLinkMode,
  type Workspace,
} from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Place, RunTouch } from "../core/words/touch.ts";
import { digestAbove } from "./lib/digest.ts";
import { conflict, insideFile, isFolder, madeTwice, notFound, notRegular } from "./lib/failures.ts";
import { type Above, placesAbove } from "./lib/places-above.ts";
import { searchAbove } from "./lib/search/above.ts";

/** `asked` is the mode that a change named; without one a new file gets the base's default. */
type Layer = { place: Place; before: FileRead | null; now: FileRead | null; asked: number | undefined };

/** The default modes under the current umask. */
const newFile = (): number => 0o666 & ~process.umask();
const newFolder = (): number => 0o777 & ~process.umask();
const PIECE = 1 << 18;
const MOST_NAMES = 50;

const sameBytes = (a: Bytes | null, b: Bytes | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

/** For distinct names. */
const byName = (a: Entry, b: Entry): number => (a.name < b.name ? -1 : 1);

const folderOf = (real: string): string => real.slice(0, Math.max(1, real.lastIndexOf("/")));

/** A workspace that can be changed without touching the disk: commits stay in memory, on top of the base. */
export function overlay(base: Workspace): Overlay & { changes(): Change[] } {
  const layers = new Map<string, Layer>();
  let serial = 0;
  const made = Date.now();
  let last: Promise<unknown> = Promise.resolve();

  /** The inode is negative, so that it equals that of no file on disk. */
  const asRead = (bytes: Bytes, mode: number): FileRead => {
    serial += 1;
    const now = Date.now();
    return { bytes, mode, stamp: { size: bytes.length, mtimeMs: now, ctimeMs: now, ino: -serial } };
  };

  /** The existing files of the layers by every folder above them, because very many may have been changed. */
  const living = new Map<string, Map<string, Layer>>();
  /** What was deleted, even if it was created again. */
  const gone = new Set<string>();
  /** Folders above the files of this layer. One that was created for a file stays, as on a disk. */
  const folders = new Set<string>();
  const setLayer = (real: string, layer: Layer): void => {
    layers.set(real, layer);
    if (!layer.now) gone.add(real);
    for (let folder = folderOf(real); ; folder = folderOf(folder)) {
      if (layer.now) folders.add(folder);
      const below = living.get(folder) ?? new Map<string, Layer>();
      if (layer.now) below.set(real, layer);
      else below.delete(real);
      living.set(folder, below);
      if (folder === "/") return;
    }
  };

  const inside = (folder: string): Iterable<Layer> => living.get(folder)?.values() ?? [];

  /** Whether the plan hides the base's file there: it was changed or deleted, or lies below something that was. */
  const isHidden = (real: string): boolean => {
    for (let at = real; at !== "/"; at = folderOf(at)) if (layers.has(at)) return true;
    return false;
  };

  const seen = (place: Place): Place => {
    const isAbove = folders.has(place.real) || Boolean(layers.get(place.real)?.now);
    return { ...place, exists: isAbove || (place.exists && !isHidden(place.real)) };
  };

  const readAbove = (real: string): FileRead | null | undefined =>
    layers.get(real)?.now ?? (isHidden(real) ? null : undefined);

  const stat = async (place: Place): Promise<FileInfo | undefined> => {
    const layer = layers.get(place.real);
    if (layer?.now)
      return { kind: isLinkMode(layer.now.mode) ? "link" : "file", mode: layer.now.mode, stamp: layer.now.stamp };
    const below = isHidden(place.real) ? undefined : await base.files.stat(place);
    if (below) return below;
    if (!folders.has(place.real)) return undefined;
    return { kind: "folder", mode: newFolder(), stamp: { size: 0, mtimeMs: made, ctimeMs: made, ino: 0 } };
  };

  const read = async (place: Place): Promise<FileRead> => {
    const layer = layers.get(place.real);
    if (layer?.now) return { ...layer.now, bytes: new Uint8Array(layer.now.bytes) };
    if (folders.has(place.real)) throw isFolder(place.shown);
    if (isHidden(place.real)) throw notFound(place.shown);
    return base.files.read(place);
  };

  async function* chunks(place: Place, from = 0): AsyncGenerator<Bytes> {
    if (!folders.has(place.real) && !isHidden(place.real)) {
      yield* base.files.chunks(place, from);
      return;
    }
    if (!Number.isSafeInteger(from) || from < 0) {
      throw new ToolFailure("VALIDATION_ERROR", `${from} is not a byte offset.`, "Use a whole number of at least 0.");
    }
    const { bytes } = await read(place);
    for (let position = from; position < bytes.length; position += PIECE)
      yield bytes.subarray(position, position + PIECE);
  }

  const list = async (place: Place): Promise<Entry[]> => {
    const layer = layers.get(place.real);
    if (layer?.now) {
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${place.shown} is not a folder.`,
        "Name a folder, or read it as a file.",
      );
    }
    const isAlone = !folders.has(place.real);
    if (isAlone && isHidden(place.real)) throw notFound(place.shown);
    const isBelow = isAlone || (!isHidden(place.real) && (await base.files.stat(place)));
    const below = isBelow ? await base.files.list(place) : [];
    const start = place.real === "/" ? 1 : place.real.length + 1;
    const found = new Map(below.map((entry) => [entry.name, entry]));
    for (const real of gone) if (folderOf(real) === place.real) found.delete(real.slice(start));
    for (const real of folders)
      if (folderOf(real) === place.real && real !== place.real)
        found.set(real.slice(start), { name: real.slice(start), kind: "folder" });
    for (const { place: there, now } of inside(place.real)) {
      const [name = "", ...deeper] = there.real.slice(start).split("/");
      found.set(name, { name, kind: deeper.length > 0 ? "folder" : isLinkMode(now?.mode) ? "link" : "file" });
    }
    return [...found.values()].sort(byName);
  };

  const near = async (place: Place): Promise<string[]> => {
    const name = (real: string) => real.slice(real.lastIndexOf("/") + 1).toLowerCase();
    const changed = [...layers.values()];
    const missing = new Set(changed.filter((layer) => !layer.now).map((layer) => layer.place.shown));
    const added = changed
      .filter(({ now, before, place: { real } }) => now && !before && real !== place.real)
      .filter(({ place: { real } }) => folderOf(real) === folderOf(place.real) || name(real) === name(place.real))
      .map((layer) => layer.place.shown);
    const below = (await base.files.near(place)).filter((shown) => !missing.has(shown));
    return [...new Set([...added, ...below])].slice(0, MOST_NAMES);
  };

  const present = async (change: Change): Promise<FileRead | null> => {
    const info = await stat(change.place);
    if (!info) return null;
    if (info.kind === "other") throw notRegular(change.place.shown);
    return read(change.place);
  };

  const check = async (changes: readonly Change[]): Promise<(FileRead | null)[]> => {
    const found: (FileRead | null)[] = [];
    for (const change of changes) {
      const { real, shown, root } = change.place;
      for (let folder = folderOf(real); folder.length > root.length; folder = folderOf(folder)) {
        if (layers.get(folder)?.now) throw insideFile(shown);
      }
      const now = await present(change);
      if (!sameBytes(now?.bytes ?? null, change.before)) throw conflict(shown, "has changed since it was read");
      found.push(now);
    }
    return found;
  };

  const put = (change: Laid, found: FileRead | null): void => {
    const { place, after } = change;
    const layer = layers.get(place.real);
    const asked = change.mode ?? (found ? layer?.asked : undefined);
    const wanted = asked ?? found?.mode ?? newFile();
    const mode = isLinkMode(wanted) ? wanted : wanted & 0o7777;
    setLayer(place.real, {
      place: layer?.place ?? place,
      before: layer ? layer.before : found,
      now: after && asRead(new Uint8Array(after), mode),
      asked,
    });
  };

  const commit: Files["commit"] = async (changes, intend) => {
    const seen = new Set<string>();
    for (const { place } of changes) {
      if (seen.has(place.real)) throw madeTwice(place.shown);
      seen.add(place.real);
    }
    await check(changes);
    await intend();
    // one after the other, so that nothing comes between the last check and the change
    const mine = last.then(async () => {
      const found = await check(changes);
      for (const [at, change] of changes.entries()) put(change, found[at] ?? null);
    });
    last = mine.catch(() => {});
    await mine;
    return undefined;
  };

  const lay = async (files: readonly Laid[]): Promise<void> => {
    const mine = last.then(async () => {
      for (const file of files) {
        const info = await stat(file.place);
        const isRead = info?.kind === "file" || info?.kind === "link";
        put(file, isRead ? await read(file.place) : null);
      }
    });
    last = mine.catch(() => {});
    return mine;
  };

  const differs = ({ real }: Place): boolean => {
    if (isHidden(real) || folders.has(real)) return true;
    const below = real === "/" ? real : `${real}/`;
    for (const path of gone) if (path.startsWith(below)) return true;
    return false;
  };

  const clear = (): void => {
    layers.clear();
    living.clear();
    gone.clear();
    folders.clear();
  };

  const changes = (): Change[] =>
    [...layers.values()]
      .filter(({ before, now }) => !sameBytes(before?.bytes ?? null, now?.bytes ?? null) || before?.mode !== now?.mode)
      .map(({ place, before, now, asked }) => ({
        place,
        before: before?.bytes ?? null,
        after: now?.bytes ?? null,
        ...(before && { modeBefore: before.mode }),
        ...(now && (asked !== undefined || (before && before.mode !== now.mode)) && { mode: now.mode }),
      }));

  const locate = placesAbove(base, {
    at: (real): Above => {
      const layer = layers.get(real);
      if (!layer?.now) return layer && "gone";
      return isLinkMode(layer.now.mode) ? { link: new TextDecoder().decode(layer.now.bytes) } : "file";
    },
    anyGone: () => gone.size > 0,
    seen,
  });

  const files: Files = { stat, read, chunks, list, near, commit };
  const above = searchAbove({ base, files, paths: () => layers });
  const means = (): Search => (layers.size === 0 ? base.search : above);
  const search: Search = {
    files: (...asked) => means().files(...asked),
    lines: (...asked) => means().lines(...asked),
  };
  const trace = (path: string, itself?: boolean): Place | Promise<Place> => {
    const place = base.trace(path, itself);
    return place instanceof Promise ? place.then(seen) : seen(place);
  };
  // only commands that provably change nothing run in a plan; they see the disk as it is
  const processes = base.processes && { processes: base.processes };
  const patch = base.patch && { patch: base.patch };
  const digest = base.digest && { digest: digestAbove(base.digest, trace, readAbove) };
  const behind = base.behind && { behind: base.behind };
  const tracked = {
    ...(base.tracked && { tracked: base.tracked }),
    ...(base.namedByGit && { namedByGit: base.namedByGit }),
  };
  const rehearse = base.rehearse && { rehearse: (run: RunTouch) => base.rehearse?.(run, changes()) };
  return {
    roots: base.roots,
    locate,
    trace,
    files,
    search,
    ...processes,
    ...patch,
    ...digest,
    ...behind,
    ...tracked,
    ...rehearse,
    changes,
    lay,
    clear,
    differs,
    close: async () => clear(),
  };
}
