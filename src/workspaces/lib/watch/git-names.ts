import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Place } from "../../../core/words/touch.ts";
import { trustedProgram } from "../process/trusted-program.ts";
import { GIT_ENVIRONMENT, GIT_SETTINGS } from "./git-objects.ts";

/** As a model's own command would see it, whoever owns the repository; nothing that is started for a signature. */
const SETTINGS = [...GIT_SETTINGS, "safe.directory=*", "log.showSignature=false", "log.showRoot=true"];
const PATIENCE_MS = 3_000;
const MOST_OUTPUT = 64 << 20;
const MOST_KEPT = 100;

/** Where git had too much to say once, it is not asked again: a second look must find what the first one found. */
const tooMuch = new Set<string>();

/** `too much`: git was stopped. `unsure`: it did not get to its end, or found an object that has no name. */
type Answer = readonly string[] | "too much" | "unsure";

/** A model's own command sees what replaces an object. */
const { GIT_NO_REPLACE_OBJECTS: _, ...ENVIRONMENT } = GIT_ENVIRONMENT;

/** The files that git names for these words. What git refuses, it would not show either. undefined: nobody can tell. */
export async function namedByGit(
  { real }: Pick<Place, "real">,
  asked: readonly (readonly string[])[],
): Promise<readonly string[] | undefined> {
  const key = JSON.stringify([real, asked]);
  if (tooMuch.has(key)) return undefined;
  const names = await namesIn(real, asked);
  if (typeof names !== "string") return names;
  if (tooMuch.size >= MOST_KEPT) tooMuch.clear();
  if (names === "too much") tooMuch.add(key);
  return undefined;
}

async function namesIn(real: string, asked: readonly (readonly string[])[]): Promise<Answer> {
  const git = trustedProgram("git");
  const folder = await standingIn(real);
  if (folder === NOWHERE) return [];
  // seen from a folder further up, these would lead out of the repository
  const leadsUp = folder !== real && asked.some((words) => words.some((word) => /(?:^|[:/])\.\.(?:\/|$)/.test(word)));
  if (!git || folder === undefined || leadsUp) return "unsure";
  if (!mayBeInRepository(folder)) return [];
  const names = new Set<string>();
  const until = performance.now() + PATIENCE_MS;
  for (const words of asked) {
    const left = Math.ceil(until - performance.now());
    const found = left > 0 ? await namesOf(git, folder, words, left) : "too much";
    if (typeof found === "string") return found;
    for (const name of found) names.add(name);
  }
  return [...names];
}

const NOWHERE = "";

/** Where git would be started: a folder that is missing may be made by then, but a file is no folder. */
async function standingIn(real: string): Promise<string | undefined> {
  try {
    return (await stat(real)).isDirectory() ? real : NOWHERE;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return NOWHERE;
    return code === "ENOENT" ? standingIn(path.dirname(real)) : undefined;
  }
}

/** Where git finds a repository, there is one of these. */
const MARKS = [".git", "HEAD"];

/** Starting git only to hear that there is no repository would take most of the time of a judgement. */
function mayBeInRepository(folder: string): boolean {
  const above = path.dirname(folder);
  try {
    if (MARKS.some((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false }))) return true;
  } catch {
    return true;
  }
  return above !== folder && mayBeInRepository(above);
}

/** Reasons for which git ends although another git, or the same one later, would go on. */
const UNSURE =
  /multiple merge bases|out of memory|cannot allocate|too many open files|unable to (?:create|fork)|could not fetch|promisor|lazy fetching|(?:dubious|unsafe) (?:ownership|repository)/i;

function namesOf(git: string, cwd: string, words: readonly string[], timeout: number): Promise<Answer> {
  const names = words[0] === "cat-file" ? words.slice(2) : [];
  const args = [...SETTINGS.flatMap((each) => ["-c", each]), ...words.slice(0, words.length - names.length)];
  const options = { cwd, env: ENVIRONMENT, timeout, killSignal: "SIGKILL", maxBuffer: MOST_OUTPUT } as const;
  return new Promise((resolve) => {
    try {
      const child = execFile(git, args, options, (error, output, complaint) => {
        if (error?.killed || error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolve("too much");
        // only a status is git's own answer: it may not have started, or been ended
        else if (error && (typeof error.code !== "number" || UNSURE.test(complaint))) resolve("unsure");
        else if (names.length > 0) resolve(output.split("\n").includes("blob") ? "unsure" : []);
        // a line break stands between the names of two commits
        else resolve(output.split("\0").flatMap((name) => name.replace(/^\n+/, "") || []));
      });
      // it may end before it has read everything
      child.stdin?.on("error", () => {});
      child.stdin?.end(names.map((name) => `${name}\n`).join(""));
    } catch {
      resolve("unsure");
    }
  });
}
