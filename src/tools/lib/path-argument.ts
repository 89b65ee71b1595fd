/** Names that models use for the argument `path`. */
export const PATH_NAMES = [
  ...["file_path", "file", "filepath", "filename", "file_name"],
  ...["target_file", "absolute_path", "notebook_path"],
] as const;

/** A link with a slash behind it is followed, so that what it points to would be deleted or moved in its place. */
export const isLikeFolder = (path: string): boolean => path.endsWith("/") || path.endsWith("/.");
