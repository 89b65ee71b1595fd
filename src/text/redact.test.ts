import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

// put together here, so that no scanner takes this file for a leak
const filler = (length: number): string => "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8".repeat(10).slice(0, length);
const AWS = `AKIA${"IOSFODNN7EXAMPLE"}`;
const GITHUB = `ghp_${filler(36)}`;
const JWT = `eyJ${filler(20)}.eyJ${filler(30)}.${filler(40)}`;
const BODY = `${filler(64)}\n${filler(64)}\n${filler(21)}==`;
const begin = (kind = "") => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind = "") => `-----END ${kind}PRIVATE KEY-----`;

describe("tokens are replaced wherever they stand", () => {
  test.each<[string, string, string]>([
    ["AWS key", AWS, "AWS key"],
    ["AWS session key", `ASIA${AWS.slice(4)}`, "AWS key"],
    ["GitHub ghp", GITHUB, "GitHub token"],
    ["GitHub gho", `gho_${filler(36)}`, "GitHub token"],
    ["GitHub ghu", `ghu_${filler(36)}`, "GitHub token"],
    ["GitHub ghs", `ghs_${filler(36)}`, "GitHub token"],
    ["GitHub ghr", `ghr_${filler(36)}`, "GitHub token"],
    ["GitHub fine-grained", `github_pat_${filler(22)}_${filler(59)}`, "GitHub token"],
    ["GitLab", `glpat-${filler(20)}`, "GitLab token"],
    ["Slack bot", `xoxb-${"123456789012"}-${filler(24)}`, "Slack token"],
    ["Slack user", `xoxp-${"123456789012"}-${filler(24)}`, "Slack token"],
    ["Stripe secret", `sk_live_${filler(24)}`, "Stripe key"],
    ["Stripe restricted", `rk_live_${filler(24)}`, "Stripe key"],
    ["Stripe secret, for tests", `sk_test_${filler(24)}`, "Stripe key"],
    ["Stripe restricted, for tests", `rk_test_${filler(24)}`, "Stripe key"],
    ["Google", `AIza${filler(35)}`, "Google key"],
    ["Anthropic", `sk-ant-api03-${filler(60)}`, "Anthropic key"],
    ["OpenAI", `sk-${filler(48)}`, "OpenAI key"],
    ["OpenAI project", `sk-proj-${filler(30)}_${filler(30)}`, "OpenAI key"],
    ["npm", `npm_${filler(36)}`, "npm token"],
    ["JWT", JWT, "JWT"],
  ])("%s", (_, secret, kind) => {
    const note = `[redacted ${kind}]`;
    expect(redact(secret)).toBe(note);
    expect(redact(`use ${secret}, please`)).toBe(`use ${note}, please`);
    expect(redact(`"${secret}"`)).toBe(`"${note}"`);
    expect(redact(`first\\n${secret}\\nlast`)).toBe(`first\\n${note}\\nlast`);
    expect(redact(`GITHUB_TOKEN=${secret}`)).toBe(`GITHUB_TOKEN=${note}`);
  });
});

