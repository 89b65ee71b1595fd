import { describe, expect, test } from "vitest";
import type { Entry, Workspace } from "../contracts/workspace.ts";
import type { Brings, PathTouch, Place } from "../words/touch.ts";
import { NOBODY, reachedByPatterns } from "./fitting.ts";

const LINKS: Record<string, string> = {
  "/root/l.ts": "/root/sub/plain.md",
  "/root/broken.ts": "/root/gone",
  "/root/dirlink": "/root/sub",
  "/root/out": "/out",
  "/root/deep/named": "/out/plain",
  "/root/deep/lost": "/out/gone",
  "/root/deep/inside": "/root/a.ts",
  "/root/deep/key": "/out/key.env",
  "/root/linked/k.env": "/root/a.ts",
};
/** Names that end in a slash are folders. */
const TREE: Record<string, string[]> = {
  "/root": [".env", "c.env", "a.ts", "l.ts", "broken.ts", "sub/", "dirlink", "out", ".hidden/", "deep/", "linked/"],
  "/root/linked": ["k.env"],
  "/root/sub": ["b.env", ".h.env", "plain.md", "UP.env", "folder.env/"],
  "/root/sub/folder.env": [],
  "/root/.hidden": ["x.env"],
  "/root/deep": ["named", "lost", "inside", "key", "plain"],
  "/out": ["key.env", "plain"],
};

