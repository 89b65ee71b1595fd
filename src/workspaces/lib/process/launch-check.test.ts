import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import type { Launch } from "../../../core/contracts/process.ts";
import { buildMounts } from "./builds.ts";
import { enforcementOf } from "./enforcement.ts";
import { checkLaunch } from "./launch-check.ts";

describe("what cannot be run, or not there", () => {
  const check = (command: string, folder: string) => {
    const site = useSite();
    site.put({ "root/src/a": "", "more/": "", "away/": "" });
    const cwd = { shown: folder, real: site.at(folder), root: site.root, exists: true };
    return () => checkLaunch({ command, cwd } as unknown as Launch, [site.root, site.at("more")]);
  };

  test.each([
    ["true", "root"],
    ["true", "root/src"],
    ["true", "more"],
    ["x".repeat(131_000), "root"],
  ])("%.20s in %s may run", (command, folder) => expect(check(command, folder)).not.toThrow());

  test.each([
    ["a\0b", "root", "VALIDATION_ERROR"],
    ["x".repeat(131_001), "root", "VALIDATION_ERROR"],
    ["ü".repeat(65_501), "root", "VALIDATION_ERROR"],
    ["true", "away", "PERMISSION_DENIED"],
    ["true", "root-evil", "PERMISSION_DENIED"],
    ["true", "root/src/a", "NOT_FOUND"],
    ["true", "root/missing", "NOT_FOUND"],
  ])("%.20j in %s is refused: %s", (command, folder, code) =>
    expect(check(command, folder)).toThrow(expect.objectContaining({ code })),
  );
});

describe("what is told of what holds a command", () => {
  const sandbox = { program: "/bin/bwrap", isolation: [] };
  const narrow = { root: "/ws", mounts: [], shown: ["a.ts"], targets: [] };
  test.each<[what: string, given: Parameters<typeof enforcementOf>, told: object]>([
    ["nothing", [{ missing: "why" }, false], { sandbox: "none", network: "open", reason: "why" }],
    ["no network", [sandbox, false], { sandbox: "bubblewrap", network: "none" }],
    ["a network", [sandbox, true], { sandbox: "bubblewrap", network: "open" }],
    ["a look", [sandbox, true, "read-only"], { sandbox: "bubblewrap", network: "none", workspace: "read-only" }],
    ["a build", [sandbox, true, "build"], { sandbox: "bubblewrap", network: "none", workspace: "build" }],
    [
      "named files",
      [sandbox, true, "read-write", narrow],
      { sandbox: "bubblewrap", network: "none", workspace: "named", writes: ["a.ts"] },
    ],
    [
      "a weaker sandbox",
      [{ ...sandbox, weaker: "old" }, false],
      { sandbox: "bubblewrap", network: "none", reason: "old" },
    ],
  ])("%s", (_, given, told) => expect(enforcementOf(...given)).toStrictEqual(told));
});

describe("where a check of the compiler may write", () => {
  const build = (folder: string, files: Record<string, string>) => {
    const site = useSite();
    site.put({ "root/a/b/": "", ...files });
    const mounts = buildMounts(site.at(folder), [site.root, site.at("more")]);
    for (const { args, path } of mounts) expect(args).toEqual(["--bind", path, path]);
    return { site, paths: mounts.map(({ path }) => path.replace(site.base, "")) };
  };

  test("the folder of the build and the lock file, of every project above", () => {
    const files = { "root/Cargo.toml": "", "root/Cargo.lock": "", "root/a/Cargo.toml": "", "root/a/target/x": "" };
    const { site, paths } = build("root/a/b", files);
    expect(paths).toEqual(["/root/a/target", "/root/target", "/root/Cargo.lock"]);
    expect(fs.statSync(site.at("root/target")).isDirectory()).toBe(true);
  });

  test.each<[what: string, folder: string, files: Record<string, string>]>([
    ["no project", "root/a", {}],
    ["a project above the root", "root/a", { "Cargo.toml": "", "Cargo.lock": "" }],
    ["a project outside", "away", { "away/Cargo.toml": "" }],
    ["a folder named like the description", "root/a", { "root/a/Cargo.toml/x": "" }],
  ])("nowhere for %s", (_, folder, files) => {
    const { site, paths } = build(folder, files);
    expect(paths).toEqual([]);
    expect(fs.existsSync(site.at(`${folder}/target`))).toBe(false);
    expect(fs.existsSync(site.at("target"))).toBe(false);
  });

  test("not through a link, nor where a file is", () => {
    expect(build("root", { "root/Cargo.toml": "", "root/target": "-> ../home" }).paths).toEqual([]);
    expect(build("root", { "root/Cargo.toml": "", "root/target": "a file" }).paths).toEqual([]);
    expect(build("root", { "root/Cargo.toml": "", "root/Cargo.lock": "-> ../home" }).paths).toEqual(["/root/target"]);
  });

  test("the root of the disk is the last that is looked at", () => {
    const site = useSite();
    expect(buildMounts(site.root, ["/"])).toEqual([]);
  });

  test("in a second root", () => expect(build("more", { "more/Cargo.toml": "" }).paths).toEqual(["/more/target"]));
});
