// Removes or weakens one line at a time and looks whether a test notices: `npm run mutate -- [PATH…] [options]`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Killed } from "./mutate/killed.mjs";
import { mutantsOf } from "./mutate/mutants.mjs";
import { Passes } from "./mutate/passes.mjs";

const HELP = `npm run mutate -- [PATH…] [options]

Changes one line of the source at a time so that it does less, and runs the tests that reach it.
Without a path: all of core, arguments, policies, steps, stores, config and shell; of text what redacts, matches and
patches; of workspaces what resolves, commits, guards, contains, hides, locks and watches.

  --changed          only lines that differ from --base, which is the commit before the last unless told
  --base COMMIT
  --sample PERCENT   only so many of the mutants, always the same ones; 10-20 are others than 10
  --minutes N        stop after so many minutes, and say how many were left
  --patience N       seconds of tests that one mutant may take (20)
  --near             only tests of the same room, and for the core whole journeys: quicker, and kills less
  --with PATH        with --near: these tests too, a file or a folder; may be given again
  --only PATH        these tests and no others, a file or a folder; may be given again
  --fresh            try every survivor in a new process as well, not only what is reached while modules are loaded
  --resume           leave out what earlier runs killed, as long as its file is the same, and count it as killed;
                     a run that is interrupted keeps what it has found
  --list             print the mutants and run nothing
  --json             one JSON document

Survivors that change nothing anybody could notice are listed, with the reason, in test/equivalent-mutants.json.
Exit status 1: a folder has fewer than 95 % killed.`;

const FOLDERS = ["core", "arguments", "policies", "steps", "stores", "config", "text", "shell", "workspaces"];
/** In these rooms, what is not a wall: web pages, times, rankings, pictures. */
const NO_WALLS =
  /^src\/(text\/(time|html)\/|text\/(ranking|vectors|charset|task-markdown|pretty-json|suggest|nearest|align|diff|git-diff|change-diff|syntax|base85|turns|counted|trim)\.ts|workspaces\/lib\/(pages|net)\/|workspaces\/(pages|languages)\.ts)/;
/** Data, not judgement; tables have tables of tests. */
const LEFT_OUT = /\.test\.ts$|\/cases\/|\/programs\//;
/** Their tests run the source in processes of its own, or do not run it at all. */
const ELSEWHERE = /^test\/(cli\/|faults\/(kill|interrupted|two-writers)|contracts\/store-shared|documents|shape)/;
const WANTED = 0.95;
/** What a mutant does while a module is loaded shows only in a new process: so many test files get one each. */
const MOST_FRESH = 4;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean" },
    base: { type: "string" },
    sample: { type: "string" },
    minutes: { type: "string" },
    patience: { type: "string", default: "20" },
    near: { type: "boolean" },
    with: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true, default: [] },
    fresh: { type: "boolean" },
    resume: { type: "boolean" },
    list: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const isPartial = options.near || options.only.length > 0;
const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 }).trim();
const lines = (text) => text.split("\n").filter(Boolean);
const say = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

function sources() {
  const all = lines(git("ls-files", "--cached", "--others", "--exclude-standard", "src"));
  const isWall = (file) => FOLDERS.some((folder) => file.startsWith(`src/${folder}/`)) && !NO_WALLS.test(file);
  const inScope = (file) => positionals.some((each) => isBelow(file, each) && !isRoom(each)) || isWall(file);
  const asked = (file) => positionals.length === 0 || positionals.some((each) => isBelow(file, each));
  return all.filter((file) => file.endsWith(".ts") && !LEFT_OUT.test(file) && inScope(file) && asked(file));
}

const isRoom = (asked) => FOLDERS.includes(asked.replace(/^src\/|\/$/g, ""));

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

/** All mutants of the files, by number, and those of them that are asked for. */
function mutants() {
  const differs = options.changed && changedLines();
  const numbers = {};
  const all = sources().flatMap((file) => mutantsOf(file).map((mutant) => ({ ...mutant, file })));
  for (const [number, { file }] of all.entries()) numbers[file] ??= number;
  const wanted = all
    .map((mutant, number) => ({ ...mutant, number }))
    .filter((mutant) => !isKnown(mutant))
    .filter((mutant) => !differs || differs.has(`${mutant.file}:${mutant.line}`))
    .filter((mutant) => mixed(mutant) >= from / 100 && mixed(mutant) <= to / 100);
  return { numbers, wanted };
}

const allTests = () =>
  lines(git("ls-files", "--cached", "--others", "--exclude-standard", "src", "test", "examples")).filter(
    (file) => file.endsWith(".test.ts") && !ELSEWHERE.test(file),
  );

const isBelow = (file, asked) => file === asked || file.startsWith(asked.replace(/\/?$/, "/"));

/** Those asked for; else of the same room, those beside a mutant first, and for the core whole journeys. */
function testsNear(room, mutants, all) {
  if (options.only.length > 0) return options.only.flatMap((each) => all.filter((file) => isBelow(file, each)));
  const folders = new Set(mutants.map(({ file }) => path.dirname(file)));
  const isBeside = (file) => folders.has(path.dirname(file));
  const asked = [room, ...options.with, ...(room === "src/core" ? ["test/journeys"] : [])];
  const others = all.filter((file) => !isBeside(file) && asked.some((each) => isBelow(file, each)));
  return [...all.filter(isBeside), ...others];
}

