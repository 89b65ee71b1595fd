import ignore from "ignore";

/**
 * What is left of a path pattern below a folder: of `a`, `**`, `c` seen from `a/b` it is `**`, `c`. Nothing is left of one
 * that names the folder itself or one above it: who asks for that folder means it.
 */
export function rebase(
  pattern: readonly string[],
  folder: readonly string[],
  isMatch: (part: string, name: string) => boolean,
): string[][] {
  // the parts that may come next, all at once: following each way by itself would take forever with many stars
  let next = new Set([0]);
  for (const name of folder) {
    const after = new Set<number>();
    for (const at of next) {
      const part = pattern[at];
      if (part === "**") {
        after.add(at);
        next.add(at + 1);
      } else if (part !== undefined && isMatch(part, name)) after.add(at + 1);
    }
    next = after;
  }
  return [...next].filter((at) => at < pattern.length).map((at) => pattern.slice(at));
}

const fits = (part: string, name: string): boolean => ignore({ ignorecase: false }).add(`/${part}`).ignores(name);

/** The lines of a .gitignore as they would stand in a folder below it. */
export function rebaseRules(text: string, folder: readonly string[]): string {
  if (folder.length === 0) return text;
  return text
    .split(/\r?\n/)
    .flatMap((line) => {
      if (line.trim() === "" || line.startsWith("#")) return [];
      const negation = line.startsWith("!") ? "!" : "";
      const body = line.slice(negation.length);
      const pattern = body.replace(/\/\s*$/, "");
      if (!pattern.includes("/")) return [line];
      const ending = body.slice(pattern.length);
      return rebase(pattern.replace(/^\//, "").split("/"), folder, fits).map(
        (rest) => `${negation}/${rest.join("/")}${ending}`,
      );
    })
    .join("\n");
}
