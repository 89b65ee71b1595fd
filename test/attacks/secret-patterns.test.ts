import { renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Approver } from "../../src/core/contracts/approval.ts";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";

const FILES = {
  ".env": "needle of env\n",
  ".env.example": "needle of example\n",
  "deep/.env": "needle of deep\n",
  "keys/id_rsa": "needle of key\n",
  "a.ts": "needle of code\n",
  "b.ts": "other\n",
  ".eslintrc": "needle of lint\n",
};

/** Lines that read a file of secrets by other words than its name. */
const READS = [
  ...["cat .e*", "cat .en?", "cat .[e]nv", "cat ./.e*", "cat .*", "cat .{env,x}", "cat d*/.e*", "cat */.env"],
  ...[
    "head -n1 .env*",
    "wc -l .e*",
    "sort .e*",
    "strings .e*",
    "hexdump -C .en?",
    "diff .e* a.ts",
    "sed -n 1p .e*",
    "awk 1 .e*",
  ],
  ...["for f in .e*; do cat $f; done", 'for f in .e*; do cat "$f"; done', "f='.e*'; cat $f", "f=.e; cat ${f}nv"],
  ...["cat keys/*", "cat k*/*", "cat keys/id_*", "cat */id_rs?", "cd keys && cat *", "tail keys/i[d]_rsa"],
  ...["find . -name .env | xargs cat", "find . -name '.e*' | xargs head", "find . -name .env | sort | xargs cat"],
  ...["find . -name .env -print0 | xargs -0 cat", "find . -name .env | xargs -I{} cat {}"],
  ...["find . -name .env -exec cat {} +", "find . -name '.e*' -exec cat {} ';'", "find . -name 'id_*' | xargs cat"],
  ...["grep -r . --include=.env", "grep -rn KEY . --include '.e*'", "grep -r x --include=.env deep keys"],
  ...["rg x -g .env", "rg --hidden x --glob '.e*' .", "find . -iname .ENV | xargs cat", "rg x --iglob .ENV"],
  ...["find . -name a.ts -o -name .env | xargs cat", "find . \\( -name '*.ts' -o -name .env \\) -exec cat {} +"],
  ...["git show HEAD:.env", "git diff .env", "git log -p -- .env", "git grep needle -- '.e*'", "git cat-file -p :.env"],
  ...["git grep --no-index needle -- .env", "git blame deep/.env"],
  ...["git diff -- deep/.e*", "git show HEAD -- .e*", "git log -p -- d*/.e*"],
  ...["diff deep keys", "diff -u deep .", "diff -N d* k*", "diff --from-file=deep keys", "diff --to-file keys deep"],
];

/** Lines that read none, or show no more than names. */
const SHOWS_NONE = [
  ...["cat *.ts", "cat *", "cat a*", "cat .eslint*", "cat [ab].ts", "head -n1 *.ts", "wc -l *.ts"],
  ...["ls .*", "ls -la .e*", "ls .env*", "ls .env", "ls -A", "stat .e*", "du -h .e*", "echo .e*", "test -f .env"],
  ...[
    "[ -f .env ] && echo there",
    "find . -name '.env*'",
    "find . -name .env | xargs ls -la",
    "find . -name .env | wc -l",
  ],
  ...["for f in *.ts; do cat $f; done", "find . -name '*.ts' | xargs cat", "find . -name '*.ts' -exec cat {} +"],
  ...["grep -rn other --include='*.ts' .", "grep needle *.ts", "cat deep/*"],
  ...[
    "grep -rn other --include='*.[jt]s' --exclude=b.ts .",
    "rg other -g '*.{ts,js}'",
    "rg -t ts other",
    "rg other -tpy .",
  ],
  ...["find . -name '*.ts' -o -name '*.js' | xargs cat", "find . \\( -name '*.ts' -o -name '*.js' \\) -exec cat {} +"],
  ...[
    "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
    "find -name '*.ts' | sort | head -n 5 | xargs cat",
  ],
  ...[
    "find . -path ./deep -prune -o -name '*.ts' -print0 | xargs -0 cat",
    "grep -rl other --include='*.ts' . | xargs cat",
  ],
  ...["diff a.ts b.ts", "diff a.t* b.ts", "diff a.ts deep/a.ts", "git log --oneline -- .e*", "git diff -- a.t*"],
  ...["find . -name '*.ts' -exec grep -l other {} + | xargs cat"],
  ...["git log --oneline -- .env", "git status", "git diff", "git check-ignore .env"],
];

