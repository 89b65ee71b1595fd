import { describe, expect, test } from "vitest";
import { environmentOf } from "./environment.ts";

const host = {
  PATH: "/usr/bin:./bin::relative:/ws/node_modules/.bin:/ws:/ws-other/bin:/ws/../ws/x:/opt/bin",
  HOME: "/home/u",
  LANG: "C.UTF-8",
  LC_ALL: "C",
  API_TOKEN: "secret",
  LD_PRELOAD: "/evil.so",
  BASH_ENV: "/evil.sh",
  ENV: "/evil.sh",
  NODE_OPTIONS: "--require /evil.js",
  PYTHONSTARTUP: "/evil.py",
  GIT_DIR: "/evil",
  "BASH_FUNC_ls%%": "() { evil; }",
  SHELL: "/bin/zsh",
  PAGER: "less",
  TERM: "xterm",
};
const surroundings = { host, passEnv: [], roots: ["/ws"], bash: "/bin/bash" };

describe("the environment of a command", () => {
  test("only an allow-list of the host's comes through", () => {
    const env = environmentOf(surroundings);
    expect(env).toMatchObject({
      HOME: "/home/u",
      LANG: "C.UTF-8",
      LC_ALL: "C",
      SHELL: "/bin/bash",
      TERM: "dumb",
      PAGER: "cat",
    });
    for (const name of [
      "API_TOKEN",
      "LD_PRELOAD",
      "BASH_ENV",
      "ENV",
      "NODE_OPTIONS",
      "PYTHONSTARTUP",
      "GIT_DIR",
      "BASH_FUNC_ls%%",
    ])
      expect(env, name).not.toHaveProperty([name]);
  });

  test("where the host has nothing, this is all of it", () =>
    expect(environmentOf({ host: {}, passEnv: [], roots: ["/ws"], bash: "/usr/bin/bash" })).toEqual({
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      SHELL: "/usr/bin/bash",
      TERM: "dumb",
      NO_COLOR: "1",
      PAGER: "cat",
      GIT_PAGER: "cat",
      MANPAGER: "cat",
      SYSTEMD_PAGER: "cat",
      AWS_PAGER: "",
      EDITOR: "true",
      VISUAL: "true",
      GIT_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
      SSH_ASKPASS_REQUIRE: "never",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "safe.bareRepository",
      GIT_CONFIG_VALUE_0: "explicit",
      GIT_CONFIG_KEY_1: "core.fsmonitor",
      GIT_CONFIG_VALUE_1: "false",
      DEBIAN_FRONTEND: "noninteractive",
      PIP_NO_INPUT: "1",
    }));

  test("a name that is let through is the host's own, never one that every object has", () => {
    const env = environmentOf({ ...surroundings, passEnv: ["toString", "MISSING", "LD_PRELOAD"] });
    expect(Object.keys(env)).not.toContain("toString");
    expect(env).not.toHaveProperty("MISSING");
    expect(env.LD_PRELOAD).toBe("/evil.so");
  });

  test("a PATH that was let through stays as it is", () =>
    expect(environmentOf({ ...surroundings, passEnv: ["PATH"] }).PATH).toBe(host.PATH));

  test("PATH loses what is relative and what is in the workspace", () => {
    expect(environmentOf(surroundings).PATH).toBe("/usr/bin:/ws-other/bin:/opt/bin");
    expect(environmentOf({ ...surroundings, host: { PATH: "." } }).PATH).toMatch(/^\/usr\/local\/sbin:/);
  });

  test("names that were let through, and what the call names, come on top", () => {
    const env = environmentOf({ ...surroundings, passEnv: ["API_TOKEN"] }, { PAGER: "more", X: "1" });
    expect(env).toMatchObject({ API_TOKEN: "secret", PAGER: "more", X: "1" });
  });

  test.each([
    { "A=B": "" },
    { "": "x" },
    { A: "x\0y" },
    { TOOLGATE_PROCESS: "other" },
    { "BASH_FUNC_x%%": "() { :; }" },
  ])("refused: %j", (asked) =>
    expect(() => environmentOf(surroundings, asked as Record<string, string>)).toThrow("cannot be set"),
  );
});
