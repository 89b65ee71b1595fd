import { describe, expect, test } from "vitest";
import type { Touch } from "../core/words/touch.ts";
import { lineTouch } from "./examples.ts";
import { covers, propose } from "./proposal.ts";

const line = (command: string) => propose([lineTouch(command)], "run");
const place = (path: string, root = "/w") => ({
  shown: path,
  real: root ? `${root}/${path}` : path,
  root,
  exists: true,
});

describe("what an always would save for a command", () => {
  const table: [command: string, rules: string[] | undefined][] = [
    ["npm test", ["run(npm test *)"]],
    ["npm run dev", ["run(npm run dev *)"]],
    ["npm run dev -- --port 3000", ["run(npm run dev *)"]],
    ["git commit -m 'fix: it'", ["run(git commit *)"]],
    ["git add . && git commit -m x", ["run(git add *)", "run(git commit *)"]],
    ["cd sub && ls && npm test | tail -5", ["run(npm test *)"]],
    ["timeout 60 npm test", ["run(npm test *)"]],
    ["bash -c 'npm test'", ["run(npm test *)"]],
    ["docker compose up -d", ["run(docker compose up *)"]],
    ["python -m pytest -q", ["run(python -m pytest *)"]],
    ["pytest -q tests", ["run(pytest *)"]],
    ["cargo build --release", ["run(cargo build *)"]],
    ["npx vitest run", ["run(npx vitest *)"]],
    ["make test", ["run(make test)"]],
    ["gh pr create --title x", ["run(gh pr create *)"]],
    // nothing but the very line may be allowed
    ["make test SHELL=/tmp/x", undefined],
    ["mkdir -p src/new", undefined],
    ["cp a b", undefined],
    ["python x.py", undefined],
    ["python -c 'print(1)'", undefined],
    ["node x.js", undefined],
    ["bash x.sh", undefined],
    ["bash -c 'npm test; rm x'", undefined],
    ["env NODE_OPTIONS=-r./x npm test", undefined],
    ["env PATH=/x npm test", undefined],
    ["FOO=1 npm test", undefined],
    ["rm -rf build", undefined],
    ["git", undefined],
    ["git -c core.pager=x log", undefined],
    ["git config user.name x", undefined],
    ["git push --force", undefined],
    ["npm install -g x", undefined],
    ["npm test > out", undefined],
    ["npm test $X", undefined],
    ["npm test && rm x", undefined],
    ["find . -exec rm {} ;", undefined],
    ["ls | xargs rm", undefined],
    ["curl https://example.com", undefined],
    ["docker run x", undefined],
    ["docker push a/b", undefined],
    ["gh pr create -R other/x", undefined],
    ["gh pr create --repo other/x --title x", undefined],
    ["gh pr create --body-file notes.md", undefined],
    ["kubectl delete pod x", undefined],
    ["./deploy.sh", undefined],
  ];
  test.each(table)("%s", (command, rules) => {
    expect(line(command)).toEqual(rules);
  });

  test("what was proposed covers the call it was proposed for, and no line that adds to it", () => {
    const additions = [
      "; ls > x",
      " && git push",
      " | sh",
      " > out",
      " $(rm x)",
      " `rm x`",
      "\nrm x",
      " &rm x",
      " --force",
    ];
    for (const [command, rules] of table) {
      if (!rules) continue;
      expect(covers(rules, [lineTouch(command)], "run"), command).toEqual(rules);
      // what follows a literal script are words for it, which it does not use
      for (const added of command.startsWith("bash") ? additions.slice(0, -1) : additions)
        expect(covers(rules, [lineTouch(command + added)], "run"), command + added).toBeUndefined();
    }
  });
});

describe("what an always would save for other touches", () => {
  const table: [touch: Touch, rules: string[] | undefined][] = [
    [{ action: "write", place: place("src/a/b.ts"), certain: true }, ["write(./src/a/b.ts)"]],
    [{ action: "write", place: place("README.md"), certain: true }, ["write(./README.md)"]],
    [{ action: "write", place: place(".github/workflows/a.yml"), certain: true }, ["write(./.github/workflows/a.yml)"]],
    [{ action: "delete", place: place("src/a.ts"), certain: true }, ["delete(./src/a.ts)"]],
    [{ action: "read", place: place(".env"), certain: true }, ["read(./.env)"]],
    [{ action: "read", place: place("/etc/hosts", ""), certain: true }, ["read(/etc/hosts)"]],
    [{ action: "write", place: place("/etc/hosts", ""), certain: true }, undefined],
    [{ action: "write", place: place("src/a*b"), certain: true }, undefined],
    [{ action: "delete", place: place("src"), scope: "**", certain: true }, undefined],
    [{ action: "fetch", url: "https://docs.example.com/a", method: "GET" }, ["fetch(docs.example.com)"]],
    [{ action: "fetch", url: "https://api.example.com/a", method: "POST" }, undefined],
    [{ action: "use", source: "mcp", name: "github/create_issue" }, ["mcp(github/create_issue)"]],
    [{ action: "unknown", permissions: ["write"] }, undefined],
  ];
  test.each(table)("%j", (touch, rules) => {
    expect(propose([touch], "x")).toEqual(rules);
  });
  test("the second file of a folder speaks for the folder", () => {
    const write = (path: string): Touch[] => [{ action: "write", place: place(path), certain: true }];
    const known = ["write(./src/a.ts)", "write(./README.md)", "write(./.github/a.yml)"];
    expect(propose(write("src/b/c.ts"), "x", known)).toEqual(["write(src/**)"]);
    expect(propose(write("src/a.ts"), "x", known)).toEqual(["write(./src/a.ts)"]);
    expect(propose(write("test/a.ts"), "x", known)).toEqual(["write(./test/a.ts)"]);
    expect(propose(write("CHANGES.md"), "x", known)).toEqual(["write(./CHANGES.md)"]);
    expect(propose(write(".github/b.yml"), "x", known)).toEqual(["write(./.github/b.yml)"]);
  });
  test("all that is asked about, or nothing", () => {
    const write: Touch = { action: "write", place: place("src/a.ts"), certain: true };
    expect(propose([write, { action: "unknown", permissions: [] }], "x")).toBeUndefined();
    expect(propose([], "x")).toBeUndefined();
  });
});
