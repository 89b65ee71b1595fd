// An edit with everything around it: judged, journaled with the content before, undoable; against the bare file work.
import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { compare, counted } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";

const SIZES = [
  { name: "10 KB", bytes: 10_000, most: 2.5 },
  { name: "1 MB", bytes: 1_000_000, most: 2 },
];
/** After so many edits the code is compiled, as in a process that works for hours. */
const STEADY = 1000;
const EDIT = "Toolgate edit_file, journal included";

/** Text with one line that is edited over and over, never back to what it was. */
function textOf(bytes) {
  const line = (index) => `  const value${index} = compute(${index}, "some text of a usual length");\n`;
  let text = "";
  for (let index = 0; text.length < bytes / 2; index++) text += line(index);
  text += "  // version 0.\n";
  for (let index = 0; text.length < bytes; index++) text += line(index);
  return text;
}

function bareEdit(file, old, replacement) {
  const text = readFileSync(file, "utf8");
  const at = text.indexOf(old);
  const temporary = `${file}.temporary`;
  const fd = openSync(temporary, "w");
  writeSync(fd, text.slice(0, at) + replacement + text.slice(at + old.length));
  fsyncSync(fd);
  closeSync(fd);
  renameSync(temporary, file);
}

async function gateEdit(gate, old, replacement) {
  const result = await gate.call({
    name: "edit_file",
    args: { path: "ours.txt", old_str: old, new_str: replacement },
  });
  if (!result.success) throw new Error(result.error.message);
}

const openGate = async (folder) => (await built("index.js")).open({ workspace: folder, config: {}, mode: "yolo" });

const versions = (edit) => {
  let version = 0;
  return () => edit(`// version ${version}.`, `// version ${++version}.`);
};

const sized = (bytes, title, how) =>
  withFolder(async (folder) => {
    const bare = path.join(folder, "bare.txt");
    for (const file of [bare, path.join(folder, "ours.txt")]) writeFileSync(file, textOf(bytes));
    const gate = await openGate(folder);
    try {
      return await compare({
        title,
        unit: "ms",
        cases: [
          { name: "read, replace, write, fsync, rename", run: versions((...edit) => bareEdit(bare, ...edit)) },
          { name: EDIT, run: versions((...edit) => gateEdit(gate, ...edit)) },
        ],
        warmups: 10,
        ...how,
      });
    } finally {
      await gate.close();
    }
  });

/** The difference between many edits and few, so that opening and closing do not count. */
function syncsAnEdit() {
  const few = syncsOf(5);
  const many = syncsOf(25);
  return few === undefined || many === undefined ? undefined : (many - few) / 20;
}

function syncsOf(edits) {
  const traced = ["-f", "-e", "trace=fsync,fdatasync", process.execPath, import.meta.filename, "edits", String(edits)];
  const { error, status, stderr } = spawnSync("strace", traced, { encoding: "utf8", maxBuffer: 1 << 28 });
  return error || status !== 0 ? undefined : stderr.match(/\b(?:fsync|fdatasync)\(\d/g)?.length;
}

function syncTable() {
  const title = "Waiting for the disk";
  const figure = syncsAnEdit();
  const empty = { title, unit: "", rows: [], targets: [], notes: [] };
  if (figure === undefined) return { ...empty, notes: ["skipped  strace is missing or may not trace here"] };
  return { ...empty, targets: [counted(EDIT, "fsyncs an edit", figure, 2)] };
}

export async function tables({ quick }) {
  const timed = [];
  for (const { name, bytes, most } of SIZES)
    timed.push(
      await sized(bytes, `An edit of ${name}`, {
        rounds: quick ? 20 : 100,
        targets: [{ name: EDIT, most }],
      }),
    );
  if (!quick)
    timed.push(await sized(10_000, `An edit of 10 KB, after ${STEADY} others`, { rounds: 100, warmups: STEADY }));
  return [...timed, syncTable()];
}

if (process.argv[2] === "edits" && process.argv[1] === import.meta.filename)
  await withFolder(async (folder) => {
    writeFileSync(path.join(folder, "ours.txt"), textOf(10_000));
    const gate = await openGate(folder);
    const edit = versions((...each) => gateEdit(gate, ...each));
    for (let count = Number(process.argv[3]); count > 0; count--) await edit();
    await gate.close();
  });
