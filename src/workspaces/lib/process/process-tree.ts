import fs from "node:fs";
import { MARKER } from "./environment.ts";

/** Identifies the processes of a command: its leader, whether that is alive, and the mark in their environment. */
export type Family = { leader: number; leaderLives: boolean; mark: string };

type Row = { pid: number; parent: number; group: number; session: number };

/** All processes that have not ended. Empty if the system has no /proc. */
function rows(): Row[] {
  let names: string[];
  try {
    names = fs.readdirSync("/proc");
  } catch {
    return [];
  }
  const found: Row[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z" && state !== "X")
        found.push({ pid, parent: Number(parent), group: Number(group), session: Number(session) });
    } catch {
      // it ended while we looked
    }
  }
  return found;
}

function isMarked(pid: number, marks: readonly string[]): boolean {
  try {
    const environment = fs.readFileSync(`/proc/${pid}/environ`, "latin1");
    return marks.some((mark) => environment.startsWith(mark) || environment.includes(`\0${mark}`));
  } catch {
    return false;
  }
}

/**
 * The living processes of these commands: in their group or session, marked in their environment (which finds those
 * that used setsid), and all descendants of those.
 */
function membersOf(families: readonly Family[]): number[] {
  const all = rows();
  const marks = [...new Set(families.map(({ mark }) => `${MARKER}=${mark}`))];
  const alive = new Set(all.map(({ pid }) => pid));
  // a pid is not reused while a group or session has it; if an ended leader's pid is alive, it is another process
  const leaders = new Set(
    families.filter((each) => each.leaderLives || !alive.has(each.leader)).map((each) => each.leader),
  );
  const found = new Set<number>();
  for (const { pid, group, session } of all)
    if (leaders.has(pid) || leaders.has(group) || leaders.has(session) || isMarked(pid, marks)) found.add(pid);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found];
}

const MOST_NAMED = 10;
const LONGEST_WORDS = 200;

/**
 * The command lines of what an ended command left running. Scanning all processes costs more than most commands, so
 * this is done only if its group has members or its pipes are held open.
 */
export function wordsOfLiving(family: Family, isHeld: boolean): string[] {
  if (!isHeld && !signal(-family.leader, 0)) return [];
  const words = membersOf([family]).map(wordsOf);
  return words.filter((each) => each !== "").slice(0, MOST_NAMED);
}

function wordsOf(pid: number): string {
  try {
    return fs
      .readFileSync(`/proc/${pid}/cmdline`, "utf8")
      .replace(/[\0\s]+/g, " ")
      .trim()
      .slice(0, LONGEST_WORDS);
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const LOOK_MS = 25;
const MOST_ROUNDS = 200;

/** Sends KILL repeatedly, because processes may fork in the meantime. Resolves when none is left. */
export async function killAll(families: () => readonly Family[]): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!killOnce(families())) return;
    await pause(round < 4 ? 2 : LOOK_MS);
  }
}

/** Returns false if none was left. All are stopped first, so that none forks while the others are killed. */
export function killOnce(families: readonly Family[]): boolean {
  const left = membersOf(families);
  for (const { leader, leaderLives } of families) if (leaderLives) signal(-leader, "SIGKILL");
  for (const pid of left) signal(pid, "SIGSTOP");
  for (const pid of left) signal(pid, "SIGKILL");
  return left.length > 0 || families.some(({ leaderLives }) => leaderLives);
}

/** Sends TERM to all but `spared`. Resolves to true as soon as all have ended, or when `graceMs` is over. */
export async function askToEnd(
  families: () => readonly Family[],
  spared: ReadonlySet<number>,
  graceMs: number,
): Promise<boolean> {
  const asked = families();
  const members = membersOf(asked).filter((pid) => !spared.has(pid));
  if (members.length === 0 && !asked.some(({ leaderLives }) => leaderLives)) return true;
  for (const pid of members) signal(pid, "SIGTERM");
  for (const pid of members) signal(pid, "SIGCONT");
  for (const { leader, leaderLives } of asked) if (leaderLives && !spared.has(leader)) signal(-leader, "SIGTERM");
  for (const end = Date.now() + graceMs; Date.now() < end; ) {
    await pause(LOOK_MS);
    if (!families().some(({ leaderLives }) => leaderLives) && membersOf(families()).length === 0) return true;
  }
  return false;
}
