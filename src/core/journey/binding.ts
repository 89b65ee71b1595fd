import type { Digest } from "../contracts/workspace.ts";
import { type Code, type CodeFile, OBEYED } from "../words/code.ts";
import { isWithinAny } from "../words/containment.ts";
import type { Ready } from "../words/ready.ts";
import type { Trip } from "./trip.ts";

/** A file that decides what the call runs, with the hash of its content. */
export type BoundFile = { readonly shown: string; readonly real: string; readonly hash: string };

/** The files that a yes is bound to. `whole`: nothing else decides what runs, so a standing yes can hold. */
export type Bound = { readonly files: readonly BoundFile[]; readonly whole: boolean };

export const NOTHING_BOUND: Bound = { files: [], whole: true };

/** Stands for a file that cannot be read. */
const UNREAD: Digest = { place: { shown: "", real: "", root: "", exists: true }, hash: "unread" };

/** A sandbox has its own versions of these folders. */
const PRIVATE = ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/run", "/proc"];

/** The files that decide what the call runs, as they are now. */
export async function boundOf({ station }: Trip, { tool, input }: Ready): Promise<Bound> {
  const code = await tool.definition.code?.(input as never);
  if (!code) return NOTHING_BOUND;
  const { workspace } = station;
  if (!workspace.digest) return { files: [], whole: false };
  const isPrivate = (await workspace.processes?.enforcement())?.sandbox !== "none";
  const files = new Map<string, BoundFile>();
  let whole = !code.open;
  const folders = new Map<string, boolean>();
  const asked = new Map(code.files.map((file) => [keyOf(file), file]));
  // files that others lead to are added during the loop
  for (const file of asked.values()) {
    const { target, part } = file;
    let found: Digest | undefined;
    let led = NOWHERE;
    try {
      found = await workspace.digest(target, part, folders);
      if (found || part === OBEYED) led = workspace.behind?.(file) ?? NOWHERE;
    } catch {
      found = UNREAD;
    }
    for (const each of led.files) asked.set(keyOf(each), each);
    if (found === UNREAD || led.open || target.startsWith("~")) whole = false;
    if (isPrivate && isWithinAny(target, PRIVATE)) whole = false;
    if (!found) continue;
    const { place, hash } = found;
    if (isPrivate && place.root === "" && isWithinAny(place.real, PRIVATE)) whole = false;
    files.set(`${place.real} ${part ?? ""}`, { shown: place.shown || target, real: place.real, hash });
  }
  return { files: [...files.values()].sort((a, b) => (a.real < b.real ? -1 : 1)), whole };
}

const NOWHERE: Code = { files: [] };
const keyOf = ({ target, part = "" }: CodeFile): string => `${target}\0${part}`;

/** The shown name of the first file that differs. */
export function changedFile(before: Bound, now: Bound): string | undefined {
  const differs = (a: Bound, b: Bound) =>
    a.files.find(({ real, hash }) => !b.files.some((other) => other.real === real && other.hash === hash));
  return (differs(before, now) ?? differs(now, before))?.shown;
}
