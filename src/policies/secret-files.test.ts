import { expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Mode } from "../core/words/ceiling.ts";
import type { CommandReading, RunTouch, Touch } from "../core/words/touch.ts";
import { globMatcher } from "../text/glob.ts";
import { secretFiles } from "./secret-files.ts";

const policy = secretFiles();
const judge = (touches: Touch[], mode: Mode = "confirm-sensitive") =>
  policy.judge(ready({ touches }), factsUnder({ mode }));
const link = at("read", ".env", { place: { shown: ".env", real: "/ws/.env", root: "/ws", exists: true, link: true } });

test.each<[what: string, touch: Touch, pattern: string | undefined]>([
  ["by its name", at("read", ".env"), ".env"],
  ["by its ending", at("read", "tls/a.PEM"), "*.pem"],
  ["looked at", at("list", ".env"), ".env"],
  ["with all below it", at("read", ".aws/credentials", { scope: "**" }), "**/.aws/credentials"],
  ["by the bare word", at("read", "deep/Credentials"), "credentials"],
  ["by the bare word, in the root", at("read", "credentials"), "credentials"],
  ["in a folder of that bare word", at("read", "credentials/a.ts"), undefined],
  ["a word that ends so", at("read", "mycredentials"), undefined],
  ["by a command", run(at("read", ".env")), ".env"],
  ["by a command of a command", run(run(at("read", ".env"))), ".env"],
  ["by a pattern that spells it out", run(at("read", "/ws", { scope: ".env*" })), ".env"],
  ["by a pattern of its ending", run(at("read", "tls", { scope: "*.key" })), "*.key"],
  ["by a pattern for its middle", run(at("read", "/ws", { scope: "id_?rsa" })), "id_rsa"],
  ["by a pattern in a folder", run(at("read", "/ws", { scope: "a/*/.env" })), ".env"],
  ["by a pattern in any folder", run(at("read", "/ws", { scope: "**/.e*" })), ".env"],
  ["by a pattern in any folder, in capitals", run(at("read", "/ws", { scope: "**/.ENVR*" })), ".envrc"],
  ["by a pattern for its end, in any folder", run(at("read", "/ws", { scope: "**/.e*local" })), ".env.local"],
  ["by a pattern for examples, in any folder", run(at("read", "/ws", { scope: "**/.e*ample*" })), undefined],
  ["by a pattern for all in any folder", run(at("read", "/ws", { scope: "**/*" })), undefined],
  ["by a pattern in one folder that spells out little", run(at("read", "/ws", { scope: "a/.e*" })), undefined],
  ["by a pattern for all", run(at("read", "/ws", { scope: "*" })), undefined],
  ["by a pattern for others", run(at("read", "/ws", { scope: "*.ts" })), undefined],
  ["a tree that may hold some", run(at("read", "src", { scope: "**" })), undefined],
  ["only written", at("write", ".env"), undefined],
  ["only removed", at("delete", ".env"), undefined],
  ["a link itself", link, undefined],
  ["how it would look", at("read", ".env.example"), undefined],
  ["another", at("read", "src/env.ts"), undefined],
  ["a fetch", { action: "fetch", url: "http://x.test/.env", method: "GET" }, undefined],
])("a file of secrets: %s", (_, touch, pattern) => {
  for (const mode of ["confirm-sensitive", "confirm-all"] as const) {
    const verdict = judge([at("read", "a"), touch], mode);
    if (pattern === undefined) expect(verdict).toBeUndefined();
    else {
      expect(verdict).toMatchObject({ answer: "ask", by: "secret-files", grantable: true });
      expect(verdict?.reason).toContain(`which may hold secrets (${pattern})`);
      expect(verdict?.about).toHaveLength(1);
    }
  }
  expect(judge([touch], "yolo"), "in yolo nobody is asked").toBeUndefined();
});

