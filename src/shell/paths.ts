import { UNKNOWN } from "./walk.ts";

export const isAbsolute = (path: string): boolean => path.startsWith("/") || path.startsWith("~");

const SLASH = 47;
/** Like `lastIndexOf`, which engines do not optimise. */
const lastSlash = (path: string, from: number): number => {
  let at = from;
  while (at >= 0 && path.charCodeAt(at) !== SLASH) at--;
  return at;
};

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(lastSlash(path, path.length - 1) + 1);

/** Words that can only name a folder: `a/`, `.`, `a/..`. */
export const namesFolder = (path: string): boolean => {
  if (!path.endsWith("/") && !path.endsWith(".")) return path === "";
  const name = nameOf(path);
  return name === "" || name === "." || name === "..";
};

/** A path as named, seen from a folder. Only a leading `./` is dropped: what `..` means is for the disk to say. */
export const joined = (folder: string, path: string): string => {
  if (folder === "" || folder === "." || isAbsolute(path)) return path;
  let rest = path;
  while (rest.startsWith("./")) rest = rest.slice(2);
  if (rest === "" || rest === ".") return folder;
  return folder.endsWith("/") ? folder + rest : `${folder}/${rest}`;
};

export const withoutSlashes = (path: string): string => (path.endsWith("/") ? path.replace(/(?<!\/)\/+$/, "") : path);

/** A part of a path that is empty, `.` or `..`; the slash in front of a whole path does not count. */
const UNEVEN = /(?:^(?!\/)|\/)\.{0,2}(?:\/|$)/;

/** Removes empty, `.` and `..` parts, as the shell's own `cd` does; paths above a home folder are left as they are. */
export const normalised = (path: string): string => {
  if (!UNEVEN.test(path)) return path;
  const absolute = path.startsWith("/");
  const homes = path.startsWith("~") ? 1 : 0;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > homes && parts.at(-1) !== "..") parts.pop();
    else if (!absolute) parts.push("..");
  }
  const text = parts.join("/");
  if (absolute) return `/${text}`;
  return text.startsWith("~") && homes === 0 ? `./${text}` : text || ".";
};

/** Where `cd` leads from a folder. */
export const changed = (folder: string, target: string): string => {
  if (folder.startsWith(UNKNOWN) && !isAbsolute(target)) return UNKNOWN;
  const place = normalised(joined(folder, target));
  return place === "." ? "" : place;
};

const GLOB = /[*?[]|[+@!]\(/;
export const hasPattern = (text: string): boolean => GLOB.test(text);

/** A class as bash reads it: a bracket may come first, and `[:lower:]` and its kind have brackets of their own. */
const CLASS = /\[[!^]?\]?(?:\[(?::[^\]]*:|=[^\]]*=|\.[^\]]*\.)\]|[^\]])*\]/y;
const LONGEST_READ = 200;

/** Caches the last pattern, because one pattern is usually matched against many names. */
let last = { pattern: "", fitting: /^$/ };

/**
 * Whether a shell pattern may match a name. Classes count as any one character, and `@(…)` and the like, as well as
 * patterns that are too long or too deeply nested, as any text.
 */
export const fits = (pattern: string, name: string): boolean => {
  if (last.pattern !== pattern) {
    if (!GLOB.test(pattern)) return pattern === name;
    last = { pattern, fitting: fittingOf(pattern) };
  }
  return last.fitting.test(name);
};

const fittingOf = (pattern: string): RegExp => {
  let source = "";
  let index = 0;
  for (; index < pattern.length && index < LONGEST_READ; index++) {
    const char = pattern[index] as string;
    if (pattern[index + 1] === "(" && "*?+@!".includes(char)) {
      const close = pattern.indexOf(")", index);
      source += source.endsWith("[^]*") ? "" : "[^]*";
      if (close < 0 || pattern.slice(index + 2, close).includes("(")) break;
      index = close;
    } else if (char === "*") source += source.endsWith("[^]*") ? "" : "[^]*";
    else if (char === "?") source += "[^]";
    else if (char === "[") {
      CLASS.lastIndex = index;
      const found = CLASS.exec(pattern)?.[0];
      source += found === undefined ? "\\[" : "[^]";
      index += (found?.length ?? 1) - 1;
    } else source += /\w/.test(char) ? char : `\\${char}`;
  }
  if (index < pattern.length) source += "[^]*";
  return new RegExp(`^${source}$`);
};

/** The part of a pattern that is fixed, and the rest. */
export const splitAtGlob = (path: string): { folder: string; pattern: string } => {
  const first = path.search(GLOB);
  if (first < 0) return { folder: path, pattern: "" };
  const slash = lastSlash(path, first);
  if (slash < 0) return { folder: ".", pattern: path };
  return { folder: slash === 0 ? "/" : path.slice(0, slash), pattern: path.slice(slash + 1) };
};
