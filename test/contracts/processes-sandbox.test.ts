import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { when } from "../capabilities.ts";
import { LEFT_OPEN, newNap, type Person, people, running } from "./process-people.ts";
import { useStage } from "./process-stage.ts";
import { until } from "./processes.ts";

/** A node that the sandbox shows: one that npm put into a home folder is hidden there. */
const NODE = ["/usr/bin/node", "/usr/local/bin/node"].find((file) => fs.existsSync(file)) ?? process.execPath;

for (const person of people()) describe(`the sandbox, as ${person.name}`, person.options, () => inTheSandbox(person));

function inTheSandbox(person: Person): void {
  const stage = useStage(person);
  const { uid } = person;

  test("has no capabilities and gets none", async () => {
    const { stdout, enforcement } = await stage.driver.run("grep -E 'Cap|NoNewPrivs' /proc/self/status; id -u");
    for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) expect(stdout).toMatch(new RegExp(`Cap${set}:\\s0{16}\n`));
    expect(stdout).toMatch(/NoNewPrivs:\s1/);
    expect(enforcement).toEqual({ sandbox: "bubblewrap", network: "none" });
    if (uid === 0) expect(stage.outside("grep CapEff /proc/self/status").stdout).not.toMatch(/\s0{16}\n/);
  });

  test.each([
    "mount -o remount,rw,bind /",
    "mount -o remount,rw /etc",
    "mount -t tmpfs none /mnt",
    "umount /tmp",
    "unshare -m true",
  ])("denied: %s", async (command) => expect((await stage.driver.run(command)).code).not.toBe(0));

  const nested = spawnSync("bash", ["-c", "unshare -Ur true"]).status === 0;
  test("denied: a nested user namespace", when(nested, "this machine allows no nested user namespace"), async () => {
    expect(stage.outside("unshare -Ur true").status).toBe(0);
    expect((await stage.driver.run("unshare -Ur true")).code).not.toBe(0);
  });

  test("writes inside the workspace and in its own temporary folder, nowhere else", async () => {
    const beside = path.join(stage.far, "beside/made");
    const { stdout } = await stage.driver.run(
      `echo in > made; echo t > /tmp/made; cat /tmp/made; echo out > ${beside}; touch /etc/made /usr/made /var/tmp/${path.basename(stage.far)}; echo end`,
    );
    expect(stdout).toBe("t\nend\n");
    expect(fs.readFileSync(path.join(stage.root, "made"), "utf8")).toBe("in\n");
    for (const file of [beside, "/etc/made", "/usr/made", "/tmp/made", `/var/tmp/${path.basename(stage.far)}`])
      expect(fs.existsSync(file)).toBe(false);
    expect(stage.outside(`echo out > ${beside}`).status).toBe(0);
    expect((await stage.driver.run("cat /tmp/made")).code).not.toBe(0);
  });

  test("secrets are not there: of the home folder, of the system", async () => {
    const read = `cat ${stage.home}/.ssh/id_test ${stage.home}/.npmrc ${stage.home}/notes.txt`;
    expect(stage.outside(read).stdout).toBe("private keytokennotes");
    expect((await stage.driver.run(read)).stdout).toBe("");
    expect((await stage.driver.run("cat /etc/shadow /etc/gshadow /etc/shadow-")).stdout).toBe("");
    expect((await stage.driver.run("head -c 5 /etc/passwd")).stdout).toBe("root:");
    if (uid === 0) expect(stage.outside("cat /etc/shadow").stdout).not.toBe("");
    const atHome = stage.open({ roots: [stage.home], state: path.join(stage.home, ".toolgate") });
    expect((await atHome.run(`${read}; echo ok > made; cat made`)).stdout).toBe("notesok\n");
    expect(fs.readFileSync(path.join(stage.home, ".ssh/id_test"), "utf8")).toBe("private key");
  });

  test("what the host left open does not come along", async () => {
    const read = `cat /proc/self/fd/${LEFT_OPEN}/.ssh/id_test`;
    expect(stage.outside(`exec ${LEFT_OPEN}<${stage.home}; ${read}`).stdout).toBe("private key");
    for (const driver of [stage.driver, stage.open({ largeBytes: 0 })])
      for (let turn = 0; turn < 8; turn++) {
        const { stdout } = await driver.run(`${read}; for fd in /proc/self/fd/*; do readlink $fd; done | sort -u`);
        expect(stdout).toMatch(/^\/dev\/null\n(\/proc\/\d+\/fd\n)?(\/tmp\/\S+( \(deleted\))?\n)*(pipe:\S+\n)*$/);
      }
  });

  test("no network, not even to this machine, unless it is allowed", async () => {
    const server = net.createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as net.AddressInfo;
    const connect = `exec 5<>/dev/tcp/127.0.0.1/${port} && head -1 <&5`;
    try {
      expect(await stage.driver.run(connect)).toMatchObject({ code: 1, stdout: "" });
      expect(await stage.open({ network: true }).run(connect)).toMatchObject({
        code: 0,
        stdout: "hello\n",
        enforcement: { network: "open" },
      });
    } finally {
      server.close();
    }
  });

  test("nor are those that were made by a relative name, also by a program that went elsewhere since", async () => {
    const serve = (moves: boolean, name: string) =>
      spawn(
        process.execPath,
        [
          "-e",
          `require("net").createServer((s) => s.end("hello")).listen(${JSON.stringify(name)}, () => { ${moves ? 'process.chdir("/");' : ""} console.log("up") })`,
        ],
        { cwd: path.join(stage.root, "served"), stdio: ["ignore", "pipe", "inherit"] },
      );
    fs.mkdirSync(path.join(stage.root, "served"), { mode: 0o777 });
    const servers = [serve(false, "stays.sock"), serve(true, "./moves.sock")];
    try {
      for (const { stdout } of servers) await new Promise((resolve) => stdout.once("data", resolve));
      for (const name of ["stays.sock", "moves.sock"]) {
        const file = path.join(stage.root, "served", name);
        fs.chmodSync(file, 0o777);
        const tries = `cd served; ${NODE} -e 'require("net").connect("${name}").on("data", (text) => console.log(String(text))).on("error", (e) => { console.log(e.code); process.exit(1) })'`;
        expect(await stage.driver.run(tries), name).toMatchObject({ code: 1, stdout: expect.stringMatching(/^E/) });
        expect(await ask(file)).toBe("hello");
      }
    } finally {
      for (const server of servers) server.kill("SIGKILL");
    }
  });

  test("sockets of the host are out of reach, wherever they are", async () => {
    const sockets = [path.join(stage.root, "host.sock"), path.join(stage.far, "beside/host.sock")];
    const servers = sockets.map((file) => net.createServer((socket) => socket.end("hello")).listen(file));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
    for (const file of sockets) fs.chmodSync(file, 0o777);
    const connect = (file: string) =>
      `${NODE} -e 'require("net").connect(${JSON.stringify(file)}).on("data", (text) => console.log(String(text))).on("error", (e) => { console.log(e.code); process.exit(1) })'`;
    try {
      for (const file of sockets) {
        expect(await stage.driver.run(connect(file)), file).toMatchObject({
          code: 1,
          stdout: expect.stringMatching(/^E/),
        });
        expect(await ask(file)).toBe("hello");
      }
      expect(sockets.every((file) => fs.statSync(file).isSocket())).toBe(true);
      expect(
        (
          await stage.driver.run(
            `${NODE} -e 'require("net").createServer().listen("own.sock", function () { console.log("own"); this.close() })'`,
          )
        ).stdout,
      ).toBe("own\n");
    } finally {
      for (const server of servers) server.close();
    }
  });

  test("/proc shows its own processes only", async () => {
    const { stdout } = await stage.driver.run(
      "ls -d /proc/[0-9]*; kill -0 $PPID 2>/dev/null; cat /proc/*/cmdline | tr '\\0' ' '",
    );
    expect(stdout.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(8);
    expect(stdout).not.toContain("driver.mjs");
    expect(stage.outside("cat /proc/*/cmdline | tr '\\0' ' '").stdout).toContain("driver.mjs");
  });

  test("limits hold", async () => {
    expect((await stage.driver.run("ulimit -c; ulimit -n; ulimit -u")).stdout).toMatch(
      /^0\n(\d{1,5}|65536)\n\d{1,4}\n$/,
    );
    expect((await stage.driver.run("cat /proc/self/oom_score_adj")).stdout).toBe("500\n");
  });

  test("a process gets so much memory of its own and no more, and cannot help itself", async () => {
    // without a line's end all of it is held
    const hold = (megabytes: number) => `head -c ${megabytes}M /dev/zero | tail -n 1 | wc -c`;
    const limited = stage.open({ maxMemory: 200_000_000 });
    expect((await limited.run(hold(50))).stdout).toBe("52428800\n");
    expect(await limited.run(`ulimit -d unlimited; ${hold(400)}`)).toMatchObject({
      stdout: "0\n",
      stderr: expect.stringMatching(/memory exhausted/),
    });
    expect((await stage.driver.run(hold(400))).stdout).toBe("419430400\n");
  });

  test("a link that was made inside leads no file tool outside", async () => {
    await stage.driver.run("ln -s /etc/passwd leak; ln -s / all");
    const workspace = localWorkspace({ root: stage.root });
    expect(fs.readlinkSync(path.join(stage.root, "leak"))).toBe("/etc/passwd");
    for (const given of ["leak", "all/etc/passwd"]) expect(() => workspace.locate(given)).toThrow("outside");
    await workspace.close();
  });

  test("a command that ends takes along what it started, and kill what does not end", async () => {
    const nap = newNap();
    const { stdout } = await stage.driver.run(`setsid ${nap} & nohup ${nap} & echo done`);
    expect(stdout).toBe("done\n");
    expect(running(nap)).toEqual([]);
    const begun = stage.driver.start(`trap '' TERM; setsid ${nap} & ${nap}; ${nap}`);
    await begun.begun;
    await until(() => running(nap).length > 0);
    await stage.driver.close();
    expect(running(nap)).toEqual([]);
  });

  test("the host is killed: nothing goes on, and the next one removes what stood there", async () => {
    const nap = newNap();
    const begun = stage.driver.start(nap);
    await begun.begun;
    await until(() => running(nap).length > 0);
    expect(fs.readdirSync(stage.root).sort()).toEqual([".git", ".mcp.json", ".toolgate", "toolgate.yaml"]);
    stage.driver.child.kill("SIGKILL");
    await until(() => running(nap).length === 0);
    await stage.open().run("true");
    expect(fs.readdirSync(stage.root)).toEqual([".toolgate"]);
  });

  test("where the sandbox cannot be set up, nothing is run", async () => {
    const gone = path.join(stage.far, "gone");
    fs.mkdirSync(gone);
    stage.own(gone);
    const other = stage.open({ roots: [stage.root, gone] });
    expect((await other.run("echo ok")).stdout).toBe("ok\n");
    fs.rmSync(gone, { recursive: true });
    expect(await other.run("touch made")).toMatchObject({ code: null, error: expect.stringMatching(/could not be/) });
    expect(fs.existsSync(path.join(stage.root, "made"))).toBe(false);
  });
}

function ask(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    net
      .connect(socket)
      .on("data", (text) => resolve(String(text)))
      .on("error", reject);
  });
}
