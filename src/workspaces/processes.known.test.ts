import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { until, useTrial } from "../../test/contracts/processes.ts";

const trial = useTrial();

describe("a command that may be given input", () => {
  test("says how it was started, and what it was given last", async () => {
    const env = { X: "y" };
    const started = await trial.start("cat > /dev/null", { input: true, env });
    expect(started.background).toBe(true);
    expect(started.fed).toStrictEqual({ command: "cat > /dev/null", cwd: trial.root, env, given: "" });
    await started.write("one\n");
    await started.write("two\n");
    expect(started.fed?.given).toBe("one\ntwo\n");
    await started.write(`${"x".repeat(8_191)}\n`);
    expect(started.fed?.given).toBe(`${"x".repeat(8_191)}\n`);
    await started.kill();
  });

  test("has no environment where none was asked for", async () => {
    const started = await trial.start("true", { input: true });
    expect(started.fed).toStrictEqual({ command: "true", cwd: trial.root, given: "" });
    await started.exited;
  });

  test.each([undefined, false, "text"] as const)("is not one whose input is %j", async (input) => {
    const started = await trial.start("cat", input === undefined ? {} : { input });
    expect([started.background, started.fed]).toEqual([false, undefined]);
    await started.exited;
    expect(started.captured().stdout.text).toBe(input || "");
  });
});

test("a command is known to the session that started it and those above", async () => {
  const sessionsOf = async (launch: object) => {
    const started = await trial.start("true", launch);
    await started.exited;
    return started.sessions;
  };
  expect(await sessionsOf({ session: "own", above: ["parent", "first"] })).toEqual(["own", "parent", "first"]);
  expect(await sessionsOf({ session: "own" })).toEqual(["own"]);
});

test("no file of a person's own is run before a command", async () => {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-home-")));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  for (const name of [".bashrc", ".bash_profile", ".profile"]) fs.writeFileSync(path.join(home, name), "echo evil\n");
  const env = { HOME: home, BASH_ENV: "", SHLVL: "0", SSH_CLIENT: "1 2 3" };
  expect((await trial.run("echo $HOME; shopt -q login_shell || echo plain", { env })).stdout).toBe(`${home}\nplain\n`);
});

test("what git would obey is looked for where a command works and in every root", async () => {
  const evil = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-evil-")));
  onTestFinished(() => fs.rmSync(evil, { recursive: true, force: true }));
  fs.mkdirSync(path.join(evil, ".git"));
  fs.writeFileSync(path.join(evil, ".git/config"), "[diff]\n\texternal = evil\n");
  expect(trial.processes.helperOf?.([])).toBeUndefined();
  expect(trial.processes.helperOf?.([evil])).toBe("diff.external");
  const both = trial.open({ roots: [trial.root, evil] });
  expect(both.helperOf?.([])).toBe("diff.external");
  // what leads into another root does not lead out
  fs.writeFileSync(path.join(evil, ".git/config"), `[core]\n\tworktree = ${trial.root}\n`);
  expect(both.helperOf?.([])).toBeUndefined();
});

describe("temporary files in the sandbox", needs("bubblewrap"), () => {
  test("are in /tmp for a session's own commands, and elsewhere for those that only look at it", async () => {
    trial.processes = trial.open({ sandbox: "required", network: false });
    const folderOf = async (launch: object) => (await trial.run("echo $TMPDIR", launch)).stdout.trim();
    expect(await folderOf({ session: "own", access: "read-only" })).toBe("/tmp");
    const kept = await trial.start("echo text > /tmp/kept", { session: "own" });
    await kept.exited;
    await until(() => kept.exit !== undefined);
    expect(await folderOf({ session: "own" })).toBe("/tmp");
    expect(await folderOf({ session: "own", access: "read-only" })).toBe("/var/tmp");
    const looked = await trial.run("cat /tmp/kept; echo x > $TMPDIR/own && cat $TMPDIR/own", {
      session: "own",
      access: "read-only",
    });
    expect(looked.stdout).toBe("text\nx\n");
  });
});
