import { describe, expect, test } from "vitest";
import { environmentOf, LOADER } from "./environment.ts";

const host = {
  PATH: "/usr/bin:./bin::relative:/ws/node_modules/.bin:/ws:/ws-other/bin:/ws/../ws/x:/usr/../ws/bin:/opt/bin",
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

describe("the environment of a command that only looks", () => {
  const looking = (asked: Record<string, string> = {}) => environmentOf(surroundings, asked, true);
  const isSettled = (name: string): boolean => /^(?:GIT_(?!TERMINAL|SSH)|npm_)/.test(name);

  test("git starts nothing that a repository names, fetches nothing and writes nothing on the side", () => {
    const env = looking();
    const settings = Array.from({ length: Number(env.GIT_CONFIG_COUNT) }, (_, index) => [
      env[`GIT_CONFIG_KEY_${index}`],
      env[`GIT_CONFIG_VALUE_${index}`],
    ]);
    expect(Object.fromEntries(settings)).toEqual({
      "safe.bareRepository": "explicit",
      "core.fsmonitor": "false",
      "core.hooksPath": "/dev/null",
      "core.pager": "cat",
      "core.sshCommand": "false",
      "core.askPass": "true",
      "credential.helper": "",
      "protocol.allow": "never",
      "log.showSignature": "false",
      "log.follow": "false",
      "diff.submodule": "short",
      "stash.showPatch": "false",
      "gpg.program": "false",
      "gpg.ssh.program": "false",
      "gpg.x509.program": "false",
    });
    expect(env).toMatchObject({
      GIT_OPTIONAL_LOCKS: "0",
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_LAZY_FETCH: "1",
      npm_config_ignore_scripts: "true",
      npm_config_update_notifier: "false",
      npm_config_logs_max: "0",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
    });
  });

  test("nothing that the call names changes that; what is harmless it may name", () => {
    const settled = looking();
    const changed = Object.fromEntries(
      Object.keys(settled)
        .filter(isSettled)
        .map((name) => [name, "./evil"]),
    );
    expect(looking({ ...changed, GIT_CONFIG_KEY_99: "core.pager", X: "1" })).toEqual({ ...settled, X: "1" });
  });
  test.each(
    "GIT_EXTERNAL_DIFF GIT_SSH GIT_PROXY_COMMAND GIT_ASKPASS GIT_TRACE GIT_TRACE2_EVENT GIT_CONFIG_GLOBAL GIT_CONFIG_PARAMETERS LESSOPEN LESSCLOSE".split(
      " ",
    ),
  )("%s is not passed on", (name) => {
    expect(looking({ [name]: "./evil" })).not.toHaveProperty([name]);
    expect(environmentOf(surroundings, { [name]: "./own" })).toHaveProperty([name], "./own");
  });
});

describe("what the loader obeys", () => {
  test.each(
    "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GLIBC_TUNABLES MALLOC_CHECK_ MALLOC_ARENA_MAX GCONV_PATH LOCPATH NLSPATH HOSTALIASES RES_OPTIONS".split(
      " ",
    ),
  )("%s", (name) => expect(LOADER.test(name)).toBe(true));

  test.each("PATH LD OLD_LD_PATH MY_MALLOC_X GLIBC_TUNABLES_X LOCPATHS RES_OPTIONS2 LANG".split(" "))(
    "not %s",
    (name) => expect(LOADER.test(name)).toBe(false),
  );
});

test("where there is no network nothing is asked for again and again, unless the call says so", () => {
  const bare = { host: {}, passEnv: [], roots: ["/ws"], bash: "/usr/bin/bash" };
  const retries = { npm_config_fetch_retries: "0", PIP_RETRIES: "0", CARGO_NET_RETRY: "0" };
  expect(environmentOf({ ...bare, offline: true })).toMatchObject(retries);
  expect(environmentOf({ ...bare, offline: true }, { PIP_RETRIES: "3" }).PIP_RETRIES).toBe("3");
  for (const name of Object.keys(retries)) expect(environmentOf(bare)).not.toHaveProperty(name);
});

test("temporary files go to the sandbox's own folder, unless the call says so, and caches of who only looks too", () => {
  const inside = { host: { TMPDIR: "/host" }, passEnv: [], roots: ["/ws"], bash: "/usr/bin/bash", temporary: "/t" };
  expect(environmentOf(inside).TMPDIR).toBe("/t");
  expect(environmentOf(inside)).not.toHaveProperty("XDG_CACHE_HOME");
  expect(environmentOf(inside, { TMPDIR: "/x" }).TMPDIR).toBe("/x");
  expect(environmentOf(inside, {}, true)).toMatchObject({ XDG_CACHE_HOME: "/t", npm_config_cache: "/t/npm" });
  const without = environmentOf(surroundings, {}, true);
  expect(without).not.toHaveProperty("XDG_CACHE_HOME");
  expect(without).toHaveProperty("npm_config_cache", "/dev/null");
});