test.each([
  ...[".env~", "#.env#", ".env.swp", ".env.bak", ".env-prod", ".env_local", ".ENV.OLD", ".dev.vars", "prod.env"],
  ...["id_rsa~", "id_rsa.bak", "#id_rsa#", ".id_rsa.swp", "id_ed25519_sk", "deep/.npmrc.orig", ".netrc.save"],
  ...[
    "a.pem.bak",
    "a.key~",
    "a.p8",
    "infra/terraform.tfstate",
    "terraform.tfstate.backup",
    "x-firebase-adminsdk-1.json",
  ],
  ...[".aws/credentials.old", ".aws/#credentials#", "credentials.old", "kubeconfig", "kubeconfig~", "secrets.toml"],
  ...["service-account.json", ".docker/config.json~", ".env.local.bak", ".env.production"],
])("%s holds secrets, and is left out of searches if a glob can tell", (name) => {
  expect(judge([at("read", name)])).toMatchObject({ answer: "ask", by: "secret-files" });
  const excluded = globMatcher(judge([at("list", ".")])?.exclude ?? []);
  expect(excluded(name) !== undefined).toBe(name !== "kubeconfig");
});

test("the reason says that it is a copy", () => {
  const reasonFor = (name: string) => judge([at("read", name)])?.reason;
  expect(reasonFor("a/.npmrc.bak")).toBe("it would read a/.npmrc.bak, which may hold secrets (a copy of .npmrc)");
  expect(reasonFor(".env.prod")).toBe("it would read .env.prod, which may hold secrets (.env.*)");
  expect(reasonFor("#id_rsa#")).toBe("it would read #id_rsa#, which may hold secrets (a copy of id_rsa)");
  expect(reasonFor(".aws/credentials~")).toContain("(a copy of **/.aws/credentials)");
});

test("one question is about all of them", () => {
  const [one, two] = [at("read", ".env"), at("read", "a.pem")];
  const verdict = judge([one, at("read", "b"), two]);
  expect(verdict).toMatchObject({ reason: expect.stringContaining("it would read .env"), about: [one, two] });
});

test("says the pattern that a command would read by", () => {
  expect(judge([run(at("read", "tls", { scope: "*.key" }))])?.reason).toContain("it would read tls/*.key");
});

test("a search leaves them out, and a read does not", () => {
  expect(judge([at("list", "src")])).toMatchObject({ answer: "allow", exclude: expect.arrayContaining([".env"]) });
  expect(judge([at("read", "src/a"), at("list", "src")])?.exclude).toContain("*.pem");
  expect(judge([run(at("list", "src"))]), "a command lists names alone").toBeUndefined();
  expect(judge([at("list", "src")], "yolo")).toBeUndefined();
  const own = secretFiles(["*.vault"]).judge(
    ready({ touches: [at("list", ".")] }),
    factsUnder({ mode: "confirm-all" }),
  );
  expect(own?.exclude).toEqual(["*.vault"]);
});

const only = (more: Partial<RunTouch>): Touch => ({ action: "run", command: "x", class: "safe", inner: [], ...more });
const tree = at("read", "src", { scope: "**" });

test.each<[what: string, touch: Touch, leavesOut: boolean]>([
  ["all of a folder", only({ inner: [tree] }), true],
  ["all of a folder, by a command inside", only({ inner: [only({ inner: [at("read", "a"), tree] })] }), true],
  ["files that another command names", only({ inner: [{ action: "unknown", permissions: ["read"] }] }), true],
  ["a file", only({ inner: [at("read", "a")] }), false],
  ["a file, by a command inside", only({ inner: [only({ inner: [at("read", "a")] })] }), false],
  ["the name of a file of secrets", only({ inner: [at("list", ".env")] }), false],
  ["names alone", only({ inner: [at("list", "src", { scope: "**" })] }), false],
  ["what git keeps", only({ inner: [at("read", "src", { scope: "**", brings: "tracked" })] }), false],
  ["all of a folder, and may do more", run(tree), false],
])("a command that reads %s: secrets are left out: %s", (_, touch, leavesOut) => {
  const verdict = judge([at("read", "b"), touch]);
  expect(verdict?.answer).toBe(leavesOut ? "allow" : undefined);
  expect(verdict?.exclude?.includes(".env") ?? false).toBe(leavesOut);
});

const line = (...commands: string[]): Pick<RunTouch, "reading"> => ({
  reading: {
    segments: commands.map((text) => ({ text, program: text.split(" ")[0], words: text.split(" ") })),
  } as unknown as CommandReading,
});

