import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { when } from "../../../../test/capabilities.ts";
import { trustedProgram } from "../process/trusted-program.ts";
import { namedByGit } from "./git-names.ts";

vi.mock("../process/trusted-program.ts", { spy: true });
beforeEach(() => void vi.mocked(trustedProgram).mockReset());

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd, stdio: "pipe" });

function repository(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "toolgate-names-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  git(dir, "init", "-q");
  for (const name of ["a", "with blank", "line\nbreak"]) {
    writeFileSync(path.join(dir, name), "x\n");
    git(dir, "add", ".");
    git(dir, "commit", "-q", "-m", name.slice(0, 4));
  }
  return dir;
}

const LOG = ["log", "--format=", "--name-only", "-z"];

test("names the files of some commits, whatever they are called", async () => {
  const real = repository();
  expect((await namedByGit({ real }, [LOG]))?.toSorted()).toEqual(["a", "line\nbreak", "with blank"]);
  expect(
    await namedByGit({ real }, [
      ["ls-tree", "--name-only", "-z", "HEAD~1"],
      [...LOG, "-1", "HEAD~2"],
    ]),
  ).toEqual(["a", "with blank"]);
});

test("what git refuses has no names, and the others still have theirs", async () => {
  const real = repository();
  expect(await namedByGit({ real }, [[...LOG, "nothing-of-that-name"]])).toEqual([]);
  expect(
    await namedByGit({ real }, [
      [...LOG, "nothing"],
      [...LOG, "-1", "HEAD~2"],
    ]),
  ).toEqual(["a"]);
  expect(await namedByGit({ real: os.tmpdir() }, [LOG])).toEqual([]);
});

test("nothing of the repository's own configuration is run", async () => {
  const real = repository();
  const trap = path.join(real, "trapped");
  const settings = [
    "core.fsmonitor",
    "core.pager",
    "diff.external",
    "gpg.program",
    "core.sshCommand",
    "diff.x.textconv",
  ];
  for (const key of settings) git(real, "config", key, `touch ${trap}; false`);
  git(real, "config", "log.showSignature", "true");
  writeFileSync(path.join(real, ".git/info/attributes"), "* diff=x\n");
  expect(await namedByGit({ real }, [LOG, ["diff", "--cached", "--name-only", "-z", "HEAD~1"]])).toContain("a");
  expect(existsSync(trap)).toBe(false);
});

test(
  "another person's repository has names, as it has for a model's own git",
  when(process.getuid?.() === 0, "only root may give files away"),
  async () => {
    const real = repository();
    execFileSync("chown", ["-R", "12345", real]);
    expect(await namedByGit({ real }, [LOG])).toHaveLength(3);
  },
);

test("no program is started to check a signature", async () => {
  const real = repository();
  const trap = path.join(real, "trapped");
  const program = path.join(real, ".git/gpg");
  // it reads what it is to sign: git fails if the program ends before git has written that
  writeFileSync(
    program,
    "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\n",
  );
  chmodSync(program, 0o755);
  git(real, "-c", `gpg.program=${program}`, "commit", "-q", "--allow-empty", "-S", "-m", "signed");
  writeFileSync(program, `#!/bin/sh\ntouch ${trap}\n`);
  git(real, "config", "gpg.program", program);
  git(real, "config", "log.showSignature", "true");
  git(real, "log", "-1");
  expect(existsSync(trap), "git alone starts it").toBe(true);
  rmSync(trap);
  expect(await namedByGit({ real }, [LOG])).toHaveLength(3);
  expect(existsSync(trap)).toBe(false);
});

test("files of the first commit have names whatever the repository's configuration says", async () => {
  const real = repository();
  git(real, "config", "log.showRoot", "false");
  expect(await namedByGit({ real }, [LOG])).toContain("a");
});

test("nobody can tell where git cannot even be called", { timeout: 20_000 }, async () => {
  expect(await namedByGit({ real: repository() }, [[...LOG, "a\0b"]])).toBeUndefined();
});

test("a folder that is missing may be made by the same line; a file is no folder", async () => {
  const real = repository();
  const log = (folder: string, ...words: string[]) =>
    namedByGit({ real: path.join(real, folder) }, [[...LOG, ...words]]);
  expect(await log("not/yet", "-1")).toEqual(["line\nbreak"]);
  expect(await log("not/yet", "--", "."), "seen from further up it is more").toHaveLength(3);
  for (const up of ["..", "../a", "HEAD:../a", "sub/../a"]) expect(await log("not/yet", "--", up), up).toBeUndefined();
  expect(await namedByGit({ real: path.join(real, "not/yet") }, [LOG, [...LOG, "--", ".."]])).toBeUndefined();
  expect(await log("not/yet", "--", "a..b")).toEqual([]);
  mkdirSync(path.join(real, "sub"));
  expect(await log("sub", "--", "..")).toHaveLength(3);
  expect(await log("a")).toEqual([]);
  expect(await log("a/below")).toEqual([]);
});

