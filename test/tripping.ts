import { createHash } from "node:crypto";
import type { Before, Files, Stamp, Workspace } from "../src/core/contracts/workspace.ts";
import type { Parts, Station } from "../src/core/journey/journey-parts.ts";
import type { Life } from "../src/core/journey/life.ts";
import { Roster } from "../src/core/journey/roster.ts";
import { lookOnly, type Trip } from "../src/core/journey/trip.ts";
import { ToolFailure } from "../src/core/words/result.ts";
import type { Place } from "../src/core/words/touch.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { factsUnder } from "./judging.ts";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
export const placeOf = (name: string): Place => ({ shown: name, real: `/ws/${name}`, root: "/ws", exists: true });
export const beforeOf = (name: string, content: string | null, modeBefore = 0o644): Before => ({
  place: placeOf(name),
  ...(content === null ? { before: null } : { before: bytes(content), modeBefore }),
});

export type FileMap = Map<string, { text: string; mode?: number; kind?: "file" | "folder"; size?: number } | "closed">;

/** Files that are nowhere but here; one that is "closed" cannot be looked at. */
function filesIn(all: FileMap): Files {
  const at = ({ shown }: Place) => {
    const file = all.get(shown);
    if (file === "closed") throw new ToolFailure("IO_ERROR", `${shown} is closed`, "");
    return file;
  };
  const stampOf = (text: string, size = text.length): Stamp => ({ size, mtimeMs: 1, ctimeMs: 1, ino: 1 });
  return {
    stat(place: Place) {
      const file = at(place);
      return file && { kind: file.kind ?? "file", mode: file.mode ?? 0o644, stamp: stampOf(file.text, file.size) };
    },
    async read(place: Place) {
      const file = at(place);
      if (!file) throw new ToolFailure("NOT_FOUND", `${place.shown} does not exist`, "");
      return { bytes: bytes(file.text), mode: file.mode ?? 0o644, stamp: stampOf(file.text) };
    },
  } as Files;
}

type Given = { parts?: Partial<Parts>; workspace?: Partial<Workspace>; station?: Partial<Station>; files?: FileMap };

/** A call under way whose world is in memory; any part of it can be replaced. Its clock goes on by one with each look. */
export function tripIn({ parts, workspace, station, files = new Map() }: Given = {}, mode = "yolo" as const): Trip {
  let time = 0;
  let ids = 0;
  const equal = (a: Uint8Array | null, b: Uint8Array | null) =>
    a === null || b === null ? a === b : Buffer.from(a).equals(b);
  const after = (_: number, callback: () => void) => {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  };
  const all: Partial<Parts> = {
    store: memoryStore(),
    clock: { now: () => ++time, ticks: () => time, after },
    ...{ ids: () => `id${++ids}`, hash: sha256, equal, redact: (text: string) => text, policies: [], hooks: [] },
    ...{ redactDeep: (value: unknown) => value, heard: () => false, emit: () => {}, diff: () => "", patience: 1000 },
    lives: new Roster<Life>(),
    ...parts,
  };
  const locate = (path: string) => placeOf(path.replace(/^\/ws\//, ""));
  const world = { roots: ["/ws"], locate, trace: placeOf, files: filesIn(files), ...workspace } as Workspace;
  const gate = { sessions: ["session"], agent: "main", ancestors: [], keepers: [], gates: [] };
  return lookOnly(
    { parts: all as Parts, workspace: world, facts: factsUnder({ mode }), ...gate, ...station },
    { name: "thing", args: {} },
  );
}
