const SLASH = 47;

/**
 * Whether a path lies below a folder. It compares whole names: `/ws-evil` is not below `/ws`. Both paths must be
 * absolute and resolved (no links, dots or double slashes). An empty folder name contains nothing.
 */
export const isBelow = (path: string, folder: string): boolean =>
  path.length > folder.length &&
  folder !== "" &&
  path.startsWith(folder) &&
  (path.charCodeAt(folder.length) === SLASH || folder === "/");

/** The folder itself, or something below it. */
export const isWithin = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

export const isWithinAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(path, folder));

/** The path of a name in a folder; below `/` without a second slash. */
export const pathIn = (folder: string, name: string): string => (folder === "/" ? `/${name}` : `${folder}/${name}`);
