import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sealFor } from "../../src/config/seal-key.ts";
import { type OpenOptions, open } from "../../src/index.ts";
import { loadDriver } from "../../src/stores/lib/driver.ts";
import { folder, plain } from "../journeys/harness.ts";

// the key is a person's own: tests have theirs
beforeEach(() => {
  vi.stubEnv("XDG_CONFIG_HOME", folder());
  return () => vi.unstubAllEnvs();
});

const storeOf = (dir: string): string => path.join(dir, ".toolgate/store.db");
const writing = { name: "write_file", args: { path: "x.txt", content: "x" } };

const touching = { name: "run_command", args: { command: "touch made" } };

/** A folder that came with a store which somebody else prepared: they allowed it all, with a key of their own. */
async function cloned(sql?: string): Promise<string> {
  const dir = folder();
  const own = process.env.XDG_CONFIG_HOME;
  vi.stubEnv("XDG_CONFIG_HOME", folder());
  const theirs = await open({ workspace: dir, config: {}, approve: () => "always" });
  for (const call of [writing, touching]) expect((await theirs.call(call)).status).toBe("done");
  await theirs.close();
  vi.stubEnv("XDG_CONFIG_HOME", own);
  for (const made of ["x.txt", "made"]) rmSync(path.join(dir, made));
  if (sql) {
    const database = new (await loadDriver())(storeOf(dir));
    database.exec(sql);
    database.close();
  }
  return dir;
}

async function gateOn(dir: string, options: OpenOptions = {}) {
  const gate = await open({ workspace: dir, config: {}, ...options });
  onTestFinished(() => gate.close());
  return gate;
}

describe("a cloned folder that brings a store", () => {
  test.each([
    ["a file tool", writing],
    ["a command", touching],
  ])("its standing yes counts for nothing: %s", async (_, call) => {
    const gate = await gateOn(await cloned());
    expect(await gate.call(call)).toMatchObject({ status: "refused", error: { code: "PERMISSION_DENIED" } });
  });

  test.each([
    [
      "answers what is asked",
      "AFTER INSERT ON approvals BEGIN UPDATE approvals SET answer = 'once' WHERE id = NEW.id; END",
    ],
    [
      "turns a no into a yes",
      "AFTER UPDATE ON approvals BEGIN UPDATE approvals SET answer = 'always' WHERE id = NEW.id; END",
    ],
    [
      "copies another's seal",
      "AFTER INSERT ON approvals BEGIN UPDATE approvals SET answer = 'once', seal = (SELECT seal FROM grants) WHERE id = NEW.id; END",
    ],
  ])("its trigger that %s is not believed", async (_, trigger) => {
    const dir = await cloned(`CREATE TRIGGER evil ${trigger}`);
    const gate = await gateOn(dir, { approve: () => "deny" });
    for (const call of [writing, { name: "write_file", args: { path: "toolgate.yaml", content: "mode: yolo" } }])
      expect((await gate.call(call)).status).toBe("refused");
    expect(existsSync(path.join(dir, "x.txt"))).toBe(false);
  });

  test("what a person says themselves still stands, across gates and processes", async () => {
    const dir = folder();
    const answers = ["always", "deny"];
    const approve = () => answers.shift() ?? "deny";
    expect((await (await gateOn(dir, { approve })).call(writing)).status).toBe("done");
    writeFileSync(path.join(dir, "x.txt"), "other");
    expect((await (await gateOn(dir, { approve })).call(writing)).status).toBe("done");
    expect(answers).toEqual(["deny"]);
  });

  test("another person's yes does not count, nor does one for another folder", () => {
    const [one, other] = [folder(), folder()];
    const [mine, theirs] = [folder(), folder()];
    const seal = sealFor(one, mine)("text");
    expect(sealFor(one, mine)("text")).toBe(seal);
    expect(sealFor(other, mine)("text")).not.toBe(seal);
    expect(sealFor(one, theirs)("text")).not.toBe(seal);
  });

  test("a key that cannot be kept seals for this process alone", () => {
    const nowhere = path.join(folder({ file: "" }), "file", "below");
    const dir = folder();
    expect(sealFor(dir, nowhere)("text")).not.toBe(sealFor(dir, nowhere)("text"));
  });
});

describe("a cloned folder whose state leads elsewhere", () => {
  test.each(["store.db", "."])("a link in the place of %s is refused and followed nowhere", async (name) => {
    const [dir, outside] = [folder(), folder()];
    if (name !== ".") mkdirSync(path.join(dir, ".toolgate"));
    symlinkSync(
      name === "." ? outside : path.join(outside, "made.db"),
      path.join(dir, ".toolgate", name === "." ? "" : name).replace(/\/$/, ""),
    );
    await expect(open({ workspace: dir, config: {} })).rejects.toThrow();
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a link in the place of the kept outputs: nothing is written there, nothing old is removed", async () => {
    const [dir, outside] = [folder(), folder({ "old.txt": "precious" })];
    utimesSync(path.join(outside, "old.txt"), 1, 1);
    mkdirSync(path.join(dir, ".toolgate"));
    symlinkSync(outside, path.join(dir, ".toolgate/output"));
    const long = plain("long", { execute: async () => "line\n".repeat(100_000) });
    const gate = await gateOn(dir, { mode: "yolo", tools: [long], store: "memory" });
    expect(await gate.call({ name: "long", args: {} })).toMatchObject({ success: true });
    expect(await gate.call({ name: "run_command", args: { command: "seq 1 400000" } })).toMatchObject({
      success: true,
    });
    expect(readdirSync(outside)).toEqual(["old.txt"]);
    expect(readFileSync(path.join(outside, "old.txt"), "utf8")).toBe("precious");
  });

  test.each(["sandbox", ""])("a link in the place of .toolgate/%s: commands leave nothing there", async (name) => {
    const [dir, outside] = [folder(), folder()];
    if (name) mkdirSync(path.join(dir, ".toolgate"));
    symlinkSync(outside, path.join(dir, name ? `.toolgate/${name}` : ".toolgate"));
    const gate = await gateOn(dir, { mode: "yolo", store: "memory" });
    await gate.call({ name: "run_command", args: { command: "seq 1 400000" } });
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a note of the sandbox that names folders elsewhere removes none of them", async () => {
    const [dir, outside] = [folder(), folder()];
    mkdirSync(path.join(outside, "empty"));
    const paths = [path.join(outside, "empty"), `${dir}/.git/../../${path.basename(outside)}/empty`];
    mkdirSync(path.join(dir, ".toolgate/sandbox"), { recursive: true });
    writeFileSync(path.join(dir, ".toolgate/sandbox/evil.lease"), JSON.stringify({ pid: 1, since: "no", paths }));
    const gate = await gateOn(dir, { mode: "yolo", store: "memory" });
    await gate.call({ name: "run_command", args: { command: "true" } });
    expect(existsSync(path.join(outside, "empty"))).toBe(true);
  });
});
