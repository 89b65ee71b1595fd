import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, folder } from "../journeys/harness.ts";

const SECRET = "outside-canary";
const HIDDEN = "hidden-name";

/** A workspace with every kind of way out that a repository can bring, and what lies outside. */
async function surrounded() {
  const outside = folder({
    "key.txt": `${SECRET}\n`,
    [`${HIDDEN}/in.txt`]: `${SECRET}\n`,
    "page.ipynb": `{"cells":[{"source":"${SECRET}"}]}`,
  });
  const made = await bench({ "a.txt": "a\n", "deep/b.txt": "b\n" }, { config: { workspace: { allow_delete: true } } });
  const link = (target: string, name: string) => symlinkSync(target, path.join(made.dir, name));
  link(path.join(outside, "key.txt"), "file-link");
  link(outside, "folder-link");
  link("folder-link", "chain");
  link(path.join(outside, "missing"), "dangling");
  link("/", "root-link");
  link("loop", "loop");
  link(path.join(outside, "page.ipynb"), "page.ipynb");
  mkdirSync(path.join(made.dir, "repo"));
  made.put("repo/.git", `gitdir: ${outside}\n`);
  made.put(".gitignore", `!${outside}/**\n../**\n!/../*\n`);
  linkSync(path.join(made.dir, "a.txt"), path.join(made.dir, "hard"));
  const up = path.relative(made.dir, outside);
  const ways = [
    path.join(outside, "key.txt"),
    `${up}/key.txt`,
    `deep/../${up}/key.txt`,
    `nothing/../${up}/key.txt`,
    `./././${up}//key.txt`,
    "file-link",
    "folder-link/key.txt",
    "chain/key.txt",
    "folder-link/../key.txt",
    `root-link${outside}/key.txt`,
    "dangling",
    "dangling/x",
    "folder-link/new.txt",
    "loop",
    "~",
    "~/.bashrc",
    "~root/.bashrc",
    "page.ipynb",
    `/proc/self/root${outside}/key.txt`,
    "/proc/self/cwd/../x",
    "/dev/fd/0",
    `${made.dir}-evil/x`,
    `${made.dir}/../${path.basename(outside)}/key.txt`,
    "a.txt\0/../../x",
    `${up}/key.txt\0.md`,
    "\ud800",
    "a".repeat(5000),
    `${"../".repeat(60)}etc/hostname`,
    "",
    "..",
    "../",
    "deep/../..",
    "folder-link",
    "chain/.",
    `-${up}/key.txt/../../x/../../..`,
  ];
  return { ...made, outside, ways };
}

const untouched = (outside: string) => {
  expect(readdirSync(outside).sort()).toEqual([HIDDEN, "key.txt", "page.ipynb"].sort());
  expect(readFileSync(path.join(outside, "key.txt"), "utf8")).toBe(`${SECRET}\n`);
};

const patches = (file: string): string[] => [
  `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch`,
  `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch`,
  `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${file}\n@@\n-a\n+b\n*** End Patch`,
  `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${SECRET}\n+x\n`,
  `--- /dev/null\n+++ ${file}\n@@ -0,0 +1 @@\n+x\n`,
  `diff --git a/a.txt b/${file}\nrename from a.txt\nrename to ${file}\n`,
];

const tools: [string, (file: string) => object][] = [
  ["read_file", (file) => ({ path: file })],
  ["file_info", (file) => ({ path: file })],
  ["list_files", (file) => ({ path: file })],
  ["find_files", (file) => ({ path: file, pattern: "**" })],
  ["grep", (file) => ({ path: file, pattern: "." })],
  ["search_code", (file) => ({ path: file, pattern: "." })],
  ["write_file", (file) => ({ path: file, content: "x" })],
  ["edit_file", (file) => ({ path: file, old_str: SECRET, new_str: "x" })],
  ["delete_file", (file) => ({ path: file })],
  ["undo_file", (file) => ({ path: file })],
  ["run_command", (file) => ({ command: "ls", cwd: file })],
  ...patches("").map((_, at): [string, (file: string) => object] => [
    "apply_patch",
    (file) => ({ patch: patches(file)[at] }),
  ]),
  ["apply_patch", (file) => ({ patch: `@@ -1 +1 @@\n-${SECRET}\n+x\n`, path: file })],
];

const LINKS = ["file-link", "folder-link", "dangling", "loop", "page.ipynb"];
const isRemoval = (name: string, args: (file: string) => object): boolean =>
  name === "delete_file" || JSON.stringify(args("x")).includes("*** Delete File");

describe("no way out", () => {
  test.each(tools.map(([name, args], at) => [`${name} (${at})`, name, args] as const))("%s", async (_, name, args) => {
    const { call, outside, ways } = await surrounded();
    for (const way of ways) {
      const result = await call(name, args(way));
      // a link of the workspace may be removed, wherever it leads: what it leads to stays
      if (!(isRemoval(name, args) && LINKS.includes(way)))
        expect(result.success, `${name} ${JSON.stringify(way).slice(0, 100)}: ${result.output}`).toBe(false);
      const told = JSON.stringify(result).replaceAll(JSON.stringify(args(way)).slice(1, -1), "");
      if (name !== "edit_file" && name !== "apply_patch") expect(told, way.slice(0, 100)).not.toContain(SECRET);
      expect(told, way.slice(0, 100)).not.toContain(HIDDEN);
    }
    untouched(outside);
  });

  test.each([
    "/etc/*",
    "../**",
    "../*/key.txt",
    "folder-link/**",
    "**/key.txt",
    "root-link/etc/*",
    "{..,.}/**",
    "!a",
    "[.][.]/**",
    "~/**",
    "/**",
    "**/../**",
  ])("searching by the glob %s", async (glob) => {
    const { call, outside } = await surrounded();
    for (const [name, args] of [
      ["find_files", { pattern: glob }],
      ["find_files", { pattern: [glob, `${outside}/**`] }],
      ["grep", { pattern: ".", glob }],
      ["grep", { pattern: SECRET, glob }],
      ["list_files", { pattern: glob }],
      ["list_files", { pattern: glob, recursive: true }],
    ] as const) {
      const result = await call(name, args);
      const shown = `${result.output} ${JSON.stringify(result.metadata.files ?? "")}`.replaceAll(
        SECRET,
        name === "grep" && "pattern" in args && args.pattern === SECRET ? "" : SECRET,
      );
      expect(shown).not.toMatch(new RegExp(`${SECRET}|${HIDDEN}|hostname|^key\\.txt`, "m"));
    }
    untouched(outside);
  });

  test("a file with a second name elsewhere is replaced here only", async () => {
    const { call, text } = await surrounded();
    await call("write_file", { path: "hard", content: "changed" });
    expect([text("hard"), text("a.txt")]).toEqual(["changed", "a\n"]);
  });
});
