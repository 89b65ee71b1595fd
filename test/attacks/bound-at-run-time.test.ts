import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { stage } from "./bound-stage.ts";

const FILES = {
  "sub/a.sh": "one\n",
  "sub/deep/b": "one\n",
  "lib/package.json": '{"main": "./real"}',
  "lib/real.js": "one\n",
  "other/c.sh": "one\n",
  "bin/tool": "one\n",
  "packages/a/package.json": '{"name": "a"}',
  list: "sub/a.sh\n",
  "notes.log": "one\n",
};

/** What only the running shell knows: a change of what it may run, while the person thinks, is none that they saw. */
const OPEN: [line: string, file: string, env?: Record<string, string>][] = [
  ["sh sub/*", "sub/a.sh"],
  ["sh sub/*", "sub/new"],
  ["sh ./sub/a*", "sub/a.sh"],
  ["bash sub/*/b", "sub/deep/b"],
  ["sub/a*", "sub/a.sh"],
  [". sub/*", "sub/a.sh"],
  ["cd sub && sh *", "sub/a.sh"],
  ["for f in sub/*; do sh $f; done", "sub/a.sh"],
  ["sh other/*/../../sub/a*", "sub/a.sh"],
  ["xargs -a list sh", "sub/a.sh"],
  ["xargs -a list sh", "list"],
  ["cat list | xargs -n1 bash", "sub/a.sh"],
  ["ls sub | xargs -n1 bash", "sub/a.sh"],
  ["find sub -name '*.sh' | xargs sh", "sub/a.sh"],
  ["find sub -type f -exec sh {} \\;", "sub/deep/b"],
  ["find sub -type f -exec {} \\;", "sub/deep/b"],
  ["cat sub/* | sh", "sub/a.sh"],
  ["sh < sub/a*", "sub/a.sh"],
  ["bash <(cat sub/*)", "sub/a.sh"],
  ["source <(cat sub/*)", "sub/a.sh"],
  ["cat sub/* | python3 -", "sub/a.sh"],
  ["cat sub/* | bash -s x", "sub/a.sh"],
  ["cat sub/*.sql | sqlite3 a.db", "sub/x.sql"],
  ['sh -c "$(cat sub/*)"', "sub/a.sh"],
  ['eval "$(cat sub/*)"', "sub/a.sh"],
  ["cat sub/* > y; sh y", "sub/a.sh"],
  ["cat sub/* > ./y; sh y", "sub/a.sh"],
  ["cp -r sub/* .; sh a.sh", "sub/a.sh"],
  ["cp -r sub y && node y/a.js", "sub/a.js"],
  ["bash $SCRIPT", "sub/a.sh"],
  ["bash $SCRIPT", "sub/deep/b"],
  ["python3 $SCRIPT", "other/x.py"],
  ["./$NAME", "notes.log"],
  ['bash "$(ls sub | head -1)"', "sub/a.sh"],
  ["run-parts sub", "sub/a.sh"],
  ["perl -Isub -Mm -e 1", "sub/m.pm"],
  ["PATH=bin:$PATH tool", "bin/tool"],
  ["PATH=bin ls", "bin/ls"],
  ["tool", "bin/tool", { PATH: "bin" }],
  ["HOME=sub bash -l -c true", "sub/.profile"],
  ["NODE_OPTIONS='--require ./sub/x.js' node -e 1", "sub/x.js"],
  ["CC='gcc -fplugin=./sub/x.so' make", "sub/x.so"],
  ["node lib", "lib/real.js"],
  ["node lib", "lib/real/index.js"],
  ["cd lib && node .", "lib/real.js"],
  ["node -e \"require('./lib')\"", "lib/real.js"],
  ["npm run build -w a", "packages/a/package.json"],
  ["pnpm -r build", "packages/b/package.json"],
];

