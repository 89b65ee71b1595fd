import fs from "node:fs";
import net from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../../../test/capabilities.ts";
import { ISOLATION, mountsIn, useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import { findSandbox } from "./bubblewrap.ts";
import { Containment } from "./command-containment.ts";

describe("the arguments of bubblewrap", () => {
  test("what keeps the command apart comes first, then the system, the mounts, the folder, the command", () => {
    const site = useSite();
    const args = site.args();
    expect(args.slice(0, ISOLATION.length + 3)).toEqual([...ISOLATION, "--ro-bind", "/", "/"]);
    const rest = args.slice(args.indexOf("--chdir"));
    expect(rest.slice(0, 7)).toEqual(["--chdir", site.root, "--json-status-fd", "3", "--", "/bin/sh", "-c"]);
    expect(rest.slice(8)).toEqual(["sh", "bash", "-c", "true"]);
  });

  test("the network is shared only where that is allowed", () => {
    const site = useSite();
    expect(site.args({ network: false })).not.toContain("--share-net");
    const args = site.args({ network: true });
    expect(args.indexOf("--share-net")).toBe(ISOLATION.length);
    const resolver = fs.realpathSync("/etc/resolv.conf");
    expect(viewOf(args, resolver)).toMatch(/^read/);
  });

  test("what bubblewrap itself is told, where it works", needs("bubblewrap"), async () => {
    const sandbox = await findSandbox();
    expect(sandbox).toMatchObject({ program: expect.stringMatching(/^\/.*\/bwrap$/) });
    const { isolation = [] } = sandbox as { isolation?: readonly string[] };
    const cautious = ["--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
    expect(isolation.slice(0, cautious.length)).toEqual(cautious);
    const isWeaker = "weaker" in sandbox;
    expect(isolation.slice(cautious.length)).toEqual(isWeaker ? [] : ["--disable-userns"]);
  });

  test("every mount lies over those of its parents, never under them", () => {
    const site = useSite();
    site.put({
      "root/.git/config": "",
      "root/.git/hooks/": "",
      "home/.cargo/bin/": "",
      "home/.cargo/credentials": "x",
    });
    const targets = mountsIn(site.args({ isRoot: true })).map(({ target }) => target);
    expect(new Set(targets).size).toBe(targets.length);
    for (const [index, target] of targets.entries())
      for (const later of targets.slice(index + 1))
        expect(target.startsWith(`${later}/`), `${later} over ${target}`).toBe(false);
  });
});

describe("the environment", () => {
  const contain = (env: Record<string, string>) => {
    const site = useSite();
    // what is private of the system is another test's, and takes a long look
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    const containment = new Containment([site.root], site.state, { network: false }, "env");
    const contained = containment.contain(
      { program: "/bin/bwrap", isolation: [] },
      { argv: ["x"], env, cwd: site.root },
    );
    onTestFinished(() => {
      contained.release();
      containment.close();
    });
    return contained;
  };

  test.each([
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "LD_DEBUG_OUTPUT",
    "DYLD_INSERT_LIBRARIES",
    "GLIBC_TUNABLES",
    "MALLOC_CHECK_",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "RES_OPTIONS",
  ])("%s is for the command, and never for bubblewrap", (name) => {
    const { args, env } = contain({ A: "1", [name]: "evil", B: "2" });
    expect(env).toEqual({ A: "1", B: "2" });
    const at = args.indexOf("--setenv");
    expect(args.slice(at, at + 3)).toEqual(["--setenv", name, "evil"]);
    expect(at).toBeGreaterThan(args.indexOf("--chdir"));
    expect(at).toBeLessThan(args.indexOf("--"));
  });

  test.each(["LD", "OLD_LD_PRELOAD", "GCONV_PATHS", "GLIBC_TUNABLES_X", "PATH", "HOME"])(
    "%s is no word to the loader",
    (name) => {
      const { args, env, file } = contain({ [name]: "x" });
      expect([env, file, args.includes("--setenv")]).toEqual([{ [name]: "x" }, "/bin/bwrap", false]);
    },
  );
});

describe("what a command sees", () => {
  test("the system as it is, the roots to write to, nothing of what passes and of people", () => {
    const site = useSite();
    site.put({ "home/notes.txt": "", "home/.cache/x": "" });
    const args = site.args();
    const views = [
      ["/usr/bin/env", "read"],
      ["/etc/passwd", "read"],
      ["/run/docker.sock", "empty"],
      ["/run/user/1000/bus", "empty"],
      ["/tmp/x", "empty"],
      ["/var/tmp/x", "empty"],
      ["/root/x", "empty"],
      ["/home/u/x", "empty"],
      [`${site.home}/notes.txt`, "empty"],
      [`${site.home}/.cache/x`, "empty"],
      [`${site.root}/src/a.ts`, "write"],
      [`${site.root}-2/a.ts`, "empty"],
      ["/dev/sda", "empty"],
      ["/proc/1/environ", "empty"],
    ];
    for (const [file = "", view] of views) expect([file, viewOf(args, file)]).toEqual([file, view]);
    const names = mountsIn(args).filter(({ target }) => target === "/dev" || target === "/proc");
    expect(names).toEqual([
      { name: "--dev", target: "/dev" },
      { name: "--proc", target: "/proc" },
    ]);
  });

  test("of a home folder its programs, without what opens doors among them", () => {
    const site = useSite();
    site.put({
      "home/.cargo/bin/cargo": "",
      "home/.cargo/credentials": "x",
      "home/.cargo/credentials.toml": "x",
      "home/.local/bin/tool": "",
      "home/.local/share/keyrings/x": "",
      "home/.nvm": "a file",
      "home/.ssh/id": "",
      "home/.npmrc": "",
    });
    const args = site.args();
    const views = [
      [".cargo/bin/cargo", "read"],
      [".local/bin/tool", "read"],
      [".cargo/credentials", "blank"],
      [".cargo/credentials.toml", "blank"],
      [".nvm", "empty"],
      [".ssh/id", "empty"],
      [".npmrc", "empty"],
      [".local/share/keyrings/x", "empty"],
    ];
    for (const [name = "", view] of views) expect([name, viewOf(args, `${site.home}/${name}`)]).toEqual([name, view]);
  });

  test.each([
    ["[user]\n\tname = A\n\temail = a@example.org\n[alias]\n\tst = status\n", "read"],
    ['[remote "o"]\n\turl = https://example.org/x.git\n', "read"],
    ['[url "https://me:secret@example.org/"]\n\tinsteadOf = x\n', "empty"],
    ["[http]\n\textraHeader = Authorization: Basic eA==\n", "empty"],
    ["[sendemail]\n\tsmtpPass = x\n\tpassword = y\n", "empty"],
    ["[github]\n\tTOKEN = x\n", "empty"],
  ])("~/.gitconfig %j: %s", (text, view) => {
    const site = useSite();
    site.put({ "home/.gitconfig": text });
    expect(viewOf(site.args(), `${site.home}/.gitconfig`)).toBe(view);
  });

  test("a ~/.gitconfig that is a link, or cannot be read, is not shown", () => {
    const site = useSite();
    site.put({ "home/.gitconfig": "-> /etc/hostname" });
    expect(viewOf(site.args(), `${site.home}/.gitconfig`)).toBe("empty");
    const other = useSite();
    other.put({ "home/.gitconfig/x": "" });
    expect(viewOf(other.args(), `${other.home}/.gitconfig`)).toBe("empty");
  });

  test("a home folder that is the workspace keeps its secrets to itself", () => {
    const site = useSite();
    site.put({
      "home/.ssh/id": "",
      "home/.npmrc": "",
      "home/.config/gh/hosts": "",
      "home/notes": "",
      "real/key": "",
      "home/.aws": "-> ../real",
    });
    const args = site.args({ roots: [site.home] });
    const views = [
      [".ssh/id", "empty"],
      [".npmrc", "blank"],
      [".config/gh/hosts", "empty"],
      ["notes", "write"],
      [".cargo", "write"],
    ];
    for (const [name = "", view] of views) expect([name, viewOf(args, `${site.home}/${name}`)]).toEqual([name, view]);
    const both = site.args({ roots: [site.home, `${site.base}/real`] });
    expect(viewOf(both, `${site.base}/real/key`), "a root that a secret's name leads to").toBe("write");
    expect(viewOf(site.args({ roots: [site.base] }), `${site.base}/real/key`)).toBe("empty");
  });

  test("a root inside a hidden folder is there, and what is beside it is not", () => {
    const site = useSite();
    site.put({ "home/project/": "", "home/other": "" });
    const args = site.args({ roots: [`${site.home}/project`] });
    expect(viewOf(args, `${site.home}/project/a`)).toBe("write");
    expect(viewOf(args, `${site.home}/other`)).toBe("empty");
  });

  test("sockets that programs of the host listen on are blank, where they could be seen", async () => {
    const site = useSite();
    const sockets = [site.at("root/host.sock"), site.at("home/host.sock")];
    const servers = sockets.map((file) => net.createServer().listen(file));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
    onTestFinished(() => {
      for (const server of servers) server.close();
    });
    const args = site.args();
    expect(sockets.map((file) => viewOf(args, file))).toEqual(["blank", "empty"]);
  });
});

describe("by what a command may do", () => {
  const contained = (access: "read-write" | "read-only" | "build", maxMemory?: number) => {
    const site = useSite();
    site.put({ "root/src/a.txt": "a", "root/personal/key": "secret" });
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    const settings = { network: true, maxMemory, personal: [site.at("root/personal")] };
    const containment = new Containment([site.root], site.state, settings, "by");
    onTestFinished(() => containment.close());
    const inner = { argv: ["x"], env: {}, cwd: site.root, access };
    const { args, release } = containment.contain({ program: "/bin/bwrap", isolation: [], filter: "/filter" }, inner);
    onTestFinished(release);
    return { site, args };
  };

  test.each([
    ["read-write", "write", true],
    ["read-only", "read", false],
    ["build", "read", false],
  ] as const)("%s: the root is there to %s, and the network is %s", (access, view, network) => {
    const { site, args } = contained(access);
    expect(viewOf(args, site.at("root/src/a.txt"))).toBe(view);
    expect(args.includes("--share-net")).toBe(network);
    expect(viewOf(args, site.at("root/personal/key")), "what a person keeps to themselves").toBe("empty");
    expect(args.slice(args.indexOf("--seccomp"), args.indexOf("--seccomp") + 2)).toEqual(["--seccomp", "5"]);
  });

  test("limits that hold for every command, and one for its memory if it is set", () => {
    const script = ({ args }: { args: string[] }): string => args[args.indexOf("/bin/sh") + 2] ?? "";
    const always = script(contained("read-write"));
    for (const limit of ["ulimit -c 0", "ulimit -f 8388608", "ulimit -n 65536", "ulimit -u 8192", "oom_score_adj"])
      expect(always).toContain(limit);
    expect(always).not.toContain("ulimit -d");
    expect(script(contained("read-write", 4096 * 1024))).toContain("ulimit -d 4096");
  });
});
