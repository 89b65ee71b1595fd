import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { assembled } from "./assembled-code.ts";
import { lines } from "./cases/lines.ts";

describe("texts that code puts together stand in their place", () => {
  test.each<[language: string, code: string, whole: string]>([
    ["python", 'f("a"+"b")', 'f("ab")'],
    ["python", 'f("a" "b")', 'f("ab")'],
    ["python", "c=chr(97)+chr(98); d=c; f(d)", 'c="ab"; d="ab"; f("ab")'],
    ["python", 'c="a"; c+="b"; f(c)', 'c="a"; c+="b"; f("ab")'],
    ["python", 'f("".join(map(chr,[97,98])))', 'f("ab")'],
    ["python", 'f("".join(chr(ord(c)^1) for c in "`c"))', 'f("ab")'],
    ["python", 'f("".join([chr(n) for n in (97, 98)]))', 'f("ab")'],
    ["python", 'f("ba"[::-1])', 'f("ab")'],
    ["python", 'f("xaby"[1:-1])', 'f("ab")'],
    ["python", 'f("%s%s" % ("a","b"))', 'f("ab")'],
    ["python", 'f("{1}{0}".format("b","a"))', 'f("ab")'],
    ["python", `f(f"{'a'}b")`, 'f("ab")'],
    ["python", 'f(b"\\x61b".decode())', 'f("ab")'],
    ["python", 'f(__import__("base64").b64decode("YWI="))', 'f("ab")'],
    ["python", 'f(bytes.fromhex("6162").decode())', 'f("ab")'],
    ["python", 'f(codecs.decode("no","rot13"))', 'f("ab")'],
    ["python", 'f("a b".split())', 'f(["a", "b"])'],
    ["python", 'f("ab"*2)', 'f("abab")'],
    ["python", 'print("a", "b")', 'print("a", "b") "a b"'],
    ["node", "f(`a${'b'}`)", 'f("ab")'],
    ["node", 'f(["a","b"].join(""))', 'f("ab")'],
    ["node", 'f([..."ba"].reverse().join(""))', 'f("ab")'],
    ["node", "f(String.fromCharCode(97,98))", 'f("ab")'],
    ["node", 'f(Buffer.from("6162","hex").toString())', 'f("ab")'],
    ["node", 'f([97,98].map(c=>String.fromCharCode(c)).join(""))', 'f("ab")'],
    ["node", 'f("a_b".replace(/_/g," "))', 'f("a b")'],
    ["node", 'const [a,...b]="x y z".split(" ");f(a,b)', 'const [a,...b]=["x", "y", "z"];f(a,["y", "z"])'],
    ["perl", 'f("a"."b")', 'f("ab")'],
    ["perl", "f(join(' ',qw(a b)))", 'f("a b")'],
    ["perl", '$c="a"; `$c b`', '$c="a"; `a b`'],
    ["perl", 'f(pack("H*","6162"))', 'f("ab")'],
    ["perl", "f(join '', map{chr}(97,98))", 'f("ab")'],
    ["perl", 'f("a".$"."b")', 'f("a b")'],
    ["perl", "f(v97.98)", 'f("ab")'],
    ["perl", '$_="no"; tr/a-z/n-za-m/; f($_)', '$_="no"; tr/a-z/n-za-m/; f("ab")'],
    ["ruby", '`#{"a"+"b"}`', "`ab`"],
    ["ruby", 'f(["6162"].pack("H*"))', 'f("ab")'],
    ["ruby", 'f(%w(a b)*" ")', 'f("a b")'],
    ["awk", 'BEGIN{c="a" "b";f(c)}', 'BEGIN{c="ab";f("ab")}'],
    ["awk", 'BEGIN{printf "%s%s","a","b"|"sh"}', 'BEGIN{printf "ab"|"sh"}'],
    ["php", '$f="a"."b";$f(strrev("dc"));', '$f="ab";"ab"("cd");'],
    ["lua", 'f("a".."b")', 'f("ab")'],
    ["lua", "f(string.char(97,98))", 'f("ab")'],
    ["python", 'f("a"+x+"b"+"c")', 'f("a_"+x+"b"+"c")'],
  ])("%s: %s", (language, code, whole) => expect(assembled(language, code)).toBe(whole));

  test.each([
    ["python", 'f(["a", "b"], {"c": d})'],
    ["python", "for n in range(10): print(n)"],
    ["python", 'f(x.replace("a"), y["a"])'],
    ["node", "const x = require('fs').readFileSync(f, 'utf8')"],
    ["node", "a => b.map(c => c.d).join(e)"],
    ["perl", "while (<>) { print if /x/ }"],
    ["awk", "{ print $1, $2 }"],
    ["ruby", "puts ARGF.read.lines.map(&:strip)"],
    ["python", '"'],
    ["python", '("a"'],
    ["python", "q(a"],
  ])("%s: nothing is changed in %s", (language, code) => expect(assembled(language, code)).toBe(code));

  test("whatever the code is, it ends, and soon", () => {
    const bits = `"a" 'b' \`c\` + . .. ( ) [ ] { } x = += $c join( chr( map( for=c=in= % *9 \\ f'{ ' " qw( tr/a/b/ =~ / , ...`;
    const code = fc.array(fc.constantFrom(...bits.split(" "), " "), { maxLength: 60 }).map((some) => some.join(""));
    const language = fc.constantFrom("python", "node", "perl", "ruby", "awk", "php", "lua");
    fc.assert(fc.property(language, code, (name, text) => typeof assembled(name, text) === "string"));
    const doubled = `a="${"x".repeat(4000)}";${"a=a+a;".repeat(300)}${"f(a);".repeat(300)}`;
    expect(assembled("python", doubled).length).toBeLessThan(40_000);
  });
});

