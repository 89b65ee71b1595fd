import { plainField } from "./fields.ts";
import { fits, hasPattern, joined, normalised } from "./paths.ts";
import { mayBeObeyed } from "./variables.ts";
import { assign, exhausted, FETCHED, type Field, type Flow, LIMITS, type Walk } from "./walk.ts";

const DESCRIPTORS = /^\/proc\/(?:thread-)?self\/fd\//;
/** Of the names that a descriptor has on the machine, one counts here. */
const placeAt = (folder: string, text: string): string =>
  normalised(joined(folder, text)).replace(DESCRIPTORS, "/dev/fd/");

/** Remembers what a line writes to a file, so that the content is judged if the file is run later. */
export const noteFile = (path: string, flow: Flow, walk: Walk): void => {
  if (flow.fetched) {
    walk.fetchedFiles ??= new Set();
    walk.fetchedFiles.add(path);
    if (hasPattern(path)) walk.fetchedByPattern = true;
  } else if (flow.text !== undefined && flow.text.length <= LIMITS.value) {
    walk.writtenFiles ??= new Map();
    // `>` and `>>` are not told apart here: the file may hold both texts
    walk.writtenFiles.set(path, (walk.writtenFiles.get(path) ?? "") + flow.text);
  }
};

/** What goes into the targets of a redirection. */
export const noteOutput = (targets: readonly Field[], flow: Flow, walk: Walk): void => {
  if (!flow.fetched && flow.text === undefined) return;
  for (const field of targets) noteFile(normalised(joined(walk.scope.folders[0] ?? "", field.text)), flow, walk);
};

/** An entry that ends in a slash is a folder below which everything is from the network. */
export const noteTree = (path: string, walk: Walk): void => {
  walk.fetchedFiles ??= new Set();
  walk.fetchedFiles.add(path === "/" ? path : `${path}/`);
};

const isBelowFetched = (path: string, fetched: ReadonlySet<string>): boolean => {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    if (fetched.has(path.slice(0, at + 1))) return true;
  return fetched.has("./") && !/^(?:[/~]|\.\.)/.test(path);
};

/** `alone`: only if it was fetched as a single file, and not as part of a folder. */
export const isFetchedFile = (field: Field, walk: Walk, alone = false): boolean => {
  if (field.text.includes(FETCHED)) return true;
  const { fetchedFiles } = walk;
  if (fetchedFiles === undefined) return false;
  return walk.scope.folders.some((folder) => {
    const path = placeAt(folder, field.text);
    for (const fetched of field.glob || walk.fetchedByPattern ? fetchedFiles : [])
      if (exhausted(walk) || (field.glob && fits(path, fetched)) || (hasPattern(fetched) && fits(fetched, path)))
        return true;
    return fetchedFiles.has(path) || (!alone && isBelowFetched(path, fetchedFiles));
  });
};

/** Whether something from the network lies below what a word names. */
export const holdsFetched = ({ text }: Field, walk: Walk): boolean => {
  const folders = walk.scope.folders.map((folder) => `${placeAt(folder, text)}/`);
  for (const path of walk.fetchedFiles ?? []) if (folders.some((folder) => path.startsWith(folder))) return true;
  return false;
};

/** What this line has put into a file. */
export const writtenText = (field: Field, walk: Walk): string | undefined => {
  if (walk.writtenFiles === undefined) return undefined;
  for (const folder of walk.scope.folders) {
    const text = walk.writtenFiles.get(placeAt(folder, field.text));
    if (text !== undefined) return text;
  }
  return undefined;
};

/** `BASH_ENV=y`, `LD_PRELOAD=./y`, `PATH=. y`: what a variable names or leads to is run with the command. */
export const leadsToFetched = (name: string, fields: readonly Field[], walk: Walk): boolean => {
  if (!mayBeObeyed(name)) return false;
  const program = fields[0]?.text ?? "";
  return (walk.scope.variables?.get(name) ?? []).some((value) => {
    const places =
      name === "PATH" ? value.split(":").map((folder) => `${folder || "."}/${program}`) : value.split(/[:\s]/);
    return places.some((place) => place !== "" && isFetchedFile(plainField(place), walk));
  });
};

/** Variables by which a shell, the loader or an interpreter finds what it runs before anything else. */
const LEADING =
  /^(?:PATH|(?:LD|DYLD)_\w+|(?:BASH_)?ENV|PYTHON(?:STARTUP|PATH)|NODE_(?:OPTIONS|PATH)|(?:PERL5|RUBY)(?:LIB|OPT))$/;

/** The same for what the line has set before: `PATH=.; y`, `export LD_PRELOAD=./y; ls`. */
export const isLedToFetched = (fields: readonly Field[], walk: Walk): boolean => {
  const { variables } = walk.scope;
  if (variables === undefined) return false;
  for (const name of variables.keys()) if (LEADING.test(name) && leadsToFetched(name, fields, walk)) return true;
  return false;
};

/** The descriptor that bash usually assigns for reading from a coprocess. */
const OF_COPROCESS = "63";

/** `coproc name …`: later commands read what it prints. */
export const noteCoprocess = (name: string, flow: Flow, walk: Walk): Flow => {
  if (!flow.fetched && flow.text === undefined) return flow;
  assign(walk, `${name}[0]`, OF_COPROCESS);
  noteFile(`/dev/fd/${OF_COPROCESS}`, flow, walk);
  return flow;
};
