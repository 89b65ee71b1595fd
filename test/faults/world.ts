import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { OUTSIDER, type Scenario } from "./scenarios.ts";

const CANARY = "outside: keep out\n";

/** A workspace with a folder beside it that nothing may reach. */
export type World = { top: string; root: string; outside: string; scenario: Scenario; targets: string[] };

/** Hundreds of worlds are made, and what a killed process leaves is the same in memory, where syncing costs nothing. */
const MEMORY = "/dev/shm";
const PLACE = existsSync(MEMORY) ? MEMORY : os.tmpdir();

/** Making a store costs more than all the rest of a world, so an empty one is made once and copied. */
let emptyStore: Promise<Buffer> | undefined;

async function makeEmptyStore(): Promise<Buffer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-store-"));
  const store = await sqliteStore(path.join(folder, "store.db"));
  await store.close();
  const bytes = readFileSync(path.join(folder, "store.db"));
  rmSync(folder, { recursive: true });
  return bytes;
}

export async function makeWorld(scenario: Scenario): Promise<World> {
  const top = realpathSync(mkdtempSync(path.join(PLACE, "toolgate-faults-")));
  const [root, outside] = [path.join(top, "ws"), path.join(top, "outside")];
  const put = (base: string, name: string, content: string | Buffer): void => {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), content);
  };
  emptyStore ??= makeEmptyStore();
  put(root, ".toolgate/store.db", await emptyStore);
  for (const [name, content] of Object.entries(scenario.files)) put(root, name, content);
  // the same names below, so that a folder which is swapped for this one leads to something
  for (const name of ["a.txt", "b.txt", "c.txt", "deep/new.txt"]) put(outside, name, CANARY);
  return { top, root, outside, scenario, targets: Object.keys(scenario.after) };
}

export const clearWorld = ({ top }: World): void => rmSync(top, { recursive: true, force: true });

export const contentOf = ({ root }: World, name: string): string | null => {
  const file = path.join(root, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
};

/** Every name below a folder, without the gate's own state. */
export function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(".toolgate"))
    .sort();
}

export const outsideIsUntouched = ({ outside }: World): boolean =>
  namesBelow(outside).join() === "a.txt,b.txt,c.txt,deep,deep/new.txt" &&
  ["a.txt", "b.txt", "c.txt", "deep/new.txt"].every(
    (name) => readFileSync(path.join(outside, name), "utf8") === CANARY,
  );

/** What somebody else does to the first file, or to its folder, while the call is under way. */
export type Swap = {
  name: string;
  /** What the file holds then, if it is there at all; undefined: as it was. */
  leaves?: string | null;
  make(world: World): void;
  /** Takes links out of the way, so that what was behind them can be looked at. */
  clear?(world: World): void;
};

const target = ({ root, targets }: World): string => path.join(root, targets[0]!);

export const swaps: readonly Swap[] = [
  {
    name: "other content",
    leaves: OUTSIDER,
    make(world) {
      writeFileSync(path.join(world.top, "other"), OUTSIDER);
      mkdirSync(path.dirname(target(world)), { recursive: true });
      renameSync(path.join(world.top, "other"), target(world));
    },
  },
  {
    name: "a link to a file outside",
    leaves: null,
    make(world) {
      mkdirSync(path.dirname(target(world)), { recursive: true });
      rmSync(target(world), { force: true });
      symlinkSync(path.join(world.outside, "a.txt"), target(world));
    },
    clear: (world) => unlinkSync(target(world)),
  },
  {
    name: "a folder on the way that is a link to outside",
    make({ root, outside }) {
      renameSync(path.join(root, "sub"), path.join(root, "away"));
      symlinkSync(outside, path.join(root, "sub"));
    },
    clear({ root }) {
      unlinkSync(path.join(root, "sub"));
      renameSync(path.join(root, "away"), path.join(root, "sub"));
    },
  },
  { name: "nothing: it is deleted", leaves: null, make: (world) => rmSync(target(world), { force: true }) },
];
