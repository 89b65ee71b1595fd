import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { localProcesses, type ProcessOptions } from "../../src/workspaces/processes.ts";
import { buildDriver, Driver, farFolder, people } from "./process-people.ts";

const probe = localProcesses({
  roots: [os.tmpdir()],
  state: path.join(os.tmpdir(), "unused"),
  sandbox: "auto",
  network: false,
});
const { sandbox, reason } = await probe.enforcement();
await probe.close();
const missing = sandbox === "none";
if (missing) console.warn(`NOT TESTED, the sandbox: ${reason}`);
const hasGit = spawnSync("git", ["--version"]).status === 0;

let tools = "";
let script = "";
beforeAll(async () => {
  tools = farFolder(process.getuid?.() ?? 0);
  script = await buildDriver(tools);
});
afterAll(() => fs.rmSync(tools, { recursive: true, force: true }));

describe.skipIf(missing).each(people())("the sandbox, as $name", ({ prefix, uid }) => {
  let far = "";
  let root = "";
  let home = "";
  let drivers: Driver[] = [];
  let driver: Driver;

  /** By the person itself, outside of any sandbox: the positive control. */
  const outside = (command: string) => {
    const [file = "", ...args] = [...prefix, "bash", "-c", command];
    return spawnSync(file, args, { cwd: root, encoding: "utf8", timeout: 20_000 });
  };
  const open = (options: Partial<ProcessOptions> = {}) => {
    const state = path.join(root, ".toolgate");
    const opened = new Driver(script, prefix, home, {
      roots: [root],
      state,
      sandbox: "required",
      network: false,
      ...options,
    });
    drivers.push(opened);
    return opened;
  };
  const own = (file: string) =>
    process.getuid?.() === 0 ? execFileSync("chown", ["-R", `${uid}:${uid}`, file]) : undefined;
  const put = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };

  beforeEach(() => {
    far = farFolder(uid);
    root = path.join(far, "workspace");
    home = path.join(far, "home");
    fs.mkdirSync(path.join(root, ".toolgate"), { recursive: true });
    put(path.join(home, ".ssh/id_test"), "private key");
    put(path.join(home, ".npmrc"), "token");
    put(path.join(home, "notes.txt"), "notes");
    put(path.join(far, "beside/file.txt"), "beside");
    own(far);
    driver = open();
  });
  afterEach(async () => {
    await Promise.all(drivers.map((each) => each.close()));
    drivers = [];
    fs.rmSync(far, { recursive: true, force: true });
  });

  test("has no capabilities and gets none", async () => {
    const { stdout, enforcement } = await driver.run("grep -E 'Cap|NoNewPrivs' /proc/self/status; id -u");
    for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) expect(stdout).toMatch(new RegExp(`Cap${set}:\\s0{16}\n`));
    expect(stdout).toMatch(/NoNewPrivs:\s1/);
    expect(enforcement).toEqual({ sandbox: "bubblewrap", network: "none" });
    if (uid === 0) expect(outside("grep CapEff /proc/self/status").stdout).not.toMatch(/\s0{16}\n/);
  });

  test.each([
    "mount -o remount,rw,bind /",
    "mount -o remount,rw /etc",
    "mount -t tmpfs none /mnt",
    "umount /tmp",
    "unshare -Ur true",
    "unshare -m true",
  ])("denied: %s", async (command) => expect((await driver.run(command)).code).not.toBe(0));

  test("a nested user namespace is possible outside, so that it is denied inside means something", () => {
    if (outside("unshare -Ur true").status !== 0)
      console.warn("NOT PROVEN: nested user namespaces are off on this machine");
  });

  test("writes inside the workspace and in its own temporary folder, nowhere else", async () => {
    const beside = path.join(far, "beside/made");
    const { stdout } = await driver.run(
      `echo in > made; echo t > /tmp/made; cat /tmp/made; echo out > ${beside}; touch /etc/made /usr/made /var/tmp/${path.basename(far)}; echo end`,
    );
    expect(stdout).toBe("t\nend\n");
    expect(fs.readFileSync(path.join(root, "made"), "utf8")).toBe("in\n");
    for (const file of [beside, "/etc/made", "/usr/made", "/tmp/made", `/var/tmp/${path.basename(far)}`])
      expect(fs.existsSync(file)).toBe(false);
    expect(outside(`echo out > ${beside}`).status).toBe(0);
    expect((await driver.run("cat /tmp/made")).code).not.toBe(0);
  });

  test("secrets are not there: of the home folder, of the system", async () => {
    const read = `cat ${home}/.ssh/id_test ${home}/.npmrc ${home}/notes.txt`;
    expect(outside(read).stdout).toBe("private keytokennotes");
    expect((await driver.run(read)).stdout).toBe("");
    expect(
      (await driver.run("cat /etc/shadow /etc/gshadow /etc/shadow-; ls -A /root /home; cat /etc/passwd | head -1"))
        .stdout,
    ).toMatch(/^(\/root:\n\n)?(\/home:\n)?\S*:x:\d+:/);
    if (uid === 0) expect(outside("cat /etc/shadow").stdout).not.toBe("");
    const atHome = open({ roots: [home], state: path.join(home, ".toolgate") });
    expect((await atHome.run(`${read}; echo ok > made; cat made`)).stdout).toBe("notesok\n");
    expect(fs.readFileSync(path.join(home, ".ssh/id_test"), "utf8")).toBe("private key");
  });

  test("no network, not even to this machine, unless it is allowed", async () => {
    const server = net.createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as net.AddressInfo;
    const connect = `exec 5<>/dev/tcp/127.0.0.1/${port} && head -1 <&5`;
    try {
      expect(await driver.run(connect)).toMatchObject({ code: 1, stdout: "" });
      expect(await open({ network: true }).run(connect)).toMatchObject({
        code: 0,
        stdout: "hello\n",
        enforcement: { network: "open" },
      });
    } finally {
      server.close();
    }
  });

  test("sockets of the host are out of reach, wherever they are", async () => {
    const sockets = [path.join(root, "host.sock"), path.join(far, "beside/host.sock")];
    const servers = sockets.map((file) => net.createServer((socket) => socket.end("hello")).listen(file));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
    for (const file of sockets) fs.chmodSync(file, 0o777);
    const connect = (file: string) =>
      `${process.execPath} -e 'require("net").connect(${JSON.stringify(file)}).on("data", (text) => console.log(String(text))).on("error", (e) => { console.log(e.code); process.exit(1) })'`;
    try {
      for (const file of sockets) {
        expect(await driver.run(connect(file)), file).toMatchObject({ code: 1, stdout: expect.stringMatching(/^E/) });
        expect(await ask(file)).toBe("hello");
      }
      expect(sockets.every((file) => fs.statSync(file).isSocket())).toBe(true);
      expect(
        (
          await driver.run(
            `${process.execPath} -e 'require("net").createServer().listen("own.sock", function () { console.log("own"); this.close() })'`,
          )
        ).stdout,
      ).toBe("own\n");
    } finally {
      for (const server of servers) server.close();
    }
  });

  test("/proc shows its own processes only", async () => {
    const { stdout } = await driver.run(
      "ls -d /proc/[0-9]*; kill -0 $PPID 2>/dev/null; cat /proc/*/cmdline | tr '\\0' ' '",
    );
    expect(stdout.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(8);
    expect(stdout).not.toContain("driver.mjs");
    expect(outside("cat /proc/*/cmdline | tr '\\0' ' '").stdout).toContain("driver.mjs");
  });

  test("limits hold", async () => {
    expect((await driver.run("ulimit -c; ulimit -n; ulimit -u")).stdout).toMatch(/^0\n(\d{1,5}|65536)\n\d{1,4}\n$/);
    expect((await driver.run("cat /proc/self/oom_score_adj")).stdout).toBe("500\n");
  });

  test("a link that was made inside leads no file tool outside", async () => {
    await driver.run("ln -s /etc/passwd leak; ln -s / all");
    const workspace = localWorkspace({ root });
    expect(fs.readlinkSync(path.join(root, "leak"))).toBe("/etc/passwd");
    for (const given of ["leak", "all/etc/passwd"]) expect(() => workspace.locate(given)).toThrow("outside");
    await workspace.close();
  });

  test("a command that ends takes along what it started, and kill what does not end", async () => {
    const marked = () => spawnSync("pgrep", ["-f", `sleep 29${uid}7`]).stdout.toString();
    const { stdout } = await driver.run(`setsid sleep 29${uid}7 & nohup sleep 29${uid}7 & echo done`);
    expect(stdout).toBe("done\n");
    expect(marked()).toBe("");
    const running = driver.start(`trap '' TERM; setsid sleep 29${uid}7 & sleep 29${uid}7; sleep 29${uid}7`);
    await running.begun;
    await wait(50);
    expect(marked()).not.toBe("");
    await driver.close();
    expect(marked()).toBe("");
  });

  test("the host is killed: nothing goes on, and the next one removes what stood there", async () => {
    const marked = () => spawnSync("pgrep", ["-f", `sleep 31${uid}7`]).stdout.toString();
    const running = driver.start(`sleep 31${uid}7`);
    await running.begun;
    expect(fs.readdirSync(root).sort()).toEqual([".git", ".mcp.json", ".toolgate", "toolgate.yaml"]);
    driver.child.kill("SIGKILL");
    for (let turn = 0; turn < 200 && marked() !== ""; turn++) await wait(10);
    expect(marked()).toBe("");
    await open().run("true");
    expect(fs.readdirSync(root)).toEqual([".toolgate"]);
  });

  test("where the sandbox cannot be set up, nothing is run", async () => {
    const gone = path.join(far, "gone");
    fs.mkdirSync(gone);
    own(gone);
    const other = open({ roots: [root, gone] });
    expect((await other.run("echo ok")).stdout).toBe("ok\n");
    fs.rmSync(gone, { recursive: true });
    expect(await other.run("touch made")).toMatchObject({ code: null, error: expect.stringMatching(/could not be/) });
    expect(fs.existsSync(path.join(root, "made"))).toBe(false);
  });

  describe("what decides over the host stays as it is", () => {
    const names = [".git/hooks/pre-commit", ".git/config", ".toolgate/rules", "toolgate.yaml", ".mcp.json"];
    const attack = (name: string) => {
      const folder = path.dirname(name);
      return `echo evil > ${name}; mkdir -p ${folder} && echo evil > ${name}; echo evil > x && mv -f x ${name}; ln -sf /x ${name}; cp x ${name}
        rm -rf ${name}; mv ${name} away; mv ${folder === "." ? name : folder} away2; rm -rf ${folder === "." ? name : folder}; mkdir -p ${folder}; echo evil > ${name}
        mv .git away3; mkdir -p .git/hooks; echo evil > ${name}; rm -rf x; echo end`;
    };
    const tree = () =>
      execFileSync("find", [".", "-not", "-path", "./.toolgate/sandbox*", "-printf", "%p %y %s\n"], {
        cwd: root,
        encoding: "utf8",
      })
        .split("\n")
        .sort();

    test.each(names)("%s, where it exists", async (name) => {
      for (const each of names) put(path.join(root, each), "good");
      own(root);
      expect((await driver.run(attack(name))).stdout).toBe("end\n");
      for (const each of names) expect(fs.readFileSync(path.join(root, each), "utf8"), each).toBe("good");
      expect(outside(`echo control > ${name}`).status).toBe(0);
    });

    test.each(names)("%s, where it is missing", async (name) => {
      if (name.startsWith(".git/")) fs.mkdirSync(path.join(root, ".git"));
      own(root);
      const before = tree();
      expect((await driver.run(attack(name))).stdout).toBe("end\n");
      expect(tree()).toEqual(before);
    });

    test("while another command that ended took its placeholders along", async () => {
      const long = driver.start(
        "sleep 0.6; for name in .mcp.json toolgate.yaml; do mkdir -p $name; echo evil > $name; echo evil > $name/x; done; echo end",
      );
      await long.begun;
      const other = open();
      await Promise.all([driver.run("true"), other.run("true")]);
      expect((await long.ended).stdout).toBe("end\n");
      expect(fs.readdirSync(root)).toEqual([".toolgate"]);
    });

    test("a person's file that comes meanwhile stays", async () => {
      const long = driver.start("sleep 0.5");
      await long.begun;
      fs.rmdirSync(path.join(root, ".mcp.json"));
      fs.writeFileSync(path.join(root, ".mcp.json"), "{}");
      await long.ended;
      expect(fs.readFileSync(path.join(root, ".mcp.json"), "utf8")).toBe("{}");
    });

    test("links in their place, and what git would read besides", async () => {
      put(path.join(root, ".git/HEAD"), "ref: refs/heads/main\n");
      put(path.join(root, ".git/config"), "good");
      put(path.join(root, "our-hooks/pre-commit"), "good");
      fs.symlinkSync("../our-hooks", path.join(root, ".git/hooks"));
      own(root);
      await driver.run(
        "rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit; echo evil > our-hooks/pre-commit; echo ../evil > .git/commondir; echo evil > .git/config.worktree",
      );
      expect(fs.readlinkSync(path.join(root, ".git/hooks"))).toBe("../our-hooks");
      expect(fs.readFileSync(path.join(root, ".git/hooks/pre-commit"), "utf8")).toBe("good");
      expect(fs.readdirSync(path.join(root, ".git")).sort()).toEqual(["HEAD", "config", "hooks"]);
    });

    test.skipIf(!hasGit)(
      "a repository that is made inside arrives without hooks and without programs in its configuration",
      async () => {
        const made = await driver.run(
          "git init -q . && git config core.fsmonitor 'touch owned' && echo 'touch owned' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && echo ../evil > .git/commondir; rm .git/commondir; echo a > a; git add a && git -c core.fsmonitor= -c user.name=n -c user.email=e commit -q --no-verify -m first; git log --format=%s",
        );
        expect(made.stdout).toBe("first\n");
        expect(fs.existsSync(path.join(root, ".git/hooks/pre-commit"))).toBe(false);
        expect(fs.readFileSync(path.join(root, ".git/config"), "utf8")).not.toContain("fsmonitor");
        const again = await driver.run(
          "git log --format=%s; git status --short; git config core.fsmonitor x; echo b >> a; git -c user.name=n -c user.email=e commit -qam second; git log --format=%s",
        );
        expect(again.stdout).toBe("first\nsecond\nfirst\n");
        expect(fs.readdirSync(root).sort()).toEqual([".git", ".toolgate", "a"]);
        expect(outside("git -c safe.directory='*' status --short").stdout).toBe("");
        expect(fs.existsSync(path.join(root, "owned"))).toBe(false);
      },
    );
  });
});

function ask(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    net
      .connect(socket)
      .on("data", (text) => resolve(String(text)))
      .on("error", reject);
  });
}
