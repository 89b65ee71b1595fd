// Searching 50,000 files: how soon the first hits are there, and what all of them cost beside ripgrep alone.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { rgPath } from "@vscode/ripgrep";
import { compare } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";
import { COMMON, FILES, RARE, writeTree } from "./lib/tree.mjs";

const FIRST = 100;
const FIRST_MS = 25;
const MOST = 1.15;
/** Those that make ripgrep look where we look: its own would take it longer. */
const RULES = ["config", "follow", "require-git", "ignore-parent", "ignore-dot", "ignore-global", "ignore-exclude"]
  .map((rule) => `--no-${rule}`)
  .concat("--hidden", "--glob", "!.git", "--glob", "!.toolgate");
const TEXT = ["--line-number", "--column", "--heading", "--case-sensitive", "--fixed-strings", "--null"];

/** Runs it and hears all it says, or as much as is wanted. */
const heard = (cwd, args, isEnough = () => false) =>
  new Promise((resolve, reject) => {
    const child = spawn(rgPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let bytes = 0;
    let stopped = false;
    child.stdout.on("data", (piece) => {
      bytes += piece.length;
      if (stopped || !isEnough(piece)) return;
      stopped = true;
      child.kill("SIGKILL");
    });
    child.once("error", reject);
    child.once("close", (code) =>
      bytes > 0 && (stopped || code === 0) ? resolve() : reject(new Error(`ripgrep ended with ${code}`)),
    );
  });

const linesUpTo = (most) => {
  let lines = 0;
  return (piece) => {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
    return lines >= most;
  };
};

async function counted(findings, expected) {
  let count = 0;
  for await (const { path } of findings) if (path !== "") count++;
  if (count !== expected) throw new Error(`${count} were found in place of ${expected}`);
}

async function grep(gate, args, hits) {
  const result = await gate.call({ name: "grep", args });
  if (!result.success || result.metadata.hits !== hits)
    throw new Error(result.error?.message ?? `${result.metadata.hits} hits in place of ${hits}`);
  if (result.metadata.engine !== "ripgrep") throw new Error(`${result.metadata.engine} searched`);
}

export const tables = ({ quick }) =>
  withFolder(async (folder) => {
    writeTree(folder);
    mkdirSync(`${folder}/.toolgate`);
    const { localWorkspace } = await built("workspaces/local.js");
    const workspace = localWorkspace({ root: folder });
    const here = workspace.locate(".");
    const gate = await (await built("index.js")).open({ workspace: folder, config: {}, mode: "yolo" });
    const text = (word) => [...RULES, ...TEXT, `--regexp=${word}`, "--", "./"];
    const lines = (word, expected) => counted(workspace.search.lines(here, { pattern: word }), expected);
    const how = { unit: "ms", rounds: quick ? 11 : 31, warmups: 3 };
    try {
      const first = "Toolgate grep";
      const all = "Toolgate, each hit by itself";
      const list = "Toolgate, each file by itself";
      return [
        await compare({
          ...how,
          title: `The first ${FIRST} of ${FILES * 2} hits`,
          rounds: how.rounds * 2,
          cases: [
            { name: "ripgrep, killed", run: () => heard(folder, text(COMMON), linesUpTo(FIRST)) },
            { name: first, run: () => grep(gate, { pattern: COMMON, max_results: FIRST }, FIRST) },
          ],
          targets: [{ name: first, most: FIRST_MS, of: "median" }],
        }),
        await compare({
          ...how,
          title: `All ${FILES * 2} hits`,
          cases: [
            { name: "ripgrep", run: () => heard(folder, text(COMMON)) },
            { name: all, run: () => lines(COMMON, FILES * 2) },
          ],
          targets: [{ name: all, most: MOST }],
        }),
        await compare({
          ...how,
          title: `All ${FILES / 100} hits`,
          cases: [
            { name: "ripgrep", run: () => heard(folder, text(RARE)) },
            { name: all, run: () => lines(RARE, FILES / 100) },
            { name: first, run: () => grep(gate, { pattern: RARE, max_results: FILES }, FILES / 100) },
          ],
          targets: [
            { name: all, most: MOST },
            { name: first, most: MOST },
          ],
        }),
        await compare({
          ...how,
          title: `A list of all ${FILES} files`,
          cases: [
            { name: "ripgrep --files", run: () => heard(folder, [...RULES, "--files", "--null", "./"]) },
            { name: list, run: () => counted(workspace.search.files(here, {}), FILES) },
          ],
          targets: [{ name: list, most: MOST }],
        }),
      ];
    } finally {
      await gate.close();
    }
  });
