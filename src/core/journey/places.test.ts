import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { placeOf } from "../../../test/tripping.ts";
import type { Workspace } from "../contracts/workspace.ts";
import { ToolFailure } from "../words/result.ts";
import type { Definition } from "../words/tool.ts";
import type { Claim, CommandReading, RunTouch, Touch } from "../words/touch.ts";
import { dangerOfCall, namesGit, samePlaces, toTouches, undeclared } from "./places.ts";

type World = { sandbox?: string; helper?: string; later?: boolean; processes?: false; error?: unknown };

function workspaceOf({ sandbox = "bubblewrap", helper, later = false, error, ...more }: World = {}): Workspace {
  const locate = (name: string, itself?: boolean) => {
    if (error) throw error;
    return { ...placeOf(name), ...(itself && { link: true as const }) };
  };
  const processes = { enforcement: async () => ({ sandbox }), ...(helper && { helperOf: () => helper }) };
  return {
    locate: later ? async (name: string, itself?: boolean) => locate(name, itself) : locate,
    trace: (name: string) => ({ ...placeOf(name), root: "" }),
    ...(more.processes !== false && { processes }),
  } as unknown as Workspace;
}

const touched = async (claim: Claim, world?: World) => (await toTouches([claim], workspaceOf(world)))[0] as Touch;

describe("names become places", () => {
  test.each<[claim: Claim, touch: object]>([
    [
      { action: "read", target: "a" },
      { action: "read", place: placeOf("a"), certain: true },
    ],
    [
      { action: "write", target: "a", certain: false },
      { action: "write", place: placeOf("a"), certain: false },
    ],
    [
      { action: "delete", target: "a" },
      { action: "delete", place: { ...placeOf("a"), link: true }, certain: true },
    ],
    [
      { action: "write", target: "a", scope: "", restores: true, brings: "tracked", itself: true },
      {
        ...{ action: "write", place: { ...placeOf("a"), link: true }, certain: true },
        ...{ scope: "", restores: true, brings: "tracked" },
      },
    ],
    [
      { action: "list", target: "a", restores: false },
      { action: "list", place: placeOf("a"), certain: true },
    ],
    [
      { action: "fetch", url: "u" },
      { action: "fetch", url: "u", method: "GET" },
    ],
    [
      { action: "fetch", url: "u", method: "PUT" },
      { action: "fetch", url: "u", method: "PUT" },
    ],
    [
      { action: "signal", target: "a" },
      { action: "signal", target: "a" },
    ],
    [
      { action: "use", source: "mcp", name: "a" },
      { action: "use", source: "mcp", name: "a" },
    ],
  ])("%j", async (claim, touch) => {
    expect(await touched(claim)).toStrictEqual(touch);
    expect(await touched(claim, { later: true })).toStrictEqual(touch);
  });

  test("in their order, whichever has to be waited for", async () => {
    const claims: Claim[] = ["a", "b", "c"].map((target) => ({ action: "read", target }));
    const names = (touches: readonly Touch[]) => touches.map((touch) => "place" in touch && touch.place.shown);
    const mixed = workspaceOf();
    mixed.locate = (name) => (name === "b" ? Promise.resolve(placeOf(name)) : placeOf(name));
    expect(names(await toTouches(claims, mixed))).toEqual(["a", "b", "c"]);
    expect(names(toTouches(claims, workspaceOf()) as Touch[]), "at once where nothing is waited for").toEqual([
      ...["a", "b", "c"],
    ]);
  });

  test("an action that nobody knows is the tool's mistake", async () => {
    expect(() => toTouches([{ action: "burn", target: "a" } as never], workspaceOf())).toThrow("unknown action: burn");
  });

  test.each<[error: unknown, status: string | undefined]>([
    [new ToolFailure("PERMISSION_DENIED", "out", "stay"), "refused"],
    [new ToolFailure("VALIDATION_ERROR", "odd", "spell it"), "invalid"],
    [new ToolFailure("IO_ERROR", "disk", ""), undefined],
    [Object.assign(new Error("disk"), { code: "PERMISSION_DENIED" }), undefined],
    [Object.assign(new Error("odd"), { code: "VALIDATION_ERROR" }), undefined],
  ])("a path that leads nowhere: %o ends the call as %s", async (error, status) => {
    for (const later of [false, true]) {
      const caught = await touched({ action: "read", target: "a" }, { error, later }).catch((each: unknown) => each);
      expect((caught as { status?: string }).status).toBe(status);
      if (status === undefined) expect(caught).toBe(error);
      else expect(caught).toMatchObject({ code: (error as ToolFailure).code, message: (error as Error).message });
    }
  });

  test("one that declares nothing is taken to touch all that it has permissions for", () => {
    expect(undeclared(["read", "write"])).toEqual([{ action: "unknown", permissions: ["read", "write"] }]);
    expect(undeclared(undefined)).toEqual([{ action: "unknown", permissions: [] }]);
  });
});

