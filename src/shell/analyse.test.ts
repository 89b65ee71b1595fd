import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { BLOCKED, BLOCKED_FETCHED } from "./cases/blocked.ts";
import { DANGEROUS } from "./cases/dangerous.ts";
import { DEV } from "./cases/development.ts";
import { DISGUISED, DISGUISED_LONG } from "./cases/disguised.ts";
import { BLOCKED_FORKS, FEW, FLOODS } from "./cases/forks.ts";
import { FRIGHTENING_SAFE, FRIGHTENING_UNPROVEN } from "./cases/frightening.ts";
import { HIDDEN, HIDDEN_HARMLESS, HIDDEN_HARMLESS_LONG, HIDDEN_LONG } from "./cases/hidden.ts";
import { SAFE, SAFE_LONG } from "./cases/proven.ts";
import { DANGEROUS_MORE, DANGEROUS_ODD } from "./cases/unproven.ts";

const classOf = (command: string) => analyse(command).class;

describe("classes", () => {
  test.each([...BLOCKED, ...BLOCKED_FETCHED, ...BLOCKED_FORKS])("blocked: %s", (command) =>
    expect(classOf(command)).toBe("blocked"),
  );
  test.each(FLOODS)("dangerous, for it starts too many: %s", (command) => {
    const { class: kind, reason } = analyse(command);
    expect({ kind, reason }).toEqual({ kind: "dangerous", reason: expect.stringContaining("very many processes") });
  });
  test.each(FEW)("safe, for it starts only a few at a time: %s", (command) => expect(classOf(command)).toBe("safe"));
  test.each([...DISGUISED, ...DISGUISED_LONG])("blocked in disguise: %s", (command) =>
    expect(classOf(command)).toBe("blocked"),
  );
  test.each([...HIDDEN, ...HIDDEN_LONG])("blocked, run by another: %s", (command) =>
    expect(classOf(command)).toBe("blocked"),
  );
  test.each([...DANGEROUS, ...DANGEROUS_MORE, ...DANGEROUS_ODD])("dangerous: %s", (command) =>
    expect(classOf(command)).toBe("dangerous"),
  );
  test.each([...SAFE, ...SAFE_LONG])("safe: %s", (command) => expect(classOf(command)).toBe("safe"));
  test.each(DEV)("dev: %s", (command) => expect(classOf(command)).toBe("dev"));
  test.each(FRIGHTENING_SAFE)("harmless: %s", (command) => expect(classOf(command)).toBe("safe"));
  test.each([...FRIGHTENING_UNPROVEN, ...HIDDEN_HARMLESS, ...HIDDEN_HARMLESS_LONG])("not blocked: %s", (command) =>
    expect(classOf(command)).toBe("dangerous"),
  );

  test("there are enough of each", () => {
    const frightening = FRIGHTENING_SAFE.length + FRIGHTENING_UNPROVEN.length;
    expect(frightening).toBeGreaterThanOrEqual(150);
    expect(BLOCKED.length + DISGUISED.length).toBeGreaterThanOrEqual(300);
  });
});

describe("risk", () => {
  test.each([
    ["rm a", "high"],
    ["dd if=a of=b", "high"],
    ["shutdown now", "high"],
    ["sudo ls", "high"],
    ["chown a b", "high"],
    ["chmod +x a", "high"],
    ["useradd x", "high"],
    ["mount a b", "high"],
    ["iptables -L", "high"],
    ["curl x", "high"],
    ["wget x", "high"],
    ["ssh x", "high"],
    ["scp a b:", "high"],
    ["nc x 1", "high"],
    ["ls; rm a", "high"],
    ["env curl x", "high"],
    ["git commit -m x", "medium"],
    ["git push", "medium"],
    ["git reset --hard", "medium"],
    ["npm install x", "medium"],
    ["npm i", "medium"],
    ["cargo install x", "medium"],
    ["pip install x", "medium"],
    ["touch a", "medium"],
    ["mkdir a", "medium"],
    ["mv a b", "medium"],
    ["cp a b", "medium"],
    ["ln a b", "medium"],
    ["echo a > b", "medium"],
    ["unknown-program", "medium"],
    ["ls &&& ls", "medium"],
    ["ls", "low"],
    ["git status", "low"],
    ["git log", "low"],
    ["npm test", "low"],
    ["cargo build", "low"],
    ["pytest", "low"],
    ["cat a | grep b", "low"],
    ["echo 'rm -rf /'", "low"],
    ["echo $HOME", "low"],
    ["grep sudo a", "low"],
    ["", "low"],
  ] as const)("%s is %s", (command, risk) => expect(analyse(command).risk).toBe(risk));
});

describe("code in a word, whatever the language", () => {
  const INLINE =
    "python -c, python3.14 -c, pypy -c, node -e, node -p, node -pe, node --eval, nodejs -e, bun -e, bun -p, bun --eval, deno eval, deno eval -p, deno eval --ext=ts, perl -e, perl -E, perl -ne, perl -i -pe, ruby -e, php -r, lua -e, luajit -e, Rscript -e, tsx -e, ts-node -e, osascript -e, julia -e, guile -c, awk";
  test.each(INLINE.split(", "))("%s", (start) => {
    const plain = analyse(`${start} 'f(1)'`);
    expect(plain).toMatchObject({ class: "dangerous", risk: "medium" });
    expect(plain.touches).toEqual([{ action: "unknown", permissions: ["read", "write", "execute", "network"] }]);
    expect(analyse(`${start} 'system("rm -rf /")'`)).toMatchObject({ class: "blocked", risk: "high" });
  });
});

