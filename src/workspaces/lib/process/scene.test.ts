import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import { empty, writable } from "./mounts.ts";
import { isPrivateOfSystem, socketMasks } from "./scene.ts";

/** Lets a folder of the system hold these, as if they lay there. */
function inSystem(entries: Record<string, { folder: boolean; mode: number }>, parent = "/srv"): void {
  const { readdirSync, lstatSync } = fs;
  vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) =>
    folder === parent ? Object.keys(entries) : readdirSync(folder, ...more)) as typeof fs.readdirSync);
  vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) => {
    const entry = path.dirname(file) === parent ? entries[path.basename(file)] : undefined;
    if (!entry) return lstatSync(file, ...more);
    const { folder, mode } = entry;
    return { mode, isDirectory: () => folder, isFile: () => !folder, isSymbolicLink: () => false };
  }) as typeof fs.lstatSync);
}

describe("what an administrator keeps from others, to root", () => {
  test.each([
    ["a folder nobody else may enter", true, 0o700, "empty"],
    ["a folder others may list and not enter", true, 0o754, "empty"],
    ["a folder others may enter and not list", true, 0o751, "empty"],
    ["a folder for everybody", true, 0o755, "read"],
    ["a file of root's alone", false, 0o600, "blank"],
    ["a file of a group's", false, 0o640, "blank"],
    ["a file for everybody", false, 0o644, "read"],
  ])("%s", (_, folder, mode, view) => {
    const site = useSite();
    inSystem({ entry: { folder, mode } });
    expect(viewOf(site.args({ isRoot: true }), "/srv/entry")).toBe(view);
    expect(viewOf(site.args({ isRoot: false }), "/srv/entry"), "who may not read it needs no blank").toBe("read");
    vi.spyOn(process, "getuid").mockReturnValue(0);
    expect(["/srv/entry", "/srv/entry/bin/node"].map(isPrivateOfSystem), "told of one file").toEqual([
      view !== "read",
      folder ? view !== "read" : view === "blank",
    ]);
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    expect(isPrivateOfSystem("/srv/entry")).toBe(false);
  });

  test.each(
    "/ /etc /etc/ssh /etc/ssl /var /var/lib /var/spool /var/log /var/backups /opt /srv /usr/local/etc".split(" "),
  )("in %s", (folder) => {
    const site = useSite();
    inSystem({ key: { folder: false, mode: 0o600 }, store: { folder: true, mode: 0o700 } }, folder);
    const args = site.args({ isRoot: true });
    expect(["key", "store"].map((name) => viewOf(args, path.join(folder, name)))).toEqual(["blank", "empty"]);
  });

  test.each(["ssh", "ssl"])("in /etc/%s, however much lies in folders that are looked at before it", (name) => {
    const site = useSite();
    const { readdirSync, lstatSync } = fs;
    const many = Array.from({ length: 10_001 }, (_, n) => `f${n}`);
    const inside: Record<string, string[]> = { "/etc": ["a", name], "/etc/a": many, [`/etc/${name}`]: ["key"] };
    vi.spyOn(fs, "readdirSync").mockImplementation(
      ((folder: string, ...more: never[]) => inside[folder] ?? readdirSync(folder, ...more)) as typeof fs.readdirSync,
    );
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) => {
      if (!file.startsWith("/etc/")) return lstatSync(file, ...more);
      const isFolder = inside[file] !== undefined;
      const mode = isFolder ? 0o755 : file.endsWith("key") ? 0o600 : 0o644;
      return { mode, isDirectory: () => isFolder, isFile: () => !isFolder, isSymbolicLink: () => false };
    }) as typeof fs.lstatSync);
    expect(viewOf(site.args({ isRoot: true }), `/etc/${name}/key`)).toBe("blank");
  });

  test("further down, in folders that everybody may enter", () => {
    const site = useSite();
    const { readdirSync, lstatSync } = fs;
    const inside: Record<string, string[]> = {
      "/srv": ["app"],
      "/srv/app": ["conf"],
      "/srv/app/conf": ["key", "open"],
    };
    vi.spyOn(fs, "readdirSync").mockImplementation(
      ((folder: string, ...more: never[]) => inside[folder] ?? readdirSync(folder, ...more)) as typeof fs.readdirSync,
    );
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) => {
      if (!file.startsWith("/srv/")) return lstatSync(file, ...more);
      const isFolder = inside[file] !== undefined;
      const mode = isFolder ? 0o755 : file.endsWith("key") ? 0o600 : 0o644;
      return { mode, isDirectory: () => isFolder, isFile: () => !isFolder, isSymbolicLink: () => false };
    }) as typeof fs.lstatSync);
    const args = site.args({ isRoot: true });
    expect(["key", "open"].map((name) => viewOf(args, `/srv/app/conf/${name}`))).toEqual(["blank", "read"]);
  });

  test("a folder that cannot be listed costs the others nothing", () => {
    const site = useSite();
    inSystem({ key: { folder: false, mode: 0o600 } });
    const listed = vi.mocked(fs.readdirSync).getMockImplementation() as (folder: string) => never;
    vi.mocked(fs.readdirSync).mockImplementation(((folder: string) => {
      if (folder === "/etc") throw new Error("EACCES");
      return listed(folder);
    }) as typeof fs.readdirSync);
    expect(viewOf(site.args({ isRoot: true }), "/srv/key")).toBe("blank");
  });

  test("a workspace in such a folder stays", () => {
    const site = useSite();
    inSystem({ entry: { folder: true, mode: 0o700 } });
    expect(viewOf(site.args({ isRoot: true, roots: [site.root, "/srv"] }), "/srv/entry")).toBe("write");
  });
});

