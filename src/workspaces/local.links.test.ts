import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localWorkspace } from "./local.ts";

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-links-")));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => path.join(root, name);

/** The removal of a link itself, as it was when it was looked at. */
async function removal(target: string) {
  fs.symlinkSync(target, at("link"));
  const workspace = localWorkspace({ root });
  const place = await workspace.locate("link", true);
  const { bytes } = await workspace.files.read(place);
  const remove = () => workspace.files.commit([{ place, before: bytes, after: null }], async () => {});
  return { place, bytes, remove };
}

describe("a link that is meant itself", () => {
  test.each(["aa.txt", "missing", "..", "/etc/hostname"])(
    "is removed, and not what it leads to: %s",
    async (target) => {
      fs.writeFileSync(at("aa.txt"), "kept");
      const { place, bytes, remove } = await removal(target);
      expect([place.link, new TextDecoder().decode(bytes)]).toEqual([true, target]);
      await remove();
      expect(fs.readdirSync(root).filter((name) => !name.startsWith("."))).toEqual(["aa.txt"]);
    },
  );

  const meanwhile: [what: string, change: () => void, code: string][] = [
    ["leads somewhere else", () => fs.symlinkSync("bb.txt", at("link")), "CONFLICT"],
    ["leads somewhere else, by a longer way", () => fs.symlinkSync("sub/../bb.txt", at("link")), "CONFLICT"],
    ["is a file, which holds the same", () => fs.writeFileSync(at("link"), "aa.txt"), "PERMISSION_DENIED"],
    ["is a folder", () => fs.mkdirSync(at("link")), "PERMISSION_DENIED"],
    ["is gone", () => {}, "CONFLICT"],
  ];
  test.each(meanwhile)("stays as it is, if meanwhile it %s", async (_, change, code) => {
    const { remove } = await removal("aa.txt");
    fs.unlinkSync(at("link"));
    change();
    const now = fs.lstatSync(at("link"), { throwIfNoEntry: false })?.mode;
    await expect(remove()).rejects.toMatchObject({ code });
    expect(fs.lstatSync(at("link"), { throwIfNoEntry: false })?.mode).toBe(now);
  });
});
