import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

const S = "hunter2!x";

/** `programs` times `usages`; • stands for a password, ° for a credential, and the rest of the line stays. */
function lines(programs: string, usages: readonly string[]): string[] {
  return programs.split(" ").flatMap((program) => usages.map((usage) => `${program} ${usage}`));
}

const TAKEN = [
  ...lines("curl http https xh xhs aria2c hey", [
    ..."-u -U -E -a --user --proxy-user --cert --proxy-cert".split(" ").map((option) => `${option} me:• h.test`),
    ..."-H --header --proxy-header".split(" ").map((option) => `${option} 'X-Gate-Token: °' h.test`),
    ..."-b --cookie".split(" ").map((option) => `${option} a=• h.test`),
    ..."-x --proxy --preproxy".split(" ").map((option) => `${option} me:•@proxy.test h.test`),
    "--bearer • h.test",
    "h.test X-Gate-Token:°",
  ]),
  "wget --header 'X-Gate-Token: °' h.test",
  ...lines("ab", ["-A me:• h.test", "-P me:• h.test"]),
  ...lines("docker podman buildah skopeo nerdctl oras crane helm az oc", ["login -p •", "auth -p •"]),
  ...lines(
    "mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlcheck mysqlslap mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin mariadb-check",
    ["-p• base", "me:•@h.test", "password • base"],
  ),
  ...lines("mycli mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat sshpass twine", ["-p • x"]),
  ...lines("cqlsh rabbitmqadmin ncftpput ncftpget rdesktop useradd usermod", ["-p • x", "-p• x"]),
  ...lines("redis-cli valkey-cli redis-server valkey-server", [
    ...["-a • x", "--requirepass • x", "--masterauth • x", "auth •", "config set requirepass •"],
  ]),
  ...lines("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd", ["-w • x", "-xw • x", "-xw• x"]),
  ...lines("zip unzip sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub", ["-P • x"]),
  ...lines("7z 7za 7zr 7zz rar unrar", ["x -p• a", "x -hp• a"]),
  ...lines("openssl", ["enc -k • x", "enc -K • x", "dgst -hmac • x", "passwd -6 •"]),
  ...lines("ssh-keygen", ["-N • x", "-P • x"]),
  ...lines("keytool jarsigner", [
    ...["-storepass • x", "-keypass • x", "-srcstorepass • x", "-deststorepass • x", "-destkeypass • x"],
  ]),
  "qpdf --encrypt • • 256 -- a b",
  ...lines("pdftk", ["a user_pw • x", "a owner_pw • x", "a input_pw • x"]),
  ...lines("smbclient", ["-U me%• x", "--user me%• x"]),
  "lftp -u me,• h.test",
  "sqlplus me/•",
  "sftp me:•@h.test",
  ...lines("snmpwalk snmpget", ["-A • x", "-X • x", "-c • x"]),
  "xfreerdp /p:•",
  ...lines("htpasswd", ["-b file me •", "-bc file me •"]),
  ...lines("rabbitmqctl", ["add_user me •", "change_password me •"]),
  "wpa_passphrase net •",
  "nmcli dev wifi connect net password •",
  ...lines("vault cargo", ["login •"]),
  ...lines("ngrok", ["authtoken •", "config add-authtoken •"]),
  ...lines("doctl vercel", ["-t • x"]),
  "swaks -ap • x",
  ...lines("npm yarn pnpm", [
    ...["config set //r.test/:_authToken •", "config set _auth •", "config set //r.test/:_password •"],
    ...["config set npmAuthToken •", "config set x.authToken •"],
  ]),
  ...lines("poetry", ["config pypi-token.pypi •", "config http-basic.x me •"]),
  "composer config http-basic.x me •",
  ...lines("rclone", ["config create x s3 secret_access_key •", "config create x ftp pass •"]),
  ...lines("aws", [
    ..."aws_secret_access_key aws_session_token aws_access_key_id".split(" ").map((name) => `configure set ${name} •`),
    "secretsmanager create-secret --secret-string •",
  ]),
  ...lines("gh", ["secret set X -b •", "secret set X --body •"]),
  ...lines("passwd", ["-1 •", "-5 •", "-6 •", "-apr1 •", "-crypt •"]),
  "kubectl create secret generic x --from-literal=a=•",
  ...lines("fly flyctl heroku", ["secrets set A=•", "config:set A=•"]),
];

