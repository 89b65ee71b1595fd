import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Mount } from "./mounts.ts";
import { writable } from "./mounts.ts";
import { outlineHere, sceneHere, socketMasks } from "./scene.ts";

let base = "";
let root = "";
let home = "";
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-scene-")));
  root = path.join(base, "root");
  home = path.join(base, "home");
  for (const folder of [root, home, path.join(base, "other")]) fs.mkdirSync(folder);
  vi.spyOn(os, "homedir").mockReturnValue(home);
  vi.spyOn(os, "userInfo").mockReturnValue({ homedir: path.join(base, "other") } as never);
  vi.spyOn(process, "getuid").mockReturnValue(1000);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(base, { recursive: true, force: true });
});

const put = (file: string, text = "x"): void => {
  fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
  fs.writeFileSync(path.join(base, file), text);
};
/** The last mount at a path, without the path itself. */
const at = (mounts: readonly Mount[], file: string): string | undefined =>
  mounts
    .filter((mount) => mount.path === path.resolve(base, file))
    .at(-1)
    ?.args.filter((each) => !each.startsWith(base))
    .join(" ");

describe("what a command sees of people's things", () => {
  test("both homes are empty, and what they have installed is shown to be read", () => {
    put("home/.cargo/bin/tool");
    put("other/.nvm/tool");
    put("home/.rustup", "a file");
    const mounts = sceneHere([root], false);
    expect(
      ["home", "other", "home/.cargo", "other/.nvm", "home/.rustup", "root"].map((each) => at(mounts, each)),
    ).toEqual(["--tmpfs", "--tmpfs", "--ro-bind", "--ro-bind", undefined, "--bind"]);
  });

  test("a home that is the workspace stays, without its secrets and without a second look at its programs", () => {
    put("home/.ssh/id_rsa");
    put("home/.netrc");
    put("home/.cargo/credentials");
    const mounts = sceneHere([home], false);
    expect(["home", "home/.cargo", "home/.ssh", "home/.netrc"].map((each) => at(mounts, each))).toEqual([
      ...["--bind", undefined, "--tmpfs", "--ro-bind /dev/null"],
    ]);
    expect(at(mounts, "home/.cargo/credentials")).toBe("--ro-bind /dev/null");
  });

  test("secrets among the programs that are shown are not", () => {
    put("home/.cargo/credentials.toml");
    put("home/.cargo/bin/tool");
    expect(at(sceneHere([root], false), "home/.cargo/credentials.toml")).toBe("--ro-bind /dev/null");
  });

  test("a secret that is a link is hidden where it leads to, and one that is the workspace is not", () => {
    put("home/.cargo/keys/secret");
    fs.symlinkSync(path.join(home, ".cargo/keys"), path.join(home, ".aws"));
    expect(at(sceneHere([root], false), "home/.cargo/keys")).toBe("--tmpfs");
    expect(at(sceneHere([path.join(home, ".cargo/keys")], false), "home/.cargo/keys")).toBe("--bind");
  });

  test.each([
    ["[user]\n\tname = me\n", true],
    ['[url "https://me:hunter2@host"]\n', false],
    ["[http]\n\textraHeader = x\n", false],
    ["[a]\n\tpassword = x\n", false],
    ["[a]\n\tTOKEN = x\n", false],
  ])("git's settings are shown where they hold no credentials: %j", (text, isShown) => {
    put("home/.gitconfig", text);
    expect(at(sceneHere([root], false), "home/.gitconfig")).toBe(isShown ? "--ro-bind" : undefined);
  });

  test("git's settings that cannot be read, or are no file, are not shown", () => {
    fs.mkdirSync(path.join(home, ".gitconfig"));
    expect(at(sceneHere([root], false), "home/.gitconfig")).toBeUndefined();
    fs.rmdirSync(path.join(home, ".gitconfig"));
    put("home/.gitconfig");
    const { readFileSync } = fs;
    vi.spyOn(fs, "readFileSync").mockImplementation(((file: string, ...more: never[]) => {
      if (file === path.join(home, ".gitconfig")) throw new Error("EACCES");
      return readFileSync(file, ...more);
    }) as typeof fs.readFileSync);
    expect(at(sceneHere([root], false), "home/.gitconfig")).toBeUndefined();
  });

  test("roots that are fixed are only read", () => {
    expect(at(sceneHere([root], false, true), "root")).toBe("--ro-bind");
    expect(at(outlineHere([root], false), "root")).toBe("--bind");
  });

  test("folders of all people are empty, unless the workspace is there; devices and processes come last", () => {
    const mounts = sceneHere([root], false);
    const folders = ["/run", "/tmp", "/var/tmp", "/root", "/home"].filter((each) => fs.existsSync(each));
    expect(folders.map((each) => at(mounts, each))).toEqual(folders.map((each) => `--tmpfs ${each}`));
    expect(mounts.slice(-2).map(({ args }) => args.join(" "))).toEqual(["--dev /dev", "--proc /proc"]);
    expect(at(sceneHere(["/tmp"], false), "/tmp")).toBe("--bind /tmp /tmp");
  });

  /** Lets the machine have these files or folders, or not have them. */
  const machine = (here: Record<string, boolean>): void => {
    const { lstatSync } = fs;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) =>
      here[file] === undefined ? lstatSync(file, ...more) : here[file] ? lstatSync(base) : undefined) as never);
  };
  const leading = (from: string, to: string): void => {
    const { native } = fs.realpathSync;
    vi.spyOn(fs.realpathSync, "native").mockImplementation(((file: string) =>
      file === from ? to : native(file)) as typeof native);
  };

  test("a folder that this machine does not have is not mounted, which would fail", () => {
    machine({ "/home": false, "/var/tmp": false, "/root": true });
    const mounts = sceneHere([root], false);
    expect(["/home", "/var/tmp", "/root"].map((each) => at(mounts, each))).toEqual([
      ...[undefined, undefined, "--tmpfs /root"],
    ]);
  });

  test("programs that are reached through /run are shown there, where the machine has any", () => {
    leading("/run/current-system", "/usr/bin");
    const here = { "/run/current-system": false, "/run": true };
    machine(here);
    expect(at(sceneHere([root], false), "/run/current-system")).toBeUndefined();
    here["/run/current-system"] = true;
    expect(at(sceneHere([root], false), "/run/current-system")).toBe("--ro-bind /usr/bin /run/current-system");
  });

  test("what tells names of hosts is not mounted again where it can be seen anyway", () => {
    leading("/etc/resolv.conf", "/usr/bin/env");
    expect(at(sceneHere([root], true), "/usr/bin/env")).toBeUndefined();
  });
});

