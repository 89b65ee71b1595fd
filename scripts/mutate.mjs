// Removes or weakens one line at a time and looks whether a test notices: `npm run mutate -- [PATH…] [options]`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutate/mutants.mjs";
import { reachKeys } from "./mutate/reach.mjs";
import { reachedBy } from "./mutate/reached.mjs";
import { Workshop } from "./mutate/workshop.mjs";

const HELP = `npm run mutate -- [PATH…] [options]

Changes one line of the source at a time so that it does less, and runs the tests that reach it.
Without a path: all of core, arguments, policies, steps, stores, config, text, shell and workspaces.

  --changed          only lines that differ from --base, which is the commit before the last unless told
  --base COMMIT
  --sample PERCENT   only so many of the mutants, always the same ones; 10-20 are others than 10
  --minutes N        stop after so many minutes, and say what was left; the mutants are then taken in mixed order
  --patience N       seconds of tests that one mutant may take (20)
  --jobs N           processes at once (2)
  --near             only tests of the same folder and those above it in its room, and for the core whole journeys:
                     quicker, and kills less
  --with PATH        with --near: these tests too, a file or a folder; may be given again
  --fresh            collect anew which tests reach what
  --list             print the mutants and run nothing
  --json             one JSON document

Survivors that change nothing anybody could notice are listed, with the reason, in test/equivalent-mutants.json.
Exit status 1: a folder has fewer than 95 % killed.`;

const FOLDERS = ["core", "arguments", "policies", "steps", "stores", "config", "text", "shell", "workspaces"];
/** Data, not judgement; tables have tables of tests. */
const LEFT_OUT = /\.test\.ts$|\/cases\/|\/programs\//;
/** Their tests run the source in processes of its own, or do not run it at all. */
const ELSEWHERE = /^test\/(cli\/|faults\/(kill|interrupted|two-writers)|contracts\/store-shared|documents|shape)/;
const WANTED = 0.95;
/** Time for starting a run, and for a mutant that makes tests slow without hanging them. */
const START_MS = 20_000;
const SLOWER = 5;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean" },
    base: { type: "string" },
    sample: { type: "string" },
    minutes: { type: "string" },
    patience: { type: "string", default: "20" },
    jobs: { type: "string", default: "2" },
    near: { type: "boolean" },
    with: { type: "string", multiple: true, default: [] },
    fresh: { type: "boolean" },
    list: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const lines = (text) => text.split("\n").filter(Boolean);
const say = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

function sources() {
  const all = lines(git("ls-files", "--cached", "--others", "--exclude-standard", "src"));
  const inScope = (file) => FOLDERS.some((folder) => file.startsWith(`src/${folder}/`)) || positionals.length > 0;
  const asked = (file) => positionals.length === 0 || positionals.some((each) => isBelow(file, each));
  return all.filter((file) => file.endsWith(".ts") && !LEFT_OUT.test(file) && inScope(file) && asked(file));
}

/** Line numbers that differ from the base, by file. */
function changedLines() {
  const base = options.base ?? "HEAD~1";
  const changed = new Map();
  let file;
  for (const line of git("diff", "-U0", "--no-color", base, "--", "src").split("\n")) {
    if (line.startsWith("+++ ")) file = line.slice(6);
    const hunk = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const start = Number(hunk[1]);
    for (let n = start; n < start + Number(hunk[2] ?? 1); n++) changed.set(`${file}:${n}`, true);
  }
  return changed;
}

const known = JSON.parse(readFileSync("test/equivalent-mutants.json", "utf8"));
const isKnown = ({ file, key }) => Object.hasOwn(known[file] ?? {}, key);

/** From 0 to 1, always the same for the same mutant. */
const mixed = ({ file, key, start }) =>
  Number.parseInt(createHash("sha1").update(`${file}${key}${start}`).digest("hex").slice(0, 6), 16) / 0xffffff;

const [to, from = 0] = (options.sample ?? "100").split("-").map(Number).reverse();

function mutants() {
  const differs = options.changed && changedLines();
  return sources()
    .flatMap(mutantsOf)
    .filter((mutant) => !isKnown(mutant))
    .filter((mutant) => !differs || differs.has(`${mutant.file}:${mutant.line}`))
    .filter((mutant) => mixed(mutant) >= from / 100 && mixed(mutant) <= to / 100);
}

function testFiles(mutants) {
  const all = lines(git("ls-files", "--cached", "--others", "--exclude-standard", "src", "test", "examples")).filter(
    (file) => file.endsWith(".test.ts") && !ELSEWHERE.test(file),
  );
  if (!options.near) return all;
  const folders = new Set(mutants.flatMap(({ file }) => foldersAbove(file)));
  const asked = [...options.with, ...(folders.has("src/core") ? ["test/journeys"] : [])];
  const isBeside = (file) => folders.has(path.dirname(file));
  const others = all.filter((file) => !isBeside(file) && asked.some((each) => isBelow(file, each)));
  return [...all.filter(isBeside), ...others];
}

/** A part in a lib/ is tested through those that use it. */
function foldersAbove(file) {
  const folder = path.dirname(file);
  return folder.split("/").length > 2 ? [folder, ...foldersAbove(folder)] : [folder];
}

