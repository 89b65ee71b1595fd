import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { blank, empty, type Mount, readOnly, writable } from "./mounts.ts";
import { type Narrow, narrowed, narrowTo } from "./narrow.ts";

const stage = () => {
  const site = useSite();
  site.put({
    "root/a.ts": "a",
    "root/src/b.ts": "b",
    "root/src/deep/c.ts": "c",
    "root/src/deep/sub/g.ts": "g",
    "root/src/other/d.ts": "d",
    "root/docs/e.md": "e",
    "root/inner/f": "f",
    "away/x": "x",
  });
  const to = (targets: string[], inPlace = false, roots = [site.root]) =>
    narrowTo({ targets: targets.map((name) => site.at(name)), inPlace }, roots);
  const flat = (narrow: Narrow | undefined) =>
    narrow && {
      root: narrow.root.replace(site.base, ""),
      shown: narrow.shown,
      mounts: narrow.mounts.map(({ args: [how, from, path] }) => {
        expect(from).toBe(path);
        return `${how} ${path?.replace(site.base, "")}`;
      }),
    };
  return { ...site, to, flat };
};

describe("a command that writes only what it names", () => {
  test("files that are changed in place are all that is writable", () => {
    const { to, flat } = stage();
    expect(flat(to(["root/a.ts", "root/src/b.ts"], true))).toEqual({
      root: "/root",
      shown: ["a.ts", "src/b.ts"],
      mounts: ["--bind /root/a.ts", "--bind /root/src/b.ts"],
    });
  });

  test.each<[what: string, targets: string[], inPlace: boolean]>([
    ["one that is replaced", ["root/src/b.ts"], false],
    ["one that is new", ["root/src/new.ts"], true],
  ])("%s needs its folder, without the folders beside it", (_, targets, inPlace) => {
    const { to, flat } = stage();
    const told = flat(to(targets, inPlace));
    expect(told?.shown).toEqual(["src/"]);
    expect(told?.mounts[0]).toBe("--bind /root/src");
    expect(told?.mounts.slice(1).sort()).toEqual(["--ro-bind-try /root/src/deep", "--ro-bind-try /root/src/other"]);
  });

  test("one file of several that is new makes all of them need their folder", () => {
    const { to, flat } = stage();
    expect(flat(to(["root/src/b.ts", "root/src/new.ts"], true))?.mounts[0]).toBe("--bind /root/src");
  });

  test("the folder above what is new is the nearest that is there", () => {
    const { to, flat } = stage();
    expect(flat(to(["root/src/new/er/file"]))).toMatchObject({ shown: ["src/"] });
    expect(flat(to(["root/new/er/file"]))).toMatchObject({ shown: ["the top folder of the workspace"] });
  });

  test("of two folders what both lie in, with those between them that nothing is written to kept", () => {
    const { to, flat } = stage();
    const told = flat(to(["root/src/deep/c.ts", "root/docs/e.md"]));
    expect(told?.mounts[0]).toBe("--bind /root");
    expect(told?.mounts.slice(1).sort()).toEqual([
      ...["--ro-bind-try /root/inner", "--ro-bind-try /root/src/deep/sub", "--ro-bind-try /root/src/other"],
    ]);
    const near = flat(to(["root/src/deep/c.ts", "root/src/other/d.ts"]));
    const mounts = ["--bind /root/src", "--ro-bind-try /root/src/deep/sub"];
    expect(near).toEqual({ root: "/root", shown: ["src/"], mounts });
  });

  test("a folder that is named is written with all below it, and is told", () => {
    const { to, flat } = stage();
    const told = flat(to(["root/src/deep"]));
    expect(told?.shown).toEqual(["src/", "src/deep/"]);
    expect(told?.mounts).toEqual(["--bind /root/src", "--ro-bind-try /root/src/other"]);
  });

  test("a command that writes nothing gets nothing", () =>
    expect(stage().to([])).toEqual({ root: "", mounts: [], shown: [], targets: [] }));

  test("what is outside, or in two roots, cannot be narrowed to", () => {
    const { to, at, root } = stage();
    expect(to(["away/x"])).toBeUndefined();
    expect(to(["root/a.ts", "away/x"], true)).toBeUndefined();
    expect(to(["root/a.ts", "away/x"], true, [root, at("away")])).toBeUndefined();
  });

  test("of roots in each other the inner one counts", () => {
    const { to, at, root } = stage();
    expect(to(["root/inner/f"], true, [root, at("root/inner")])?.root).toBe(at("root/inner"));
    expect(to(["root/inner/f"], true, [at("root/inner"), root])?.root).toBe(at("root/inner"));
    expect(to(["root/a.ts"], true, [root, at("root/inner")])?.root).toBe(root);
  });

  test("sixteen mounts are worth it, more are not", () => {
    const { to, put } = stage();
    const files = (many: number) => Array.from({ length: many }, (_, n) => `root/many/f${n}`);
    const folders = (many: number) => Array.from({ length: many }, (_, n) => `root/wide/d${n}/`);
    put(Object.fromEntries(files(17).map((name) => [name, "x"])));
    expect(to(files(16), true)?.mounts).toHaveLength(16);
    expect(to(files(17), true)?.mounts).toHaveLength(1);
    put(Object.fromEntries([["root/wide/x", ""], ...folders(16).map((name) => [name, ""])]));
    expect(to(["root/wide/x"])?.mounts).toHaveLength(17);
    put({ "root/wide/d16/": "" });
    expect(to(["root/wide/x"])).toBeUndefined();
  });
});

