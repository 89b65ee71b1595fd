import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TextQuery } from "../../../core/contracts/search.ts";
import type { Workspace } from "../../../core/contracts/workspace.ts";
import { localWorkspace } from "../../local.ts";
import { overlay } from "../../overlay.ts";
import { Child, Heard, type Hearing } from "./child.ts";
import { engineNamed, programOnPath } from "./engines.ts";
import { walk } from "./file-walk.ts";
import { ripgrepEngine } from "./ripgrep.ts";
import { searchIn } from "./search.ts";
import { stuckAt } from "./stuck.ts";
import type { Engine } from "./task.ts";

let root: string;
let workspace: Workspace;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-search-")));
  workspace = localWorkspace({ root });
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), content);
};
const by = (engine: Engine) => searchIn({ files: workspace.files, roots: [root], engine });
const named = async (name: string) => by((await engineNamed(name, [])) as Engine);
const all = async <T>(findings: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const each of findings) found.push(each);
  return found;
};
const here = () => workspace.locate(".");
const lines = async (engine: Engine, query: TextQuery) => all(by(engine).lines(await here(), query));
const isAlive = (pid: number) => {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
};

describe("our own walk", () => {
  test("a pattern without end is ended, and said", async () => {
    put("bad.txt", `${"a".repeat(60)}!\n`);
    const started = performance.now();
    await expect(lines(walk(300), { pattern: "(a+)+$" })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("bad.txt"),
    });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("an abort ends a pattern without end", async () => {
    put("bad.txt", `${"a".repeat(60)}!\n`);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const findings = by(walk(20_000)).lines(await here(), { pattern: "(a+)+$" }, controller.signal);
    await expect(all(findings)).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test.each([0, 3])("a file of many pieces is found as ripgrep finds it, with %i lines of context", async (context) => {
    const many = Array.from({ length: 400_000 }, (_, at) => (at % 9_973 === 5 ? `hit ${at} é` : `line ${at} é`));
    put("large.txt", many.join("\n"));
    const query = { pattern: "^hit \\d+ .$", context };
    const found = await lines(walk(20_000), query);
    expect(found.filter(({ hit }) => hit)).toHaveLength(41);
    expect(found).toEqual(await all((await named("ripgrep")).lines(await here(), query)));
  });

  test("it sees what an overlay holds, and nothing that it took away", async () => {
    put("a.txt", "needle\n");
    put("b.txt", "needle\n");
    const above = overlay(workspace);
    const paths = async () =>
      (await all(above.search.lines(await above.locate("."), { pattern: "needle" }))).map((line) => line.path);
    expect((await paths()).sort()).toEqual(["a.txt", "b.txt"]);
    const change = async (file: string, before: string | null, after: string | null) => ({
      place: await above.locate(file),
      before: before === null ? null : Buffer.from(before),
      after: after === null ? null : Buffer.from(after),
    });
    await above.files.commit(
      [
        await change("a.txt", "needle\n", null),
        await change("n/c.txt", null, "a needle\n"),
        await change(".gitignore", null, "b.txt\n"),
      ],
      async () => {},
    );
    expect(await paths()).toEqual(["n/c.txt"]);
  });
});

describe("which engine", () => {
  test("the one that is installed beside us, and the next if it cannot start", async () => {
    put("a.txt", "needle\n");
    const findings = workspace.search.lines(await here(), { pattern: "needle" });
    expect(await all(findings)).toHaveLength(1);
    expect(findings.report.engine).toBe("ripgrep");
    for (const program of [path.join(root, "missing"), path.join(root, "a.txt")]) {
      const broken = by(ripgrepEngine({ name: "broken", path: program, pcre2: true })).lines(await here(), {
        pattern: "needle",
      });
      expect(await all(broken)).toHaveLength(1);
      expect(broken.report.engine).toBe("walk");
    }
  });

  test("a ripgrep without look-around hands such a pattern on, and nothing else", async () => {
    put("a.txt", "ab\nac\n");
    const { rgPath } = (await import("@vscode/ripgrep")) as { rgPath: string };
    const search = by(ripgrepEngine({ name: "plain", path: rgPath, pcre2: false }));
    for (const [pattern, engine] of [
      ["a(?=c)", "walk"],
      ["a.", "plain"],
    ] as const) {
      const findings = search.lines(await here(), { pattern });
      await all(findings);
      expect(findings.report).toMatchObject({ engine, tookAsText: false });
    }
  });

  test("a program that the workspace brings is not used", () => {
    put("bin/tool", "#!/bin/sh\n");
    fs.chmodSync(path.join(root, "bin/tool"), 0o755);
    const elsewhere = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-path-")));
    fs.symlinkSync(path.join(root, "bin/tool"), path.join(elsewhere, "tool"));
    try {
      for (const given of [`${root}/bin`, "bin", ".", "", elsewhere])
        expect(programOnPath("tool", [root], given)).toBeUndefined();
      expect(programOnPath("tool", ["/nowhere"], `relative:${elsewhere}`)).toBe(path.join(root, "bin/tool"));
      fs.chmodSync(path.join(root, "bin/tool"), 0o644);
      expect(programOnPath("tool", [], `${root}/bin`)).toBeUndefined();
    } finally {
      fs.rmSync(elsewhere, { recursive: true });
    }
  });
});

describe("a program", () => {
  test("is ended with all that it started", async () => {
    const child = new Child({ path: "/bin/sh", args: ["-c", "sleep 100 & echo $!; sleep 100"], cwd: "/" });
    const pid = Number(String(await child.next()));
    expect(isAlive(pid)).toBe(true);
    await child.stop();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("that starts no others is ended as well, and leaves its neighbours alone", async () => {
    const [child, other] = ["sleep 100", "sleep 100"].map(
      (command) => new Child({ path: "/bin/sh", args: ["-c", `echo $$; exec ${command}`], cwd: "/", isAlone: true }),
    ) as [Child, Child];
    const [pid, otherPid] = [Number(String(await child.next())), Number(String(await other.next()))];
    await child.stop();
    expect([isAlive(pid), isAlive(otherPid)]).toEqual([false, true]);
    await other.stop();
    expect(isAlive(otherPid)).toBe(false);
  });

  test("gets nothing of our environment", async () => {
    process.env.RIPGREP_CONFIG_PATH = "/nowhere";
    try {
      const child = new Child({ path: "/usr/bin/env", args: [], cwd: "/" });
      expect(String(await child.next())).toBe("LC_ALL=C\n");
      await child.ended;
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });
});

test("a folder that became a link is not searched", async () => {
  put("d/a.txt", "needle\n");
  const place = await workspace.locate("d");
  fs.rmSync(path.join(root, "d"), { recursive: true });
  fs.symlinkSync("/etc", path.join(root, "d"));
  for (const name of ["ripgrep", "walk"])
    await expect(all((await named(name)).lines(place, { pattern: "root" }))).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
});

describe("rules that are no regular file", () => {
  const pipe = (name: string) => execFileSync("mkfifo", [path.join(root, name)]);
  const link = (name: string) => fs.symlinkSync("/dev/zero", path.join(root, name));
  test.each<[what: string, make: (name: string) => void]>([
    ["a pipe", pipe],
    ["a link to a device", link],
  ])("%s holds up no search", async (_, make) => {
    put("d/a.txt", "needle\n");
    put("secret.txt", "needle\n");
    make("d/.gitignore");
    const search = await named("ripgrep");
    const query = { exclude: ["secret.txt"] };
    for (const findings of [
      search.files(await here(), query),
      search.lines(await here(), { ...query, pattern: "needle" }),
    ]) {
      expect((await all<{ path: string }>(findings)).map((each) => each.path)).toEqual(["d/a.txt"]);
      expect(findings.report).toMatchObject({ engine: "walk", excluded: 1 });
    }
  });

  const heard = (command: string, stuck: Hearing<string>["stuck"]) => {
    const hearing = { parse: (piece?: Buffer) => (piece ? [String(piece)] : []), finish: async () => {}, stuck };
    const program = { path: "/bin/sh", args: ["-c", command], cwd: "/" };
    return all({ [Symbol.asyncIterator]: () => new Heard<string>(program, { ...hearing, signal: undefined }) });
  };

  test.each([
    ["echo begun; sleep 100", { code: "IO_ERROR", message: expect.stringContaining("d/.gitignore") }],
    ["sleep 100", { name: "Unfit" }],
  ])("%s is ended, and another engine searches only if it had not begun", async (command, due) => {
    await expect(heard(command, async (_, hasBegun) => stuckAt("d/.gitignore", hasBegun()))).rejects.toMatchObject(due);
  });

  const children = () =>
    execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes("--no-ignore-parent"));

  test("a search that has begun leaves no program behind, whether it is found out or aborted", async () => {
    for (let file = 0; file < 200; file++) put(`a/${file}.txt`, "needle\n");
    put("secret.txt", "needle\n");
    put("z/a.txt", "needle\n");
    pipe("z/.gitignore");
    const query = { pattern: "needle", exclude: ["secret.txt"] };
    const search = await named("ripgrep");
    // on a single core it may not have begun, and then another engine goes on
    await all(search.lines(await here(), query)).catch((error) => expect(error).toMatchObject({ code: "IO_ERROR" }));
    expect(children()).toEqual([]);
    await expect(all(search.lines(await here(), query, AbortSignal.timeout(300)))).rejects.toMatchObject({
      code: "CANCELLED",
    });
    expect(children()).toEqual([]);
  });

  test("a link to /dev/null holds up nobody, however slowly the findings are taken", async () => {
    for (let file = 0; file < 200; file++) put(`a/${file}.txt`, "needle\n".repeat(500));
    fs.symlinkSync("/dev/null", path.join(root, "a/.gitignore"));
    let found = 0;
    for await (const _ of (await named("ripgrep")).lines(await here(), { pattern: "needle" }))
      if (found++ === 10) await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(found).toBe(100_000);
  });

  test("a search that is merely slow goes on", async () => {
    expect(await heard("sleep 2; echo end", async () => undefined)).toEqual(["end\n"]);
  });
});