describe("what root alone may read", () => {
  const tree = (inside: Record<string, string[]>, modes: Record<string, number>): void => {
    const { lstatSync } = fs;
    vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string) => inside[folder] ?? []) as never);
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) => {
      const mode = modes[file];
      if (mode === undefined && inside[file] === undefined) return lstatSync(file, ...more);
      const isFolder = inside[file] !== undefined;
      return { mode, isDirectory: () => isFolder, isFile: () => !isFolder, isSymbolicLink: () => false };
    }) as typeof fs.lstatSync);
    vi.spyOn(process, "getuid").mockReturnValue(0);
  };

  test("is looked for five folders deep, once", () => {
    const folders = ["/opt/1", "/opt/1/2", "/opt/1/2/3", "/opt/1/2/3/4", "/opt/1/2/3/4/5", "/opt/1/2/3/4/5/6"];
    const inside: Record<string, string[]> = { "/opt": ["1"] };
    for (const [depth, folder] of folders.entries()) inside[folder] = depth === 5 ? ["key"] : [`${depth + 2}`, "key"];
    const modes = Object.fromEntries(
      folders.flatMap((folder) => [
        [folder, 0o755],
        [`${folder}/key`, 0o600],
      ]),
    );
    tree(inside, modes);
    const mounts = sceneHere([root], false);
    expect(folders.map((folder) => at(mounts, `${folder}/key`) !== undefined)).toEqual([
      ...[true, true, true, true, true, false],
    ]);
    expect(mounts.filter(({ path: each }) => each === "/opt/1/key")).toHaveLength(1);
    expect(outlineHere([root], false).some(({ path: each }) => each === "/opt/1/key")).toBe(false);
  });

  test("in folders of the root of the disk it is not looked further down", () => {
    tree(
      { "/": ["data", "lost"], "/data": ["key"], "/lost": [] },
      { "/data": 0o755, "/data/key": 0o600, "/lost": 0o700 },
    );
    const mounts = sceneHere([root], false);
    expect([at(mounts, "/lost"), at(mounts, "/data/key")]).toEqual(["--tmpfs /lost", undefined]);
  });

  test.each([
    [9_998, "--ro-bind /dev/null /opt/b/key"],
    [9_999, undefined],
  ])("is not looked for without end: after %s other files", (count, view) => {
    const many = Array.from({ length: count }, (_, n) => `f${n}`);
    tree(
      { "/opt": ["a", "b"], "/opt/a": many, "/opt/b": ["key"], "/srv": ["key"] },
      {
        ...Object.fromEntries(many.map((name) => [`/opt/a/${name}`, 0o644])),
        ...{ "/opt/a": 0o755, "/opt/b": 0o755, "/opt/b/key": 0o600, "/srv/key": 0o600 },
      },
    );
    const mounts = sceneHere([root], false);
    expect([at(mounts, "/opt/b/key"), at(mounts, "/srv/key")]).toEqual([view, "--ro-bind /dev/null /srv/key"]);
  });

  test("is not looked for behind links, and what is gone again or no file is passed over", () => {
    tree(
      { "/srv": ["gone", "link", "pipe", "key"], "/srv/link": ["key"] },
      { "/srv/link": 0o777, "/srv/link/key": 0o600, "/srv/pipe": 0o600, "/srv/key": 0o600 },
    );
    const told = vi.mocked(fs.lstatSync).getMockImplementation() as (file: string, ...more: never[]) => object;
    vi.mocked(fs.lstatSync).mockImplementation(((file: string, ...more: never[]) =>
      file === "/srv/link" || file === "/srv/pipe"
        ? { ...told(file), isDirectory: () => false, isFile: () => false }
        : told(file, ...more)) as never);
    const mounts = sceneHere([root], false);
    expect(mounts.map((mount) => mount.path).filter((each) => each.startsWith("/srv"))).toEqual(["/srv/key"]);
  });
});