describe("code that is only known when it runs, changed while the person thinks", () => {
  test.each(OPEN)("%s: %s", async (line, file, env) => {
    const it = await stage(FILES);
    it.next.meanwhile = () => it.put(file, file.endsWith(".json") ? '{"main": "../other/c.sh"}' : "two\n");
    expect(await it.run(line, env ? { env } : {})).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(it.ran).toEqual([]);
    it.next.meanwhile = undefined;
    expect((await it.run(line, env ? { env } : {})).status, "unchanged it runs").toBe("done");
  });

  test("the same size and time do not hide it", async () => {
    const it = await stage(FILES);
    const file = path.join(it.dir, "sub/a.sh");
    const at = new Date(1_700_000_000_000);
    utimesSync(file, at, at);
    it.next.meanwhile = () => {
      writeFileSync(file, "two\n");
      utimesSync(file, at, at);
    };
    expect((await it.run("sh sub/*")).error?.code).toBe("CONFLICT");
  });

  test("neither does another folder or link in its place", async () => {
    const it = await stage(FILES);
    it.next.meanwhile = () => {
      rmSync(path.join(it.dir, "sub"), { recursive: true });
      symlinkSync("other", path.join(it.dir, "sub"));
    };
    expect((await it.run("sh sub/*")).error?.code).toBe("CONFLICT");
    const linked = await stage(FILES);
    linked.next.meanwhile = () => symlinkSync("../other/c.sh", path.join(linked.dir, "sub/z.sh"));
    expect((await linked.run("sh sub/*")).error?.code).toBe("CONFLICT");
  });

  test("a file that may be run all at once", async () => {
    const it = await stage(FILES);
    it.next.meanwhile = () => it.chmod("sub/a.sh", 0o755);
    expect((await it.run("sub/a*")).error?.code).toBe("CONFLICT");
  });
});

describe("what else is written meanwhile is in nobody's way", () => {
  test.each<[line: string, file: string]>([
    ["sh sub/*", "notes.log"],
    ["sh sub/*", "other/c.sh"],
    ["bash $SCRIPT", "notes.log"],
    ["bash $SCRIPT", "data.sqlite"],
    ["ls sub | xargs -n1 bash", "notes.log"],
    ["npm run build -w a", "packages/a/dist.js"],
    ["npm test $ARGS", "dist/a.js"],
    ["make VERSION=$(git describe)", "build/a.sh"],
    ["node sub/x.js $(date)", "dist/a.js"],
    ["bash sub/a.sh $X", "other/c.sh"],
    ['git commit -m "$(cat notes.log)"', "dist/a.js"],
    ["node lib", "lib/other.js"],
    ["cat sub/* | python3 other/x.py", "sub/a.sh"],
    ["bash $SCRIPT", "node_modules/a.sh"],
    ["bash $SCRIPT", ".toolgate/a.sh"],
  ])("%s: %s", async (line, file) => {
    const it = await stage(FILES);
    mkdirSync(path.dirname(path.join(it.dir, file)), { recursive: true });
    it.next.meanwhile = () => it.put(file, "two\n");
    expect((await it.run(line)).status).toBe("done");
  });
});

describe("no standing yes holds for what another file puts together", () => {
  test.each([
    "cat sub/* | sh",
    "find sub -type f -exec sh {} \\;",
    "sh < sub/a*",
    "source <(cat sub/*)",
    "cat sub/* > y; sh y",
    "cp -r sub/* .; sh a.sh",
    "cat sub/*.sql | sqlite3 a.db",
  ])("%s", async (line) => {
    const it = await stage(FILES);
    it.next.answer = "always";
    await it.run(line);
    await it.run(line);
    expect(it.asked).toEqual([{ always: false }, { always: false }]);
  });

  test.each(["cat sub/* > y; make", "grep -r x sub | head; make", "cat sub/* | python3 other/x.py"])(
    "%s",
    async (line) => {
      const it = await stage(FILES);
      it.next.answer = "always";
      await it.run(line);
      await it.run(line);
      expect(it.asked).toEqual([{ always: true }]);
    },
  );
});

describe("whether a file may be run is a part of it", () => {
  test.each<[line: string, file: string]>([
    ["./x.sh", "x.sh"],
    ["bash x.sh", "x.sh"],
    ["git commit -m x", ".husky/pre-commit"],
    ["make", "Makefile"],
  ])("%s: %s", async (line, file) => {
    const it = await stage({ [file]: "one\n" });
    it.next.meanwhile = () => it.chmod(file, 0o755);
    expect((await it.run(line)).error?.code).toBe("CONFLICT");
    it.next.meanwhile = undefined;
    it.next.answer = "always";
    await it.run(line);
    await it.run(line);
    expect(it.asked).toHaveLength(2);
    it.chmod(file, 0o700);
    await it.run(line);
    expect(it.asked, "by whom does not matter").toHaveLength(2);
    it.chmod(file, 0o644);
    await it.run(line);
    expect(it.asked).toHaveLength(3);
  });
});