test("who has no home of their own, but the whole machine, sees the system all the same", () => {
  const site = useSite();
  expect(viewOf(site.args({ home: "/" }), "/usr/bin/env")).toBe("read");
});

test.each([
  [true, "read"],
  [false, "empty"],
])("what tells names of hosts, where it lies among what is hidden, with network %s: %s", (network, view) => {
  const site = useSite();
  site.put({ "resolv.conf": "nameserver 127.0.0.1\n" });
  const { native } = fs.realpathSync;
  vi.spyOn(fs.realpathSync, "native").mockImplementation(((file: string) =>
    file === "/etc/resolv.conf" ? site.at("resolv.conf") : native(file)) as typeof native);
  expect(viewOf(site.args({ network }), site.at("resolv.conf"))).toBe(view);
});

describe("sockets", () => {
  test("where the system does not tell of any, nothing is masked", () => {
    vi.spyOn(fs, "readFileSync").mockImplementationOnce(() => {
      throw new Error("no /proc");
    });
    expect(socketMasks([])).toEqual([]);
    vi.restoreAllMocks();
  });

  test("only what is a socket, can be seen and has a name in the file system", () => {
    const site = useSite();
    site.put({ "root/gone-on": "a file in its place" });
    const row = (name: string) => `0000000000000000: 00000002 00000000 00010000 0001 01 12345 ${name}`;
    const table = [
      "Num       RefCount Protocol Flags    Type St Inode Path",
      row(`${site.root}/gone-on`),
      row("@abstract"),
      row("/dev/null"),
      row("/nowhere/x"),
    ];
    const read = vi.spyOn(fs, "readFileSync").mockReturnValue(table.join("\n"));
    expect(socketMasks([writable(site.root)]).map(({ path }) => path)).toEqual(["/dev/null"]);
    expect(socketMasks([empty("/dev")])).toEqual([]);
    read.mockRestore();
  });
});

/** By where people keep what opens doors. */
const DOORS = {
  "keys and clouds":
    ".ssh .gnupg .aws .azure .kube .docker .oci .vault-token .terraform.d .password-store .config/gcloud .config/op .config/sops .config/doctl .config/heroku .config/rclone .s3cfg .boto .wrangler .local/share/keyrings",
  "packages and code":
    ".netrc .npmrc .yarnrc.yml .pypirc .git-credentials .config/git/credentials .config/gh .config/glab-cli .config/hub .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .m2/settings.xml .gradle/gradle.properties .composer/auth.json .subversion",
  "databases, browsers and histories":
    ".pgpass .my.cnf .config/google-chrome .config/chromium .mozilla .thunderbird .bash_history .zsh_history .python_history .node_repl_history",
  "agents, and this program": ".claude .claude.json .codex .gemini .config/toolgate",
};

test.each(Object.entries(DOORS))("in a home that is the workspace, hidden: %s", (_, names) => {
  const site = useSite();
  for (const name of names.split(" ")) site.put({ [`home/${name}`]: "secret" });
  site.put({ "home/.config/other": "" });
  const args = site.args({ roots: [site.home] });
  for (const name of names.split(" "))
    expect([name, viewOf(args, path.join(site.home, name))]).toEqual([name, "blank"]);
  expect(viewOf(args, path.join(site.home, ".config/other"))).toBe("write");
});
