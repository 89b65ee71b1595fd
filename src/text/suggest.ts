import { slips } from "./nearest.ts";

/** Words that mean the same for a tool. A name with one kind of verb is never suggested for another. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  read: ["read", "view", "open", "get", "show", "cat", "load", "display", "print"],
  write: ["write", "create", "save", "make", "new", "put", "add", "overwrite", "store"],
  edit: ["edit", "replace", "modify", "update", "change", "patch", "apply", "insert"],
  delete: ["delete", "remove", "rm", "unlink", "erase", "drop", "purge", "clear", "wipe", "trash", "destroy", "rmdir"],
  move: ["move", "mv", "rename"],
  copy: ["copy", "cp", "duplicate", "clone"],
  list: ["list", "ls", "dir", "tree"],
  search: ["search", "find", "grep", "glob", "locate", "query", "lookup"],
  run: ["run", "exec", "execute", "shell", "bash", "command", "terminal", "spawn", "start"],
  undo: ["undo", "revert", "rollback", "restore", "redo"],
  stop: ["kill", "stop", "terminate", "end", "cancel", "abort"],
  fetch: ["fetch", "download", "browse", "request"],
  send: ["send", "post", "upload", "push", "publish"],
};
const KIND = new Map(Object.entries(VERBS).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)));

type Told = { bare: string; kind: string | undefined; objects: readonly string[] };

function told(name: string): Told {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
  const verb = words.find((word) => KIND.has(word));
  const objects = words.filter((word) => word !== verb).map((word) => word.replace(/(?<=...)s$/, ""));
  return { bare: words.join(""), kind: verb && KIND.get(verb), objects };
}

/**
 * Names that may have been meant by an unknown one: a typo, or the same action on the same thing in other words. Never
 * another action, and never a destructive one, because a model follows suggestions.
 */
export function suggest(word: string, names: readonly string[], most = 3): string[] {
  const wanted = told(word.slice(0, 128));
  const found: [name: string, far: number][] = [];
  for (const name of names) {
    const far = distance(wanted, told(name));
    if (far < Infinity) found.push([name, far]);
  }
  return found
    .sort(([, a], [, b]) => a - b)
    .slice(0, most)
    .map(([name]) => name);
}

function distance(wanted: Told, other: Told): number {
  if (other.kind === "delete" || (wanted.kind && other.kind && wanted.kind !== other.kind)) return Infinity;
  const typed = wanted.bare.length < 3 ? Infinity : slips(wanted.bare, other.bare, wanted.bare.length < 6 ? 1 : 2);
  if (typed < Infinity) return typed;
  const isSame = wanted.kind !== undefined && wanted.kind === other.kind;
  return isSame && wanted.objects.some((each) => other.objects.includes(each)) ? 3 : Infinity;
}
