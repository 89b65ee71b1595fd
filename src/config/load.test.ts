import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userConfigFolder } from "./files.ts";
import { type LoadOptions, loadConfig } from "./load.ts";
import { ConfigError } from "./problem.ts";
import { trust } from "./trust.ts";

let base: string;
let workspace: string;
let userFolder: string;
let own: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolgate-config-")));
  workspace = join(base, "workspace");
  userFolder = join(base, "user", "toolgate");
  own = join(workspace, "toolgate.yaml");
  await mkdir(workspace);
  await mkdir(userFolder, { recursive: true });
});
afterEach(() => rm(base, { recursive: true, force: true }));

const load = (more: Partial<LoadOptions> = {}) => loadConfig({ workspace, userFolder, ...more });
const writeUser = (text: string) => writeFile(join(userFolder, "toolgate.yaml"), text);

async function failure(promise: Promise<unknown>): Promise<ConfigError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return error as ConfigError;
}

test("without any file, the defaults", async () => {
  expect(await load()).toEqual({
    settings: {
      mode: "confirm-sensitive",
      toolset: "default",
      dialect: "auto",
      store: "sqlite",
      budget: {},
      prices: [],
      rules: { allow: [], ask: [], deny: [] },
      journal: { maxAge: 30 * 86_400_000, maxSize: 500_000_000 },
      workspace: { allowDelete: false, allowedPaths: [], forbiddenPaths: [], writeSafety: "warn" },
      loops: "warn",
      trust: { outsideText: "off" },
      web: { allowPrivateHosts: [], deny: [], rate: 60, secrets: {}, search: { provider: "duckduckgo" } },
      approval: { timeout: 3_600_000 },
      clients: { unknownTools: "ask", ask: "refuse" },
      servers: {},
      skills: { enabled: true, folders: [], disabled: [] },
      model: {},
      memory: {},
      agents: {},
      guardrails: {
        protectedFiles: [],
        sensitiveFiles: [],
        blockedCommands: [],
        requireTestAfterEdit: false,
        codeRules: [],
        qualityGates: [],
      },
      hooks: {
        ...{ preToolUse: [], postToolUse: [], preLlmCall: [], postLlmCall: [], sessionStart: [], sessionEnd: [] },
        ...{ onError: [], budgetWarning: [], contextCompress: [], agentComplete: [], inDryRun: false },
      },
      commands: {
        enabled: true,
        defaultTimeout: 30,
        maxOutputLines: 200,
        blockedPatterns: [],
        safeCommands: [],
        allowedOnly: false,
        allowlist: undefined,
        sandbox: "auto",
        network: false,
        passEnv: [],
        workspaceOnly: false,
        allowedCommands: undefined,
        blockHighRisk: false,
        approveMediumRisk: true,
      },
    },
    sources: [],
    notes: [],
    origins: {},
  });
});

test("a workspace that is not there has no file of its own", async () => {
  expect((await load({ workspace: join(base, "nowhere") })).sources).toEqual([]);
  await writeFile(join(base, "file"), "");
  expect((await load({ workspace: join(base, "file", "below") })).sources).toEqual([]);
});

describe("the person's file", () => {
  test("counts whole", async () => {
    await writeUser(
      "mode: yolo\nworkspace: { allow_delete: true, allowed_paths: [../other, ~/notes, /abs], forbidden_paths: [~/.ssh/**, kept/**] }\n",
    );
    const { settings, sources, notes } = await load();
    expect(settings).toMatchObject({ mode: "yolo", workspace: { allowDelete: true } });
    expect(settings.workspace.allowedPaths).toEqual([join(base, "other"), join(homedir(), "notes"), "/abs"]);
    expect(settings.workspace.forbiddenPaths).toEqual([join(homedir(), ".ssh/**"), "kept/**"]);
    expect(sources).toEqual([{ file: join(userFolder, "toolgate.yaml"), kind: "user", trusted: true }]);
    expect(notes).toEqual([]);
  });

  test.each<[NodeJS.ProcessEnv, string]>([
    [{ XDG_CONFIG_HOME: "/xdg" }, "/xdg/toolgate"],
    [{ XDG_CONFIG_HOME: "relative" }, join(homedir(), ".config/toolgate")],
    [{ XDG_CONFIG_HOME: "" }, join(homedir(), ".config/toolgate")],
    [{}, join(homedir(), ".config/toolgate")],
  ])("is looked for where %j says", (env, folder) => {
    expect(userConfigFolder(env)).toBe(folder);
  });
});