describe("private keys", () => {
  const NOTE = "[redacted private key]";
  test.each<[string, string, string]>([
    ["whole", `a\n${begin()}\n${BODY}\n${end()}\nb`, `a\n${NOTE}\nb`],
    ["RSA", `${begin("RSA ")}\n${BODY}\n${end("RSA ")}`, NOTE],
    ["OpenSSH", `${begin("OPENSSH ")}\n${BODY}\n${end("OPENSSH ")}`, NOTE],
    [
      "encrypted, with headers",
      `${begin("RSA ")}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${BODY}`,
      NOTE,
    ],
    ["PGP", `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BODY}\n-----END PGP PRIVATE KEY BLOCK-----`, NOTE],
    [
      "escaped in JSON",
      JSON.stringify({ pem: `${begin()}\n${BODY}\n${end()}\n`, more: 1 }),
      `{"pem":"${NOTE}\\n","more":1}`,
    ],
    ["escaped twice", `x ${JSON.stringify(JSON.stringify(`${begin()}\n${BODY}`)).slice(3, -3)}`, `x ${NOTE}`],
    ["cut", `${begin()}\n${BODY.slice(0, 100)}`, NOTE],
    ["cut, with prose after it", `${begin()}\n${filler(64)}\nand so on, as usual`, `${NOTE}\nand so on, as usual`],
    ["cut inside JSON", `{"pem":"${begin()}\\n${filler(64)}\\n${filler(10)}", "a": 1}`, `{"pem":"${NOTE}", "a": 1}`],
    ["as a diff", `+${begin()}\n+${BODY.replaceAll("\n", "\n+")}\n+${end()}\n`, `+${NOTE}\n`],
    ["with line numbers, cut", `1\t${begin()}\n2\t${filler(64)}\n3\t${filler(64)}`, `1\t${NOTE}`],
    ["two, the first cut", `${begin()}\n${filler(64)}\n${begin()}\n${BODY}\n${end()}`, `${NOTE}\n${NOTE}`],
  ])("%s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });
  test("public keys and certificates stay", () => {
    const text = `-----BEGIN PUBLIC KEY-----\n${BODY}\n-----END PUBLIC KEY-----\n-----BEGIN CERTIFICATE-----\n${BODY}`;
    expect(redact(text)).toBe(text);
  });
});

describe("headers and addresses", () => {
  test.each<[string, string]>([
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted credential]"],
    ["authorization: Basic dXNlcjpwYXNz", "authorization: Basic [redacted credential]"],
    [`curl -H "Authorization: Bearer abcdef"`, `curl -H "Authorization: Bearer [redacted credential]"`],
    [`{"Authorization":"token abcdef"}`, `{"Authorization":"token [redacted credential]"}`],
    [`{\\"Authorization\\":\\"Bearer abcdef\\"}`, `{\\"Authorization\\":\\"Bearer [redacted credential]\\"}`],
    ["sent Bearer abcdefgh12345678 twice", "sent Bearer [redacted credential] twice"],
    ["postgres://bob:hunter2@db:5432/x", "postgres://bob:[redacted password]@db:5432/x"],
    ["postgres://bob:$ecret9@db", "postgres://bob:[redacted password]@db"],
    ["Authorization: Bearer token-9f8e", "Authorization: Bearer [redacted credential]"],
    ["redis://:hunter2@cache", "redis://:[redacted password]@cache"],
    ["https://a:p@ss@host/x and http://b", "https://a:[redacted password]@host/x and http://b"],
    [`git clone https://${"0123456789abcdef".repeat(2)}@host/r`, "git clone https://[redacted token]@host/r"],
  ])("%s", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });
});

describe("values of keys that name a secret", () => {
  test.each<[string, string]>([
    ["password=hunter2", "password=[redacted password]"],
    ["password: hunter2", "password: [redacted password]"],
    ["password: swordfish", "password: [redacted password]"],
    ["DB_PASSWORD=swordfish", "DB_PASSWORD=[redacted password]"],
    ["DB_PASSWORD=p@ss(word)&x=1", "DB_PASSWORD=[redacted password])&x=1"],
    ["PASSWD = 12345678", "PASSWD = [redacted password]"],
    [`"password": "two words"`, `"password": "[redacted password]"`],
    [`"password": "with \\"quotes\\" in"`, `"password": "[redacted password]"`],
    [`{\\"password\\": \\"hunter2\\", \\"a\\": 1}`, `{\\"password\\": \\"[redacted password]\\", \\"a\\": 1}`],
    [`'client_secret' => 'abc'`, `'client_secret' => '[redacted secret]'`],
    [`config["api_key"] = "abc"`, `config["api_key"] = "[redacted key]"`],
    ["clientSecret: 'abc'", "clientSecret: '[redacted secret]'"],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [redacted key]"],
    ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted key]"],
    ["X-Api-Key: 9f8e7d", "X-Api-Key: [redacted key]"],
    ["apikey=9f8e7d&page=2", "apikey=[redacted key]&page=2"],
    ["?access_token=abcdefgh&page=2", "?access_token=[redacted token]&page=2"],
    ["//registry.example/:_authToken=abc-def", "//registry.example/:_authToken=[redacted token]"],
    ["private_key: 9f8e7d", "private_key: [redacted key]"],
    ["credential=9f8e7d", "credential=[redacted credential]"],
    ["connect --password hunter2 --host x", "connect --password [redacted password] --host x"],
    ["connect --api-key=9f8e7d", "connect --api-key=[redacted key]"],
    [
      "Server=db;User Id=bob;Password=x1;Pwd=y2;",
      "Server=db;User Id=bob;Password=[redacted password];Pwd=[redacted password];",
    ],
    ["Server=db;Pwd=y2", "Server=db;Pwd=[redacted password]"],
    ["connection_string: Server=db;Key=1;User=b", "connection_string: [redacted connection string]"],
    [
      "DefaultEndpointsProtocol=https;AccountKey=ab12==;X=1",
      "DefaultEndpointsProtocol=https;AccountKey=[redacted key];X=1",
    ],
    ["password=hunter2\\nuser=bob", "password=[redacted password]\\nuser=bob"],
    ["login(password=hunter2)", "login(password=[redacted password])"],
    [`token = b"abc"`, `token = b"[redacted token]"`],
    [`"secret": "never closed`, `"secret": "[redacted secret]`],
    ["a_secret=1f2e\nb_token=3d4c\n", "a_secret=[redacted secret]\nb_token=[redacted token]\n"],
  ])("%s", (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });
});

