import fs from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import { empty, writable } from "./mounts.ts";
import { socketMasks } from "./scene.ts";

/** Lets `/srv` hold these, as if they lay there. */
function inService(entries: Record<string, { folder: boolean; mode: number }>): void {
  const { readdirSync, lstatSync } = fs;
  vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) =>
    folder === "/srv" ? Object.keys(entries) : readdirSync(folder, ...more)) as typeof fs.readdirSync);
  vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) => {
    const entry = entries[file.replace("/srv/", "")];
    if (!entry || !file.startsWith("/srv/")) return lstatSync(file, ...more);
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
    inService({ entry: { folder, mode } });
    expect(viewOf(site.args({ isRoot: true }), "/srv/entry")).toBe(view);
    expect(viewOf(site.args({ isRoot: false }), "/srv/entry"), "who may not read it needs no blank").toBe("read");
  });

  test("a workspace in such a folder stays", () => {
    const site = useSite();
    inService({ entry: { folder: true, mode: 0o700 } });
    expect(viewOf(site.args({ isRoot: true, roots: [site.root, "/srv"] }), "/srv/entry")).toBe("write");
  });
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