describe("sockets that were made by a relative name", () => {
  const row = (name: string) => `0000000000000000: 00000002 00000000 00010000 0001 01 ${++inode} ${name}`;
  let inode = 1000;
  const table = (...rows: string[]): void => {
    const { readFileSync } = fs;
    const text = ["Num       RefCount Protocol Flags    Type St Inode Path", ...rows].join("\n");
    vi.spyOn(fs, "readFileSync").mockImplementation(((file: string, ...more: never[]) =>
      file === "/proc/net/unix" ? text : readFileSync(file, ...more)) as typeof fs.readFileSync);
  };
  const listen = async (file: string): Promise<string> => {
    fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(base, file), resolve));
    onTestFinished(() => void server.close());
    return path.join(base, file);
  };
  const masked = (): string[] => socketMasks([writable(base)], [root]).map((mount) => mount.path);

  test("are found below the roots, but for packages; only those of that name", async () => {
    const deep = await listen("root/a/b/s.sock");
    await listen("root/a/other.sock");
    await listen("root/node_modules/s.sock");
    put("root/c/s.sock", "a file");
    table(row("run/s.sock"));
    expect(masked()).toEqual([deep]);
  });

  test("are not looked for through links, which may lead in a circle", async () => {
    const made = await listen("root/a/s.sock");
    fs.symlinkSync(root, path.join(root, "again"));
    table(row("run/s.sock"));
    const list = vi.spyOn(fs, "readdirSync");
    expect(masked()).toEqual([made]);
    expect(list).toHaveBeenCalledWith(path.join(root, "a"));
    expect(list).not.toHaveBeenCalledWith(path.join(root, "again"));
  });

  test.each([
    [4_999, true],
    [5_000, false],
  ])("are looked for only so long: among %s entries, found: %s", async (count, isFound) => {
    const made = await listen("root/deep/s.sock");
    const { readdirSync } = fs;
    const names = ["deep", ...Array.from({ length: count - 1 }, (_, n) => `f${n}`)];
    vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) =>
      folder === root ? names : readdirSync(folder, ...more)) as typeof fs.readdirSync);
    table(row("run/s.sock"));
    expect(masked()).toEqual(isFound ? [made] : []);
  });

  test("are found where a program still is", async () => {
    const made = await listen("elsewhere/here.sock");
    const { native } = fs.realpathSync;
    vi.spyOn(fs.realpathSync, "native").mockImplementation(((file: string) =>
      file === `/proc/${process.pid}/cwd` ? path.dirname(made) : native(file)) as typeof native);
    table(row("./here.sock"));
    expect(masked()).toEqual([made]);
  });

  test("are looked for again when there is a new one, and not before", async () => {
    const one = await listen("root/one.sock");
    const rows = [row("one.sock")];
    table(...rows);
    expect(masked()).toEqual([one]);
    const two = await listen("root/two.sock");
    expect(masked()).toEqual([one]);
    table(...rows, row("two.sock"));
    expect(masked().sort()).toEqual([one, two]);
  });

  test("are nothing where there are none", () => {
    table(row("@abstract"), row("/nowhere/x"));
    const list = vi.spyOn(fs, "readdirSync");
    expect(masked()).toEqual([]);
    expect(list).not.toHaveBeenCalledWith(root);
  });
});
