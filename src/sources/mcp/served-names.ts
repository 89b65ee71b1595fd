import { createHash } from "node:crypto";
import { SERVED_PREFIX } from "../../core/contracts/servers.ts";
import { bareName } from "../../core/words/route.ts";

const LONGEST = 64;

/** A tool of a server, by the names that they gave themselves. */
export type Served = { readonly server: string; readonly tool: string };

/** Keeps the characters that model providers accept in a name, and strips separators at its ends. */
const plain = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");

const shortHash = ({ server, tool }: Served): string =>
  createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 6);

/** The preferred name of a tool: mcp_SERVER_TOOL. */
const plainName = ({ server, tool }: Served): string => `${SERVED_PREFIX}${plain(server)}_${plain(tool)}`;

/** All spellings by which a person may forbid it, even while another tool has its preferred name. */
export const spellingsOf = (served: Served): string[] => [
  plainName(served),
  `mcp__${served.server}__${served.tool}`,
  `mcp__${plain(served.server)}__${plain(served.tool)}`,
];

/** The prefix of all of a server's tools. */
export const prefixOf = (server: string): string => `${SERVED_PREFIX}${plain(server)}_`;

function distinct(served: Served): string {
  const hash = shortHash(served);
  return `${plainName(served).slice(0, LONGEST - hash.length - 1)}_${hash}`;
}

/**
 * Assigns names to tools. A name belongs to the configured server whose prefix it has; if another server's tool would
 * get it, that tool gets a hash suffix, even while the owner is down. So do names that could be confused with each
 * other: no server can take over the name of another's tool by its choice of names.
 */
export function namesOf<S extends Served>(all: readonly S[], servers: readonly string[]): Map<string, S> {
  const alike = new Map<string, S[]>();
  for (const each of all) {
    const sound = bareName(plainName(each));
    alike.set(sound, [...(alike.get(sound) ?? []), each]);
  }
  const names = new Map<string, S>();
  const beginnings = servers.map((server) => ({ server, sound: bareName(prefixOf(server)) }));
  for (const [sound, group] of alike) {
    const owner = ownerOf(sound, beginnings);
    const own = group.filter(({ server }) => server === owner);
    for (const each of group) {
      const wanted = plainName(each);
      const isOnly = own.length === 1 && own[0] === each;
      const fits = isOnly && wanted.length <= LONGEST && plain(each.tool) !== "" && plain(each.server) !== "";
      names.set(fits ? wanted : distinct(each), each);
    }
  }
  return new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The server with the longest matching prefix; none if two prefixes are equal. */
function ownerOf(name: string, beginnings: readonly { server: string; sound: string }[]): string | undefined {
  const [first, second] = beginnings
    .filter(({ sound }) => name.startsWith(sound))
    .sort((a, b) => b.sound.length - a.sound.length);
  return first?.sound === second?.sound ? undefined : first?.server;
}

/** Converts the spelling of other clients: mcp__github__create_issue. */
export const ownSpelling = (name: string): string =>
  name
    .trim()
    .replace(/^mcp__/, SERVED_PREFIX)
    .replace(/__/g, "_");
