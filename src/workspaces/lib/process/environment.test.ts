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
