import { describe, expect, test } from "vitest";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { withoutSecrets } from "../../text/known-secrets.ts";
import { filledIn, filledMap, secretsOf, variable } from "./filled-variables.ts";

const ENV = { KEY: "long-secret-value", SHORT: "abc", EMPTY: "", OTHER: "another-secret-value" };
const NOTHING: ServerSetting = {
  type: "http",
  command: "",
  args: [],
  env: {},
  url: "",
  headers: {},
  enabled: true,
  timeout: 1,
  startupTimeout: 1,
};
const secrets = (setting: Partial<ServerSetting>) => secretsOf({ ...NOTHING, ...setting }, ENV);

describe("variables in what reaches a server", () => {
  test.each([
    ["plain", "plain"],
    ["Bearer ${KEY}", "Bearer long-secret-value"],
    ["${SHORT}-${SHORT}", "abc-abc"],
    ["${EMPTY}", ""],
    ["${EMPTY:-x}", ""],
    ["${UNSET:-x y}", "x y"],
    ["${UNSET:-}", ""],
    ["$KEY ${} ${1A}", "$KEY ${} ${1A}"],
  ])("%s", (text, filled) => {
    expect(filledIn(text, ENV)).toBe(filled);
    expect(filledMap({ a: text }, ENV)).toEqual({ a: filled });
  });

  test("one that is not set stops everything", () => {
    expect(() => filledIn("Bearer ${UNSET}", ENV)).toThrow("the environment variable UNSET is not set");
    expect(() => filledMap({ a: "x", b: "${UNSET}" }, ENV)).toThrow("UNSET");
    expect(variable("KEY", ENV)).toBe("long-secret-value");
    for (const name of ["UNSET", "EMPTY"]) expect(() => variable(name, ENV)).toThrow(`${name} is not set`);
  });
});

describe("what must not be repeated", () => {
  test.each<[what: string, setting: Partial<ServerSetting>, secret: string[]]>([
    ["a header", { headers: { a: "Bearer ${KEY}" } }, ["Bearer long-secret-value", "long-secret-value"]],
    ["a header as it is written", { headers: { a: "written-down-secret" } }, ["written-down-secret"]],
    ["a variable that is set for it", { env: { A: "${OTHER}" } }, ["another-secret-value"]],
    ["one with a default", { env: { A: "${UNSET:-default-secret}" } }, ["default-secret"]],
    ["its token", { tokenEnv: "KEY" }, ["long-secret-value"]],
    [
      "the secret of its client",
      { oauth: { grant: "client_credentials", clientId: "c", secretEnv: "OTHER" } },
      ["another-secret-value"],
    ],
    ["eight characters are enough", { env: { A: "12345678", B: "1234567" } }, ["12345678"]],
    ["what is too short to be one", { env: { A: "${SHORT}", B: "on" }, tokenEnv: "UNSET" }, []],
    ["twice the same", { env: { A: "${KEY}" }, headers: { b: "${KEY}" }, tokenEnv: "KEY" }, ["long-secret-value"]],
  ])("%s", (_, setting, secret) => expect(secrets(setting).sort()).toEqual(secret));

  test("goes wherever it stands, the longest first", () => {
    const all = secrets({ env: { A: "prefix-secret", B: "prefix-secret-and-more" } });
    expect(withoutSecrets("x prefix-secret-and-more y prefix-secret z prefix-secret", all)).toBe(
      "x [redacted] y [redacted] z [redacted]",
    );
  });
});
