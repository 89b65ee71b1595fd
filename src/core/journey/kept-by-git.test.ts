import { expect, test, vi } from "vitest";
import type { Tracked, Workspace } from "../contracts/workspace.ts";
import type { Claim, PathTouch, Touch } from "../words/touch.ts";
import { keptByGit } from "./kept-by-git.ts";

const looks = (real: string, more: Partial<PathTouch> = { brings: "tracked" }): Touch => ({
  action: "read",
  place: { shown: real, real, root: "/ws", exists: true },
  certain: false,
  ...more,
});

const REPOSITORIES: Record<string, Tracked> = {
  "/ws": { names: ["a.ts", ".env", "deep/.env"], isChanged: (name) => name === "deep/.env" },
  "/ws/inner": { names: [".env", "b.ts"], isChanged: () => true },
  "/ws/plain": { names: ["c.ts"], isChanged: () => true },
};

const asked: string[] = [];
const workspace = {
  tracked: async ({ real }) => {
    asked.push(real);
    return REPOSITORIES[real];
  },
} as Pick<Workspace, "tracked"> as Workspace;
const minding = { minds: (path: string) => path.endsWith(".env"), fits: () => false };
const told = async (...inner: Touch[]) => {
  asked.length = 0;
  const { kept } = await keptByGit(inner, [], workspace, minding);
  return kept.map(({ name, changed }) => `${name}${changed ? " changed" : ""}`);
};

test("what is minded, of every repository that is looked into", async () => {
  expect(await told(looks("/ws"))).toEqual([".env", "deep/.env changed"]);
  expect(await told(looks("/ws/plain"), looks("/nowhere"))).toEqual([]);
  expect(await told(looks("/ws"), looks("/ws/inner"))).toEqual([".env changed", "deep/.env changed"]);
  expect(await told(looks("/ws/inner"), looks("/ws")), "a change is not forgotten").toEqual([
    ".env changed",
    "deep/.env changed",
  ]);
});

test("only reads of what git keeps look into it", async () => {
  const others: Touch[] = [
    looks("/ws", {}),
    looks("/ws", { brings: "words" }),
    looks("/ws", { action: "write", brings: "tracked" }),
    looks("/ws", { action: "list", brings: "tracked" }),
    { action: "unknown", permissions: ["read"] },
  ];
  expect(await told(...others)).toEqual([]);
  expect(asked).toEqual([]);
  expect(await keptByGit([looks("/ws")], [], {} as Workspace, minding)).toEqual({ kept: [], isPartial: false });
});

test("a list that is the same is gone through once, for the same policies", async () => {
  const names = [".env", "a"];
  let times = 0;
  const counting = {
    minds: (path: string) => {
      times += 1;
      return path === ".env";
    },
    fits: () => false,
  };
  const one = { tracked: async () => ({ names, isChanged: () => false }) } as Pick<Workspace, "tracked"> as Workspace;
  expect((await keptByGit([looks("/ws")], [], one, counting)).kept).toHaveLength(1);
  expect((await keptByGit([looks("/ws")], [], one, counting)).kept).toHaveLength(1);
  expect(times).toBe(2);
  expect((await keptByGit([looks("/ws")], [], one, { ...counting, minds: () => false })).kept).toEqual([]);
});

test("of the history what git names for a claim, beside what it keeps now", async () => {
  const claim = (word: string): Claim => ({ action: "read", target: ".", brings: "tracked", history: [[word]] });
  const NAMED: Record<string, string[] | undefined> = { one: ["x/.env", "a.ts"], now: [".env"], huge: undefined };
  const git = { ...workspace, namedByGit: async (_: unknown, asked: string[][]) => NAMED[asked[0]?.[0] ?? ""] };
  const found = (inner: Touch[], claims: Claim[]) => keptByGit(inner, claims, git as unknown as Workspace, minding);
  const kept = (name: string) => ({ name, changed: true, shown: true });
  expect(await found([looks("/ws/plain")], [claim("one")])).toEqual({ kept: [kept("x/.env")], isPartial: false });
  expect((await found([looks("/ws")], [claim("now")])).kept).toEqual([
    kept(".env"),
    { name: "deep/.env", changed: true },
  ]);
  expect(await found([looks("/ws/plain")], [claim("huge")])).toEqual({ kept: [], isPartial: true });
  const both = await found([looks("/ws/plain"), looks("/ws/plain")], [claim("huge"), claim("one")]);
  expect(both).toEqual({ kept: [kept("x/.env")], isPartial: true });
  expect((await found([looks("/ws", {})], [claim("one")])).kept, "not of another read").toEqual([]);
});

test("what is shown stays shown, whatever else looks into the repository", async () => {
  const claim: Claim = { action: "read", target: ".", brings: "tracked", history: [["one"]] };
  const git = { ...workspace, namedByGit: async () => [".env"] } as unknown as Workspace;
  const { kept } = await keptByGit([looks("/ws"), looks("/ws")], [claim], git, minding);
  expect(kept).toContainEqual({ name: ".env", changed: true, shown: true });
});

test("a history that no words can name is not searched, and nobody can tell", async () => {
  const claim: Claim = { action: "read", target: ".", brings: "tracked", history: "any" };
  const namedByGit = vi.fn();
  const git = { ...workspace, namedByGit } as unknown as Workspace;
  expect(await keptByGit([looks("/ws/plain")], [claim], git, minding)).toEqual({ kept: [], isPartial: true });
  expect(namedByGit).not.toHaveBeenCalled();
});

test("where the list cannot be read, git names what it keeps", async () => {
  const found = (names: string[] | undefined) => {
    const git = { ...workspace, namedByGit: async () => names } as unknown as Workspace;
    return keptByGit([looks("/nowhere")], [], git, minding);
  };
  expect(await found([".env", "a"])).toEqual({ kept: [{ name: ".env", changed: true }], isPartial: false });
  expect(await found([])).toEqual({ kept: [], isPartial: false });
  expect(await found(undefined)).toEqual({ kept: [], isPartial: true });
});

test("where the list cannot be read, git names the files, and all of them may have changed", async () => {
  const questions: unknown[] = [];
  const naming = (names: readonly string[] | undefined, tracked: Workspace["tracked"] = async () => undefined) =>
    ({
      tracked,
      namedByGit: async ({ real }, lists) => {
        questions.push(real, ...lists);
        return names;
      },
    }) as Partial<Workspace> as Workspace;
  const asks = async (from: Workspace) => keptByGit([looks("/ws")], [], from, minding);
  expect(await asks(naming(["a", ".env"]))).toEqual({ kept: [{ name: ".env", changed: true }], isPartial: false });
  expect(questions).toEqual(["/ws", ["ls-files", "-z", "--full-name", "--", ":/"]]);
  expect(await asks(naming(undefined)), "git could not tell").toEqual({ kept: [], isPartial: true });
  questions.length = 0;
  const { tracked } = workspace;
  const read = await asks(naming(["x.env"], tracked));
  expect(read.kept.map(({ name }) => name)).toEqual([".env", "deep/.env"]);
  const { tracked: _, ...untracked } = naming([".env"]);
  await asks(untracked as Workspace);
  expect(questions, "git is not asked for what could be read, nor where nobody reads it").toEqual([]);
});

test("a history is asked for only where there is somebody to ask", async () => {
  const claim = { action: "read", target: ".", history: [["log"]] } as unknown as Claim;
  const found = await keptByGit([looks("/ws/plain")], [claim], workspace, minding);
  expect(found).toEqual({ kept: [], isPartial: false });
});