const placeAt = (asked: string): Place => {
  const link = Object.keys(LINKS).find((each) => asked === each || asked.startsWith(`${each}/`));
  const real = link ? `${LINKS[link]}${asked.slice(link.length)}` : asked;
  const [folder, name] = [real.replace(/\/[^/]*$/, ""), real.replace(/^.*\//, "")];
  const exists = real in TREE || (TREE[folder]?.some((each) => each.replace("/", "") === name) ?? false);
  const isInside = real === "/root" || real.startsWith("/root/");
  return { shown: real, real, root: isInside ? "/root" : "", exists };
};

const entry = (folder: string, name: string): Entry => {
  const kind = name.endsWith("/") ? "folder" : `${folder}/${name}` in LINKS ? "link" : "file";
  return { name: name.replace("/", ""), kind };
};

const fits = (pattern: string, name: string) =>
  pattern === "?(.)*" || new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(name);
const minds = (path: string) => path.endsWith(".env");

async function reached(touch: PathTouch, trees = false) {
  const listed: string[] = [];
  const traced: string[] = [];
  const workspace = {
    roots: ["/root"],
    trace: async (real: string) => {
      traced.push(real);
      return placeAt(real);
    },
    files: {
      list: async ({ real }: Place) => {
        listed.push(real);
        const names = TREE[real];
        if (!names) throw new Error("no folder");
        return names.map((name) => entry(real, name));
      },
    },
  } as unknown as Workspace;
  const { touches } = await reachedByPatterns([touch], workspace, { minds, fits }, async () => trees);
  const found = touches.map(({ action, place, scope }) => [action, place.real, scope].filter(Boolean).join(" "));
  return { found: [...new Set(found)].sort(), listed, traced, touches };
}

type Action = PathTouch["action"];
const by = (action: Action, scope: string | undefined, folder = "/root", brings?: Brings): PathTouch => ({
  ...{ action, place: placeAt(folder), certain: true },
  ...(scope !== undefined && { scope }),
  ...(brings && { brings }),
});

describe("by a pattern", () => {
  test.each<[what: string, touch: PathTouch, found: string[]]>([
    ["what a policy minds", by("read", "*.env"), ["read /root/c.env"]],
    ["of any case", by("read", "*.ENV"), ["read /root/c.env"]],
    ["of a name of any case", by("read", "up*", "/root/sub"), ["read /root/sub/UP.env"]],
    ["hidden ones, where they are meant", by("read", ".*"), ["read /root/.env"]],
    ["hidden ones, where they may be", by("read", "?(.)*", "/root/.hidden"), ["read /root/.hidden/x.env"]],
    ["a name without any pattern", by("read", ".env"), ["read /root/.env"]],
    ["not one of another case", by("read", "C.env"), []],
    ["not one that is only written", by("write", ".env"), []],
    [
      "all in a folder, and nothing below",
      by("read", "*"),
      ["read /out", "read /root/c.env", "read /root/sub", "read /root/sub/plain.md"],
    ],
    ["not what is not there", by("read", "gone.env"), []],
    ["not what is only written", by("write", "*.env"), []],
    ["not what is outside", by("read", "key.env", "/out"), []],
    ["no name that does not fit", by("read", "*.md"), []],
    ["in a folder", by("read", "sub/b*"), ["read /root/sub/b.env"]],
    ["in a folder that is a pattern", by("read", "s*b/b*"), ["read /root/sub/b.env"]],
    ["not below a folder that is named", by("read", "sub"), []],
    ["nothing where there is no pattern", by("read", undefined), []],
  ])("%s", async (_, touch, found) => {
    expect((await reached(touch)).found).toEqual(found);
    expect((await reached(touch, true)).found, "and no tree where none is meant").toEqual(found);
  });

  test("none of it is certain, and each is told once", async () => {
    const { touches } = await reached(by("read", "l*"));
    expect(touches).toStrictEqual([{ action: "read", place: placeAt("/root/l.ts"), certain: false }]);
    for (const { certain } of (await reached(by("read", "*"))).touches) expect(certain).toBe(false);
  });

  test("what nobody minds is not looked at more closely", async () => {
    const { traced } = await reached(by("read", "*"));
    expect(traced.sort()).toEqual(["/root/broken.ts", "/root/c.env", "/root/dirlink", "/root/l.ts", "/root/out"]);
    expect((await reached(by("write", "*.env"))).traced).toEqual([]);
    expect((await reached(by("read", "**", "/root/sub"), true)).traced.sort()).toEqual([
      "/root/sub/.h.env",
      "/root/sub/UP.env",
      "/root/sub/b.env",
    ]);
  });
});

describe("behind links", () => {
  test.each<[what: string, touch: PathTouch, found: string[]]>([
    ["a file that is read", by("read", "l*"), ["read /root/sub/plain.md"]],
    ["a file that is written", by("write", "*.ts"), ["write /root/sub/plain.md"]],
    ["not one that is deleted: the link goes", by("delete", "*.ts"), []],
    ["not where the link leads nowhere", by("read", "broken*"), []],
    ["a folder, and what is in it", by("read", "dirlink/b*"), ["read /root/sub b*", "read /root/sub/b.env"]],
    ["a folder in which something is deleted", by("delete", "dirlink/*.md"), ["delete /root/sub *.md"]],
    ["a folder outside, which is not looked into", by("read", "out/*"), ["read /out *"]],
    ["what is reached over two of its folders", by("write", "out/a/*"), ["write /out a/*"]],
    ["not what is only listed", by("list", "*"), []],
    ["not what git keeps", by("read", "*", "/root", "tracked"), []],
  ])("%s", async (_, touch, found) => {
    expect((await reached(touch)).found).toEqual(found);
  });
});

describe("the entries of a folder", () => {
  const IN_SUB = [
    "read /root/sub/.h.env",
    "read /root/sub/UP.env",
    "read /root/sub/b.env",
    "read /root/sub/folder.env",
  ];
  test.each<[what: string, touch: PathTouch, found: string[]]>([
    ["hidden ones too", by("read", undefined, "/root/sub", "entries"), IN_SUB],
    ["of a folder by its name", by("read", "sub", "/root", "entries"), IN_SUB],
    ["not without a word of them", by("read", undefined, "/root/sub"), []],
    ["not outside", by("read", undefined, "/out", "entries"), []],
  ])("%s", async (_, touch, found) => {
    expect((await reached(touch, true)).found).toEqual(found);
  });
});

describe("below a folder", () => {
  const SUB = ["read /root/sub/.h.env", "read /root/sub/UP.env", "read /root/sub/b.env"];
  const OUT = ["read /out/key.env", "read /out/plain"];
  test.each<[what: string, touch: PathTouch, found: string[]]>([
    ["all that is minded", by("read", "**", "/root/sub"), SUB],
    ["of a name", by("read", "**/B*", "/root/sub"), ["read /root/sub/b.env"]],
    ["below one in it", by("read", "sub/**"), SUB],
    ["of a name, below one in it", by("read", "sub/**/up*"), ["read /root/sub/UP.env"]],
    ["below those that a pattern means", by("read", "s*/**"), SUB],
    ["below a link to one", by("read", "dirlink/**"), ["read /root/sub", ...SUB]],
    ["not what is written there", by("write", "sub/**"), []],
    ["not what is written there, from the start", by("write", "**", "/root/sub"), []],
    ["what a link there leads to", by("read", "**", "/root/deep"), ["read /out/key.env"]],
    ["what a link leads to that is minded itself", by("read", "**", "/root/linked"), ["read /root/a.ts"]],
    ["what a link of that name leads to, outside", by("read", "**/named", "/root/deep"), ["read /out/plain"]],
    ["whatever a link leads to, where all are read by name", by("read", "**", "/root/deep", "found"), OUT],
    ["whatever a link leads to, where any name is meant", by("read", "**/*", "/root/deep"), OUT],
    ["not where it leads nowhere", by("read", "**/lost", "/root/deep"), []],
    ["not where it leads inside", by("read", "**/inside", "/root/deep"), []],
    ["not a file of that name", by("read", "**/plain", "/root/deep"), []],
  ])("%s", async (_, touch, found) => {
    expect((await reached(touch, true)).found).toEqual(found);
    const hidden = (await reached(touch, false)).found.filter((each) => each !== "read /root/sub");
    expect(hidden, "nothing where a sandbox hides it").toEqual([]);
  });

  test("files are not taken for folders", async () => {
    const { listed } = await reached(by("read", "*/**"), true);
    expect(listed).toEqual(expect.arrayContaining(["/root", "/root/sub", "/root/deep"]));
    for (const file of ["/root/a.ts", "/root/c.env"]) expect(listed).not.toContain(file);
  });

  test.each<[string, Entry["kind"], boolean]>([
    ["a ", "folder", true],
    ["a\t..", "folder", true],
    ["a '", "folder", true],
    ["a b", "folder", false],
    ["a", "folder", false],
    ["a ", "file", false],
  ])("%j, a %s, leads out by its name: %s", async (name, kind, leads) => {
    const list = async ({ real }: Place) => (real === "/root" ? [{ name, kind }] : []);
    const workspace = { roots: ["/root"], trace: async (real: string) => placeAt(real), files: { list } };
    const { leadsOut } = await reachedByPatterns(
      [by("read", "**")],
      workspace as unknown as Workspace,
      { minds, fits },
      async () => true,
    );
    expect(leadsOut).toBe(leads);
  });
});

test.each<[leads: string, isMeant: boolean]>([
  ...["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store"].map((folder): [string, boolean] => [
    `${folder}/x`,
    false,
  ]),
  ["/home/x", true],
  ["/usrlocal/x", true],
  ["/nix/x", true],
])("a link of the name that is looked for, which leads to %s, is meant: %s", async (leads, isMeant) => {
  const outside: Place = { shown: leads, real: leads, root: "", exists: true };
  const workspace = {
    roots: ["/root"],
    trace: async () => outside,
    files: { list: async () => [{ name: "named", kind: "link" }] },
  } as unknown as Workspace;
  const { touches } = await reachedByPatterns([by("read", "**/named")], workspace, { minds, fits }, async () => true);
  expect(touches.map(({ place }) => place.real)).toEqual(isMeant ? [leads] : []);
});

test("no policy minds anything", () => expect([NOBODY.minds(".env"), NOBODY.fits("*", "a")]).toEqual([false, false]));
