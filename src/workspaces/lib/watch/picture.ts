import { deserialize, serialize } from "node:v8";
import type { Bytes } from "../../../core/contracts/workspace.ts";
import type { Repository } from "./git-index.ts";
import { type FileState, Listing, type Names } from "./tree.ts";

/** The state of all files at one time. */
export type Picture = {
  since: number;
  names: Names;
  listing: Listing;
  contents: ReadonlyMap<string, { state: FileState; bytes: Bytes }>;
  git: ReadonlyMap<string, { repository: Repository; id: string }>;
};

type Kept = Omit<Picture, "listing"> & { states: Listing["states"]; apart: Set<string> };

/** Serializes it for another process on this machine. */
export function toBytes({ since, names, listing, contents, git }: Picture, apart: ReadonlySet<string>): Bytes {
  const plain = new Map(
    [...git].map(
      ([
        file,
        {
          repository: { tree, folder },
          id,
        },
      ]) => [file, { repository: { tree, folder }, id }],
    ),
  );
  return serialize({ since, names, states: listing.states, contents, git: plain, apart } satisfies Kept | object);
}

/** Returns undefined if the bytes are invalid or in a format that this version does not read. */
export function fromBytes(bytes: Bytes): { picture: Picture; apart: ReadonlySet<string> } | undefined {
  try {
    const { since, names, states, contents, git, apart } = deserialize(bytes) as Kept;
    const listing = new Listing(names.files);
    listing.states.push(...states);
    if (![names.others, names.skipped, names.folders, contents, git].every((each) => each instanceof Map))
      return undefined;
    return { picture: { since, names, listing, contents, git }, apart: new Set(apart) };
  } catch {
    return undefined;
  }
}
