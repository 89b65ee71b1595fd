import { describe, expect, test } from "vitest";
import { redactCommandLines } from "./command-secrets.ts";
import { redactFed } from "./fed-secrets.ts";
import { redact } from "./redact.ts";

const S = "hunter2!x";
const doc = (line: string, ...body: string[]) => `${line} <<EOF\n${body.join("\n")}\nEOF`;

describe("passwords that a program is told by its input", () => {
  test.each([
    `sudo -S ls <<< ${S}`,
    `sudo -S ls <<<"${S}"`,
    `sudo --stdin apt update <<< '${S}'`,
    `sudo -S bash x.sh <<< ${S}`,
    `sudo -S sh -c 'ls x' <<< ${S}`,
    `sudo -S sh -c ls -s <<< ${S}`,
    doc("sudo -S ls", S),
    doc("sudo -kS ls -l", `  ${S}`),
    `su me <<< ${S}`,
    `su -c ls me <<< ${S}`,
    `passwd me <<< ${S}`,
    doc("chpasswd", `me:${S}`),
    `gpg --batch --passphrase-fd 0 -d a <<< ${S}`,
    `gpg2 --passphrase-fd=0 -d a <<< ${S}`,
    `openssl enc -d -pass stdin -in a <<< ${S}`,
    `openssl rsa -in a -passin fd:0 <<< ${S}`,
    `cryptsetup luksOpen /dev/x y <<< ${S}`,
    `cryptsetup open /dev/x y - <<< "${S}"`,
    `ssh-add key <<< ${S}`,
    `smbclient //a/b <<< ${S}`,
    `htpasswd -i f me <<< ${S}`,
    `npm login <<< ${S}`,
    `heroku auth:token <<< ${S}`,
    `aws configure <<< ${S}`,
    `gh secret set X <<< ${S}`,
    `wrangler secret put X <<< ${S}; ls`,
    `kubectl create secret generic x --from-file=p=/dev/stdin <<< ${S}`,
    doc("docker login --password-stdin", S),
    `gh auth login --with-token <<'X'\n${S}\nX`,
    `(passwd me <<< ${S})`,
  ])("%s", (line) => {
    const told = redact(line);
    expect(told).not.toContain(S);
    expect(told).toBe(
      line
        .replace(`me:${S}`, S)
        .replace(S, "[redacted password]")
        .replace(/(?<=-pass )stdin/, "[redacted password]"),
    );
  });
});

describe("passwords in files of them", () => {
  test.each([
    `echo 'machine h login u password ${S}' > ~/.netrc`,
    `printf 'machine h\\nlogin u\\npassword ${S}\\n' >> .netrc`,
    doc("cat > ~/.netrc", "machine h", "  login u", `  password ${S}`),
    `echo "default login u password ${S}" >> ~/.netrc`,
    `machine h password ${S} login u`,
    `echo machine h login u account a password ${S} >.netrc`,
    `curl --netrc-file <(echo "machine h login u password ${S}") https://h`,
    `machine "h"\n\tuser "u"\n\tpasswd "${S}"`,
    "machine h login u password onlyletters".replace("onlyletters", S),
    `echo '*:*:*:u:${S}' > ~/.pgpass`,
    `echo "h:5432:db:u:${S}" >> $HOME/.pgpass`,
  ])("%s", (line) => expect(redact(line)).toBe(line.replace(S, "[redacted password]")));

  test("letters alone are one behind a login", () =>
    expect(redact("machine h login u password opensesame")).toBe("machine h login u password [redacted password]"));
});

describe("what may be run, and what is none, stays as it is", () => {
  test.each([
    "sudo -S bash <<< reboot",
    'sudo -S bash <<< "rm -rf /home"',
    "sudo -S bash -s <<< reboot",
    "sudo -S bash -x <<< reboot",
    "echo one 'two words' | sudo -S ls",
    "sudo -S bash -s -- a <<< reboot",
    "sudo -S /bin/sh - <<< reboot",
    "sudo -S python3 <<< 'import os'",
    "sudo -S env A=1 python3.12 <<< x",
    "sudo -S ssh <<< reboot",
    "sudo -S xargs <<< reboot",
    "echo reboot | sudo -S sh",
    "echo 'rm -rf x' | sudo -S bash",
    "su root <<< 'rm -rf /home'",
    "sudo -S ls <<< 'two words'",
    doc("sudo -S sh", "reboot"),
    doc("sudo -S ls", "rm -rf x", "ls"),
    "sudo ls <<< word",
    "gpg -d a <<< word",
    "openssl enc -in a <<< word",
    "cat <<< word",
    "psql -W <<< drop",
    "npm run x <<< word",
    "gh pr create <<< word",
    "passwd me <<< $X",
    'passwd me <<< "$(pass x)"',
    "passwd me <<< `pass x`",
    "passwd me <<< {{x}}",
    "the machine room password policy",
    "machine h login u password $X",
    "machine h login u password %s",
    "default password",
    "echo a:b:c:d:e > x",
    "echo '*:*:*:u:$X' > ~/.pgpass",
    "sudo -S sh -c 'ls x' <<< $X",
  ])("%s", (line) => {
    expect(redact(line)).toBe(line);
    expect(redactCommandLines(line)).toBe(line);
  });

  test.each<[line: string, kept: string]>([
    [`sudo -S ls <<< ${S};evil`, ";evil"],
    ["passwd me <<< ab1$(evil)cd", "$(evil)"],
    [`gh secret set X <<< ${S}|sh`, "|sh"],
    [`machine h login u password ab1$(evil)`, "$(evil)"],
    [`machine h login u password ${S};evil`, ";evil"],
    [doc("passwd me", S, "evil"), "\nevil\n"],
  ])("code around a password: %s", (line, kept) => expect(redact(line)).toContain(kept));
});

test("time grows with the length and no faster", () => {
  const time = (text: string) => {
    const begin = performance.now();
    redactFed(text, (code) => code);
    return performance.now() - begin;
  };
  const pieces = ["machine a login b ", "sudo -S x ", "passwd <<", "a:a:a:a:", "machine\\n", "gh secret set <<< a "];
  for (const piece of [...pieces, "default login a ", "chpasswd <<E\n", "sudo <", "machine a ", "su ", "<<<"]) {
    const [small, large] = [2_000, 64_000].map((count) =>
      Math.min(...[1, 2, 3].map(() => time(`${piece.repeat(count)}pgpass<<`))),
    );
    expect(large, piece).toBeLessThan(200 * (small as number) + 500);
  }
});
