import { describe, expect, test } from "vitest";
import { fits, ruleProblems } from "./examples.ts";
import { type Rule, type RuleKind, readRule } from "./rule.ts";

const rule = (kind: RuleKind, text: string, except: string[] = []): Rule => {
  const found = readRule(kind, { rule: text, except });
  if ("problem" in found) throw new Error(found.problem);
  return found;
};

/** Text of a rule, what it covers, what it does not. */
type Row = [rule: string, yes: string[], no: string[]];

describe("rules that allow", () => {
  const table: Row[] = [
    [
      "write(src/**)",
      ["src/a.ts", "src/deep/er/a.ts", "./src/a.ts"],
      ["a.ts", "srcs/a.ts", "test/src/a.ts", "SRC/a.ts", "/src/a.ts"],
    ],
    ["write(docs)", ["docs/a.md", "docs", "sub/docs/a.md"], ["docs2/a.md", "Docs/a.md"]],
    ["write(*.md)", ["README.md", "docs/a.md"], ["README.mdx", "md"]],
    ["write(./README.md)", ["README.md"], ["docs/README.md", "readme.md", "README.md/x"]],
    ["write(./sub/a)", ["sub/a"], ["sub/a/b", "a", "x/sub/a"]],
    ["read(/etc/hosts)", ["/etc/hosts"], ["etc/hosts", "/etc/hosts2"]],
    [
      "run(npm test)",
      ["npm test", "npm test | tail -5", "cd x && npm test"],
      [
        "npm test -- --watch",
        "npm tests",
        "npm",
        "FOO=1 npm test",
        "npm test > out",
        "npm test; rm x",
        "npm test $X",
        "bash -c 'npm test; rm x'",
      ],
    ],
    [
      "run(git commit *)",
      ["git commit", "git commit -m x", "git commit -am 'fix: a'", "git commit --amend"],
      [
        'git commit -m "$(date)"',
        "git -c core.editor=x commit",
        "git push",
        "git commit -m x && git push",
        "git commit -m x > /tmp/y",
        "GIT_EDITOR=x git commit",
        "git commit -m $X",
        "git commit -m x `ls`",
        "env git commit; rm -rf x",
      ],
    ],
    ["run(git log *)", ["git log", "git log --oneline -5"], ["git log --output=x", "git log | xargs rm"]],
    ["run(find *)", ["find . -name x"], ["find . -delete", "find . -exec rm {} ;"]],
    ["run(git push *)", ["git push", "git push origin main"], ["git push --force", "git push -f origin main"]],
    [
      "run(gh pr create *)",
      ["gh pr create", "gh pr create --title x --body y", "gh pr create --fill -d"],
      [
        ...["gh pr create --repo a/b", "gh pr create --repo=a/b", "gh pr create -R a/b", "gh pr create -Ra/b"],
        ...["gh pr create --body-file x", "gh pr create -F x", "gh pr create -dF x"],
      ],
    ],
    [
      "run(npm run test:*)",
      ["npm run test:unit"],
      ["npm run build", "npm run --prefix test:x", "npm run test:unit -- -u"],
    ],
    [
      "run(docker compose up *)",
      ["docker compose up", "docker compose up -d"],
      ["docker compose down", "docker run x"],
    ],
    [
      "fetch(docs.example.com)",
      ["https://docs.example.com/a", "docs.example.com/b?c"],
      [
        "https://evil.com/docs.example.com",
        "https://docs.example.com.evil.com/",
        "https://docs.example.com@evil.com/",
        "POST https://docs.example.com/a",
        "https://docs.example.com:8443/",
        "ftp://docs.example.com/",
      ],
    ],
    ["fetch(*.example.com)", ["https://a.example.com/"], ["https://example.com/", "https://aexample.com/"]],
    [
      "fetch(POST api.example.com/v1/*)",
      ["POST https://api.example.com/v1/a"],
      ["https://api.example.com/v1/a", "POST https://api.example.com/v2/a"],
    ],
    ["mcp(github/*)", ["github/create_issue"], ["gitlab/create_issue", "github"]],
    ["my_tool", ["my_tool"], ["your_tool"]],
  ];
  test.each(table)("%s", (text, yes, no) => {
    const allow = rule("allow", text);
    expect(yes.filter((example) => !fits(allow, example))).toEqual([]);
    expect(no.filter((example) => fits(allow, example))).toEqual([]);
  });
});

