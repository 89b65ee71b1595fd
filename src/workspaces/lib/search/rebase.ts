import ignore from "ignore";

/**
 * What is left of a path pattern below a folder: for `a/ ** /c` seen from `a/b` it is `** /c`. Nothing is left of one
 * that names the folder itself or one above it: who asks for that folder means it.
 */
export function rebase(
  pattern: readonly string[],
  folder: readonly string[],
  isMatch: (part: string, name: string) => boolean,
): string[][] {
  const [part, ...parts] = pattern;
  const [name, ...names] = folder;
  if (part === undefined) return [];
  if (name === undefined) return [[...pattern]];
  if (part === "**") return [...rebase(parts, folder, isMatch), ...rebase(pattern, names, isMatch)];
  return isMatch(part, name) ? rebase(parts, names, isMatch) : [];
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
