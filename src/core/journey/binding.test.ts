import { describe, expect, test } from "vitest";
import type { Digest, Workspace } from "../contracts/workspace.ts";
import { OBEYED } from "../words/code.ts";
import type { Ready } from "../words/ready.ts";
import { boundOf } from "./binding.ts";
import type { Trip } from "./trip.ts";

type Code = { files: { target: string; part?: string }[]; open?: true };
type World = { sandbox?: string; digest?: false };

/** Every file is in the workspace unless it is absolute; "missing" is not there and "closed" cannot be read. */
const digest = async (target: string, part?: string): Promise<Digest | undefined> => {
  if (target.includes("closed")) throw new Error("EACCES");
  if (target.includes("missing")) return undefined;
  const [real, root] = target.startsWith("/") ? [target, ""] : [`/ws/${target.replace(/^\.\//, "")}`, "/ws"];
  return {
    place: { shown: target === "/nameless" ? "" : target.replace(/^\.\//, ""), real, root, exists: true },
    hash: `of ${part ?? "all"}`,
  };
};

function bound(code: Code | undefined, { sandbox = "bubblewrap", ...world }: World = {}) {
  const workspace = {
    ...(world.digest !== false && { digest }),
    processes: { enforcement: async () => ({ sandbox }) },
  } as unknown as Workspace;
  const ready = { tool: { definition: { code: () => code } }, input: {} } as unknown as Ready;
  return boundOf({ station: { workspace } } as unknown as Trip, ready);
}

const files = (...targets: string[]): Code => ({ files: targets.map((target) => ({ target })) });

describe("whether nothing else decides what runs", () => {
  test.each<[what: string, code: Code | undefined, world: World, whole: boolean]>([
    ["no code", undefined, {}, true],
    ["files of the workspace", files("a.sh", "b.sh"), {}, true],
    ["a file that is not there", files("missing"), {}, true],
    ["more than these files", { ...files("a.sh"), open: true }, {}, false],
    ["a file that nobody can read", files("a.sh", "closed"), {}, false],
    ["a workspace that reads no code", files("a.sh"), { digest: false }, false],
    ["a file of a home, which differs in a sandbox", files("~/a.sh"), {}, false],
    ["the same without a sandbox", files("~/a.sh"), { sandbox: "none" }, false],
    ["an absolute file", files("/opt/a.sh"), {}, true],
    ...["/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/run", "/proc"].flatMap(
      (folder): [string, Code, World, boolean][] => [
        [`${folder}, another one in a sandbox`, files(`${folder}/a.sh`), {}, false],
        [`${folder}, even if it is not there`, files(`${folder}/missing`), {}, false],
        [`${folder} without a sandbox`, files(`${folder}/a.sh`), { sandbox: "none" }, true],
        [`${folder}x`, files(`${folder}x/a.sh`), {}, true],
      ],
    ),
  ])("%s", async (_, code, world, whole) => {
    expect((await bound(code, world)).whole).toBe(whole);
  });

  test("a link into a private folder, and a workspace that lies in one", async () => {
    const at = (real: string, root: string) => {
      const workspace = {
        digest: async () => ({ place: { shown: "a.sh", real, root, exists: true }, hash: "h" }),
        processes: { enforcement: async () => ({ sandbox: "bubblewrap" }) },
      } as unknown as Workspace;
      const ready = { tool: { definition: { code: () => files("a.sh") } }, input: {} } as unknown as Ready;
      return boundOf({ station: { workspace } } as unknown as Trip, ready);
    };
    expect((await at("/tmp/a.sh", "")).whole).toBe(false);
    expect((await at("/opt/a.sh", "")).whole).toBe(true);
    expect((await at("/tmp/ws/a.sh", "/tmp/ws")).whole).toBe(true);
  });
});

test("the files are told in one order, each with what it holds, and parts of a file apart", async () => {
  const parts = [
    { target: "b.json", part: "x" },
    { target: "b.json", part: "y" },
    { target: "b.json", part: "x" },
  ];
  const { files: found } = await bound({ files: [...parts, ...files("c.sh", "./a.sh", "/nameless", "missing").files] });
  expect(found.map(({ shown, real, hash }) => `${shown} ${real} ${hash}`)).toEqual([
    "/nameless /nameless of all",
    "a.sh /ws/a.sh of all",
    "b.json /ws/b.json of x",
    "b.json /ws/b.json of y",
    "c.sh /ws/c.sh of all",
  ]);
});

describe("files that lead to others", () => {
  const led = (behind: Workspace["behind"], code: Code) => {
    const workspace = { digest, behind, processes: { enforcement: async () => ({ sandbox: "none" }) } };
    const ready = { tool: { definition: { code: () => code } }, input: {} } as unknown as Ready;
    return boundOf({ station: { workspace } } as unknown as Trip, ready);
  };
  const named = async (behind: Workspace["behind"], code: Code) =>
    (await led(behind, code)).files.map(({ shown, hash }) => `${shown} ${hash}`);

  test("each is bound once, however many lead to it", async () => {
    const next: Record<string, string[]> = { a: ["b", "c"], b: ["a"], c: ["b", "missing"], missing: ["never"] };
    const behind: Workspace["behind"] = ({ target }) => files(...(next[target] ?? []));
    expect(await named(behind, files("a"))).toEqual(["a of all", "b of all", "c of all"]);
  });

  test("what git obeys is asked for although the folder is no file itself", async () => {
    const behind: Workspace["behind"] = ({ part }) => (part === OBEYED ? files("config") : files());
    expect(await named(behind, { files: [{ target: "missing", part: OBEYED }] })).toEqual(["config of all"]);
    expect(await named(behind, { files: [{ target: "missing", part: "other" }] })).toEqual([]);
  });

  test.each<[what: string, behind: Workspace["behind"], whole: boolean]>([
    ["all is known", () => ({ files: [] }), true],
    ["there may be more", () => ({ files: [], open: true }), false],
    [
      "nobody can tell",
      () => {
        throw new Error("EACCES");
      },
      false,
    ],
  ])("%s", async (_, behind, whole) => expect((await led(behind, files("a"))).whole).toBe(whole));
});

test("where code cannot be read, no file is named, and that is not all", async () => {
  expect(await bound(files("a.sh"), { digest: false })).toEqual({ files: [], whole: false });
});
