import { addressOf, type Block, blockOf, isIn } from "./addresses.ts";
import { bareName, hostEntry } from "./host-entry.ts";

/** A requested host as its URL names it, and the address that it was resolved to. */
export type Target = { readonly host: string; readonly port: number; readonly address?: string };

type Entry = { readonly port?: number } & ({ readonly name: string } | { readonly block: Block });

export type HostList = {
  readonly has: (target: Target) => boolean;
  /** Whether an entry names the target with exactly this port. */
  readonly hasPort: (target: Target) => boolean;
  /** Whether a name that is not listed could still match by its address. */
  readonly isOpen: boolean;
};

/** `generous`: an entry for all names below one also matches that name itself. */
export function hostList(entries: readonly string[], generous = false): HostList {
  const known = entries.map(read);
  const fits = (entry: Entry, { host, port, address }: Target): boolean => {
    if (entry.port !== undefined && entry.port !== port) return false;
    if ("name" in entry) return fitsName(entry.name, bareName(host), generous);
    const found = addressOf(address ?? host);
    return found !== undefined && isIn(found, entry.block);
  };
  return {
    has: (target) => known.some((entry) => fits(entry, target)),
    hasPort: (target) => known.some((entry) => entry.port !== undefined && fits(entry, target)),
    isOpen: known.some((entry) => "block" in entry),
  };
}

/** Throws for an invalid entry, because it would forbid nothing. */
function read(written: string): Entry {
  const entry = hostEntry(written);
  const block = entry && "first" in entry ? blockOf(entry.first, entry.bits) : undefined;
  if (!entry || ("first" in entry && !block)) throw new TypeError(`${JSON.stringify(written)} is not a host`);
  const port = entry.port === undefined ? {} : { port: entry.port };
  return "name" in entry ? { name: entry.name, ...port } : { block: block as Block, ...port };
}

function fitsName(pattern: string, name: string, generous: boolean): boolean {
  if (pattern === "*") return true;
  if (!pattern.startsWith("*.")) return pattern === name;
  return name.endsWith(pattern.slice(1)) || (generous && name === pattern.slice(2));
}
