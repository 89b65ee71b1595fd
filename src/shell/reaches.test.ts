import { describe, expect, test } from "vitest";
import type { Claim } from "../core/words/touch.ts";
import { analyse } from "./analyse.ts";
import { CHOSEN, NOT_SPEAKING, REACHING, REACHING_NOTHING, SPEAKING } from "./cases/reaching.ts";

const classOf = (command: string) => analyse(command).class;
const written = (claim: Claim): string => {
  if (claim.action === "unknown") return `unknown ${claim.permissions.join(",")}`;
  if (!("target" in claim)) return claim.action;
  const scope = "scope" in claim && claim.scope ? `/${claim.scope}` : "";
  return `${claim.action} ${claim.target}${scope}${"certain" in claim && claim.certain === false ? "?" : ""}`;
};
const touched = (command: string): string[] => analyse(command).touches.map(written);

describe("classes of what reaches further than its words", () => {
  test.each(REACHING)("dangerous: %s", (command) => expect(classOf(command)).toBe("dangerous"));
  test.each(REACHING_NOTHING)("safe: %s", (command) => expect(classOf(command)).toBe("safe"));
  test.each(CHOSEN)("dev: %s", (command) => expect(classOf(command)).toBe("dev"));
  test.each(SPEAKING)("blocked: %s", (command) => expect(classOf(command)).toBe("blocked"));
  test.each(NOT_SPEAKING)("not blocked: %s", (command) => expect(classOf(command)).toBe("dangerous"));
  test.each(["cat toolgate.yaml", "grep -rn 'toolgate config trust' docs", "echo toolgate config trust"])(
    "only a name: %s",
    (command) => expect(classOf(command)).toBe("safe"),
  );
});

describe("what is read and listed", () => {
  test.each([
    ["git diff --no-index /etc/shadow a", ["read /etc/shadow", "read a"]],
    ["git diff /etc/shadow a", ["read /etc/shadow"]],
    ["git diff ../../x a", ["read ../../x"]],
    ["git grep --no-index x /etc", ["read /etc", "read /etc/**?"]],
    ["git grep --no-index -e x /etc", ["read /etc", "read /etc/**?"]],
    ["git grep x ../..", ["read ../..", "read ../../**?"]],
    ["sort --files0-from=list", ["read list", "unknown read"]],
    ["sha256sum -c list", ["read list", "unknown read"]],
    ["du --files0-from=list", ["read list", "unknown read"]],
    ["xargs -a list cat", ["read list"]],
    ["rg -f patterns a", ["read patterns", "read a"]],
    ["rg --ignore-file=x y", ["read x"]],
    ["diff --from-file=/etc/shadow a", ["read /etc/shadow", "read a"]],
    ["grep -r x", ["read ./**?"]],
    ["grep -d recurse x /etc", ["read /etc/**?"]],
    ["grep -R x .", ["read ./**?", "unknown read"]],
    ["ls -R", ["list ./**?"]],
    ["cat l*/shadow", ["read ./l*/shadow?"]],
    ["echo /root/.ssh/*", ["list /root/.ssh/*?"]],
    ["printf %s /etc/*", ["list /etc/*?"]],
    ["true /etc/p*", ["list /etc/p*?"]],
    ["cd /etc && echo *", ["list /etc/*?"]],
    ["for x in /etc/*; do echo a; done", ["list /etc/*?"]],
    ["find . -newer /etc/x", ["list /etc/x"]],
    ["find . -samefile /etc/x", ["list /etc/x"]],
    ["test -f /etc/x", ["list /etc/x"]],
    ["[ -e ~/.ssh/id ]", ["list ~/.ssh/id"]],
    ["[ a -nt /etc/x ]", ["list a", "list /etc/x"]],
    ["test ! -d /etc/x -a -r /etc/y", ["list /etc/x", "list /etc/y"]],
    ["[[ -f /etc/x && ! ( a -ot /etc/y ) ]]", ["list /etc/x", "list a", "list /etc/y"]],
    ["stat /etc/x", ["list /etc/x"]],
    ["readlink /etc/x", ["list /etc/x"]],
    ["realpath --relative-to=/etc a", ["list /etc", "list a"]],
    ["file /etc/x", ["read /etc/x"]],
  ])("%s", (command, claims) => expect(touched(command)).toEqual(expect.arrayContaining(claims)));

  test.each([
    ["basename /etc/x", []],
    ["echo /etc/x", []],
    ["echo '/etc/*'", []],
    ["test -n /etc/x", []],
    ["[ /etc/x = /etc/y ]", []],
    ["[[ a == /etc/* ]]", []],
    ["git grep /foo src", ["read ./**?"]],
    ["git diff main..dev", ["read ./**?"]],
    ["cat src/*.ts", ["read src/*.ts?"]],
  ])("no more than that: %s", (command, claims) => expect(touched(command)).toEqual(claims));
});

