import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

const classOf = (line: string): string => analyse(line).class;

describe("of several options that say what to do with an archive, the last one counts", () => {
  test.each([
    "bzip2 -t -d a.bz2",
    "bzip2 -td a.bz2",
    "bzip2 --test --decompress a.bz2",
    "xz -t -d a.xz",
    "xz -ld a.xz",
  ])("%s unpacks", (line) => expect(classOf(line)).toBe("dangerous"));
  test.each([
    "zstd -t -d a.zst",
    "zstd -ld a.zst",
    "zstd --list --decompress a.zst",
    "xz a",
    "xz -v a",
    "gzip -d a.gz",
  ])("%s unpacks or packs", (line) => expect(classOf(line)).toBe("dangerous"));
  test.each([
    ...["bzip2 -t a.bz2", "bzip2 -dt a.bz2", "bzip2 -dc a.bz2", "bzip2 -ctd a.bz2", "xz -l a.xz", "xz -dt a.xz"],
    ...["xz --decompress --stdout a.xz", "zstd -dl a.zst", "zstd -cd a.zst", "gzip -tv a.gz", "gunzip -c a.gz"],
  ])("%s only looks", (line) => expect(classOf(line)).toBe("safe"));
});

describe("files that a program finds by words that are no names of files", () => {
  const read = (line: string): string[] =>
    analyse(line).touches.flatMap((touch) =>
      touch.action === "read" ? [touch.scope === undefined ? touch.target : `${touch.target}/${touch.scope}`] : [],
    );
  test.each([
    ["iconv -f ../x/map a", "../x/map"],
    ["iconv --to-code=/etc/passwd a", "/etc/passwd"],
    ["iconv -f ./map -t UTF-8 a", "./map"],
    ["zipinfo '*'", "./**"],
    ["zipinfo 'old/*.zip'", "old/**"],
    ["unzip -l '*.zip'", "./**"],
    ["users ../x", "../x"],
    ["who ../x", "../x"],
  ])("%s reads %s", (line, target) => expect(read(line)).toContain(target));
  test.each(["jq -1 .env", "jq -r -1 a.json", "jq -2"])("%s: a number is the filter, so the rest are files", (line) =>
    expect(classOf(line)).toBe("dangerous"),
  );
  test.each([
    ["jq -r .name a.json", ["a.json"]],
    ["iconv -f latin1 -t UTF-8 a", ["a"]],
    ["iconv -f UTF-8 -t ASCII//TRANSLIT a", ["a"]],
    ["zipinfo a.zip", ["a.zip"]],
    ["unzip -l a.zip 'x/*'", ["a.zip"]],
  ])("%s reads only %s", (line, targets) => {
    expect(read(line)).toEqual(targets);
    expect(classOf(line)).toBe("safe");
  });
});

describe("words behind the key of git config are its value", () => {
  test.each([
    ...["git config core.editor --get", "git config x.y --", "git config x.y --list", "git config core.pager -z"],
    ...["git config --get", "git config get", "git config get x.y --unset", "git config list x.y", "git config x.y z"],
  ])("%s sets something, or may", (line) => expect(classOf(line)).toBe("dangerous"));
  test.each([
    ...["git config x.y", "git config --get x.y", "git config --get x.y pattern", "git config --list", "git config -l"],
    ...["git config --global --get x.y", "git config --list --show-origin", "git config get --all x.y"],
    ...["git config get x.y", "git config list", "git config list --global", "git config --get-regexp ^user"],
  ])("%s only looks", (line) => expect(classOf(line)).toBe("safe"));
});

test("of what xargs is given, the first word may be a pattern, and the rest are files", () => {
  const reads = (line: string): boolean => analyse(line).touches.some((touch) => touch.action !== "list");
  for (const line of ["ls | xargs grep", "ls | xargs -r fgrep -n", "find . -name a | xargs grep -l"])
    expect([line, reads(line)]).toEqual([line, true]);
  expect(reads("ls | xargs echo")).toBe(false);
});
