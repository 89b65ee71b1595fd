import { expect, test } from "vitest";
import type { Entry, Workspace } from "../contracts/workspace.ts";
import type { Touch } from "../words/touch.ts";
import { type Minding, NOBODY, reachedByPatterns } from "./fitting.ts";

const place = (real: string) => ({ shown: real.slice(6) || ".", real, root: "/root", exists: true });
const minding: Minding = {
  minds: (path) => path.endsWith(".env"),
  fits: (pattern, name) => pattern === "*" || (pattern === "*.ts" ? name.endsWith(".ts") : pattern === name),
};

const world = (list: (folder: string) => readonly Entry[]) => {
  const listed: string[] = [];
  const files = {
    list: async ({ real }: { real: string }) => {
      listed.push(real);
      return list(real);
    },
  };
  return {
    listed,
    workspace: { roots: ["/root"], trace: async (real: string) => place(real), files } as unknown as Workspace,
  };
};

const read = (scope: string, brings?: "tracked" | "words"): Touch => ({
  action: "read",
  place: place("/root"),
  scope,
  certain: false,
  ...(brings && { brings }),
});
const anything: Touch = { action: "unknown", permissions: ["read"] };
const found = async (touches: readonly Touch[], workspace: Workspace, who = minding, trees = true) => {
  const { touches: read, isPartial } = await reachedByPatterns(touches, workspace, who, async () => trees);
  return [read.map((touch) => touch.place.real), isPartial];
};

const file = (name: string): Entry => ({ name, kind: "file" });
const dir = (name: string): Entry => ({ name, kind: "folder" });
const TREE: Record<string, readonly Entry[]> = {
  "/root": [file(".env"), file("a.ts"), dir("sub"), dir(".git"), dir("node_modules"), dir(".toolgate")],
  "/root/sub": [file("b.env"), { name: "pipe.env", kind: "other" }],
};
const tree = () => world((folder) => TREE[folder] ?? [file("deep.env")]);

test.each<[what: string, touches: Touch[], files: string[]]>([
  ["a tree", [read("**")], ["/root/.env", "/root/sub/b.env", "/root/sub/pipe.env"]],
  ["a name in a tree", [read("**/.env")], ["/root/.env"]],
  ["an ending in a tree", [read("**/*.ts")], []],
  ["what nobody knows", [anything], ["/root/.env", "/root/sub/b.env", "/root/sub/pipe.env"]],
  ["what git keeps", [read("**", "tracked")], []],
  ["names as words, none of them with blanks", [read("**/*.ts", "words")], []],
  ["what is listed", [{ ...read("**"), action: "list" } as Touch], []],
])("reading %s", async (_, touches, files) => {
  expect(await found(touches, tree().workspace)).toEqual([files, false]);
});

test("nothing is looked at for nobody, and no tree where the files are hidden", async () => {
  const { workspace, listed } = tree();
  expect(await found([read("**"), anything], workspace, NOBODY)).toEqual([[], false]);
  expect(await found([read("**"), anything], workspace, minding, false)).toEqual([[], false]);
  expect(listed).toEqual([]);
});

test.each(["a b.ts", "a\tb.ts", "a'.ts", 'a".ts', "a\\.ts"])(
  "words of a name such as %s may name any file",
  async (name) => {
    const { workspace } = world((folder) => (folder === "/root" ? [file(name), file(".env")] : []));
    expect(await found([read("**/*.ts", "words")], workspace)).toEqual([["/root/.env"], false]);
    expect(await found([read("**/*.ts")], workspace)).toEqual([[], false]);
  },
);

test("a folder with a blank splits the names in it, a file that is not meant does not", async () => {
  const inside = world((folder) => (folder === "/root" ? [dir("a b"), file(".env")] : []));
  expect(await found([read("**/*.ts", "words")], inside.workspace)).toEqual([["/root/.env"], false]);
  const beside = world((folder) => (folder === "/root" ? [file("a b.md"), file(".env")] : []));
  expect(await found([read("**/*.ts", "words")], beside.workspace)).toEqual([[], false]);
});

test("what is too much to look at is said to be", async () => {
  const deep = world(() => [dir("on")]);
  expect(await found([read("**")], deep.workspace)).toEqual([[], true]);
  expect(deep.listed).toHaveLength(10_000);
  const wide = world((folder) => (folder === "/root" ? [dir("x"), ...Array(100_001).fill(file("y"))] : []));
  expect(await found([read("**")], wide.workspace)).toEqual([[], true]);
  expect(wide.listed).toEqual(["/root"]);
  const full = world((folder) => (folder === "/root" ? [dir("x"), ...Array(99_999).fill(file("y"))] : []));
  expect(await found([read("**")], full.workspace)).toEqual([[], false]);
  expect(full.listed).toEqual(["/root", "/root/x"]);
});
