import { describe, expect, test } from "vitest";
import type { Claim } from "../core/words/touch.ts";
import { analyse } from "./analyse.ts";

const written = (claim: Claim): string => {
  switch (claim.action) {
    case "read":
    case "list":
    case "write":
    case "delete":
      return `${claim.action} ${claim.target}${claim.scope ? `/${claim.scope}` : ""}${claim.certain === false ? "?" : ""}`;
    case "fetch":
      return `fetch ${claim.method ?? ""} ${claim.url}`.replace("  ", " ");
    case "signal":
      return `signal ${claim.target}`;
    case "unknown":
      return `unknown ${claim.permissions.join(",")}`;
    default:
      return claim.action;
  }
};
const touched = (command: string, options = {}): string[] => analyse(command, options).touches.map(written);

const ALL = "unknown read,write,execute,network";

describe("touches", () => {
  test.each([
    ["ls", ["list ."]],
    ["ls src", ["list src"]],
    ["ls -R src", ["list src", "list src/**?"]],
    ["cat a b", ["read a", "read b"]],
    ["cat 'a b'", ["read a b"]],
    ["cat ./a", ["read ./a"]],
    ["cat ../a", ["read ../a"]],
    ["cat /etc/passwd", ["read /etc/passwd"]],
    ["cat -", []],
    ["cat < a", ["read a"]],
    ["cat *.ts", ["read ./*.ts?"]],
    ["cat src/*.ts", ["read src/*.ts?"]],
    ["cat src/*/a", ["read src/*/a?"]],
    ["head -n 5 a", ["read a"]],
    ["tail -n5 a", ["read a"]],
    ["wc -l a", ["read a"]],
    ["grep foo a", ["read a"]],
    ["grep -e foo a", ["read a"]],
    ["grep -f patterns a", ["read patterns", "read a"]],
    ["grep -fpatterns a", ["read patterns", "read a"]],
    ["grep --file=patterns a", ["read patterns", "read a"]],
    ["grep -r foo src", ["read src", "read src/**?"]],
    ["rg foo", ["read ./**?"]],
    ["rg foo src", ["read src", "read src/**?"]],
    ["find src -name x", ["list src", "list src/**?"]],
    ["sort a", ["read a"]],
    ["sort -o out a", ["write out", "read a"]],
    ["sort -oout a", ["write out", "read a"]],
    ["sort --output=out a", ["write out", "read a"]],
    ["diff a b", ["read a", "read b"]],
    ["jq .x a.json", ["read a.json"]],
    ["sed -n 1p a", ["read a"]],
    ["sed -i s/a/b/ x y", ["write x", "write y"]],
    ["sed -i.bak -e s/a/b/ x", ["write x", "write x.bak?"]],
    ["awk '{print $1}' a", ["read a"]],
    ["awk '{print $1}' -F /etc/passwd", ["read -F", "read /etc/passwd", "unknown read,write,execute,network"]],
    ["echo a > b", ["write b"]],
    ["echo a >> b", ["write b"]],
    ["echo a >| b", ["write b"]],
    ["ls &> b", ["list .", "write b"]],
    ["ls 2> b", ["list .", "write b"]],
    ["echo a <> b", ["read b", "write b"]],
    ["echo a >& b", ["write b"]],
    ["echo a > /dev/null", []],
    ["echo a 2>&1", []],
    ["echo a > b > c", ["write b", "write c"]],
    ["> a", ["write a"]],
    ["{ ls; } > a", ["write a", "list ."]],
    ["cat <<EOF > a\nx\nEOF", ["write a"]],
    ["cp a b", ["read a", "write b", "write b/a?"]],
    ["cp a b dir", ["read a", "read b", "write dir", "write dir/a", "write dir/b"]],
    ["cp -t dir a b", ["write dir", "write dir/**?", "read a", "read b", "write dir/a", "write dir/b"]],
    ["cp -r a b", ["read a", "read a/**?", "write b", "write b/**?", "write b/a?"]],
    ["mv a b", ["delete a", "delete a/**?", "write b", "write b/**?", "read a", "read a/**?", "write b/a?"]],
    ["rm a b", ["delete a", "delete b"]],
    ["rm -- -a", ["delete -a"]],
    ["rm -rf build", ["delete build", "delete build/**?"]],
    ["rm build/*.js", ["delete build/*.js?"]],
    ["rm *", ["delete ./*?"]],
    ["rmdir a", ["delete a"]],
    ["ln -s a b", ["read a", "write b", "write b/a?"]],
    ["touch a b", ["write a", "write b"]],
    ["touch -r ref a", ["read ref", "write a"]],
    ["mkdir -p a/b", ["write a/b"]],
    ["tee a b", ["write a", "write b"]],
    ["ls | tee -a log", ["list .", "write log"]],
    ["truncate -s 0 a", ["write a"]],
    ["install -m 755 a b", ["read a", "write b", "write b/a?"]],
    ["chmod +x a", ["write a"]],
    ["dd if=a of=b bs=1", ["read a", "write b"]],
    ["tar czf out.tgz src", ["write out.tgz", "read src", "read src/**?"]],
    ["tar -xzf in.tgz", ["read in.tgz", "write .", "write ./**?"]],
    ["tar xzf in.tgz -C dir", ["read in.tgz", "write dir", "write dir/**?"]],
    ["tar -tf in.tgz", ["read in.tgz"]],
    ["zip -ry out.zip src", ["write out.zip", "read src", "read src/**?"]],
    ["zip -r out.zip src", ["write out.zip", "read src", "read src/**?", "unknown read"]],
    ["unzip in.zip -d dir", ["write dir", "write dir/**?", "read in.zip", "unknown write"]],
    ["gzip a", ["write a", "write a.gz?"]],
    ["rsync -a a/ b/", ["read a/", "read a//**?", "write b/", "write b//**?", "unknown network"]],
    ["kill 12", ["signal 12"]],
    ["kill -9 12 13", ["signal 12", "signal 13"]],
    ["pkill node", ["signal node"]],
    ["killall node", ["signal node"]],
    ["curl http://x", ["fetch GET http://x"]],
    ["curl -X DELETE http://x", ["fetch DELETE http://x"]],
    ["curl -d a=b http://x", ["fetch POST http://x"]],
    ["curl -d @body http://x", ["read body", "fetch POST http://x"]],
    ["curl -F f=@pic http://x", ["read pic", "fetch POST http://x"]],
    ["curl -o out http://x", ["write out", "fetch GET http://x"]],
    ["curl -oout http://x", ["write out", "fetch GET http://x"]],
    ["curl --output=out http://x", ["write out", "fetch GET http://x"]],
    ["curl -O http://x/a.txt", ["fetch GET http://x/a.txt", "write a.txt"]],
    ["curl -T up http://x", ["read up", "fetch PUT http://x"]],
    ["curl -sI http://x", ["fetch HEAD http://x"]],
    ["wget http://x/a.txt", ["fetch GET http://x/a.txt", "write a.txt"]],
    ["wget -O out http://x", ["write out", "fetch GET http://x"]],
    ["echo a > /dev/tcp/h/1", ["fetch tcp://h:1"]],
    ["git status", ["list ./**?"]],
    ["git diff", ["read ./**?"]],
    ["git checkout main", ["write main?", "write ./**?"]],
    ["git restore a", ["write a", "write ./**?", "write a/**?"]],
    ["git clean -fd", ["write ./**?"]],
    ['for f in a*; do echo x > "$f"; done', ["list ./a*?", "write ./a*?"]],
    ['x=(src/a?); rm "${x[0]}"', ["delete src/a??"]],
    ["echo a* | xargs rm", ["list ./a*?", "delete ./a*?"]],
    [
      "rsync host:a/b out",
      ["read host:a/b", "read host:a/b/**?", "write out", "write out/**?", "write out/b?", "unknown network"],
    ],
    ["find src -exec cat {} +", ["list src", "list src/**?", "read src", "read src/**?"]],
    [
      "find src -exec cp {} out/ ';' -o -delete",
      [
        "delete src",
        "delete src/**?",
        "unknown read,write",
        "read src",
        "read src/**?",
        "write out/",
        "write out//**?",
      ],
    ],
    ["find src -name x -delete", ["delete src", "delete src/**?", "unknown read,write"]],
    ["unknown-program a", [ALL]],
    ["make", [ALL]],
    ["pytest tests", [ALL]],
    ["bash x.sh", ["read x.sh", ALL]],
    ["$x", [ALL]],
    ["pwd", []],
    ["echo a", []],
    ["node --version", []],
    ["sed -i.bak -e s/a/b/ d/x", ["write d/x", "write d/x.bak?"]],
    ["sed -i'/etc/*' s/a/b/ d/x", ["write d/x", "write /etc/x?"]],
    ["chmod --reference=a b", ["read a", "write b"]],
    ["chown -R --reference=a b", ["read a", "write b", "write b/**?"]],
    ["csplit a 10", ["read a", "unknown write"]],
    ["split a b", ["read a", "write b", "unknown write"]],
    ["cp -b a b", ["read a", "write b", "write b/a?", "unknown write"]],
    ["tar xPf a", ["read a", "write .", "write ./**?", "unknown read,write"]],
    ["curl -b a https://x.example", ["fetch GET https://x.example", "read a"]],
    ["curl -b a=b https://x.example", ["fetch GET https://x.example"]],
    ["curl -F 'a=<b' https://x.example", ["fetch POST https://x.example", "read b"]],
    ["curl --data-urlencode a@b https://x.example", ["fetch POST https://x.example", "read b"]],
    ["curl file:///etc/passwd", ["fetch GET file:///etc/passwd", "read /etc/passwd"]],
    ["wget -O a -i b", ["write a", "read b", "unknown network"]],
    ["printf '%s\\0' a b | xargs -0 rm", ["delete a", "delete b"]],
    ["f() { cd d; }; f; touch a", ["write d/a", "write a?"]],
    ["", []],
  ])("%s", (command, claims) => expect(touched(command)).toEqual(claims));
});

