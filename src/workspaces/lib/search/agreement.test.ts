import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileQuery, Search } from "../../../core/contracts/search.ts";
import type { Workspace } from "../../../core/contracts/workspace.ts";
import { localWorkspace } from "../../local.ts";
import { engineNamed } from "./engines.ts";
import { searchIn } from "./search.ts";
import type { Engine } from "./task.ts";

let root: string;
let workspace: Workspace;
let engines: [name: string, search: Search][];
beforeEach(async () => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-agreement-")));
  workspace = localWorkspace({ root });
  engines = [];
  for (const name of ["ripgrep", "walk"]) {
    const engine = (await engineNamed(name, [])) as Engine;
    engines.push([name, searchIn({ files: workspace.files, roots: [root], engine })]);
  }
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), content);
};

/** What an engine finds, or why it refuses. */
async function outcome([name, search]: [string, Search], place: string, query: FileQuery) {
  const findings = search.files(await workspace.locate(place), query);
  try {
    const paths: string[] = [];
    for await (const file of findings) paths.push(file.path);
    expect(findings.report.engine).toBe(name);
    return { paths: paths.sort(), excluded: findings.report.excluded };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

describe("rules", () => {
  test.each<[rules: string, file: string, due: "found" | "ignored"]>([
    ["a", "x/a", "ignored"],
    ["/a", "x/a", "found"],
    ["a/b", "x/a/b", "found"],
    ["a/", "a", "found"],
    ["a/", "x/a/f", "ignored"],
    ["a\\/", "a/f", "ignored"],
    ["a/**", "a/b/c", "ignored"],
    ["a/**\n!a/b", "a/b", "found"],
    ["**/a/b", "x/y/a/b", "ignored"],
    ["a/**/b", "a/b", "ignored"],
    ["**/**/a", "a", "ignored"],
    ["a**b", "axxb", "ignored"],
    ["a**b", "a/b", "found"],
    ["***", "x/a", "ignored"],
    ["*\n!a\nb", "a", "found"],
    ["*\n!a\na", "a", "ignored"],
    ["*\n!", "a", "found"],
    ["/", "a/f", "found"],
    ["//", "a/f", "found"],
    ["# a", "# a", "found"],
    ["\\#a", "#a", "ignored"],
    ["\\!a", "!a", "ignored"],
    ["a  ", "a", "ignored"],
    ["a\\ ", "a ", "ignored"],
    ["a\u00a0\r\nb", "a", "ignored"],
    ["\ufeffa", "a", "ignored"],
    [" a", " a", "ignored"],
    ["a\\", "a\\", "found"],
    ["\\a\\*", "a*", "ignored"],
    ["{a,b/c}", "b/c", "ignored"],
    ["{a,b/c}", "x/a", "found"],
    ["x{a,{b,c}}", "xc", "ignored"],
    ["x{,a}", "x", "found"],
    ["{}", "a/f", "found"],
    ["{{},a}", "a", "ignored"],
    ["{a", "{a", "found"],
    ["a}", "a}", "found"],
    ["a,b", "a,b", "ignored"],
    ["{x\\,**/y}", "x/z/y", "ignored"],
    ["[ab]", "b", "ignored"],
    ["[!a]", "b", "ignored"],
    ["[^a]", "a", "found"],
    ["/x[!a]y", "x/y", "ignored"],
    ["[]a]", "]", "ignored"],
    ["[a-]", "-", "ignored"],
    ["[b-a]", "b", "found"],
    ["[a", "[a", "ignored"],
    ["?", "é", "found"],
    ["??", "é", "ignored"],
    ["[é]", "é", "found"],
    ["é*", "éa", "ignored"],
    ["A", "a", "found"],
  ])("by %j, %s is %s", async (rules, file, due) => {
    put(file, "");
    put(".gitignore", rules);
    for (const engine of engines) {
      const { paths } = await outcome(engine, ".", {});
      expect(paths?.includes(file) ? "found" : "ignored", engine[0]).toBe(due);
    }
  });

  test.each([".ignore", ".rgignore", ".git/info/exclude", ".hgignore"])(
    "of others, in %s, count for nothing",
    async (file) => {
      put(file, "a\n");
      put(".git/HEAD", "ref: refs/heads/main\n");
      put("a", "");
      for (const engine of engines) expect((await outcome(engine, ".", {})).paths, engine[0]).toContain("a");
    },
  );

  test("end at the first line that is no UTF-8", async () => {
    put(".gitignore", Buffer.concat([Buffer.from("a\n"), Buffer.from([0xff, 10]), Buffer.from("b\n")]));
    put("a", "");
    put("b", "");
    for (const engine of engines) expect((await outcome(engine, ".", {})).paths).toEqual([".gitignore", "b"]);
  });

  test("count for nothing when asked for", async () => {
    put(".gitignore", "*.log\nx/");
    put("x/.gitignore", "*");
    put("x/y/a.log", "");
    put(".git/a.log", "");
    put("kept/a.log", "");
    for (const engine of engines) {
      expect((await outcome(engine, ".", { noIgnore: true, globs: ["*.log"] })).paths).toEqual([
        "kept/a.log",
        "x/y/a.log",
      ]);
      expect((await outcome(engine, "x", { noIgnore: true, globs: ["y/*"] })).paths).toEqual(["x/y/a.log"]);
      expect((await outcome(engine, ".", { noIgnore: true, exclude: ["x"], globs: ["*.log"] })).paths).toEqual([
        "kept/a.log",
      ]);
      expect((await outcome(engine, ".", { globs: ["*.log"] })).paths).toEqual([]);
    }
  });

  test("from above count below a folder that is a repository of its own", async () => {
    put(".gitignore", "a");
    put("x/.git/HEAD", "");
    put("x/a", "");
    for (const engine of engines) expect((await outcome(engine, ".", {})).paths).toEqual([".gitignore"]);
  });
});

test.each<[glob: string, file: string, due: "found" | "left out"]>([
  ["?", "é", "found"],
  ["!??", "é", "found"],
  ["! ", "a", "found"],
  ["!a ", "a", "found"],
  ["a ", "a ", "found"],
  ["{a,b}/*", "b/x", "found"],
  ["[a/b]", "a", "found"],
  ["/./a", "a", "found"],
  ["a/././b", "a/b", "found"],
  ["a/.", "a/b", "found"],
  ["/./", "a", "left out"],
  ["../a", "a", "left out"],
  ["[!a/]b", "ab", "left out"],
  ["{**/*.ts,**/*.js}", "x/y.js", "found"],
  ["{**/*.ts,**/*.js}", "y.ts", "found"],
  ["*.{ts}", "x/y.ts", "found"],
  ["{a,b/{c,d}}", "b/d", "found"],
  ["{a,b/{c,d}}", "x/b/d", "left out"],
  ["f{1..3}", "x/f2", "found"],
  ["f{1..3}", "f4", "left out"],
  ["f{01..10}", "f03", "found"],
  ["!{a,b}", "x/b", "left out"],
  ["!{a,b}", "x/c", "found"],
  ["{!a,b}", "!a", "found"],
  ["{}", "{}", "found"],
  ["\\{a,b\\}", "{a,b}", "found"],
  ["{a", "{a", "found"],
  ["{a,b}", "{a,b}", "left out"],
])("asked for %j, %s is %s", async (glob, file, due) => {
  put(file, "");
  for (const engine of engines) {
    const { paths } = await outcome(engine, ".", { globs: [glob] });
    expect(paths?.includes(file) ? "found" : "left out", engine[0]).toBe(due);
  }
});

test("whatever the globs and the rules, ripgrep and our own walk find the same files", async () => {
  const usual = ["a", "b", "*", "**", "?", "/", ".ts", "[ab]", "/", "{a,b}", "!", "{b}", "{a,{ab,.ts}}", "{**/a,b/*}"];
  const odd = [
    " ",
    "\\",
    "[!a]",
    "[",
    "{",
    "}",
    ",",
    "{a/b,}",
    "{1..2}",
    "{}",
    "\\{",
    "[{]",
    "[a/]",
    "[a-é]",
    "é",
    "#",
    "A",
    ".",
    "/**/",
    "***",
    "\t",
  ];
  const glob = fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd)), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join(""));
  const marked = fc.tuple(fc.constantFrom("", "", "!", "/", "!/"), glob).map((parts) => parts.join(""));
  const rules = fc
    .tuple(fc.array(marked, { maxLength: 3 }), fc.constantFrom("\n", "\r\n"))
    .map(([lines, end]) => lines.join(end));
  const name = fc.constantFrom(
    "a",
    "b",
    "ab",
    "a.ts",
    ".x",
    "é",
    "A",
    "a b",
    "b ",
    "!a",
    "#a",
    "[ab]",
    "{a,b}",
    "1",
    ".git",
  );
  const query = fc.record({
    globs: fc.array(marked, { maxLength: 2 }),
    exclude: fc.array(glob, { maxLength: 1 }),
    recursive: fc.boolean(),
    noIgnore: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      fc.array(rules, { minLength: 3, maxLength: 3 }),
      fc.array(query, { minLength: 1, maxLength: 2 }),
      async (files, [above, inside, below], queries) => {
        fs.rmSync(root, { recursive: true, force: true });
        fs.mkdirSync(path.join(root, "a/b"), { recursive: true });
        for (const file of files) {
          try {
            put(file.join("/"), "");
          } catch {
            // a file is where a folder should be
          }
        }
        put(".gitignore", above as string);
        put("a/.gitignore", inside as string);
        put("a/b/.gitignore", below as string);
        // no rules of ours
        put(".ignore", inside as string);
        for (const each of [{}, ...queries])
          for (const place of [".", "a", "a/b"]) {
            const [one, other] = await Promise.all(engines.map((engine) => outcome(engine, place, each)));
            expect(one).toEqual(other);
          }
      },
    ),
    { numRuns: 60 },
  );
});