describe("what is written", () => {
  test.each([
    ["cp sub/toolgate.yaml .", ["write toolgate.yaml"]],
    ["cp sub/toolgate.yaml ..", ["write ../toolgate.yaml"]],
    ["cp a x", ["write x", "write x/a?"]],
    ["cp a/b x/", ["write x/b"]],
    ["cp a/ x", ["write x/a?"]],
    ["cp -at d a", ["read a", "write d/a"]],
    ["cp --target-directory=d a/b c", ["write d/b", "write d/c"]],
    ["cp --parents a/b d", ["write d/a/b?"]],
    ["cp sub/*.yaml .", ["write ./*.yaml?"]],
    ["cp s*/toolgate.yaml d", ["write d/toolgate.yaml?"]],
    ["cp {a,b}/toolgate.yaml .", ["write toolgate.yaml"]],
    ["cp $x d", ["unknown write"]],
    ["cd sub && cp toolgate.yaml ..", ["write sub/../toolgate.yaml"]],
    ["install -m 644 a/b .", ["write b"]],
    ["install -t d a/b", ["read a/b", "write d/b"]],
    ["ln -sf sub/x .", ["write x"]],
    ["ln -s /etc/passwd", ["read /etc/passwd", "write passwd"]],
    ["ln -st d a/b", ["read a/b", "write d/b"]],
    ["mv a b dir/", ["write dir/a", "write dir/b"]],
    ["mv -t dir a", ["delete a", "write dir/a"]],
    ["rsync a dir/", ["write dir/a"]],
    ["rsync -R a/b dir", ["write dir/a/b?"]],
    ["tar -xf a.tar", ["write ./**?"]],
    ["tar xf a.tar toolgate.yaml -C d", ["write d/toolgate.yaml", "write d/**?"]],
    ["unzip a.zip", ["write ./**?"]],
    ["unzip -d d a.zip x", ["write d/x", "write d/**?"]],
    ["7z x a.7z -od", ["read a.7z", "write d/**?"]],
    ["gunzip toolgate.yaml.gz", ["write toolgate.yaml?"]],
    ["xz -d toolgate.yaml.xz", ["write toolgate.yaml?"]],
    ["patch -p1 < a.diff", ["write ./**?"]],
    ["curl --output-dir d -O http://x/y", ["write d/y"]],
    ["curl --output-dir d -o y http://x", ["write d/y"]],
    ["wget -P d http://x/y", ["write d/y"]],
    ["wget -r http://x/y", ["write ./**?"]],
    ["git checkout X -- toolgate.yaml", ["write toolgate.yaml?", "write ./**?"]],
    ["git checkout toolgate.yaml", ["write toolgate.yaml?"]],
    ["git restore --source=X -- p", ["write p"]],
    ["git mv a b", ["delete a", "write b", "write b/a?"]],
    ["git rm -r p", ["delete p", "delete p/**?"]],
    ["git apply x.diff", ["read x.diff", "write ./**?"]],
    ["git stash pop", ["write ./**?"]],
    ["git diff --output=f", ["write f"]],
    ["git log --output f", ["write f"]],
    ["git archive -o f HEAD", ["write f"]],
    ["git format-patch -o d HEAD~3", ["write d", "write d/**?"]],
    ["git bundle create f HEAD", ["write f"]],
    ["git worktree add ../p b", ["write ../p"]],
    ["git clone u dir", ["write dir"]],
    ["git clone https://h/a/b.git", ["write b", "write b/**?"]],
    ["git init dir", ["write dir"]],
    ["git submodule add u p", ["write p"]],
    ["pytest /x/y_test.py", ["read /x/y_test.py"]],
    ["pytest ../y", ["read ../y"]],
    ["pytest --cov-report=html:/x", ["read /x"]],
    ["python -m unittest /x.py", ["read /x.py"]],
    ["tsc -p ../x", ["read ../x"]],
    ["vitest run --dir=/x", ["read /x"]],
    ["mocha ~/x.js", ["read ~/x.js"]],
    ["prettier --write /x/y", ["write /x/y?"]],
    ["black ../x", ["write ../x?"]],
    ["gofmt -w /x/y", ["write /x/y?"]],
    ["ruff check --fix /x", ["write /x?"]],
    ["git -C sub checkout X -- toolgate.yaml", ["write sub/toolgate.yaml?"]],
    ["git -c a=b --work-tree=sub restore p", ["write sub/p"]],
  ])("%s", (command, claims) => expect(touched(command)).toEqual(expect.arrayContaining(claims)));

  test.each([
    ["cp -T a x", ["read a", "write x"]],
    ["cp -r a/. b", ["read a/.", "read a/./**?", "write b", "write b/**?"]],
    ["install -d a b", ["write a", "write b"]],
    ["git checkout -b topic", ["write ./**?"]],
    ["git commit -m toolgate.yaml", ["write ./**?"]],
    ["unzip -l a.zip", ["read a.zip"]],
    ["pytest tests/a.py", ["unknown read,write,execute,network"]],
    ["jest -t /api/users /api/", ["unknown read,write,execute,network"]],
    ["vitest run -t /login", ["unknown read,write,execute,network"]],
    ["prettier --write src", ["unknown read,write,execute,network"]],
    ["tar -xOf a.tar b", ["read a.tar"]],
  ])("no more than that: %s", (command, claims) => expect(touched(command)).toEqual(claims));
});
