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

/** What the folders above say, up to the root, as rules of this folder. */
export async function rulesAbove(files: Files, folder: Place): Promise<string> {
  const names = segmentsBelow(folder.root, folder.real);
  const root = folder.root === "/" ? "" : folder.root;
  const texts: string[] = [];
  for (let depth = 0; depth < names.length; depth += 1) {
    const parent = { ...folder, real: [root, ...names.slice(0, depth)].join("/") };
    texts.push(rebaseRules(await rulesIn(files, parent), names.slice(depth)));
  }
  return texts.filter((text) => text !== "").join("\n");
}

/** Rules that begin to count at a folder; `start` is the length of its path with a slash. */
type Level = { text: string; start: number; rules: Ignore };

const levelOf = (text: string, start: number): Level => ({
  text,
  start,
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
    return new Rules([...(above ? [levelOf(above, 0)] : []), ...(own ? [levelOf(own, 0)] : [])]);
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

  /** The rules inside a folder that is not ignored. */
  async inside(files: Files, folder: Place, below: string, names: ReadonlySet<string>): Promise<Rules> {
    const own = names.has(RULES) ? await rulesIn(files, folder) : "";
    // where an inner rule overruled an outer one for this folder, the outer must not count for all in it
    const levels = this.#levels.map((level) =>
      this.#verdict(level, below, true).ignored
        ? levelOf(rebaseRules(level.text, below.slice(level.start).split("/")), below.length + 1)
        : level,
    );
    return new Rules(own ? [...levels, levelOf(own, below.length + 1)] : levels);
  }
}
