import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { baseOf, type Edit, type Installing, isOnPath, said } from "../../hook/install/install.ts";
import { memberAt, withMember, withoutMember } from "../../hook/install/settings-text.ts";
import { type ServerSetup, type Start, servers } from "./servers.ts";
import { tableAt, withoutTable, withTable } from "./toml.ts";

/** By name if it is on the PATH, as for everybody who shares the settings; else by its path. */
export const startOf = (program: string, options: readonly string[]): Start =>
  isOnPath()
    ? { command: "toolgate", args: ["mcp", ...options] }
    : { command: process.execPath, args: [program, "mcp", ...options] };

/** The edits that install it; none if it is installed already. Undefined if the client has no such settings. */
export const installing = (about: Installing, start: Start): Edit[] | undefined =>
  edited(about, ({ way, isToml, entry }, before) => {
    const text = before ?? (isToml ? "" : "{}\n");
    if (isForeign(entryIn(text, way, isToml)))
      throw new SyntaxError(`it has a server ${way.join(".")} that is not ours`);
    return isToml ? withTable(text, way, entry(start)) : withMember(text, way, entry(start));
  });

/** The edits that remove it. */
export const uninstalling = (about: Installing): Edit[] | undefined =>
  edited(about, ({ way, isToml }, before) => {
    if (before === null) return null;
    const entry = entryIn(before, way, isToml);
    if (entry === undefined || isForeign(entry)) return before;
    const after = isToml ? withoutTable(before, way) : withoutMember(before, way);
    return ["", "{}"].includes(after.replace(/\s/g, "")) ? null : after;
  });

const entryIn = (text: string, way: readonly string[], isToml: true | undefined): unknown =>
  isToml ? tableAt(text, way) : memberAt(text, way);

/** An entry that starts something else is not ours, whatever its name. */
const isForeign = (entry: unknown): boolean => entry !== undefined && wordsIn(entry)[1] !== "mcp";

/** The command line of an entry, starting with our own program. */
function wordsIn(entry: unknown): unknown[] {
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const words = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])];
  const at = words.findIndex((word) => typeof word === "string" && /(?:^|[/\\])toolgate(?:\.[cm]?js)?$/.test(word));
  return at < 0 ? [] : words.slice(at);
}

function edited(
  about: Installing,
  change: (setup: ServerSetup, before: string | null) => string | null,
): Edit[] | undefined {
  const setup = servers[about.client] as ServerSetup;
  const name = setup.file(about.scope);
  if (name === undefined) return undefined;
  const file = isAbsolute(name) ? name : join(baseOf(about), name);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  const after = said(name, () => change(setup, before));
  return after === before ? [] : [{ file, before, after }];
}