describe("in a scene whose roots are read-only", () => {
  const narrow = (paths: string[]): Narrow => ({
    root: "/ws",
    mounts: paths.map((path) => writable(path)),
    shown: [],
    targets: paths,
  });
  const scene = [readOnly("/ws"), empty("/home")];
  const into = (kept: readonly Mount[], paths: string[]): string[] =>
    narrowed(scene, kept, narrow(paths)).map(({ args }) => args.join(" "));
  const start = scene.map(({ args }) => args.join(" "));

  test.each<[what: string, kept: Mount[], paths: string[], added: string[]]>([
    ["what is named is opened", [], ["/ws/a"], ["--bind /ws/a /ws/a"]],
    ["not where it is hidden", [blank("/ws/a")], ["/ws/a"], ["--ro-bind /dev/null /ws/a"]],
    ["not below what is hidden", [empty("/ws/s")], ["/ws/s/a"], ["--tmpfs /ws/s"]],
    ["not where it is kept", [readOnly("/ws/a")], ["/ws/a"], ["--ro-bind /ws/a /ws/a"]],
    [
      "not below what is kept",
      [readOnly("/ws/.git/hooks")],
      ["/ws/.git/hooks/x"],
      ["--ro-bind /ws/.git/hooks /ws/.git/hooks"],
    ],
    [
      "what is kept elsewhere stays kept",
      [readOnly("/ws/.git/hooks")],
      ["/ws/a"],
      ["--ro-bind /ws/.git/hooks /ws/.git/hooks", "--bind /ws/a /ws/a"],
    ],
    [
      "one of several that it leads to is enough",
      [writable("/ws/src")],
      ["/ws/b", "/ws/src/a"],
      ["--bind /ws/src /ws/src", "--bind /ws/b /ws/b", "--bind /ws/src/a /ws/src/a"],
    ],
    [
      "what is kept below it stays kept",
      [readOnly("/ws/src/a")],
      ["/ws/src"],
      ["--ro-bind /ws/src/a /ws/src/a", "--bind /ws/src /ws/src"],
    ],
    ["what was left writable and leads nowhere is dropped", [writable("/ws/.git")], ["/ws/a"], ["--bind /ws/a /ws/a"]],
    [
      "what was left writable and leads to it stays",
      [writable("/ws/src")],
      ["/ws/src/a"],
      ["--bind /ws/src /ws/src", "--bind /ws/src/a /ws/src/a"],
    ],
    [
      "what was left writable below it stays",
      [writable("/ws/src/x")],
      ["/ws/src"],
      ["--bind /ws/src/x /ws/src/x", "--bind /ws/src /ws/src"],
    ],
    [
      "a repository that is being made stays where it is made",
      [writable("/ws/.git", "/state/new")],
      ["/ws/a"],
      ["--bind /state/new /ws/.git", "--bind /ws/a /ws/a"],
    ],
  ])("%s", (_, kept, paths, added) => expect(into(kept, paths)).toEqual([...start, ...added]));

  test("one shut file of several shuts only itself", () =>
    expect(into([blank("/ws/a")], ["/ws/a", "/ws/b"])).toEqual([
      ...start,
      "--ro-bind /dev/null /ws/a",
      "--bind /ws/b /ws/b",
    ]));
});

test("a root inside of what is hidden is opened all the same", () => {
  const narrow = { root: "/home/u/ws", mounts: [writable("/home/u/ws/a")], shown: [], targets: ["/home/u/ws/a"] };
  const paths = narrowed([empty("/home"), readOnly("/home/u/ws")], [], narrow).map(({ path }) => path);
  expect(paths).toEqual(["/home", "/home/u/ws", "/home/u/ws/a"]);
});

test("a folder that cannot be looked into has nothing to keep", () => {
  const { to, at } = stage();
  fs.rmSync(at("root/src"), { recursive: true });
  fs.writeFileSync(at("root/src"), "a file by now");
  expect(to(["root/src/b.ts"])).toMatchObject({ shown: ["the top folder of the workspace"] });
});
