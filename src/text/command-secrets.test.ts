import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

const SECRET = "hunter2!x";

test.each([
  `curl -u me:${SECRET} https://x.test`,
  `curl -ume:${SECRET} https://x.test`,
  `curl --user me:${SECRET} https://x.test`,
  `curl --user=me:${SECRET} https://x.test`,
  `curl --user "me:${SECRET}" https://x.test`,
  `curl -u 'me:two words ${SECRET}' https://x.test`,
  `curl -x proxy --proxy-user me:${SECRET} https://x.test`,
  `wget --user=me --password=${SECRET} https://x.test`,
  `http -a me:${SECRET} x.test`,
  `docker login -u me -p ${SECRET} registry.test`,
  `docker login -p=${SECRET}`,
  `podman login --username me --password ${SECRET}`,
  `helm registry login x.test -u me -p ${SECRET}`,
  `mysql -u root -p${SECRET} base`,
  `mysqldump -p'${SECRET}' base`,
  `mysql --password=${SECRET} base`,
  `DB_PASS=${SECRET} npm start`,
  `export APP_DB_PASS='${SECRET}'`,
  `MYSQL_PWD=${SECRET} mysql`,
  `PGPASSWORD=${SECRET} psql`,
  `PGPASSWORD="${SECRET}" psql -h x`,
  `psql postgres://me:${SECRET}@x.test/base`,
  `mongosh mongodb+srv://me:${SECRET}@x.test`,
  `redis-cli -a ${SECRET} ping`,
  `sshpass -p ${SECRET} ssh x.test`,
  `sshpass -p${SECRET} ssh x.test`,
  `ldapsearch -D cn=me -w ${SECRET}`,
  `unzip -P ${SECRET} a.zip`,
  `7z x -p${SECRET} a.7z`,
  `openssl rsa -passin pass:${SECRET} -in k`,
  `cd a && DB_PASS=${SECRET} make; curl -u a:${SECRET} b`,
])("the password goes: %s", (line) => {
  const result = redact(line);
  expect(result).not.toContain(SECRET);
  expect(result).toContain("[redacted password]");
  expect(redact(result)).toBe(result);
});

test.each([
  "docker run -u 1000:1000 -p 8080:80 image",
  "docker run --user node:node image",
  "docker compose -p project up",
  "mysql -p",
  "mysql -u root -p base",
  "mysql --port 3306",
  "curl -u me https://x.test",
  "curl -u $USER:$PASS https://x.test",
  "curl https://x.test:8080/a:b",
  'curl -H "Accept: a/b"',
  "ps -p 123",
  "mkdir -p a/b",
  "ssh -p 22 x.test",
  "cp -p a b",
  "unzip -p a.zip",
  "DB_PASS=$SECRET npm start",
  "PWD=/srv/app OLDPWD=/srv",
  "PASS=12 FAIL=0",
  "bypass=1 compass=north",
  "chown -R me:me .",
  "install -o me -g me a b",
  "git log --author=me -p file",
  "rsync -a a:b c",
  "tar -p -xf a.tar",
  "psql -U me -p 5432 base",
])("nothing goes: %s", (line) => {
  expect(redact(line)).toBe(line);
});

describe("time grows with the length and no faster", () => {
  test.each([
    ["names", "A_".repeat(200_000)],
    ["options", `curl ${"-u a".repeat(100_000)}`],
    ["colons", `curl ${"-u a:".repeat(80_000)}`],
    ["quotes", `mysql ${"-p'".repeat(100_000)}`],
    ["programs", "curl mysql zip ".repeat(30_000)],
  ])("%s", (_, text) => {
    const begin = performance.now();
    redact(text);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