const asked = async (
  sandbox: "off" | "required",
  files: Record<string, string> = FILES,
  mode = "confirm-sensitive",
) => {
  const reasons: string[] = [];
  const approve: Approver = (_, { by, reason }) => {
    reasons.push(`${by}: ${reason}`);
    return "deny";
  };
  const one = await bench(files, { mode: mode as "yolo", approve, store: "memory", sandbox });
  return { ...one, run: (command: string) => one.call("run_command", { command }), reasons };
};

describe("patterns that fit a file of secrets", () => {
  test("are asked about, with its name", async () => {
    const { run, reasons } = await asked("off");
    for (const command of READS) {
      const before = reasons.length;
      const result = await run(command);
      expect([result.status, ...reasons.slice(before)], command).toEqual([
        "refused",
        expect.stringMatching(/^secret-files: it would read .*which may hold secrets/),
      ]);
      expect(result.output, command).not.toContain("needle");
    }
  });

  test("ask nobody where they fit none, or show its name alone", async () => {
    const { run, reasons } = await asked("off");
    for (const command of SHOWS_NONE) expect((await run(command)).status, command).not.toBe("refused");
    expect(reasons).toEqual([]);
  });

  test("ask nobody where there is no such file", async () => {
    const { run, reasons } = await asked("off", { "a.ts": "code\n", ".eslintrc": "", "keys/readme.md": "" });
    for (const command of ["cat .e*", "cat .*", "cat keys/*", "grep -rn code .", "find . -type f | xargs cat"])
      await run(command);
    expect(reasons).toEqual([]);
  });

  test("a link that a pattern fits is what it leads to", async () => {
    const { run, reasons, dir } = await asked("off");
    symlinkSync("../.env", path.join(dir, "deep/notes.txt"));
    expect((await run("cat deep/*.txt")).status).toBe("refused");
    expect(reasons).toEqual(["secret-files: it would read .env, which may hold secrets (.env)"]);
  });

  test("a name with blanks is several words to a program that is given it", async () => {
    const { run, reasons, dir } = await asked("off", { ...FILES, "x .env y.ts": "code\n" });
    for (const command of ["find . -name '*.ts' -print0 | xargs -0 cat", "find . -name '*.ts' | xargs -d '\\n' cat"])
      expect((await run(command)).status, command).toBe("done");
    expect(reasons).toEqual([]);
    expect((await run("find . -name '*.ts' | xargs cat")).status).toBe("refused");
    renameSync(path.join(dir, "x .env y.ts"), path.join(dir, "xy.ts"));
    expect((await run("find . -name '*.ts' | xargs cat")).status).toBe("done");
    renameSync(path.join(dir, "deep"), path.join(dir, "deep 'r"));
    expect((await run("find . -name '*.ts' | xargs cat")).status).toBe("refused");
  });

  test.each(["x\n.env\ny.ts", "x\n/x.ts"])("a name of two lines (%j) is two", async (name) => {
    const { run } = await asked("off", { ...FILES, [name]: "code\n" });
    expect((await run("find . -name '*.ts' | xargs -d '\\n' cat")).status).toBe("refused");
  });

  test.each(["x ", "x ..", 'x "', "x\t."])("a folder named %j makes paths outside of what is in it", async (name) => {
    const { run, reasons } = await asked("off", { "a.ts": "code\n", [`${name}/etc/b.ts`]: "code\n" });
    expect((await run("cat *.ts")).status).toBe("done");
    for (const command of ["find . -name '*.ts' | xargs cat", "ls -R | xargs cat"])
      expect((await run(command)).status, command).toBe("refused");
    expect(reasons).toEqual(Array(2).fill(expect.stringContaining("a folder's name ends in a blank")));
  });

  test("a link in a folder is what it leads to", async () => {
    const { run, reasons, dir } = await asked("off");
    expect((await run("find . -name '*.txt' | xargs cat")).status).toBe("done");
    symlinkSync("../.env", path.join(dir, "deep/notes.txt"));
    expect((await run("find . -name '*.txt' | xargs cat")).status).toBe("refused");
    expect(reasons).toEqual(["secret-files: it would read .env, which may hold secrets (.env)"]);
  });

  test("yolo asks nobody", async () => {
    const { run, reasons } = await asked("off", FILES, "yolo");
    for (const command of ["cat .e*", "grep -rn needle ."]) expect((await run(command)).output).toContain("of env");
    expect(reasons).toEqual([]);
  });
});

