import type { Files } from "../../../core/contracts/workspace.ts";
import type { Place } from "../../../core/words/touch.ts";
import { Automaton } from "./automaton.ts";
import { segmentsBelow } from "./globs.ts";
import { rebaseRules } from "./rebase.ts";
import { byteString } from "./rule-globs.ts";
import { rulesOf } from "./rule-lines.ts";

export const RULES = ".gitignore";
const MOST_BYTES = 1 << 20;
const FEED = 10;

/** The ignore rules of a folder; "" if there are none or they cannot be read. */
async function rulesIn(files: Files, folder: Place): Promise<string> {
  const place = { ...folder, real: `${folder.real}/${RULES}`, shown: RULES };
  try {
    const info = await files.stat(place);
    if (info?.kind !== "file" || info.stamp.size > MOST_BYTES) return "";
    return readableLines((await files.read(place)).bytes);
  } catch {
    return "";
  }
}

/** The text up to the first line that is not valid UTF-8. */
function readableLines(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    const lines: string[] = [];
    for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
      end = bytes.indexOf(FEED, start);
      if (end === -1) end = bytes.length;
      try {
        lines.push(decoder.decode(bytes.subarray(start, end)));
      } catch {
        break;
      }
    }
    return lines.join("\n");
  }
}

/** The rules of the folders above, up to the root, rewritten as rules of this folder. */
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

/** Rules that apply below a folder; `start` is the length of its path with a slash. */
type Level = { start: number; rules: Automaton };

const levelsOf = (text: string, start: number): Level[] =>
  text === "" ? [] : [{ start, rules: new Automaton(rulesOf(text)) }];

/** The rules on the way down a tree; the innermost rule that matches decides. */
export class Rules {
  static readonly NONE = new Rules([]);
  readonly #levels: readonly Level[];
  private constructor(levels: readonly Level[]) {
    this.#levels = levels;
  }

  static async at(files: Files, folder: Place): Promise<Rules> {
    const above = await rulesAbove(files, folder);
    return new Rules([...levelsOf(await rulesIn(files, folder), 0), ...levelsOf(above, 0)]);
  }

  ignores(below: string, isFolder: boolean): boolean {
    for (const { start, rules } of this.#levels) {
      const verdict = rules.verdict(byteString(below.slice(start)), isFolder);
      if (verdict) return verdict === "ignored";
    }
    return false;
  }

  /** The rules that apply inside a folder that is not ignored. */
  async inside(files: Files, folder: Place, below: string, names: ReadonlySet<string>): Promise<Rules> {
    if (!names.has(RULES)) return this;
    return new Rules([...levelsOf(await rulesIn(files, folder), below.length + 1), ...this.#levels]);
  }
}
