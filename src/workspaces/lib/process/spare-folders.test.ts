import fs from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { systemError } from "../../../../test/contracts/disk.ts";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { isEmptyFolder, removeEmpty, removeFile } from "./remove.ts";
import { SpareFolders } from "./spare-folders.ts";

const stage = () => {
  const site = useSite();
  site.put({ "rest/": "" });
  const spares = new SpareFolders(site.at("rest"), "me");
  const name = site.at("root/placeholder");
  return { ...site, spares, name, resting: () => fs.readdirSync(site.at("rest")) };
};

describe("empty folders that are put up and taken away", () => {
  test("rest in between, and are the same ones again", () => {
    const { spares, name, resting } = stage();
    expect(spares.place(name)).toBe(true);
    expect([isEmptyFolder(name), fs.statSync(name).mode & 0o777]).toEqual([true, 0o755]);
    const { ino } = fs.statSync(name);
    spares.takeAway(name);
    expect([fs.existsSync(name), resting()]).toEqual([false, ["me-spare-0"]]);
    expect(spares.place(name)).toBe(true);
    expect([fs.statSync(name).ino, resting()]).toEqual([ino, []]);
    spares.takeAway(name);
    spares.close();
    expect([fs.existsSync(name), resting()]).toEqual([false, []]);
  });

  test("what somebody made meanwhile is theirs", () => {
    const { spares, name, put } = stage();
    put({ "root/placeholder/theirs": "x" });
    expect(spares.place(name)).toBe(false);
    spares.takeAway(name);
    expect(fs.readdirSync(name)).toEqual(["theirs"]);
    const other = stage();
    other.put({ "root/placeholder": "a file" });
    expect(other.spares.place(other.name)).toBe(false);
    other.spares.takeAway(other.name);
    expect(fs.readFileSync(other.name, "utf8")).toBe("a file");
  });

  test("one that rests is given up where something else stands in its place", () => {
    const { spares, name, put, resting } = stage();
    spares.place(name);
    spares.takeAway(name);
    put({ "root/placeholder/theirs": "x" });
    expect(spares.place(name)).toBe(false);
    expect([fs.readdirSync(name), resting()]).toEqual([["theirs"], []]);
  });

  test("one of another process is taken away while ours rests", () => {
    const { spares, name, resting } = stage();
    spares.place(name);
    spares.takeAway(name);
    fs.mkdirSync(name);
    spares.takeAway(name);
    expect([fs.existsSync(name), resting()]).toEqual([false, ["me-spare-0"]]);
  });

  test("a link to an empty folder is never taken", () => {
    const { spares, name, put, at } = stage();
    put({ "elsewhere/": "", "root/placeholder": "-> ../elsewhere" });
    spares.takeAway(name);
    expect([fs.lstatSync(name).isSymbolicLink(), fs.existsSync(at("elsewhere"))]).toEqual([true, true]);
  });

  test("what cannot be moved is removed, and what cannot be made for another reason is told", () => {
    const { spares, name, resting } = stage();
    spares.place(name);
    vi.spyOn(fs, "renameSync").mockImplementationOnce(() => {
      throw systemError("EXDEV");
    });
    spares.takeAway(name);
    expect([fs.existsSync(name), resting()]).toEqual([false, []]);
    vi.spyOn(fs, "mkdirSync").mockImplementationOnce(() => {
      throw systemError("ENOSPC");
    });
    expect(() => spares.place(name)).toThrow("ENOSPC");
  });

  test("what a person puts there in that very moment comes back", () => {
    const { spares, name, resting } = stage();
    spares.place(name);
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.writeFileSync(`${name}/note`, "mine");
      rename(from, to);
    });
    spares.takeAway(name);
    expect([fs.readdirSync(name), resting()]).toEqual([["note"], []]);
  });
});

test("only what is empty, or a file, is removed", () => {
  const site = useSite();
  site.put({ "root/full/x": "", "root/empty/": "", "root/file": "" });
  expect(["full", "empty", "file", "missing"].map((name) => isEmptyFolder(site.at(`root/${name}`)))).toEqual([
    ...[false, true, false, false],
  ]);
  for (const name of ["full", "empty", "missing", "file"]) removeEmpty(site.at(`root/${name}`));
  expect(fs.readdirSync(site.root).sort()).toEqual(["file", "full"]);
  removeFile(site.at("root/file"));
  removeFile(site.at("root/missing"));
  expect(() => removeFile(site.at("root/full"))).toThrow();
  expect(fs.readdirSync(site.root)).toEqual(["full"]);
});
