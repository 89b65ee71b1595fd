import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { targetOf } from "../../../../test/contracts/disk.ts";
import { empty, writable } from "./mounts.ts";
import { openSpace, type SessionSpace } from "./session-space.ts";

let nsenter: string | undefined;
vi.mock("./trusted-program.ts", () => ({ trustedProgram: () => nsenter }));

let base = "";
let name = "";
const opened: SessionSpace[] = [];
beforeEach(() => {
  nsenter = "/usr/bin/nsenter";
  base = fs.realpathSync(fs.mkdtempSync("/tmp/toolgate-space-"));
  name = path.basename(base);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const each of opened.splice(0)) each.close();
  fs.rmSync(base, { recursive: true });
});

/** Stands for bubblewrap: notes how it was started, and does as the script says. */
function program(script: string): string {
  const file = path.join(base, "bwrap");
  const notes = `printf '%s\\n' "$@" > ${base}/args; /usr/bin/env > ${base}/env; pwd > ${base}/cwd`;
  fs.writeFileSync(file, `#!/bin/sh\n${notes}\n${script}\n`, { mode: 0o755 });
  return file;
}
const noted = (what: string): string => fs.readFileSync(path.join(base, what), "utf8");
const SAYS = `echo '{ "child-pid": '$$' }' >&3; exec cat`;

const open = async (script: string, { network = true, names = [name] } = {}): Promise<SessionSpace | undefined> => {
  const space = await openSpace({ program: program(script), network, names });
  if (space) opened.push(space);
  return space;
};
const namespaces = (): string[] =>
  fs
    .readdirSync("/proc/self/fd")
    .map(targetOf)
    .filter((target) => /^(?:user|mnt|net):/.test(target));
/** As if what is opened belonged to somebody else. */
const elsewhere = (): void => {
  const { readlinkSync } = fs;
  vi.spyOn(fs, "readlinkSync").mockImplementation(((file: string, ...more: never[]) =>
    /^\/proc\/self\/fd\/\d+$/.test(file) ? `other ${file}` : readlinkSync(file, ...more)) as typeof fs.readlinkSync);
};