describe("the workspace's own file", () => {
  const LOOSE = "mode: yolo\nbudget: { max_calls: 3 }\nworkspace: { allow_delete: true, forbidden_paths: [b] }\n";

  test("restricts at once and loosens nothing before it was accepted", async () => {
    await writeUser("workspace: { forbidden_paths: [a] }\nbudget: { max_calls: 5 }\n");
    await writeFile(own, LOOSE);
    const { settings, sources, notes } = await load();
    expect(settings).toMatchObject({ mode: "confirm-sensitive", budget: { maxCalls: 3 } });
    expect(settings.workspace).toMatchObject({ allowDelete: false, allowedPaths: [], forbiddenPaths: ["a", "b"] });
    expect(sources.map(({ kind, trusted }) => [kind, trusted])).toEqual([
      ["user", true],
      ["workspace", false],
    ]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /is not trusted, so these settings are ignored: mode: "yolo", workspace\.allow_delete: true\. .*toolgate config trust$/,
    );
  });

  test("counts whole once it was accepted, until it changes", async () => {
    await writeFile(own, LOOSE);
    await trust(own, { userFolder });
    expect(await load()).toMatchObject({ settings: { mode: "yolo", workspace: { allowDelete: true } }, notes: [] });
    await writeFile(own, `${LOOSE}# changed\n`);
    expect(await load()).toMatchObject({ settings: { mode: "confirm-sensitive" }, sources: [{ trusted: false }] });
  });

  test("acceptance holds for one place only", async () => {
    await writeFile(own, LOOSE);
    await trust(own, { userFolder });
    const copy = join(base, "copy");
    await mkdir(copy);
    await writeFile(join(copy, "toolgate.yaml"), LOOSE);
    expect((await load({ workspace: copy })).settings.mode).toBe("confirm-sensitive");
  });

  test("a workspace that is reached by a link is the same workspace", async () => {
    await writeFile(own, LOOSE);
    await trust(own, { userFolder });
    await symlink(workspace, join(base, "link"));
    expect((await load({ workspace: join(base, "link") })).settings.mode).toBe("yolo");
  });

  test("a link inside the workspace is followed, one that leaves it is refused", async () => {
    await writeFile(join(workspace, "real.yaml"), "mode: confirm-all");
    await symlink("real.yaml", own);
    expect((await load()).settings.mode).toBe("confirm-all");
    await rm(own);
    await writeFile(join(base, "outside.yaml"), "mode: secret-of-somebody");
    await symlink("../outside.yaml", own);
    const { message } = await failure(load());
    expect(message).toContain("leads out of the workspace");
    expect(message).not.toContain("secret-of-somebody");
  });

  test("what is no regular file is refused and never waited for", async () => {
    await mkdir(own);
    expect((await load()).sources, "a folder says nothing").toEqual([]);
    await rm(own, { recursive: true });
    execFileSync("mkfifo", [own]);
    expect((await failure(load())).message).toContain("not a regular file");
    await rm(own);
    await symlink("nowhere", own);
    await failure(load());
  });

  test("too big, or no text", async () => {
    await writeFile(own, "#".repeat(1_000_001));
    expect((await failure(load())).message).toContain("1000001 bytes");
    await writeFile(own, Buffer.from([0x6d, 0xff, 0xfe]));
    expect((await failure(load())).message).toContain("not UTF-8");
  });
});

describe("a configuration that was given", () => {
  test("an object counts whole and takes the place of the workspace's file", async () => {
    await writeFile(own, "mode: confirm-all\n");
    const config = Object.freeze({ mode: "yolo", workspace: Object.freeze({ allow_delete: true }) });
    const { settings, sources } = await load({ config });
    expect(settings).toMatchObject({ mode: "yolo", workspace: { allowDelete: true } });
    expect(sources).toEqual([{ file: "the given object", kind: "given", trusted: true }]);
  });

  test("a file counts whole, also the workspace's own", async () => {
    await writeFile(own, "mode: yolo\n");
    expect(await load({ config: own })).toMatchObject({
      settings: { mode: "yolo" },
      sources: [{ file: own, kind: "given", trusted: true }],
      notes: [],
    });
  });

  test("it lies over the person's file, whose limits stay", async () => {
    await writeUser("mode: confirm-all\nbudget: { max_changes: 2 }\nworkspace: { forbidden_paths: [a] }\n");
    const { settings } = await load({ config: { mode: "yolo", budget: { max_changes: 9 } } });
    expect(settings).toMatchObject({ mode: "yolo", budget: { maxChanges: 2 }, workspace: { forbiddenPaths: ["a"] } });
  });

  test("a file that is not there is an error", async () => {
    const { message, code } = await failure(load({ config: join(base, "missing.yaml") }));
    expect(message).toContain("missing.yaml: there is no such file");
    expect(code).toBe("CONFIG_ERROR");
  });

  test("a wrong object is an error that names the key", async () => {
    const { message } = await failure(load({ config: { mode: "off", agnets: {} } }));
    expect(message).toContain(`the given object: mode: got "off"; accepted: one of`);
    expect(message).toContain(`unknown key "agnets"; did you mean agents?`);
    const list = await failure(load({ config: [] }));
    expect(list.message).toMatch(/the given object: got \[\]; accepted: a mapping with .*\bmode\b/);
  });

  test("what an object has from another one counts as well", async () => {
    expect((await load({ config: Object.create({ mode: "confirm-all" }) })).settings.mode).toBe("confirm-all");
    await failure(load({ config: Object.create({ mode: "off" }) }));
  });
});

test("the problems of all files come together, each with its place", async () => {
  await writeUser("mode: a\n");
  await writeFile(own, "\nstore: b\nzzz: 1\n");
  const error = await failure(load());
  expect(error.problems).toHaveLength(3);
  expect(error.message).toMatch(/^The configuration has 3 problems:\n/);
  expect(error.message).toContain(`${join(userFolder, "toolgate.yaml")}:1:7: mode: got "a"`);
  expect(error.message).toContain(`${own}:2:8: store: got "b"`);
  expect(error.message).toContain(`${own}:3:1: unknown key "zzz"`);
});

test("a file that may not be read is an error, not an absence", async () => {
  await writeFile(own, "mode: confirm-all");
  await chmod(own, 0o000);
  await chmod(base, 0o755);
  // root may read everything
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect((await failure(load())).message).toContain("cannot be read");
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