const REFUSED = lines(String.raw`
  ruby -e 'system("r#{"m -rf"} /")'
  ruby -e 'system("#{"#{"r"}m"} -rf /")'
  python3 -c 'import os; os.system(f"r{"m"} -rf /")'
  python3 -c 'import os; os.system("rm "+"-rf /")'
  python3 -c 'import os; c=chr(114)+chr(109)+" -rf /"; os.system(c)'
  python3 -c 'import subprocess; subprocess.run("".join(map(chr,[114,109,32,45,114,102,32,47])), shell=True)'
  python3 -c 'exec(__import__("base64").b64decode("aW1wb3J0IG9zO29zLnN5c3RlbSgicm0gLXJmIC8iKQ=="))'
  python3 -c 'getattr(__import__("os"),"sys"+"tem")("su"+"do id")'
  python3 -c 'import subprocess; subprocess.run(["r"+"m","-rf","/"])'
  python3 -c 'import subprocess,shlex; subprocess.run(shlex.split("/ fr- mr"[::-1]))'
  python3 -c 'import shutil; shutil.rmtree("/"+"")'
  node -e 'require("child_process").execSync(["rm","-rf","/"].join(" "))'
  node -e 'eval(Buffer.from("cmVxdWlyZSgnY2hpbGRfcHJvY2VzcycpLmV4ZWNTeW5jKCdybSAtcmYgLycp","base64").toString())'
  node -e 'const x="execSync";require("child_process")[x]("\x72\x6d -rf /")'
  perl -e 'system("r"."m -rf /")'
  perl -e '$c="su"."do id"; print ${"`$c`"}'
  perl -e 'system(pack("H*","726d202d7266202f"))'
  perl -e 'open F,"rm -"."rf /"."|"'
  ruby -e 'system("mk"+"fs /dev/sda")'
  ruby -e '%x(#{["726d202d7266202f"].pack("H*")})'
  awk 'BEGIN{system("rm -" "rf /")}'
  awk 'BEGIN{printf "%s\n","rm -rf /"|"sh"}'
  awk 'BEGIN{print "rm -rf /\n"|"sh"}'
  php -r '$f="sys"."tem";$f("rm -"."rf /");'
  lua -e 'os.execute("rm -".."rf /")'
  python3 -c 'print("rm"+" -rf /")' | sh
  perl -e 'print pack("H*","726d202d7266202f")' | bash
  node -p '["rm","-rf","/"].join(" ")' | sh
  eval "$(python3 -c 'print("rm", "-rf", "/")')"
  python3 -c 'import shutil,pathlib; shutil.rmtree(pathlib.Path("/"))'
  Rscript -e 'system(paste0("r","m -rf /"))'
  julia -e 'run(Cmd(["rm","-rf","/"]))'
  groovy -e '("rm"+" -rf /").execute()'
  vim -es -c 'exe "!r"."m -rf /"' -c q
  osascript -e 'do shell script "rm" & " -rf /"'
  ghci -e 'System.Process.callCommand ("rm"++" -rf /")'
  pwsh -c 'iex ("rm"+" -rf /")'
  pwsh -enc cgBtACAALQByAGYAIAAvAA==
  python3 <<< 'import os; os.system("rm "+"-rf /")'
`);
test.each(REFUSED)("%s is refused", (line) => expect(analyse(line).class).toBe("blocked"));

const LET_PASS = lines(`
  python3 -c 'import os; os.system("ls "+"-la")'
  python3 -c 'import subprocess; subprocess.run(["git", "log", "--format=" + "%H"])'
  python3 -c 'print("rm" + " -rf /")'
  python3 -c 'import os; os.system("rm -rf " + "build/" + name)'
  python3 -c 'print("".join(chr(ord(c)^1) for c in "sl!,sg!."))'
  node -e 'console.log(["sudo","id"].join(" "))'
  node -e 'require("child_process").execSync("npm run " + "build")'
  perl -e 'print join(" ", qw(rm -rf /))'
  ruby -e 'puts "su" + "do"'
  pwsh -enc bABzAA==
  vim -es -c 'exe "normal r"."m"' -c q
  node -e 'for (let i = 0; i < 3; i++) console.log("a" + i)'
  awk 'BEGIN{print "rm -" "rf /"}'
  python3 -c 'print("echo "+"hello")' | sh
`);
test.each(LET_PASS)("%s is not", (line) => expect(analyse(line).class).not.toBe("blocked"));