describe("touches through the shell", () => {
  test.each([
    ["cd sub && echo a > b", ["write sub/b"]],
    ["cd sub && rm -f a", ["delete sub/a"]],
    ["cd a && cd b && touch c", ["write a/b/c"]],
    ["cd a/b && cd .. && touch c", ["write a/c"]],
    ["cd /srv && touch a", ["write /srv/a"]],
    ["cd ~ && touch a", ["write ~/a"]],
    ["cd sub && cat /etc/hosts", ["read /etc/hosts"]],
    ["cd sub && cat ../a", ["read sub/../a"]],
    ["cd sub && ls", ["list sub"]],
    ["(cd sub && touch a); touch b", ["write sub/a", "write b"]],
    ["cd sub; touch a", ["write sub/a", "write a?"]],
    ["cd sub || exit; touch a", ["write sub/a", "write a?"]],
    ["env cp a b", ["read a", "write b", "write b/a?"]],
    ["timeout 5 rm a", ["delete a"]],
    ["bash -c 'rm a'", ["delete a"]],
    ["bash -c 'cd sub && rm a'", ["delete sub/a"]],
    ["echo 'touch a' | sh", ["write a"]],
    ["eval 'touch a'", ["write a"]],
    ["cat <(cat a)", ["read a"]],
    ["echo a | xargs rm", ["delete a"]],
    ["if true; then touch a; else touch b; fi", ["write a", "write b"]],
    ["sh <<EOF\ntouch a\nEOF", ["write a"]],
  ])("%s", (command, claims) => expect(touched(command)).toEqual(claims));

  test("the folder of the call comes first, a relative or an absolute one", () => {
    expect(touched("touch a", { cwd: "sub" })).toEqual(["write sub/a"]);
    expect(touched("touch ./a", { cwd: "/w" })).toEqual(["write /w/a"]);
    expect(touched("touch /a", { cwd: "sub" })).toEqual(["write /a"]);
    expect(touched("ls", { cwd: "sub" })).toEqual(["list sub"]);
    expect(touched("touch a", { cwd: "." })).toEqual(["write a"]);
    expect(touched("cd ../b && touch a", { cwd: "/w/x" })).toEqual(["write /w/b/a"]);
  });

  test("what a variable leaves open is unknown, what it settles is known", () => {
    expect(touched('rm "$x"')).toContain("unknown write");
    expect(touched("cat $x")).toContain("unknown read");
    expect(touched("echo a > $x")).toContain("unknown write");
    expect(touched("x=a; touch $x")).toContain("write a");
    expect(touched("for x in a b; do touch $x; done")).toEqual(expect.arrayContaining(["write a", "write b"]));
    expect(touched("kill $x")).toContain("unknown execute");
    expect(touched("curl $x")).toContain("unknown network");
  });

  test("what does not parse is unknown too", () => expect(touched("ls (")).toContain(ALL));
});
