import { execFile } from "node:child_process";
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

/** The files that git names for these words. What git refuses, it would not show either. undefined: too many to tell. */
export async function namedByGit(
  { real }: Pick<Place, "real">,
  asked: readonly (readonly string[])[],
): Promise<readonly string[] | undefined> {
  const git = trustedProgram("git");
  if (!git) return [];
  const key = JSON.stringify([real, asked]);
  if (tooMuch.has(key)) return undefined;
  const names = new Set<string>();
  for (const words of asked) {
    const found = await namesOf(git, real, words);
    if (found === undefined) {
      if (tooMuch.size >= MOST_KEPT) tooMuch.clear();
      tooMuch.add(key);
      return undefined;
    }
    for (const name of found) names.add(name);
  }
  return [...names];
}

function namesOf(git: string, cwd: string, words: readonly string[]): Promise<readonly string[] | undefined> {
  const args = [...SETTINGS.flatMap((each) => ["-c", each]), ...words];
  const options = {
    cwd,
    env: GIT_ENVIRONMENT,
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT,
  } as const;
  return new Promise((resolve) => {
    const child = execFile(git, args, options, (error, output) => {
      const isCut = error?.killed === true || error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      // a line break stands between the names of two commits
      if (isCut) resolve(undefined);
      else resolve(output.split("\0").flatMap((name) => name.replace(/^\n+/, "") || []));
    });
    child.stdin?.end();
  });
}