describe("what is no secret stays", () => {
  test.each([
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
    "token count: 12",
    "max_tokens: 4096, total_tokens=12",
    "token: 12",
    "password:",
    "password: \nuser: bob",
    `"password": ""`,
    "password = null; token=undefined",
    "the secret is out",
    "The secret: nobody knows it.",
    "Invalid password: too short",
    "task-force risk-averse disk-usage desk-top-publishing-for-beginners",
    "sk-learn and sk-based names",
    "token = nextToken()",
    "const token = await next(tokens);",
    "token: string; password: string | undefined",
    "secret: z.string().min(1)",
    `apiKey: process.env.API_KEY, key = os.environ["TOKEN"]`,
    "login(password=password, token=token)",
    "password = new_password",
    "Unexpected token : in JSON at position 4",
    "Unexpected token } in JSON",
    `password: \${PASSWORD}`,
    "TOKEN=$GITHUB_TOKEN make",
    `"token": "{{ token }}"`,
    "api_key: <your key>",
    "password: ********",
    "fetch(url, { credentials: 'include' })",
    "private_key: ./certs/server.key",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "the bearer of good news",
    "https://example.com:8080/path?email=a@b.c",
    "ssh://git@host/repo and bob@example.com",
    `https://\${USER}:\${PASS}@host`,
    "npm_config_registry and npm_lifecycle_event",
    "npm run token:check",
    "PWD=/home/bob",
    "eyJhbGciOiJIUzI1NiJ9 alone is a header",
    "keyboard: qwerty; monkey=1",
    "the --token is needed",
  ])("%s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

test("whatever stands around a token, it does not come through", () => {
  const part = fc.constantFrom(
    ...[
      "password",
      "token",
      "secret",
      "=",
      ": ",
      " ",
      '"',
      "'",
      "\\",
      "\n",
      ",",
      ")",
      "hunter2",
      "abc",
      "://",
      "@",
      "$",
    ],
    ...[JWT, AWS, begin(), end(), filler(64), "Authorization: Bearer ", "[redacted token]", "x.y", "("],
  );
  const parts = fc.array(part, { maxLength: 15 });
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      expect(redact(`${before.join("")}${GITHUB}${after.join("")}`)).not.toContain(GITHUB);
    }),
    { numRuns: 500 },
  );
});

test("a line of many millions does not overflow", () => {
  for (const start of [GITHUB, JWT, `sk-${filler(40)}`, "Authorization: Bearer ", "password=", begin()])
    expect(redact(start + "a".repeat(20_000_000))).toContain("[redacted ");
});

describe("a million characters come to an end", () => {
  const bombs = [
    "a",
    "-",
    "=",
    '"',
    "\\",
    "eyJ",
    "eyJaaaaaaaaa.",
    "password",
    "password=",
    'token="',
    "secret:\\",
    "://",
    "://a:",
  ];
  const blocks = [
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----BEGIN ",
    "sk-",
    "ghp_",
    "bearer ",
    "--token ",
  ];
  test.each([...bombs, ...blocks])("%j", (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const bomb of [text, `password=${text}`, `${begin()}\n${text}`, `token="${text}`, `https://a:${text}`])
      expect(typeof redact(bomb)).toBe("string");
  });
});
