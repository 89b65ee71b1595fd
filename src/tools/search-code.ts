import { lineSearch } from "./lib/search-lines.ts";

export const searchCode = lineSearch(
  "search_code",
  "Search all files by regular expression and show each hit with two lines of context.",
  { names: [], context: 2, limit: 50, rare: ["case_sensitive", "mode", "context_lines", "max_results"] },
);