describe("a command", () => {
  const reading = (more: Partial<CommandReading> = {}) => more as CommandReading;
  const run = (more: Partial<Extract<Claim, { action: "run" }>> = {}): Claim => ({
    ...{ action: "run", command: "make", class: "safe" },
    ...more,
  });
  const anywhere: Claim = { action: "write", target: "sub", scope: "**" };
  const one: Claim = { action: "write", target: "a" };
  const read: Claim = { action: "read", target: "sub", scope: "**" };

  test("what it names may lie outside: that is for the policies to judge", async () => {
    const touch = (await touched(run({ inner: [{ action: "read", target: "/etc/passwd" }] }))) as RunTouch;
    expect(touch.inner).toMatchObject([{ action: "read", place: { root: "" } }]);
    expect(((await touched(run())) as RunTouch).inner).toEqual([]);
  });

  test.each<[what: string, inner: Claim[], world: World, contained: boolean]>([
    ["writes under names that nobody knows", [anywhere], {}, true],
    ["the same without a sandbox", [anywhere], { sandbox: "none" }, false],
    ["the same where nothing can be run", [anywhere], { processes: false }, false],
    ["writes what it names", [one], {}, false],
    ["reads all", [read], {}, false],
  ])("%s: contained %s", async (_, inner, world, contained) => {
    expect(((await touched(run({ class: "dev", inner }), world)) as RunTouch).contained === true).toBe(contained);
  });

  const none = { sandbox: "none" };
  const segments = (...all: ((string | null)[] | undefined)[]) => all.map((words) => ({ words })) as never;
  test.each<[what: string, claim: Claim, world: World, exposed: string | undefined]>([
    ["runs the project's code", run({ reading: reading({ runsProject: true }) }), none, "it runs code of the project"],
    ["in a sandbox", run({ reading: reading({ runsProject: true }) }), {}, undefined],
    ["where nothing can be run", run({ reading: reading({ runsProject: true }) }), { processes: false }, undefined],
    ["not called safe", run({ class: "dev", reading: reading({ runsProject: true }) }), none, undefined],
    ["follows links", run({ reading: reading({ followsLinks: true }) }), none, "it follows links wherever they lead"],
    ["is git", run({ command: "git diff" }), { ...none, helper: "diff.external" }, "git would obey diff.external"],
    [
      "is git, with what nobody knows",
      run({ command: "git diff", inner: [{ action: "unknown", permissions: ["read"] }] }),
      { ...none, helper: "pager" },
      "git would obey pager",
    ],
    [
      "is git, spelled in another way",
      run({
        command: "$'\\147it' diff",
        reading: reading({ segments: segments([null, "diff"], ["git"]) }),
      }),
      { ...none, helper: "diff.external" },
      "git would obey diff.external",
    ],
    [
      "only sounds like git",
      run({ command: "legit $x", reading: reading({ segments: segments(["legit", null], undefined) }) }),
      { ...none, helper: "diff.external" },
      undefined,
    ],
    ["is git, and nothing is set", run({ command: "git diff" }), none, undefined],
    ["is another one", run({ command: "ls" }), { ...none, helper: "x" }, undefined],
  ])("%s", async (_, claim, world, exposed) => {
    const told = ((await touched(claim, world)) as RunTouch).exposed;
    if (exposed === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(new RegExp(`^${exposed}.*, and no sandbox contains it$`));
  });

  test.each<[what: string, claim: object, itself: boolean]>([
    ["a file", {}, true],
    ["a whole folder", { scope: "**" }, true],
    ["what a pattern means, which may lie behind a link", { scope: "*.ts" }, false],
    ["what a link leads to", { itself: false }, false],
    ["what is written", { action: "write" }, false],
  ])("a link goes, and not what it leads to: %s", async (_, claim, itself) => {
    const asked: unknown[] = [];
    const workspace = workspaceOf();
    workspace.trace = (name, ...more) => {
      asked.push(more[0]);
      return placeOf(name);
    };
    await toTouches([run({ inner: [{ action: "delete", target: "a", ...claim } as Claim] })], workspace);
    expect(asked).toEqual([itself]);
  });

  describe("that reads all below a folder", () => {
    const minding = { minds: (path: string) => path.endsWith(".env"), fits: () => true };
    const reads = async (names: string[], world: World = { sandbox: "none" }, more: object = {}) => {
      const workspace = workspaceOf(world);
      const list = async ({ real }: { real: string }) =>
        real === "/ws/sub"
          ? names.map((name) => ({ name: name.replace("/", ""), kind: name.endsWith("/") ? "folder" : "file" }))
          : [];
      const trace = (name: string) => placeOf(name.replace("/ws/", ""));
      Object.assign(workspace, { trace, files: { list }, roots: ["/ws"] });
      const [touch] = await toTouches([run({ inner: [read], ...more })], workspace, minding);
      const { inner, exposed } = touch as RunTouch;
      return [inner.map((each) => "place" in each && each.place.shown), exposed];
    };
    const many = Array.from({ length: 100_001 }, () => "x");

    test.each<[what: string, names: string[], world: World | undefined, more: object, inner: string[], told?: string]>([
      ["names what policies mind", ["k.env", "x"], undefined, {}, ["sub", "sub/k.env"]],
      ["not where a sandbox hides it", ["k.env"], {}, {}, ["sub"]],
      ["not where nothing can be run", ["k.env"], { processes: false }, {}, ["sub"]],
      ["not where it is asked about anyway", ["k.env"], undefined, { class: "dev" }, ["sub"]],
      ["is exposed by a name that leads out", ["a /"], undefined, {}, ["sub"], "a folder's name ends in a blank"],
      ["is exposed by what is too much", ["in/", ...many], undefined, {}, ["sub"], "it reads more files than"],
    ])("%s", async (_, names, world, more, inner, told) => {
      const [found, exposed] = await reads(names, world, more);
      expect(found).toEqual(inner);
      if (told === undefined) expect(exposed).toBeUndefined();
      else expect(exposed).toContain(told);
    });
  });

  test("does not say itself what holds it", async () => {
    const sly = { ...run(), contained: true, exposed: "nothing" } as unknown as Claim;
    expect(await touched(sly)).toStrictEqual({ ...run(), inner: [] });
  });

  test("names git, however it is quoted", () => {
    const commands = ["git log", "x && 'g'it log", "g\\it log", "legit", "gitk", "./git"];
    const named = commands.map((command) => namesGit({ action: "run", command, class: "safe", inner: [] }));
    expect(named).toEqual([true, true, true, false, false, true]);
  });
});

describe("how dangerous a call is", () => {
  const safe = [at("read", "a")];
  const moderate = [at("write", "a")];
  test.each<[what: string, own: Partial<Definition>, touches: Touch[], declares: boolean, danger: string]>([
    ["as its touches say", {}, moderate, true, "moderate"],
    ["its own word raises it", { dangerLevel: "dangerous" }, moderate, true, "dangerous"],
    ["and never lowers it", { dangerLevel: "safe" }, moderate, true, "moderate"],
    ["by its input, less", { getDangerLevel: () => "moderate" }, safe, true, "moderate"],
    ["by its input", { getDangerLevel: () => "dangerous" }, safe, true, "dangerous"],
    ["a word that nobody knows", { getDangerLevel: () => "none" as never }, safe, true, "dangerous"],
    ["no word", { getDangerLevel: () => undefined as never, dangerLevel: "safe" }, safe, true, "dangerous"],
    ["it declares nothing", {}, safe, false, "moderate"],
    ["but says itself", { dangerLevel: "safe" }, moderate, false, "safe"],
  ])("%s", (_, own, touches, declares, danger) => {
    expect(dangerOfCall(own as Definition, {}, touches, declares)).toBe(danger);
  });

  test("the same places", () => {
    expect(samePlaces(safe, [at("read", "a")])).toBe(true);
    for (const other of [[], moderate, [...safe, ...moderate], [at("read", "a", { scope: "*" })]])
      expect(samePlaces(safe, other)).toBe(false);
  });
});