test.each<[commands: string[], kept: string[], asks: string | undefined]>([
  [["git show HEAD:.env"], [], ".env, which may hold secrets (.env)"],
  [["git show HEAD:deep/.e*"], [], "deep/.e*, which may hold secrets (.env)"],
  [["git show HEAD:a.ts"], [".env"], undefined],
  [["git log -p"], ["a/.env"], "a/.env, as git keeps it, which may hold secrets (.env)"],
  [["ls", "git log -p"], ["a.ts", ".env"], ".env, as git keeps it, which may hold secrets (.env)"],
  [["git log"], [".env"], undefined],
  [["diff a b"], [".env"], undefined],
  [["git log -p"], [".npmrc", ".env.test", "keys/a.pem"], undefined],
  [["git log -p"], ["a.ts"], undefined],
  [["git log -p"], [], undefined],
])("%j where git keeps %j", (commands, names, asks) => {
  const kept = names.map((name) => ({ name, changed: false }));
  expect(judge([only({ ...line(...commands), kept })])?.reason).toBe(asks && `it would read ${asks}`);
});

test.each<[what: string, touch: Partial<RunTouch>, asks: string | undefined]>([
  [
    "what git said that it shows",
    { kept: [{ name: ".env", changed: false, shown: true }] },
    "it would read .env, as git",
  ],
  ["what git did not say", { kept: [{ name: ".env", changed: false }] }, undefined],
  ["what it shows on purpose", { kept: [{ name: ".npmrc", changed: false, shown: true }] }, undefined],
  ["what could not be searched", { unsearched: true }, "it would show something of git's history that could not be"],
])("a command whose words do not tell what git shows: %s", (_, more, asks) => {
  const touch = only({ ...line("git log"), ...more });
  const verdict = judge([touch]);
  if (asks === undefined) expect(verdict).toBeUndefined();
  else {
    expect(verdict).toMatchObject({ answer: "ask", by: "secret-files", grantable: true, about: [touch] });
    expect(verdict?.reason).toContain(asks);
  }
});

test("what a command reads and what it has git show are one question", () => {
  const inner = at("read", ".env");
  const touch = only({ ...line("git log -p"), kept: [{ name: ".env", changed: false }], inner: [inner] });
  expect(judge([touch])?.about).toEqual([inner, touch]);
});

test.each([
  [".env", true],
  ["a/id_rsa", true],
  ["deep/credentials", true],
  [".env.example", false],
  ["a.ts", false],
])("a pattern that fits %s is told of it: %s", (path, minded) => expect(policy.minds?.(path)).toBe(minded));

const NAMES = [
  ...[".env", ".env.local", ".envrc", ".npmrc", ".netrc", "_netrc", ".pypirc", ".pgpass", ".my.cnf"],
  ...[".git-credentials", ".htpasswd", ".dockercfg", ".docker/config.json", ".kube/config", "x/.aws/credentials"],
  ...[".config/gh/hosts.yml", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "a.pem", "a.key", "a.p12", "a.pfx"],
  ...["a.jks", "a.keystore", "a.ppk", "credentials.json", "credentials.yml", "credentials.yaml"],
  ...["secrets.json", "secrets.yml", "secrets.yaml"],
];
test.each(NAMES)("%s holds secrets, in any folder and any case", (name) => {
  for (const path of [name, `deep/${name}`, name.toUpperCase()]) expect(judge([at("read", path)])?.answer).toBe("ask");
});
test.each([
  ...["keys.ts", "env.ts", "secrets.md", "secrets.ts", "public.key.ts", "id_rsa.pub", "tokens.json", "a.bak", "a.ts~"],
  ...[
    "pkg/kubeconfig/load.go",
    "lib/credentials/a.ts",
    "auth.json",
    "config.json",
    "docker/config.json",
    ".envoy.yaml",
  ],
  ...["prod.env.ts", "service-account.ts", "settings.json", "test.env", ".env.local.example", ".env-sample"],
  ...[".swp", "#", "~", "environment.ts", ".github/workflows/a.yml", "credentials.ts", "keystore.ts"],
])("%s is like other files", (name) => {
  expect(judge([at("read", name)])).toBeUndefined();
  expect(globMatcher(judge([at("list", ".")])?.exclude ?? [])(name)).toBeUndefined();
});

test.each([".env.example", ".env.sample", ".env.template", ".env.dist", "id_rsa.pub", "kube/config", "env", "key"])(
  "%s holds none",
  (name) => expect(judge([at("read", name)])).toBeUndefined(),
);
