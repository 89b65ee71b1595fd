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

test("a link to a file that names a repository is nothing: it is to be resolved first", () => {
  const site = useSite();
  site.put({ "main/.git/HEAD": "", "tree/.git": "gitdir: ../main/.git", "linked/.git": "-> ../tree/.git" });
  expect(gitFolders(site.at("tree/.git"))).toEqual([site.at("main/.git")]);
  expect(gitFolders(site.at("linked/.git"))).toEqual([]);
});
