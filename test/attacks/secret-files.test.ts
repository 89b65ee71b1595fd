import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Approver } from "../../src/core/contracts/approval.ts";
import { bench } from "../journeys/harness.ts";

const SECRET = [
  ...[".env", ".env.local", ".env.production", "deep/.env", ".ENV", ".envrc"],
  ...[".npmrc", ".netrc", ".pypirc", ".pgpass", ".git-credentials", ".aws/credentials", "credentials.json"],
  ...["_netrc", ".my.cnf", ".htpasswd", ".dockercfg", ".docker/config.json", ".kube/config", ".config/gh/hosts.yml"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "keys/id_ed25519", "server.pem", "tls/server.key", "putty.ppk"],
  ...["store.p12", "store.pfx", "store.jks", "app.keystore", "credentials.yml", "credentials.yaml"],
  ...["secrets.json", "secrets.yml", "config/secrets.yaml"],
];
const PLAIN = [
  ...[".env.example", ".env.sample", ".env.template", ".env.dist", "environment.ts", "env", "src/env.ts"],
  ...["id_rsa.pub", "credentials.ts", "credentials/readme.md", "keys.ts", "monkey.txt", "npmrc.md", "pem.go"],
  ...["config.json", "kube/config", "gh/hosts.yml", "secrets.ts", "keystore.md"],
];
const files = Object.fromEntries([...SECRET, ...PLAIN].map((name) => [name, `needle of ${name}\n`]));

const asked = async (mode: "yolo" | "confirm-sensitive" | "confirm-all", answer = "deny") => {
  const reasons: string[] = [];
  const approve: Approver = (_, { by, reason }) => {
    reasons.push(`${by}: ${reason}`);
    return answer;
  };
  const one = await bench(files, { mode, approve, store: "memory", sandbox: "off" });
  return { ...one, reasons };
};

describe("confirm-sensitive", () => {
  test("asks before a file of secrets is read, by tools and by commands", async () => {
    const { call, reasons } = await asked("confirm-sensitive");
    for (const name of SECRET) {
      expect(await call("read_file", { path: name }), name).toMatchObject({ status: "refused" });
      expect(await call("run_command", { command: `cat ${name}` }), name).toMatchObject({ status: "refused" });
    }
    expect(reasons).toHaveLength(2 * SECRET.length);
    expect(reasons.filter((reason) => !reason.startsWith("secret-files: "))).toEqual([]);
  });

  test("asks for a file whose whole name is credentials", async () => {
    const { call, put, reasons } = await asked("confirm-sensitive");
    put("deep/credentials", "needle\n");
    expect(await call("read_file", { path: "deep/credentials" })).toMatchObject({ status: "refused" });
    expect(reasons).toHaveLength(1);
  });

  test("asks nobody about files that only look alike", async () => {
    const { call, reasons } = await asked("confirm-sensitive");
    for (const name of PLAIN) {
      expect(await call("read_file", { path: name }), name).toMatchObject({ success: true });
      expect(await call("run_command", { command: `cat ${name}` }), name).toMatchObject({ success: true });
    }
    expect(reasons).toEqual([]);
  });

  test.each(["cat .env*", "head -1 *.pem", "grep needle .env", "grep needle < .env", "base64 deep/.env"])(
    "asks for %s",
    async (command) => {
      const { call, reasons } = await asked("confirm-sensitive");
      expect(await call("run_command", { command })).toMatchObject({ status: "refused" });
      expect(reasons).toHaveLength(1);
    },
  );

  test("a link does not help", async () => {
    const { call, reasons, dir } = await asked("confirm-sensitive");
    symlinkSync(".env", path.join(dir, "harmless.txt"));
    expect(await call("read_file", { path: "harmless.txt" })).toMatchObject({ status: "refused" });
    expect(reasons).toHaveLength(1);
  });

  test.each(["grep", "search_code"])("%s leaves them out and counts them", async (name) => {
    const { call, reasons } = await asked("confirm-sensitive");
    const result = await call(name, { pattern: "needle", path: "." });
    expect(result).toMatchObject({ success: true });
    for (const each of SECRET) expect(result.output).not.toContain(`needle of ${each}\n`);
    expect(result.output).toContain("needle of .env.example");
    expect(result.output).toContain("needle of credentials/readme.md");
    expect(result.output).toMatch(new RegExp(`\\b${SECRET.length}\\b.*left out`, "i"));
    expect(reasons).toEqual([]);
  });

  test("a yes for the session is asked for once, and a search in the very file is a read", async () => {
    const { call, reasons } = await asked("confirm-sensitive", "session");
    for (let time = 0; time < 2; time++)
      expect((await call("read_file", { path: ".env" })).output).toContain("needle of .env");
    expect(reasons).toHaveLength(1);
    expect((await call("grep", { pattern: "needle", path: ".env" })).output).toContain("needle");
    expect(reasons).toHaveLength(2);
  });
});

test("yolo reads and finds them unasked", async () => {
  const { call, reasons } = await asked("yolo");
  expect((await call("read_file", { path: ".env" })).output).toContain("needle of .env");
  expect((await call("grep", { pattern: "needle" })).output).toContain(".netrc");
  expect(reasons).toEqual([]);
});