const isBelow = (file, asked) => file === asked || file.startsWith(asked.replace(/\/?$/, "/"));

/** The tests that reach a mutant, quick ones and those that noticed others of its file first, within our patience. */
function testsFor(mutant, reached, kills) {
  const key = reachKeysOf(mutant.file)[mutant.reach];
  const beside = mutant.file.replace(/\.ts$/, "");
  const files = reached.flatMap(({ file, shared, tests }) => {
    const all = Object.entries(tests);
    const fitting = shared.includes(key) ? all : all.filter(([, { reaches }]) => reaches.includes(key));
    const milliseconds = fitting.reduce((sum, [, test]) => sum + test.milliseconds, 0);
    return fitting.length > 0 ? [{ file, ids: fitting.map(([id]) => id), milliseconds }] : [];
  });
  const rank = ({ file, milliseconds }) =>
    milliseconds / (1 + 4 * (kills.get(`${mutant.file} ${file}`) ?? 0)) / (file.startsWith(beside) ? 10 : 1);
  return withinPatience(files.sort((a, b) => rank(a) - rank(b)));
}

/** At least one, however slow it is. */
function withinPatience(files) {
  let spent = 0;
  return files.filter(({ milliseconds }, index) => {
    spent += milliseconds;
    return index === 0 || spent <= Number(options.patience) * 1000;
  });
}

const keysByFile = new Map();
function reachKeysOf(file) {
  if (!keysByFile.has(file)) keysByFile.set(file, reachKeys(file, readFileSync(file, "utf8")));
  return keysByFile.get(file);
}

async function work(queue, reached, verdicts, kills, deadline) {
  const workshop = new Workshop("mutants");
  try {
    while (queue.length > 0 && Date.now() < deadline) {
      const mutant = queue.shift();
      const tests = testsFor(mutant, reached, kills);
      // whoever asks only the tests nearby learns nothing about what others test
      if (options.near && tests.length === 0) continue;
      const expected = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      const answer =
        tests.length > 0 ? await workshop.run({ tests, mutant }, START_MS + SLOWER * expected) : { modules: [] };
      const failed = answer?.modules.find((module) => module.failed);
      const killer = !answer ? "it hangs" : (failed?.file ?? (answer.accidents > 0 ? "an accident" : undefined));
      if (failed) kills.set(`${mutant.file} ${failed.file}`, (kills.get(`${mutant.file} ${failed.file}`) ?? 0) + 1);
      verdicts.push({ ...mutant, killer, tests: tests.length });
      if (!killer && !options.json)
        console.log(`\r\x1b[K${described(mutant)}${tests.length === 0 ? "  (no test reaches it)" : ""}`);
      say(
        `${verdicts.length} looked at, ${queue.length} to go, ${verdicts.filter((each) => !each.killer).length} survived`,
      );
    }
  } finally {
    workshop.close();
  }
}

const described = ({ file, line, what, key }) => `${file}:${line}  ${what}\n    ${key}`;

const folderOf = (file) => file.split("/").slice(0, 2).join("/");

function report(verdicts, left, unreached) {
  const folders = new Map();
  for (const { file, killer } of verdicts) {
    const row = folders.get(folderOf(file)) ?? { killed: 0, all: 0 };
    row.all += 1;
    if (killer) row.killed += 1;
    folders.set(folderOf(file), row);
  }
  if (options.json)
    console.log(
      JSON.stringify({
        folders: Object.fromEntries(folders),
        left,
        unreached,
        survivors: verdicts.filter((each) => !each.killer),
      }),
    );
  else {
    if (options.near) console.log("\nOnly the tests nearby were asked; others may notice what survived them.");
    console.log("");
    for (const [folder, { killed, all }] of folders)
      console.log(
        `${folder.padEnd(20)} ${String(killed).padStart(5)} of ${String(all).padStart(5)} killed  ${((100 * killed) / all).toFixed(1)} %`,
      );
    if (unreached > 0) console.log(`${unreached} mutants were not looked at: no test nearby reaches them.`);
    if (left > 0) console.log(`${left} mutants were not looked at: the time was up.`);
  }
  return [...folders.values()].every(({ killed, all }) => killed / all >= WANTED);
}

const queue = mutants();
if (options.list) {
  for (const mutant of queue) console.log(described(mutant));
  console.log(`\n${queue.length} mutants`);
  process.exit(0);
}
const total = queue.length;
if (total === 0) {
  console.log("Nothing to mutate.");
  process.exit(0);
}
const deadline = options.minutes ? Date.now() + Number(options.minutes) * 60_000 : Number.POSITIVE_INFINITY;
const reached = await reachedBy(testFiles(queue), { say, fresh: options.fresh, deadline });
if (reached.length === 0) {
  console.log(`It is not known which tests reach the ${total} mutants: none is nearby, or the time was up.`);
  process.exit(0);
}
// whoever has little time sees a bit of everything
if (options.minutes) queue.sort((a, b) => mixed(a) - mixed(b));
const verdicts = [];
const kills = new Map();
await Promise.all(
  Array.from({ length: Math.min(Number(options.jobs), total) }, () => work(queue, reached, verdicts, kills, deadline)),
);
process.exitCode = report(verdicts, queue.length, total - verdicts.length - queue.length) ? 0 : 1;