const folderOf = (file) => file.split("/").slice(0, 2).join("/");

async function look({ numbers, wanted }, deadline, keep) {
  const atLoad = numbersOf(wanted.filter(({ reach }) => reach === 0));
  const passes = new Passes({ numbers, atLoad, patience: Number(options.patience) * 1000 });
  const stop = () => {
    keep(passes.verdicts);
    passes.close();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  try {
    const all = allTests();
    const near = new Map();
    for (const room of new Set(wanted.map(({ file }) => folderOf(file)))) {
      const mutants = wanted.filter(({ file }) => folderOf(file) === room);
      const tests = testsNear(room, mutants, all);
      for (const { number } of mutants) near.set(number, tests);
      await passes.all(numbersOf(mutants), tests, deadline, telling(room));
      if (isPartial) continue;
      const others = all.filter((file) => !tests.includes(file));
      await passes.all(numbersOf(mutants), others, deadline, telling(room));
    }
    // a switch is turned too late for what a module does while it is loaded, and for what is kept from before
    const verdicts = passes.verdicts;
    for (const { file, number } of wanted) {
      const { killer, early, survived = [] } = verdicts.get(number) ?? {};
      if (killer) continue;
      const tests = freshTests(file, [...survived], near.get(number), wanted, verdicts);
      if (early || options.fresh) await passes.one(number, tests, deadline);
      else passes.settle(number, deadline);
    }
    return passes.verdicts;
  } finally {
    passes.close();
  }
}

/** What is looked at now, and what was killed before. */
async function resumed({ numbers, wanted }, deadline) {
  const killed = new Killed();
  const isNew = (mutant) => !options.resume || killed.killer(mutant) === undefined;
  const keep = (verdicts) => {
    for (const mutant of wanted) {
      const { killer } = verdicts.get(mutant.number) ?? {};
      if (killer) killed.add(mutant, killer);
    }
    killed.save();
  };
  const verdicts = await look({ numbers, wanted: wanted.filter(isNew) }, deadline, keep);
  for (const mutant of wanted) if (!isNew(mutant)) verdicts.set(mutant.number, { killer: killed.killer(mutant) });
  keep(verdicts);
  return verdicts;
}

const numbersOf = (mutants) => mutants.map(({ number }) => number);
const telling = (room) => (files, alive) => say(`${room}: ${files} test files to go, ${alive} mutants alive`);

/** Those named like it or its folder, those that reach it, by how many others of its file they killed, those beside it. */
function freshTests(file, reaching, near, mutants, verdicts) {
  const kills = new Map();
  for (const mutant of mutants) {
    const killer = mutant.file === file ? verdicts.get(mutant.number)?.killer : undefined;
    if (killer?.endsWith(".test.ts")) kills.set(killer, (kills.get(killer) ?? 0) + 1);
  }
  const best = (files) => [...files].sort((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0));
  const beside = near.filter((each) => path.dirname(each) === path.dirname(file));
  const named = [file.replace(/\.ts$/, ".test.ts"), `${path.dirname(file)}.test.ts`].filter((each) =>
    near.includes(each),
  );
  return [...new Set([...named, ...best(reaching), ...best(kills.keys()), ...beside])].slice(0, MOST_FRESH);
}

const described = ({ file, line, what, key }) => `${file}:${line}  ${what}\n    ${key}`;

function report(mutants, verdicts) {
  const isKilled = ({ number }) => verdicts.get(number)?.killer !== undefined;
  const looked = mutants.filter((mutant) => isKilled(mutant) || verdicts.get(mutant.number)?.settled);
  const isReached = ({ number }) => verdicts.get(number)?.early || verdicts.get(number)?.survived.size > 0;
  const survivors = looked
    .filter((mutant) => !isKilled(mutant))
    .map((mutant) => (isReached(mutant) ? mutant : { ...mutant, what: `${mutant.what} (no test reached it)` }));
  const folders = {};
  for (const mutant of looked) {
    folders[folderOf(mutant.file)] ??= { killed: 0, all: 0 };
    const row = folders[folderOf(mutant.file)];
    row.all += 1;
    if (isKilled(mutant)) row.killed += 1;
  }
  const left = mutants.length - looked.length;
  if (options.json) console.log(JSON.stringify({ folders, left, survivors }));
  else {
    say("");
    for (const each of survivors) console.log(described(each));
    if (isPartial) console.log("\nOnly some of the tests were asked; others may notice what survived them.");
    console.log("");
    for (const [folder, { killed, all }] of Object.entries(folders))
      console.log(
        `${folder.padEnd(20)} ${String(killed).padStart(5)} of ${String(all).padStart(5)} killed  ${((100 * killed) / all).toFixed(1)} %`,
      );
    if (left > 0) console.log(`${left} were not looked at to the end: the time was up.`);
  }
  return Object.values(folders).every(({ killed, all }) => killed / all >= WANTED);
}

const asked = mutants();
if (options.list) {
  for (const mutant of asked.wanted) console.log(described(mutant));
  console.log(`\n${asked.wanted.length} mutants`);
} else if (asked.wanted.length === 0) console.log("Nothing to mutate.");
else {
  const deadline = options.minutes ? Date.now() + Number(options.minutes) * 60_000 : Number.POSITIVE_INFINITY;
  process.exitCode = report(asked.wanted, await resumed(asked, deadline)) ? 0 : 1;
}
