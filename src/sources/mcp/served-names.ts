import { createHash } from "node:crypto";
import { SERVED_PREFIX } from "../../core/contracts/servers.ts";
import { bareName } from "../../core/words/route.ts";

const LONGEST = 64;

/** A tool of a server, by the names that both have given themselves. */
export type Served = { readonly server: string; readonly tool: string };

/** What models' services take in a name, and nothing that looks like a border. */
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

/** The name that a tool would like to have here: mcp_SERVER_TOOL. */
const plainName = ({ server, tool }: Served): string => `${SERVED_PREFIX}${plain(server)}_${plain(tool)}`;

/** However somebody writes its name who forbids it, also while another's tool of that name keeps it from having it. */
export const spellingsOf = (served: Served): string[] => [
  plainName(served),
  `mcp__${served.server}__${served.tool}`,
  `mcp__${plain(served.server)}__${plain(served.tool)}`,
];

/** All of a server's tools begin so. */
export const prefixOf = (server: string): string => `${SERVED_PREFIX}${plain(server)}_`;

function distinct(served: Served): string {
  const hash = shortHash(served);
  return `${plainName(served).slice(0, LONGEST - hash.length - 1)}_${hash}`;
}

/**
 * Which tool has which name. A name belongs to the server, of those that are configured, whose own name it begins with;
 * what another one calls so gets a mark of its own, also while that server is down. So do names that could be taken for
 * each other: no server can have the name of another's tool by choosing names of its own.
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

/** The longest of the servers' names that it begins with; of two that sound the same it is neither's. */
function ownerOf(name: string, beginnings: readonly { server: string; sound: string }[]): string | undefined {
  const [first, second] = beginnings
    .filter(({ sound }) => name.startsWith(sound))
    .sort((a, b) => b.sound.length - a.sound.length);
  return first?.sound === second?.sound ? undefined : first?.server;
}

/** As other clients write it: mcp__github__create_issue. */
export const ownSpelling = (name: string): string =>
  name
    .trim()
    .replace(/^mcp__/, SERVED_PREFIX)
    .replace(/__/g, "_");
