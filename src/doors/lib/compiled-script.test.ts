import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext, Script } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { compiledFolder, compiledScript } from "./compiled-script.ts";

// a process that evaluates a script twice would not look at what was kept; real ones do it once
beforeAll(() => setFlagsFromString("--no-compilation-cache"));
afterAll(() => setFlagsFromString("--compilation-cache"));

let folder: string;
let file: string;
let exits: (() => void)[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-compiled-"));
  file = path.join(folder, "script.cjs");
  writeFileSync(file, '(() => "one")');
  exits = [];
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", undefined);
  vi.stubEnv("NODE_V8_COVERAGE", undefined);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.spyOn(process, "on").mockImplementation((event: string | symbol, listener: unknown) => {
    if (event === "exit") exits.push(listener as () => void);
    return process;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const evaluated = () => (compiledScript("script", file, "1.0.0") as () => string)();
const exit = () => exits.splice(0).map((listener) => listener()).length;
const kept = () => (existsSync(compiledFolder()) ? readdirSync(compiledFolder()) : []);
const onlyKept = () => path.join(compiledFolder(), kept()[0] as string);

/** V8 tells two sources apart by their lengths alone, so that another's shows whether what is kept is used. */
function keepAnother() {
  const script = new Script('(() => "two")', { filename: file });
  script.runInThisContext()();
  writeFileSync(onlyKept(), script.createCachedData());
}

test("what was compiled is kept for the next process", () => {
  expect([evaluated(), exit(), kept().length]).toEqual(["one", 1, 1]);
  keepAnother();
  expect([evaluated(), exit()]).toEqual(["two", 0]);
});

test("a script that changed is compiled anew", () => {
  evaluated();
  exit();
  keepAnother();
  utimesSync(file, 1, 1);
  expect([evaluated(), exit(), kept().length]).toEqual(["one", 1, 2]);
});

test("what others could have written is not run, and is replaced", () => {
  evaluated();
  exit();
  keepAnother();
  chmodSync(onlyKept(), 0o622);
  expect([evaluated(), exit()]).toEqual(["one", 1]);
  expect([evaluated(), exit()]).toEqual(["one", 0]);
});

test("what belongs to somebody else is not run", () => {
  evaluated();
  exit();
  keepAnother();
  vi.spyOn(process, "getuid").mockReturnValue((process.getuid?.() ?? 0) + 1);
  expect(evaluated()).toBe("one");
});

test.each(["", "no code at all"])("what cannot be used is replaced: %j", (text) => {
  evaluated();
  exit();
  writeFileSync(onlyKept(), text);
  expect([evaluated(), exit(), evaluated(), exit()]).toEqual(["one", 1, "one", 0]);
});

test.each(["NODE_DISABLE_COMPILE_CACHE", "NODE_V8_COVERAGE"])("with %s nothing is kept, and nothing used", (name) => {
  evaluated();
  exit();
  keepAnother();
  vi.stubEnv(name, "1");
  expect([evaluated(), exit()]).toEqual(["one", 0]);
});

test("a context that is not Node's own gets a script of its own", () => {
  evaluated();
  exit();
  keepAnother();
  const given = process.getBuiltinModule;
  const foreign = runInNewContext("(given) => (name) => given(name)")(given);
  process.getBuiltinModule = foreign;
  try {
    expect([evaluated(), exit()]).toEqual(["one", 0]);
  } finally {
    process.getBuiltinModule = given;
  }
});

test("where nobody can tell the home of a person, nothing is kept", () => {
  vi.stubEnv("XDG_CONFIG_HOME", "");
  vi.spyOn(os, "homedir").mockImplementation(() => {
    throw new Error("ENOENT");
  });
  expect([evaluated(), exit()]).toEqual(["one", 1]);
});

test("a folder that cannot be made changes nothing", () => {
  writeFileSync(path.join(folder, "toolgate"), "a file");
  expect([evaluated(), exit(), evaluated()]).toEqual(["one", 1, "one"]);
});

test("what was not renewed for a month goes, and nothing else", () => {
  evaluated();
  exit();
  for (const name of ["script-old", "other-old", "script-new"]) writeFileSync(path.join(compiledFolder(), name), "");
  for (const name of ["script-old", "other-old"]) utimesSync(path.join(compiledFolder(), name), 1, 1);
  vi.spyOn(Math, "random").mockReturnValue(0.01);
  expect([evaluated(), exit()]).toEqual(["one", 1]);
  expect(kept().filter((name) => /-(?:old|new)$/.test(name))).toEqual(["other-old", "script-new"]);
});

test("without a folder of its own for configuration it is that of the home", () => {
  vi.stubEnv("XDG_CONFIG_HOME", "relative");
  expect(compiledFolder()).toBe(path.join(os.homedir(), ".config/toolgate/compiled"));
});