describe("rules that forbid", () => {
  const table: Row[] = [
    ["write(kept/**)", ["kept/a", "KEPT/a", "./kept/deep/a", "kept"], ["keep/a", "a/kept/b"]],
    ["write(*.lock)", ["yarn.lock", "a/b/Cargo.LOCK"], ["lock.ts"]],
    ["read(/etc/**)", ["/etc/passwd", "/etc"], ["etc/passwd"]],
    [
      "run(git push *)",
      [
        "git push",
        "git -C x push origin",
        "git -c a=b push",
        "env git push",
        "timeout 5 git push",
        "bash -c 'git push'",
        "cd x && git push",
        "/usr/bin/git push",
        "find . -exec git push {} ;",
        "ls | xargs git push",
        "tini -- git push",
        "git $X",
        "FOO=1 git push",
        "(git push)",
        "if true; then git push; fi",
        "echo $(git push)",
      ],
      ["git commit -m push", "git log", "echo git push", "git stash push"],
    ],
    ["run(rm *)", ["rm x", "/bin/rm -rf x", "xargs rm < list", "sh -c 'rm x'"], ["rmdir x", "echo rm", "npm rm x"]],
    ["run(curl * evil.com)", ["curl -s evil.com"], ["curl good.com"]],
    ["run(*)", ["ls", "npm test"], []],
    [
      "fetch(evil.com)",
      ["https://evil.com/", "http://evil.com:81/x", "POST https://EVIL.com/"],
      ["https://notevil.com/"],
    ],
    ["mcp(github/*)", ["github/x", "GitHub/x"], ["gitlab/x"]],
  ];
  test.each(table)("%s", (text, yes, no) => {
    const deny = rule("deny", text);
    expect(yes.filter((example) => !fits(deny, example))).toEqual([]);
    expect(no.filter((example) => fits(deny, example))).toEqual([]);
  });
});

describe("exceptions", () => {
  test("of a rule that forbids, for what is surely meant by them", () => {
    const deny = rule("deny", "write(src/**)", ["src/gen/**"]);
    expect(fits(deny, "src/a.ts")).toBe(true);
    expect(fits(deny, "src/gen/a.ts")).toBe(false);
    expect(fits(deny, "SRC/GEN/a.ts")).toBe(true);
    const push = rule("deny", "run(git push *)", ["git push --dry-run *"]);
    expect(fits(push, "git push --dry-run origin")).toBe(false);
    expect(fits(push, "git push --dry-run; git push")).toBe(true);
  });
  test("of a rule that allows, for what may be meant by them", () => {
    const allow = rule("allow", "write(src/**)", ["src/secret/**"]);
    expect(fits(allow, "src/a.ts")).toBe(true);
    expect(fits(allow, "src/Secret/a.ts")).toBe(false);
    const npm = rule("allow", "run(npm *)", ["npm publish *"]);
    expect(fits(npm, "npm publish")).toBe(false);
    expect(fits(npm, "npm --access public publish")).toBe(false);
  });
});

describe("what is wrong with rules is said when they are loaded", () => {
  const table: [written: Parameters<typeof ruleProblems>[0], message: RegExp][] = [
    [{ allow: ["write()"] }, /needs a pattern/],
    [{ allow: ["write"] }, /needs a pattern: write\(src\/\*\*\)/],
    [{ deny: ["write src"] }, /is no rule/],
    [{ deny: ["wriet(src/**)", "write(../x)"] }, /\.\. in it/],
    [{ allow: ["run(ls; rm x)"] }, /more than one command/],
    [{ allow: ["run(npm test > x)"] }, /redirection/],
    [{ ask: [{ rule: "run(npm test)", expires: "soon" }] }, /not a date/],
    [{ allow: [{ rule: "run(git commit *)", match: ["git push"] }] }, /does not match its own example "git push"/],
    [{ deny: [{ rule: "write(a/**)", not_match: ["a/b"] }] }, /matches "a\/b", which is listed under not_match/],
    [{ allow: ["fetch(not a host)"] }, /not an address/],
  ];
  test.each(table)("%j", (written, message) => {
    expect(
      ruleProblems(written)
        .map((each) => each.message)
        .join("\n"),
    ).toMatch(message);
  });
  test("and what is right is not complained about", () => {
    const written = {
      rule: "run(git commit *)",
      match: ["git commit -m x"],
      not_match: ["git push"],
      expires: "2030-01-31",
    };
    expect(ruleProblems({ allow: [written], deny: ["write(kept/**)", "execute_code", "Bash(rm *)"] })).toEqual([]);
  });
});
