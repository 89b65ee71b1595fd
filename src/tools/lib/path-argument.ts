/** What models call the argument that we call `path`. */
export const PATH_NAMES = [
  ...["file_path", "file", "filepath", "filename", "file_name"],
  ...["target_file", "absolute_path", "notebook_path"],
] as const;
