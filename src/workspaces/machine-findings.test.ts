import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Enforcement } from "../core/contracts/process.ts";
import type { Workspace } from "../core/contracts/workspace.ts";
import { codeFinding } from "./languages.ts";
import type { Means } from "./lib/pages/launch.ts";
import { pagesFinding, sandboxFinding, searchFinding } from "./machine-findings.ts";

const withCommands = (enforcement?: () => Promise<Enforcement>) =>
  ({ processes: enforcement && { enforcement } }) as Workspace;

describe("what is told of commands", () => {
  const none: Enforcement = { sandbox: "none", network: "open", reason: "bwrap is not installed" };
  const held: Enforcement = { sandbox: "bubblewrap", network: "none" };
  test.each([
    [
      "a sandbox",
      held,
      { sandbox: "auto" },
      "holds",
      "in bubblewrap: the workspace is writable, the rest is not; network none; memory not limited",
      false,
    ],
    [
      "one with a limit",
      held,
      { sandbox: "required", maxMemory: 200_000_000 },
      "holds",
      "in bubblewrap: the workspace is writable, the rest is not; network none; memory at most 200 MB a process",
      false,
    ],
    [
      "none, where one is wanted",
      none,
      { sandbox: "auto" },
      "missing",
      "run without a sandbox: bwrap is not installed",
      true,
    ],
    [
      "none, and so no limit",
      none,
      { sandbox: "auto", maxMemory: 1e6 },
      "missing",
      "run without a sandbox and without the memory limit: bwrap is not installed",
      true,
    ],
    ["none, by choice", none, { sandbox: "off" }, "partly", "run without a sandbox: bwrap is not installed", false],
    [
      "nobody says why",
      { sandbox: "none", network: "open" },
      { sandbox: "auto" },
      "missing",
      "run without a sandbox: no sandbox was found",
      true,
    ],
  ] as const)("%s", async (_, enforcement, settings, state, says, isToBeHad) => {
    const finding = await sandboxFinding(
      withCommands(async () => enforcement as Enforcement),
      settings,
    );
    expect(finding).toMatchObject({ what: "commands", state, says });
    expect("get" in finding).toBe(isToBeHad);
  });

  test("where nothing runs at all", async () => {
    const failing = withCommands(() => Promise.reject(new Error("no bash")));
    expect(await sandboxFinding(failing, { sandbox: "auto" })).toMatchObject({
      state: "missing",
      says: "do not run: no bash",
      get: expect.stringContaining("bubblewrap"),
    });
    expect(
      await sandboxFinding(
        withCommands(() => Promise.reject("odd")),
        { sandbox: "off" },
      ),
    ).toMatchObject({ says: "do not run: odd" });
    expect(await sandboxFinding(withCommands(), { sandbox: "auto" })).toMatchObject({
      state: "missing",
      says: "run without a sandbox: no sandbox was found",
    });
  });
});

describe("what is told of searching", () => {
  test.each([
    ["ripgrep", "holds"],
    ["ripgrep, then walk", "holds"],
    ["rg", "holds"],
    ["grep", "partly"],
    ["walk", "partly"],
  ])("%s %s", async (engine, state) => {
    let searched = "";
    const files = (place: { shown: string }) => {
      searched = place.shown;
      return Object.assign((async function* () {})(), { report: { engine } });
    };
    const workspace = {
      search: { files },
      roots: ["/ws"],
      locate: (shown: string) => ({ shown }),
    } as unknown as Workspace;
    const finding = await searchFinding(workspace);
    expect(finding).toMatchObject({ what: "search", state, says: expect.stringContaining(engine) });
    expect("get" in finding).toBe(state === "partly");
    expect(searched).toBe("/ws");
  });
});

describe("what is told of code", () => {
  test("all languages", () =>
    expect(codeFinding({ python: "python3 -c", javascript: "node -e", typescript: "tsx -e" })).toEqual({
      what: "code",
      state: "holds",
      says: "runs python (python3), javascript (node), typescript (tsx), bash",
    }));

  test("some, and how to get the others", () => {
    expect(codeFinding({ javascript: "node -e" })).toEqual({
      what: "code",
      state: "partly",
      says: "runs javascript (node), bash; not python, typescript",
      get: "install, so that it is on the PATH: python3 for python; node 22.18, tsx, deno or bun for typescript",
    });
    expect(codeFinding({ python: "python3 -c", typescript: "bun -e" })).toMatchObject({
      says: "runs python (python3), typescript (bun), bash; not javascript",
      get: "install, so that it is on the PATH: node for javascript",
    });
  });
});

test.each([
  ["can be looked at", "/x", "holds"],
  ["cannot", "/proc/self/fd", "partly"],
])("what is told of paths, where open files %s", async (_, missing, state) => {
  vi.resetModules();
  vi.doMock("node:fs", async (original) => ({
    ...(await original<typeof import("node:fs")>()),
    existsSync: (file: string) => file !== missing,
  }));
  onTestFinished(() => void vi.doUnmock("node:fs"));
  const { confinementFinding } = await import("./machine.ts");
  expect(confinementFinding()).toMatchObject({ what: "paths", state });
});

describe("what is told of the browser", () => {
  const chromium = {} as Extract<Means, { program: string }>["chromium"];
  const walled: Means = { chromium, program: "/usr/bin/chromium", bubblewrap: "/usr/bin/bwrap" };
  const bare: Means = { chromium, program: "/usr/bin/chromium", unwalled: "there is no bubblewrap" };
  const nothing: Means = { missing: "playwright-core is not installed", get: "npm install playwright-core" };
  test.each([
    ["nothing is there", nothing, "auto", true, "missing", "playwright-core is not installed: no page", true],
    ["nothing is there that anybody wants", nothing, "auto", false, "partly", "no page can be opened", true],
    ["all is there", walled, "auto", true, "holds", "/usr/bin/chromium, in bubblewrap", false],
    ["a sandbox is required", bare, "required", true, "missing", "no page is opened: there is no bubblewrap", true],
    ["a sandbox is required for what nobody wants", bare, "required", false, "partly", "no page is opened", true],
    ["there is none", bare, "off", true, "partly", "behind a proxy that judges every connection", true],
  ] as const)("where %s", async (_, means, sandbox, wanted, state, says, canGet) => {
    const finding = await pagesFinding({ sandbox, wanted, means: async () => means });
    expect(finding).toMatchObject({ what: "browser", state, says: expect.stringContaining(says) });
    expect(finding.get !== undefined).toBe(canGet);
  });

  test.each([
    [0, "held by no sandbox"],
    [1000, "held by its own sandbox alone"],
  ])("a browser of user %i is %s", async (uid, held) => {
    vi.spyOn(process, "getuid").mockReturnValue(uid);
    const finding = await pagesFinding({ sandbox: "off", wanted: true, means: async () => bare });
    vi.restoreAllMocks();
    expect(finding.says).toContain(held);
  });
});
