import { lineSearch } from "./lib/search-lines.ts";

export const grep = lineSearch(
  "grep",
  "Search file contents by regular expression. Honours .gitignore. Stops at max_results (100) and says if more exist.",
  {
    names: [
      ...["Grep", "content_search", "grep_search", "search_file_content", "search_codebase"],
      ...["rg", "ripgrep"],
      { name: "grep_files", preset: { mode: "files" } },
    ],
    context: 0,
    limit: 100,
    rare: [],
  },
);
