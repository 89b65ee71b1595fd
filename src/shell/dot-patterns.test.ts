import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toldOfTouches } from "./cases/told.ts";
import { withDots } from "./dot-patterns.ts";

describe("patterns where the shell may match hidden names", () => {
  test.each<[line: string, touches: string]>([
    ["cat *env", "read ./*env?"],
    ["shopt -s dotglob\ncat *env", "any rwen, read ./*env?, read ./.*env?"],
    ["shopt -s nullglob; rm -r *", "any rwen, delete ./*/**?, delete ./.*/**?"],
    ['bash -O dotglob -c "cat ????"', "read ./?????, read ./.????"],
    ["shopt -s dotglob; cat ? [ab] a*", "any rwen, read ./??, read ./[ab]?, read ./a*?"],
  ])("%j touches %s", (line, touches) => expect(toldOfTouches(line)).toBe(touches));

  test.each<[line: string, env?: Record<string, string>]>([
    ["cat *"],
    ["cat *", { HOME: "/home/me" }],
    ["echo a; cat *; echo b"],
    ["curl -OL https://example.com/a.txt; cat *"],
    ["cat a -o *"],
  ])("%j with %j: hidden names are not meant", (line, env) =>
    expect(toldOfTouches(line, { ...(env && { env }) })).not.toContain("/.*"),
  );

  test.each<[line: string, env?: Record<string, string>]>([
    ["GLOBIGNORE=x\ncat *"],
    ["globignore=x; cat *"],
    ["BASHOPTS=dotglob bash -c 'cat *'"],
    ["zsh -c 'setopt globdots; cat *'"],
    ['shopt -s dot""glob; cat *'],
    ["bash -eO dotglob -c 'cat *'"],
    ["bash +O x -O dotglob -c 'cat *'"],
    ["cat *", { BASHOPTS: "dotglob" }],
    ["cat *", { GLOBIGNORE: "x" }],
  ])("%j with %j: hidden names are meant as well", (line, env) =>
    expect(toldOfTouches(line, { ...(env && { env }) })).toContain("/.*"),
  );
});

describe("compared with bash", () => {
  const names = [".nv", ".env", "env", "a.env", ".e", "e", ".x/.env", ".x/env", "x/.env", "x/env", "].a", ".a"];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "toolgate-dots-"));
    for (const name of names) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), "");
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const patterns = (
    "* *env ?env ??nv [.]env [.e]nv [!a]* [^a]* []]* []a.]* [.a]* [!]]a */env */.env .*/*env ?/* [.x]* " +
    "*/* [.][x]/[.]env x/* **/*env ???? a* [ [a"
  ).split(" ");

  const listed = (words: readonly string[], ...options: string[]): string[] => {
    const script = `printf '%s\\n' ${words.join(" ")}`;
    const { stdout } = spawnSync("bash", ["-O", "nullglob", ...options, "-c", script], {
      cwd: folder,
      encoding: "utf8",
    });
    return [...new Set(stdout.split("\n").filter(Boolean))].sort();
  };

  test.each(patterns)("%s: the told patterns match without the setting what it matches with it", (pattern) => {
    expect(listed(withDots(pattern))).toEqual(listed([pattern], "-O", "dotglob"));
  });

  test("the setting makes a difference", () =>
    expect(listed(["*"], "-O", "dotglob").length).toBeGreaterThan(listed(["*"]).length));
});

test("of very many patterns, the whole tree is meant", () => {
  expect(withDots("*/*/*/*")).toHaveLength(16);
  expect(withDots("*/*/*/*/*")).toEqual(["**"]);
  expect(withDots("a/b*/c")).toEqual(["a/b*/c"]);
});