/** Lines that read whatever lies below a folder. */
const TREES = [
  ...["grep -rn needle .", "grep -r needle", "grep -rh needle . | sort", "find . -type f -exec cat {} +"],
  ...[
    "find . -type f | xargs cat",
    "ls -A | xargs head",
    "grep -rl needle . | xargs cat",
    "for d in d*; do grep -r needle $d; done",
  ],
  ...["grep -r needle . --include='*'", "grep -r needle . --include='*nv'", "grep -r needle . --include='[.]env'"],
  ...["grep -r needle . --exclude=zzz --include='*.ts'", "grep -r needle . --include='*.ts' --include='?env'"],
  ...[
    "sort -t: a.ts; grep -r needle .",
    "grep -r needle . | sort -t:",
    "rg -tts x; grep -r needle .",
    "rg -t sh needle",
  ],
  ...[
    "rg --hidden needle",
    "rg --hidden -g '*' needle",
    "rg -g '**' needle",
    "rg -g '!a.ts' needle .",
    "rg -g '{a.ts,*nv}' needle",
  ],
  ...[
    "find . -name '*' | xargs cat",
    "find . -name '*.ts' -o -type f | xargs cat",
    "find . ! -name '*.ts' | xargs cat",
  ],
  ...["find . -not \\( -name '*.ts' \\) | xargs cat", "find . -name '*.ts' , -name '*nv' | xargs cat"],
  ...["find . -name '*.ts' | grep -o . | xargs cat", "find . -name '*.ts' | rg --files --hidden | xargs cat"],
  ...[
    "echo git; grep -r needle .",
    "grep -r needle . # git",
    "git status; grep -rn needle .",
    "git grep --no-index needle",
  ],
  ...["git grep --untracked needle", "git diff | head -n 1; find . -type f -exec cat {} +"],
];

describe("lines that read whole folders", () => {
  test("are asked about where nothing hides the files from them", async () => {
    const { run, reasons } = await asked("off");
    for (const command of TREES) expect((await run(command)).status, command).toBe("refused");
    expect(reasons).toHaveLength(TREES.length);
    expect(reasons.filter((reason) => !reason.startsWith("secret-files: "))).toEqual([]);
    await run("grep -rn other src a.ts b.ts");
    expect(reasons).toHaveLength(TREES.length);
  });

  test("run unasked in a sandbox, to which the files are empty, and say so", needs("bubblewrap"), async () => {
    const { run, reasons } = await asked("required");
    for (const command of TREES) {
      const { output } = await run(command);
      expect(output, command).not.toMatch(/needle of (?:env|deep|key)\b/);
      expect(output, command).toContain("Left out, because they may hold secrets: ");
      expect(output, command).not.toMatch(/permission denied/i);
    }
    expect(reasons).toEqual([]);
    const { output } = await run("grep -rn needle .");
    expect(output).toContain("needle of code");
    expect(output).toContain("needle of example");
    expect(output).toMatch(/: (?=.*\.env\b)(?=.*deep\/\.env\b)(?=.*keys\/id_rsa\b)/);
    expect((await run("cat *.ts")).output).not.toContain("Left out");
  });
});