describe("every program that takes a password on its command line", () => {
  test.each(TAKEN)("%s", (line) => {
    expect(redact(line.replace(/[•°]/g, S))).toBe(
      line.replaceAll("•", "[redacted password]").replaceAll("°", "[redacted credential]"),
    );
  });
});

const PRINTED = [
  ...lines("docker podman buildah skopeo nerdctl oras crane helm az oc", [
    ...["login --password-stdin", "login --pass-stdin", "login --token-stdin"],
  ]),
  "gh auth login --with-token",
  ...lines("sudo", ["-S ls", "-kS ls", "--stdin ls"]),
  "chpasswd",
  "passwd --stdin me",
];

describe("every program that reads a password from what is printed", () => {
  test.each(PRINTED)("%s", (line) => expect(redact(`echo ${S} | ${line}`)).toBe(`echo [redacted password] | ${line}`));
  test.each(["su me", "kinit me"])("%s is told one by a here-string alone", (line) => {
    expect(redact(`${line} <<< ${S}`)).toBe(`${line} <<< [redacted password]`);
    expect(redact(`echo ${S} | ${line}`)).toBe(`echo ${S} | ${line}`);
  });
});

const READ = [
  ...lines("gpg gpg2", ["--passphrase-fd 0 -d a", "--passphrase-fd=0 -d a"]),
  ...lines("openssl", ["rsa -passin stdin", "rsa -passout stdin", "rsa -passin fd:0"]),
  ...lines("cryptsetup", ["luksOpen /dev/x y", "luksFormat /dev/x", "open /dev/x y"]),
  ...lines("passwd smbpasswd ssh-add smbclient sshpass", ["me"]),
  ...lines("htpasswd", ["-i file me", "file -ci me"]),
  ...lines("npm yarn pnpm heroku aws op vault az docker podman helm gh", [
    ..."login signin adduser configure auth:token x--with-token x--stdin".split(" "),
  ]),
  ...lines("gh wrangler vercel fly flyctl kubectl doctl", [
    ..."set put add create generic import".split(" ").flatMap((verb) => [`secret ${verb} x`, `secrets ${verb} x`]),
  ]),
  ...lines("sudo", ["-S ls", "-kS ls", "--stdin ls", "ls -S"]),
];

describe("every program that is told a password by a here-document", () => {
  test.each(READ)("%s", (line) => {
    const told = (secret: string) => [`${line} <<< ${secret}`, `${line} <<EOF\n${secret}\nEOF`];
    expect(
      told(S)
        .map(redact)
        .map((text) => text.replace(/-passin \[redacted password\]/, "-passin stdin")),
    ).toEqual(told("[redacted password]"));
  });
});

describe("the same words of another program, or without what makes it read, are none", () => {
  test.each([
    ...lines("curl2 xcurl my.curl -curl", [`-u me:${S} h.test`]),
    ...lines("docker podman helm", [`run -p ${S} x`, `compose -p ${S} up`]),
    ...lines("openssl", [`rsa -k ${S} x`]),
    ...lines("gh", [`pr create --body ${S} -t x`, `issue comment 1 -b ${S}`]),
    ...lines("fly heroku", [`apps create A=${S}`]),
    ...lines("vault cargo", [`read ${S}`]),
    ...lines("htpasswd", [`-c file ${S}`]),
    ...lines("npm", [`config set registry ${S}`, `config set author ${S}`]),
    ...lines("gpg", [`-d a <<< ${S}`, `--passphrase-fd 3 <<< ${S}`]),
    ...lines("cryptsetup", [`status x <<< ${S}`]),
    ...lines("docker podman", [`exec -i x cat <<< ${S}`]),
    ...lines("kubectl", [`secrets list <<< ${S}`]),
    ...lines("sudo", [`ls <<< ${S}`, `-u me ls <<< ${S}`]),
    `echo ${S} | docker run x`,
    `echo ${S} | passwd me`,
  ])("%s", (line) => expect(redact(line)).toBe(line));
});
