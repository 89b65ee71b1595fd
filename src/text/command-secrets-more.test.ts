import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

const SHAPES = ["Zq7hu9abT3x", "horsequabbattery", "f3a9c27e8b1d4c6f5a2b", "90100000731"];

/** The secret stands where @ is; § stands for that sign itself. */
const HIDDEN = [
  // as the shell reads words
  "DB_PASS='a'@ x",
  `DB_PASS=""'@' x`,
  "DB_PASS=$'@' x",
  "DB_PASS=a\\ @ x",
  "DB_PASS=a\\;@ x",
  'DB_PASS="a \\"q\\" @" x',
  'DB_PASS="a\n@" x',
  "DB_PASS='$@' x",
  "DB_PASS='<@' x",
  'DB_PASS="$X"@ x',
  "DB_PASS+=@ x",
  "DB_PASS[0]=@ x",
  "DB_PASS=$(echo @) x",
  "PASSWORD=${X:-@} x",
  // names of variables
  ...["DB_PASS2", "PASSWORD1", "PASSWORD_PROD", "TOKEN_PROD", "PW", "GH_PAT", "DbPass"].map((name) => `${name}=@ x`),
  // programs in other spellings
  "c=curl; $c -u bob:@ x",
  'cu""rl -u bob:@ x',
  "curl.exe -u bob:@ x",
  "CURL -u bob:@ x",
  "curl --use bob:@ x",
  "curl --us=bob:@ x",
  "curl {-u,bob:@} x",
  "curl -u bob:'<@>' x",
  "curl -K <(echo 'user = \"bob:@\"') x",
  `curl ${"x ".repeat(500)}-u bob:@ x`,
  "docker login -p '$@' r",
  "docker -H x -l debug --tls login -p @ r",
  // input
  "docker login --password-stdin <<EOF\n@\nEOF",
  "cat <<X | docker login -u b --password-stdin\n@\nX",
  "docker login --password-stdin < <(echo @)",
  "{ echo @; } | docker login --password-stdin",
  "echo @ | tr -d x | docker login --password-stdin",
  "echo a%@ | sudo -S ls",
  "echo -@ | sudo -S ls",
  "sudo -S ls <<EOF\n@\nEOF",
  "chpasswd <<EOF\nbob:@\nEOF",
  "gpg --passphrase-fd 0 -c a <<< @",
  "openssl rsa -in k -passin stdin <<< @",
  "echo @ | gh secret set X",
  // operands, with more behind them
  "htpasswd -b f u @ > /dev/null",
  "openssl passwd -6 @ 2>/dev/null",
  "cargo login @ --registry r",
  "rabbitmqctl add_user u @ --x",
  // further programs and forms
  "echo machine h login u password @ >> .netrc",
  "echo 'h:5432:db:u:@' > ~/.pgpass",
  "sshpass -f <(echo @) ssh h",
  "sshpass -vp @ ssh h",
  "mysql -Np@ x",
  `mysql -e "CREATE USER x IDENTIFIED BY '@'"`,
  `psql -c "ALTER USER x WITH PASSWORD '@'"`,
  "app --password-file=<(echo @)",
  "vault kv put secret/x value=@",
  "aws configure set default.aws_secret_access_key @",
  "aws ssm put-parameter --name x --value @",
  "az keyvault secret set --name n --value @",
  "npm config set _auth=@",
  "etcdctl --user root:@ get x",
  "zip -rP @ a.zip b",
  "ftp -n h <<EOF\nuser bob @\nEOF",
  "jq --arg password @ x c",
  `curl -d '{"pwd":"@"}' x`,
  `curl -d '{"password":\n"@"}' x`,
  "curl -d '<password>@</password>' x",
  "curl -H 'X-Auth-Key: @' x",
  "curl -H 'Ocp-Apim-Subscription-Key: @' x",
  "curl https://api.telegram.org/bot123456:@/getMe",
  "curl https://discord.com/api/webhooks/1234567890/@",
  // addresses
  ...["#", "?", "/", '"', "<", " ", "{"].map((sign) => `psql 'postgres://u:a${sign}@§h/db'`),
  "app --dsn 'u:@§tcp(h:3306)/db'",
  // flags whose value is one word, or a number
  ...["token", "secret", "client-secret", "api-key", "access-token"].map((flag) => `app --${flag} @`),
  "TOKEN=@ x",
  "app --token=@",
];

describe.each(SHAPES)("a secret like %s goes", (secret) => {
  test.each(HIDDEN)("%s", (line) => {
    const result = redact(line.replaceAll("@", secret).replaceAll("§", "@"));
    expect(result).not.toContain(secret);
    expect(result).toContain("[redacted ");
  });
});

test.each([
  "echo $PASSWORD",
  "TOKEN=$(cat f) make",
  "DB_PASS=$SECRET DB_HOST=x make",
  'DB_PASS="$HOME/pass" make',
  "PASSWORD=${DB_PASSWORD} make",
  "PASSWORD_FILE=/run/secrets/x MAX_TOKENS=4096 TOKEN_TYPE=bearer make",
  "docker run -p 8080:80 --user node:node image login",
  "docker build --secret id=x .",
  "echo start && echo done | sudo tee file",
  "git log --author=me; echo done | cat",
  "curl http://localhost:3000/a@b",
  "cargo test --token-limit 5",
  "kubectl get secret x -o yaml",
  "use --token option or the --secret flag",
])("stays readable: %s", (line) => expect(redact(line)).toBe(line));

test.each([
  ["bash -c 'DB_PASS=Hunter22pw'; rm -rf 'y'", "rm -rf 'y'"],
  ["DB_PASS=Hunter22pw; sh evil.sh", "; sh evil.sh"],
  ["echo Hunter22pw | sudo -S sh evil.sh", "sudo -S sh evil.sh"],
  ["DB_PASS=Hunter22pw$(sh evil.sh) x", "$(sh evil.sh)"],
  ["docker login -p Hunter22pw && sh evil.sh", "&& sh evil.sh"],
])("code stays: %s", (line, code) => {
  expect(redact(line)).toContain(code);
  expect(redact(line)).not.toContain("Hunter22pw");
});