test("a folder that nobody can look at leaves it open, whatever is above it", async () => {
  const real = repository();
  symlinkSync("round", path.join(real, "round"));
  for (const name of ["round", "round/below", "x".repeat(300)])
    expect(await namedByGit({ real: path.join(real, name) }, [LOG]), name).toBeUndefined();
});

/** A program that is started instead of git. */
function instead(script: string, mode = 0o755): void {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "toolgate-git-")), "git");
  onTestFinished(() => rmSync(path.dirname(file), { recursive: true }));
  writeFileSync(file, script);
  chmodSync(file, mode);
  vi.mocked(trustedProgram).mockReturnValue(file);
}

test.each<[what: string, script: string, mode?: number]>([
  ["is ended by a signal", "#!/bin/sh\nprintf 'a\\0'; kill -SEGV $$"],
  ["may not be started", "#!/bin/sh\n", 0o644],
  ["cannot be started", "#!/nothing/here\n"],
  ["has several bases to choose from", "#!/bin/sh\necho 'fatal: multiple merge bases found' >&2; exit 128"],
  ["has no memory left", "#!/bin/sh\necho 'fatal: Out of memory, malloc failed' >&2; exit 128"],
  ["would have to fetch", "#!/bin/sh\necho 'fatal: could not fetch 12 from promisor remote' >&2; exit 128"],
  ["trusts nobody's folder", "#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2; exit 128"],
])("nobody can tell where git %s, and it is asked again later", async (_, script, mode) => {
  const real = repository();
  instead(script, mode);
  expect(await namedByGit({ real }, [LOG])).toBeUndefined();
  vi.mocked(trustedProgram).mockReset();
  expect(await namedByGit({ real }, [LOG])).toHaveLength(3);
});

test("a status is git's own answer, and what it said before counts", async () => {
  const real = repository();
  instead("#!/bin/sh\nprintf 'a\\0'; echo 'fatal: bad revision' >&2; exit 128");
  expect(await namedByGit({ real }, [LOG])).toEqual(["a"]);
  instead("#!/bin/sh\nprintf 'a\\0'; echo 'warning: too many open files' >&2");
  expect(await namedByGit({ real }, [LOG]), "it reached its end").toEqual(["a"]);
});

test.each([".git", "HEAD", "../.git", "../HEAD"])(
  "git is started only where it may find a repository: %s",
  async (mark) => {
    const above = mkdtempSync(path.join(os.tmpdir(), "toolgate-names-"));
    onTestFinished(() => rmSync(above, { recursive: true }));
    const real = path.join(above, "folder");
    mkdirSync(real);
    instead("#!/bin/sh\nprintf 'a\\0'");
    expect(await namedByGit({ real }, [LOG])).toEqual([]);
    symlinkSync("nowhere", path.join(real, mark));
    expect(await namedByGit({ real }, [LOG])).toEqual(["a"]);
  },
);

test("nobody can tell without git", async () => {
  vi.mocked(trustedProgram).mockReturnValue(undefined);
  expect(await namedByGit({ real: repository() }, [LOG])).toBeUndefined();
});

test("a git that does not reach its end in time is stopped, and not asked the same again", async () => {
  const real = repository();
  instead("#!/bin/sh\nprintf 'a\\0'; exec sleep 60");
  const start = performance.now();
  expect(await namedByGit({ real }, [LOG, [...LOG, "-1"]])).toBeUndefined();
  expect(performance.now() - start, "one time limit for all that is asked").toBeLessThan(5_500);
  vi.mocked(trustedProgram).mockReset();
  expect(await namedByGit({ real }, [LOG, [...LOG, "-1"]])).toBeUndefined();
  expect(await namedByGit({ real }, [LOG])).toHaveLength(3);
});

test("an object that has no name may be any file", async () => {
  const real = repository();
  const asks = (...words: string[]) => namedByGit({ real }, [["cat-file", "--batch-check=%(objecttype)", ...words]]);
  expect(await asks("HEAD", "nothing", "a", "HEAD^{tree}", "blob")).toEqual([]);
  git(real, "tag", "content", "HEAD:a");
  expect(await asks("HEAD", "nothing", "content")).toBeUndefined();
  expect(await asks("@{upstream}", ...Array(20_000).fill("HEAD")), "git ends before it has read all").toEqual([]);
});

test("objects are seen as they were replaced", async () => {
  const real = repository();
  git(real, "replace", "HEAD", "HEAD~2");
  expect(await namedByGit({ real }, [[...LOG, "-1"]])).toEqual(["a"]);
});
