import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entriesOf, gitIndexOf } from "./git-index.ts";
import { type FileState, stateOf } from "./tree.ts";

const NAMES = ["a", "a.b", "folder/a", "folder/deeper/with a blank", "folder/deeper/ü", "z".repeat(200)];
let root: string;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const stateAt = (name: string): FileState => stateOf(fs.lstatSync(path.join(root, name)));
const idOf = (name: string): string => git("hash-object", "--no-filters", name).trim();

beforeAll(async () => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-index-")));
  for (const name of NAMES) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), `content of ${name}\n`);
  }
  git("init", "-q");
  // entries that are as young as the index itself are no proof
  await new Promise((resolve) => setTimeout(resolve, 30));
  git("add", ".");
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe("git's index", () => {
  test.each([2, 3, 4])("version %i names the object of every clean file", async (version) => {
    git("update-index", "--index-version", String(version));
    const index = await gitIndexOf(root);
    for (const name of NAMES) expect(index?.cleanID(path.join(root, name), stateAt(name)), name).toBe(idOf(name));
    expect(index?.cleanID(path.join(root, "untracked"), stateAt("a"))).toBeUndefined();
  });

  test("is found from a folder below", async () => {
    const index = await gitIndexOf(path.join(root, "folder/deeper"));
    expect(index?.cleanID(path.join(root, "folder/a"), stateAt("folder/a"))).toBe(idOf("folder/a"));
  });

  test.each([
    ["size", { size: 1 }],
    ["time", { mtimeMs: 5 }],
    ["time of change", { ctimeMs: 5 }],
    ["number", { ino: 5 }],
  ])("another %s is a doubt", async (_, other) => {
    const index = await gitIndexOf(root);
    expect(index?.cleanID(path.join(root, "a"), { ...stateAt("a"), ...other })).toBeUndefined();
  });

  test("a file as young as the index is a doubt", async () => {
    fs.utimesSync(path.join(root, "a"), new Date(), new Date(Date.now() + 60_000));
    git("add", "a");
    const index = await gitIndexOf(root);
    expect(index?.cleanID(path.join(root, "a"), stateAt("a"))).toBeUndefined();
    expect(index?.cleanID(path.join(root, "a.b"), stateAt("a.b"))).toBe(idOf("a.b"));
  });

  test("what is no index, or a broken one, says nothing and takes no time", () => {
    const whole = fs.readFileSync(path.join(root, ".git/index"));
    const attempt = (bytes: Buffer) => {
      try {
        return entriesOf(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return undefined;
      }
    };
    for (let length = 0; length < whole.length; length++)
      expect(attempt(whole.subarray(0, length)), String(length)).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(2, 3, 4), (body, version) => {
        attempt(Buffer.concat([Buffer.from("DIRC"), Buffer.from([0, 0, 0, version]), body]));
      }),
    );
    const endless = Buffer.alloc(12, 0xff);
    endless.write("DIRC\0\0\0\x02", "latin1");
    expect(attempt(endless)).toBeUndefined();
  });
});
