// A command with everything around it: judged, contained, heard, undoable; beside the bare process.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compare, counted } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";
import { FILES, writeTree } from "./lib/tree.mjs";

const OURS = "Toolgate run_command";
const MOST_BARE = 1.5;
const MOST_SANDBOXED = 1.3;
const MOST_OVER_MS = 400;

/** Starts it and hears it to its end, as any runner has to. */
const heard = (program, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    for (const output of child.stdio.slice(1)) output.resume();
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });

const openGate = async (workspace, sandbox) =>
  (await built("index.js")).open({ workspace, config: {}, mode: "yolo", sandbox, toolset: "all" });

async function call(gate, command) {
  const result = await gate.call({ name: "run_command", args: { command } });
  if (!result.success) throw new Error(result.error.message);
  return result.metadata;
}

const nothing = (how) =>
  withFolder(async (folder) => {
    const gate = await openGate(folder, "off");
    try {
      return await compare({
        ...how,
        title: "A command that does nothing",
        unit: "ms",
        cases: [
          { name: "bash -c true", run: () => heard("bash", ["-c", "true"], { cwd: folder }) },
          { name: OURS, run: async () => void (await call(gate, "true")) },
        ],
        targets: [{ name: OURS, most: MOST_BARE }],
      });
    } finally {
      await gate.close();
    }
  });

/** The command line of bubblewrap that a workspace like this one gets, without what is ours in it. */
async function sandboxOf(folder) {
  const { findSandbox } = await built("workspaces/lib/process/bubblewrap.js");
  const { Containment } = await built("workspaces/lib/process/command-containment.js");
  const found = await findSandbox();
  if ("missing" in found) return found;
  const state = path.join(folder, ".toolgate");
  mkdirSync(state);
  const containment = new Containment([folder], state, { network: false }, "bench");
  const { file, args, env, release } = containment.contain(found, { argv: [], env: process.env, cwd: folder });
  const close = () => {
    release();
    containment.close();
  };
  return { file, flags: args.slice(0, args.indexOf("--json-status-fd")), env, close };
}

/** What a sandbox protects costs less where it exists: a place for it has to be made and taken away otherwise. */
const REPOSITORY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "", ".git/hooks/pre-commit.sample": "" };
const COMPLETE = { ...REPOSITORY, "toolgate.yaml": "", ".mcp.json": "{}" };

function fill(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

async function contained(title, files, how) {
  return withFolder((bare) =>
    withFolder(async (folder) => {
      for (const each of [bare, folder]) fill(each, files);
      const { missing, file, flags, env, close } = await sandboxOf(bare);
      if (missing) return { title, unit: "", rows: [], targets: [], notes: [`skipped  ${missing}`] };
      const gate = await openGate(folder, "required");
      try {
        return await compare({
          ...how,
          title,
          unit: "ms",
          cases: [
            {
              name: "bwrap with the same flags, bash -c true",
              run: () => heard(file, [...flags, "--", "bash", "-c", "true"], { cwd: bare, env }),
            },
            { name: OURS, run: async () => void (await call(gate, "true")) },
          ],
          targets: [{ name: OURS, most: MOST_SANDBOXED }],
        });
      } finally {
        await gate.close();
        close();
      }
    }),
  );
}

/** False: there is no git here. */
function track(folder) {
  const git = (...args) => {
    const { error, status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    if (!error && status !== 0) throw new Error(`git ${args.join(" ")} ended with ${status}: ${stderr}`);
    return !error;
  };
  const settings = ["user.name=bench", "user.email=bench@example.com", "gc.auto=0", "maintenance.auto=false"];
  const commit = [...settings.flatMap((setting) => ["-c", setting]), "commit", "-q", "--no-gpg-sign", "-m", "all"];
  return git("init", "-q") && git("add", ".") && git(...commit);
}

/** Nobody can tell what a script does, so what it changed is looked for. */
const unknown = (title, isTracked, how) =>
  withFolder(async (folder) => {
    writeTree(folder);
    const script = (name, text) => {
      writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(path.join(folder, name), 0o755);
    };
    script("nothing.sh", "exit 0");
    script("something.sh", "date +%N > part7/folder7/file7.js");
    if (isTracked && !track(folder))
      return { title, unit: "", rows: [], targets: [], notes: ["skipped  git is missing"] };
    const gate = await openGate(folder, "off");
    const undo = new Set();
    const watched = (command) => async () => {
      const metadata = await call(gate, command);
      undo.add(`${command}: ${metadata.undo}`);
    };
    const changing = `${OURS}, which changes a file`;
    try {
      const table = await compare({
        ...how,
        title,
        unit: "ms",
        cases: [
          { name: "bash -c ./nothing.sh", run: () => heard("bash", ["-c", "./nothing.sh"], { cwd: folder }) },
          { name: OURS, run: watched("./nothing.sh") },
          { name: changing, run: watched("./something.sh") },
        ],
      });
      const [bare, ...ours] = table.rows;
      for (const { name, median } of ours)
        table.targets.push(counted(name, "ms over the bare one", median - bare.median, MOST_OVER_MS));
      table.notes.push(`What can be taken back: ${[...undo].join(", ")}.`);
      return table;
    } finally {
      await gate.close();
    }
  });

export const tables = async ({ quick }) => [
  await nothing({ rounds: quick ? 40 : 150, warmups: 10 }),
  await contained("Nothing, sandboxed, in a repository", REPOSITORY, { rounds: quick ? 30 : 100, warmups: 5 }),
  await contained("The same with a toolgate.yaml and a .mcp.json", COMPLETE, { rounds: quick ? 30 : 100, warmups: 5 }),
  await unknown(`An unknown command beside ${FILES} files`, false, { rounds: quick ? 7 : 21, warmups: 2 }),
  await unknown(`The same in a repository of ${FILES} files`, true, { rounds: quick ? 7 : 21, warmups: 2 }),
];
