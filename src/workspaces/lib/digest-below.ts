import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ALL_BELOW, CODE_BELOW, PACKAGES_BELOW } from "../../core/words/code.ts";
import { Budget, type FileState, isFresh, lookAtAll, namesIn, STEP_MS, stateOf } from "./watch/tree.ts";

const MOST_FILES = 100_000;
const MOST_MS = 2_000;
/** Files that change all the time are taken as they are in the last round. */
const ROUNDS = 3;

/** If any code file may be meant, other files that programs keep writing into a workspace do not count. */
const LIKE_CODE =
  /^[^.]+$|\.(?:(?:ba|z|k|fi|da|c|tc)?sh|[cm]?[jt]sx?|py|rb|p[lm]|php|lua|r|awk|sed|sql|mk|exe|bin|run|jar|so|node|wasm)$/i;

const MEANT: Readonly<Record<string, (name: string) => boolean>> = {
  [ALL_BELOW]: () => true,
  [CODE_BELOW]: (name) => LIKE_CODE.test(name),
  [PACKAGES_BELOW]: (name) => name === "package.json",
};

export const isBelowPart = (part: string): boolean => Object.hasOwn(MEANT, part);

/** A digest of the stats of every file and link below a folder. Throws if there are too many. */
export async function digestBelow(folder: string, part: string): Promise<string> {
  const isMeant = (file: string): boolean => MEANT[part]?.(file.slice(file.lastIndexOf("/") + 1)) === true;
  for (let round = 1; ; round++) {
    const { hash, isSettled } = await look(folder, isMeant);
    if (isSettled || round === ROUNDS) return hash;
    // wait, so that any later change gets another timestamp
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