describe("what an analysis says", () => {
  test("segments, in the order they are written, the inner ones too", () => {
    const { segments } = analyse("cd src && env A=b timeout 5 rm -rf build | tee log; echo $(pwd)");
    expect(segments.map(({ program }) => program)).toEqual(["cd", "env", "timeout", "rm", "tee", "echo", "pwd"]);
    expect(segments[3]).toMatchObject({ text: "rm -rf build", program: "rm", class: "dangerous" });
  });

  test("a segment keeps its own text", () => {
    const [, segment] = analyse("x=a; cat \"$x\"'b' $y").segments;
    expect(segment).toMatchObject({ text: "cat \"$x\"'b' $y", program: "cat" });
  });

  test("the text of a command inside a command leaves open what is not known", () => {
    expect(analyse('sh -c "rm $x"').segments.map(({ text }) => text)).toEqual(['sh -c "rm $x"', "rm …"]);
    expect(analyse("xargs rm -f").segments.map(({ text }) => text)).toEqual(["xargs rm -f", "rm -f …"]);
  });

  test("a program that is not known has no name", () => {
    expect(analyse("$x -la").segments[0]?.program).toBeUndefined();
    expect(analyse("x=ls; $x").segments[1]?.program).toBe("ls");
  });

  test("the reason names the part and the rule", () => {
    expect(analyse("ls; sudo ls").reason).toBe("sudo ls: it runs as another user");
    expect(analyse("rm -rf /").reason).toContain("it deletes / and everything below it");
    expect(analyse("sort --compress-prog=sh a").reason).toContain("--compress-prog=sh");
    expect(analyse("").reason).toBe("there is nothing to run");
  });

  test.each([
    ["ls `pwd`", { backticks: true, substitution: true }],
    ["ls $(pwd)", { backticks: false, substitution: true }],
    ["cat <(ls)", { substitution: true }],
    ["ls\npwd", { newline: true }],
    ["ls\n", { newline: false }],
    ["ls > a", { redirection: true }],
    ["ls &", { background: true }],
    ["A=b ls", { assignment: true }],
    ["ls $x", { expansion: true }],
    [
      "ls -la",
      {
        substitution: false,
        backticks: false,
        newline: false,
        redirection: false,
        expansion: false,
        assignment: false,
      },
    ],
    ["echo '$(x) `y`'", { substitution: false, backticks: false }],
  ] as const)("%s uses %o", (command, uses) => expect(analyse(command).uses).toMatchObject(uses));
});

test("what one line touches is not told of the next", () => {
  const before = analyse("nice ls").touches;
  analyse("for x in -p --output=out; do /usr/bin/time $x ls; done");
  expect(analyse("nice ls").touches).toEqual(before);
});

test("no variable has a name that says more about another", () => {
  const { segments } = analyse("x=$(echo a); printf -v =x b; cat $x");
  expect(segments.at(-1)).toMatchObject({ text: "cat $x", class: "dangerous" });
});

describe("what a caller adds", () => {
  test("env counts as an assignment, an empty one does not", () => {
    expect(analyse("ls", { env: { PATH: "/tmp/x" } }).class).toBe("dangerous");
    expect(analyse("npm test", { env: { A: "b" } }).class).toBe("dangerous");
    expect(analyse("ls", { env: {} }).class).toBe("safe");
    expect(analyse("rm -rf $X", { env: { X: "/" } }).class).toBe("blocked");
    expect(analyse("$X", { env: { X: "sudo ls" } }).class).toBe("blocked");
  });

  test("the folder it starts in", () => {
    expect(analyse("rm -rf *", { cwd: "/" }).class).toBe("blocked");
    expect(analyse("rm -rf ../..", { cwd: "/srv/app" }).class).toBe("blocked");
    expect(analyse("rm -rf ..", { cwd: "/srv/app/build" }).class).toBe("dangerous");
    expect(analyse("rm -rf .", { cwd: "/home/me" }).class).toBe("blocked");
    expect(analyse("rm -rf $PWD", { cwd: "/etc" }).class).toBe("blocked");
    expect(analyse("rm -rf *", { cwd: "build" }).class).toBe("dangerous");
  });

  test("the home folder", () => {
    expect(analyse("rm -rf /data/me", { home: "/data/me" }).class).toBe("blocked");
    expect(analyse("rm -rf /data", { home: "/data/me" }).class).toBe("blocked");
    expect(analyse("rm -rf ~/x", { home: "/data/me" }).touches).toContainEqual({
      action: "delete",
      target: "/data/me/x",
    });
    expect(analyse("rm -rf /data/me/x", { home: "/data/me" }).class).toBe("dangerous");
  });

  test("commands that a person calls safe, never what is blocked", () => {
    const options = { safeCommands: ["terraform plan", "mytool", "rm", "sudo", "cp"] };
    expect(analyse("terraform plan -out x", options).class).toBe("safe");
    expect(analyse("terraform apply", options).class).toBe("dangerous");
    expect(analyse("mytool a | grep b", options).class).toBe("safe");
    expect(analyse("mytool $x", options).class).toBe("dangerous");
    expect(analyse("mytool > a", options).class).toBe("dangerous");
    expect(analyse("A=b mytool", options).class).toBe("dangerous");
    expect(analyse("mytools", options).class).toBe("dangerous");
    expect(analyse("./mytool", options).class).toBe("dangerous");
    expect(analyse("rm -rf /", options).class).toBe("blocked");
    expect(analyse("cp x /dev/sda", options).class).toBe("blocked");
    expect(analyse("sudo ls", options).class).toBe("blocked");
    expect(analyse("mytool; sudo ls", options).class).toBe("blocked");
  });
});
