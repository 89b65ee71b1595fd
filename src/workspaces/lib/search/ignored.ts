import ignore, { type Ignore } from "ignore";
import type { Place } from "../../../core/touch.ts";
import type { Files } from "../../../core/workspace.ts";
import { segmentsBelow } from "./globs.ts";
import { rebaseRules } from "./rebase.ts";

const RULES = ".gitignore";
const MOST_BYTES = 1 << 20;

/** The text of the rules in a folder; "" where there are none that can be read. */
async function rulesIn(files: Files, folder: Place): Promise<string> {
  const place = { ...folder, real: `${folder.real}/${RULES}`, shown: RULES };
  try {
    const info = await files.stat(place);
    if (info?.kind !== "file" || info.stamp.size > MOST_BYTES) return "";
    return new TextDecoder().decode((await files.read(place)).bytes);
  } catch {
    return "";
  }
}

const isRepository = async (files: Files, folder: Place): Promise<boolean> => {
  try {
    return (await files.stat({ ...folder, real: `${folder.real}/.git`, shown: ".git" })) !== undefined;
  } catch {
    return true;
  }
};

/** What the folders above say, up to the root or the repository's top, as rules of this folder. */
export async function rulesAbove(files: Files, folder: Place): Promise<string> {
  const names = segmentsBelow(folder.root, folder.real);
  const texts: string[] = [];
  let below = folder;
  for (let depth = names.length; depth > 0 && !(await isRepository(files, below)); depth -= 1) {
    const parent = {
      ...folder,
      real: [folder.root === "/" ? "" : folder.root, ...names.slice(0, depth - 1)].join("/"),
    };
    texts.unshift(rebaseRules(await rulesIn(files, parent), names.slice(depth - 1)));
    below = parent;
  }
  return texts.filter((text) => text !== "").join("\n");
}

/** Rules that begin to count at a folder; `start` is the length of its path with a slash. */
type Level = { text: string; start: number; rules: Ignore; above: boolean };

const levelOf = (text: string, start: number, above = false): Level => ({
  text,
  start,
  above,
  rules: ignore({ ignorecase: false }).add(text),
});

/** The rules on the way down a tree; the innermost that says something decides. */
export class Rules {
  readonly #levels: readonly Level[];
  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  static async at(files: Files, folder: Place): Promise<Rules> {
    const above = await rulesAbove(files, folder);
    const own = await rulesIn(files, folder);
    return new Rules([...(above ? [levelOf(above, 0, true)] : []), ...(own ? [levelOf(own, 0)] : [])]);
  }

  ignores(below: string, isFolder: boolean): boolean {
    for (let at = this.#levels.length - 1; at >= 0; at -= 1) {
      const verdict = this.#verdict(this.#levels[at] as Level, below, isFolder);
      if (verdict.ignored || verdict.unignored) return verdict.ignored;
    }
    return false;
  }

  #verdict({ rules, start }: Level, below: string, isFolder: boolean) {
    return rules.test(below.slice(start) + (isFolder ? "/" : ""));
  }

  /** The rules inside a folder that is not ignored; in a repository of its own the outer ones end. */
  async inside(files: Files, folder: Place, below: string, names: ReadonlySet<string>): Promise<Rules> {
    const own = names.has(RULES) ? await rulesIn(files, folder) : "";
    const kept = names.has(".git") ? this.#levels.filter((level) => level.above) : this.#levels;
    // where an inner rule overruled an outer one for this folder, the outer must not count for all in it
    const levels = kept.map((level) =>
      this.#verdict(level, below, true).ignored
        ? levelOf(rebaseRules(level.text, below.slice(level.start).split("/")), below.length + 1, level.above)
        : level,
    );
    return new Rules(own ? [...levels, levelOf(own, below.length + 1)] : levels);
  }
}
