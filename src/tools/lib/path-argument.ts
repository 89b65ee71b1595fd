/** Names that models use for the argument `path`. */
export const PATH_NAMES = [
  ...["file_path", "file", "filepath", "filename", "file_name"],
  ...["target_file", "absolute_path", "notebook_path"],
] as const;

/** A link with a slash behind it would be followed, and what it points to would be deleted or moved. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}
