import { describe, expect, test } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { gitFolders, repositoriesAround } from "./git-folders.ts";

/** The files of a repository in which git stops searching. */
const WHOLE = { HEAD: "ref: refs/heads/main\n", "objects/": "", "refs/": "" };

/** A folder with a repository, of which some files are missing or different, inside another that is whole. */
function around(inner: Readonly<Record<string, string | undefined>>) {
  const site = useSite();
  for (const [folder, files] of [
    ["root", WHOLE],
    ["root/inner", { ...WHOLE, ...inner }],
  ] as const)
    for (const [name, text] of Object.entries(files))
      if (text !== undefined) site.put({ [`${folder}/.git/`]: "", [`${folder}/.git/${name}`]: text });
  site.put({ "root/inner/deep/": "" });
  return repositoriesAround(site.at("root/inner/deep")).map(({ tree }) => tree.slice(site.base.length));
}

describe("the repositories around a folder", () => {
  test.each<[what: string, inner: Record<string, string>]>([
    ["on a branch", {}],
    ["on a commit", { HEAD: "0123456789abcdef0123456789abcdef01234567\n" }],
    ["on a branch that is named without a blank", { HEAD: "ref:refs/heads/main" }],
  ])("end with one that is whole, %s", (_, inner) => expect(around(inner)).toEqual(["/root/inner"]));

  test.each<[what: string, inner: Record<string, string | undefined>]>([
    ["without HEAD", { HEAD: undefined }],
    ["with a HEAD that names no branch", { HEAD: "ref: elsewhere" }],
    ["with a short commit", { HEAD: "0123456789abcdef" }],
    ["without objects", { "objects/": undefined }],
    ["with a file in the place of the objects", { "objects/": undefined, objects: "" }],
    ["without refs", { "refs/": undefined }],
    ["with a file in the place of the refs", { "refs/": undefined, refs: "" }],
    ["with refs that lead nowhere", { "refs/": undefined, refs: "-> nowhere" }],
  ])("go on above one %s", (_, inner) => expect(around(inner)).toEqual(["/root/inner", "/root"]));

  test("end with one whose objects and refs lie behind links", () => {
    const links = { "objects/": undefined, "refs/": undefined, objects: "-> ../../.git/objects", refs: "-> objects" };
    expect(around(links)).toEqual(["/root/inner"]);
  });
});

describe("the folders that a repository names", () => {
  test.each<[what: string, files: Record<string, string>, folders: string[]]>([
    ["over a link", { "tree/.git": "gitdir: link/../own\n" }, ["far/own"]],
    ["by an absolute path", { "tree/.git": "gitdir: <base>/far/own\r\n" }, ["far/own"]],
    ["with a line break", { "tree/.git": "gitdir: ../far/a\nb\n", "far/a\nb/HEAD": "" }, ["far/a\nb"]],
    ["with a blank at the end", { "tree/.git": "gitdir: ../far/own ", "far/own /HEAD": "" }, ["far/own "]],
    ["as the common one", { "tree/.git/commondir": "../../far/own\n" }, ["tree/.git", "far/own"]],
    ["as the common one over a link", { "tree/.git/commondir": "../link/../own\n" }, ["tree/.git", "far/own"]],
    ["as the common one in a file behind a link", { "tree/.git/commondir": "-> ../name" }, ["tree/.git", "far/own"]],
    [
      "as the common one with a blank",
      { "tree/.git/commondir": "../../far/own ", "far/own /": "" },
      ["tree/.git", "far/own "],
    ],
    ["in a folder, which is no name", { "tree/.git/commondir/": "" }, ["tree/.git"]],
  ])("%s", (_, files, folders) => {
    const site = useSite();
    site.put({ "far/own/HEAD": "", "far/deep/": "", "tree/link": "-> ../far/deep", "tree/name": "../../far/own" });
    for (const [name, text] of Object.entries(files)) site.put({ [name]: text.replace("<base>", site.base) });
    expect(gitFolders(site.at("tree/.git"))).toEqual(folders.map((name) => site.at(name)));
  });
});

test("a link to a file that names a repository is nothing: it is to be resolved first", () => {
  const site = useSite();
  site.put({ "main/.git/HEAD": "", "tree/.git": "gitdir: ../main/.git", "linked/.git": "-> ../tree/.git" });
  expect(gitFolders(site.at("tree/.git"))).toEqual([site.at("main/.git")]);
  expect(gitFolders(site.at("linked/.git"))).toEqual([]);
});