describe("a space for a session", () => {
  test.each([true, false])("is made in namespaces of its own, with little memory (network: %s)", async (network) => {
    await open(SAYS, { network });
    const args = noted("args").trimEnd().split("\n");
    const [bytes] = args.splice(args.indexOf("--size") + 1, 1);
    expect(Number(bytes)).toBeLessThanOrEqual(Math.min(4 * 1024 ** 3, os.totalmem() / 2));
    expect(args).toEqual([
      ...["--unshare-user", ...(network ? ["--unshare-net"] : []), "--die-with-parent", "--dev-bind", "/", "/"],
      ...["--perms", "0700", "--size", "--tmpfs", "/dev/pts", "--perms", "1777", "--dir", "/dev/pts/tmp"],
      ...["--dir", `/dev/pts/tmp/${name}`, "--json-status-fd", "3", "--", "/bin/cat"],
    ]);
  });

  test("knows nothing of our variables, and starts at the root", async () => {
    vi.stubEnv("TOOLGATE_SOME_KEY", "secret");
    await open(SAYS);
    vi.unstubAllEnvs();
    expect([noted("env").includes("secret"), noted("cwd")]).toEqual([false, "/\n"]);
  });

  test("is none where its namespaces are our own: they would let commands out", async () => {
    expect([await open(SAYS), namespaces()]).toEqual([undefined, []]);
  });

  test("is none where one of its namespaces is our own", async () => {
    elsewhere();
    const mocked = vi.mocked(fs.readlinkSync).getMockImplementation() as (file: string) => string;
    let looks = 0;
    vi.mocked(fs.readlinkSync).mockImplementation(((file: string) =>
      file.startsWith("/proc/self/fd/") && ++looks === 3
        ? fs.readlinkSync("/proc/self/ns/net")
        : mocked(file)) as never);
    const space = await open(SAYS);
    vi.restoreAllMocks();
    expect([space, namespaces(), looks]).toEqual([undefined, [], 3]);
  });

  test.each([
    ["ends at once", "exit 1"],
    ["ends after it was told something", "read line; exit 0"],
    ["says no number", `echo '{ "child-pid": "x" }' >&3; read line; echo; exit 0`],
    ["says the number of nobody", `echo '{ "child-pid": 4194305 }' >&3; exec cat`],
  ])("is none where the program %s", async (_, script) => {
    elsewhere();
    const space = await open(script);
    vi.restoreAllMocks();
    expect([space, namespaces()]).toEqual([undefined, []]);
  });

  test("is none where the program cannot be started", async () => {
    expect(await openSpace({ program: path.join(base, "missing"), network: true, names: [] })).toBeUndefined();
  });

  test.each<[what: string, put: () => string[] | undefined]>([
    [
      "nothing to enter it by",
      () => {
        nsenter = undefined;
        return undefined;
      },
    ],
    ["a name that nobody has", () => [name, `${name}-missing`]],
    ["a name that is a file's", () => [`${name}-file`, name]],
    ["a name that is a link's", () => [name, `${name}-link`]],
  ])("is not even tried with %s", async (_, put) => {
    fs.writeFileSync(`${base}-file`, "");
    fs.symlinkSync(base, `${base}-link`);
    const names = put() ?? [name];
    const space = await open(SAYS, { names });
    for (const each of ["file", "link"]) fs.rmSync(`${base}-${each}`);
    expect([space, fs.existsSync(path.join(base, "args"))]).toEqual([undefined, false]);
  });

  test("is not even tried where its seat is missing", async () => {
    const { lstatSync } = fs;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) =>
      file === "/dev/pts" ? undefined : lstatSync(file, ...more)) as typeof fs.lstatSync);
    expect([await open(SAYS), fs.existsSync(path.join(base, "args"))]).toEqual([undefined, false]);
  });
});

describe("a space that was made", () => {
  const made = async (network: boolean): Promise<SessionSpace> => {
    elsewhere();
    const space = await open(SAYS, { network });
    vi.restoreAllMocks();
    return space as SessionSpace;
  };
  const kinds = (args: readonly string[]) => args.map((each) => each.replace(/=\/proc\/\d+\/fd\/\d+$/, "=…"));

  test.each([
    [true, true, ["--user=…", "--mount=…", "--net=…"]],
    [true, false, ["--user=…", "--mount=…"]],
    [false, true, ["--user=…", "--mount=…"]],
    [false, false, ["--user=…", "--mount=…"]],
  ])("is entered by its files, with its network %s if it is wanted: %s", async (has, wants, options) => {
    const { file, args, network } = (await made(has)).entry(wants);
    expect([file, kinds(args), network]).toEqual([
      ...["/usr/bin/nsenter", [...options, "--preserve-credentials", "--"], has && wants],
    ]);
    for (const each of args.slice(0, -2)) {
      const [, kind, fd] = /^--(\w+)=\/proc\/\d+\/fd\/(\d+)$/.exec(each) ?? [];
      expect(targetOf(fd ?? "")).toMatch(new RegExp(`^${kind === "mount" ? "mnt" : kind}:`));
    }
  });

  test("closes its files, once", async () => {
    const space = await made(true);
    expect(namespaces()).toHaveLength(3);
    space.close();
    expect(namespaces()).toEqual([]);
    const fds = [1, 2, 3].map(() => fs.openSync(base, "r"));
    space.close();
    for (const fd of fds) fs.closeSync(fd);
  });

  test("leaves a /tmp alone that is not hidden, whatever else is", async () => {
    const mounts = [empty("/home"), writable("/tmp")];
    expect((await made(false)).shareTmp(mounts, false)).toEqual(mounts);
  });
});
