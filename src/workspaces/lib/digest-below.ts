import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ALL_BELOW, CODE_BELOW, PACKAGES_BELOW } from "../../core/words/code.ts";
import { Budget, type FileState, isFresh, lookAtAll, namesIn, STEP_MS, stateOf } from "./watch/tree.ts";

const MOST_FILES = 100_000;
const MOST_MS = 2_000;
/** What is written all the time is looked at as it is, in the end. */
const ROUNDS = 3;

/** What else programs write into a workspace all day long does not count where any file may be meant. */
const LIKE_CODE =
  /^[^.]+$|\.(?:(?:ba|z|k|fi|da|c|tc)?sh|[cm]?[jt]sx?|py|rb|p[lm]|php|lua|r|awk|sed|sql|mk|exe|bin|run|jar|so|node|wasm)$/i;

const MEANT: Readonly<Record<string, (name: string) => boolean>> = {
  [ALL_BELOW]: () => true,
  [CODE_BELOW]: (name) => LIKE_CODE.test(name),
  [PACKAGES_BELOW]: (name) => name === "package.json",
};

export const isBelowPart = (part: string): boolean => Object.hasOwn(MEANT, part);

/** What the system says of every file below a folder, and of every link; throws where there are too many. */
export async function digestBelow(folder: string, part: string): Promise<string> {
  const isMeant = (file: string): boolean => MEANT[part]?.(file.slice(file.lastIndexOf("/") + 1)) === true;
  for (let round = 1; ; round++) {
    const { hash, isSettled } = await look(folder, isMeant);
    if (isSettled || round === ROUNDS) return hash;
    // so that whatever changes from now on has another time
    await setTimeout(STEP_MS);
  }
}

async function look(folder: string, isMeant: (file: string) => boolean): Promise<{ hash: string; isSettled: boolean }> {
  const now = Date.now();
  const names = await namesIn([folder], new Budget(MOST_FILES, MOST_MS));
  const lines: string[] = [...names.others].filter(([file]) => isMeant(file)).map((other) => other.join("\0"));
  let isSettled = true;
  await lookAtAll(names.files.filter(isMeant), new Budget(MOST_FILES, MOST_MS), (file, stats) => {
    if (isFresh(stats, now)) isSettled = false;
    lines.push(`${file}\0${signOf(stateOf(stats))}`);
  });
  return { hash: createHash("sha256").update(lines.sort().join("\0\0")).digest("hex"), isSettled };
}

const signOf = ({ size, mtimeMs, ctimeMs, ino, mode }: FileState): string =>
  [size, mtimeMs, ctimeMs, ino, mode].join(" ");
