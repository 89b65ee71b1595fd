/** Names that models use for the argument `path`. */
export const PATH_NAMES = [
  ...["file_path", "file", "filepath", "filename", "file_name"],
  ...["target_file", "absolute_path", "notebook_path"],
] as const;
