import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Launch } from "../../src/core/contracts/process.ts";
import { LEFT_OPEN, type Person, people } from "./process-people.ts";
import { useStage } from "./process-stage.ts";
import { until } from "./processes.ts";

for (const person of people()) describe(`a session, as ${person.name}`, person.options, () => inASession(person));

const NODE = ["/usr/bin/node", "/usr/local/bin/node"].find((file) => fs.existsSync(file)) ?? process.execPath;
const A = { session: "a" };
const B = { session: "b" };
const LOOKS = { session: "a", access: "read-only" } as const;

/** Answers once it listens, and goes on. */
const serve = (where: string): string =>
  `${NODE} -e 'require("net").createServer((s) => s.end("hello")).listen(${where}, () => require("fs").writeFileSync("up", ""))'`;
const ask = (where: string): string =>
  `${NODE} -e 'require("net").connect(${where}).on("data", (text) => console.log(String(text))).on("error", (e) => { console.log(e.code); process.exit(1) })'`;
/** The namespaces that a command is in. */
const NAMESPACES = "readlink /proc/self/ns/net /proc/self/ns/mnt /proc/self/ns/user /proc/self/ns/pid";

/** Node and this project are shown to every command, and may lie below /tmp. */
const [OURS] = [process.cwd(), process.execPath].flatMap((each) => /^\/tmp\/([^/]+)/.exec(each)?.[1] ?? []);
const listing = (text: string): string => text.replace(OURS ? new RegExp(`^${OURS}\\n`, "m") : /^$/, "");

function inASession(person: Person): void {
  const stage = useStage(person);
  const isUp = () => until(() => fs.existsSync(path.join(stage.root, "up")));

  test("a file in /tmp is there for the next command, and for no other session", async () => {
    const name = path.basename(stage.far);
    expect((await stage.driver.run(`echo kept > /tmp/${name}; mkdir -p /tmp/deep/er`, A)).code).toBe(0);
    expect((await stage.driver.run(`cat /tmp/${name}; ls /tmp/deep; echo more >> /tmp/${name}`, A)).stdout).toBe(
      "kept\ner\n",
    );
    expect((await stage.driver.run(`cat /tmp/${name}`, A)).stdout).toBe("kept\nmore\n");
    for (const how of [B, {}, { session: "a", access: "build" } as const])
      expect(listing((await stage.driver.run("ls -A /tmp", how)).stdout)).toBe("");
    expect(fs.existsSync(`/tmp/${name}`)).toBe(false);
  });

  test("a server is reached on loopback by the next command, and by nobody else", async () => {
    stage.driver.start(serve('18123, "127.0.0.1"'), A);
    await isUp();
    const asking = ask('18123, "127.0.0.1"');
    expect(await stage.driver.run(asking, A)).toMatchObject({ stdout: "hello\n", enforcement: { network: "none" } });
    const others: Partial<Launch>[] = [B, {}, LOOKS, { session: "a", access: "build" }];
    for (const how of others)
      expect([how, await stage.driver.run(asking, how)]).toEqual([
        how,
        expect.objectContaining({ code: 1, stdout: "ECONNREFUSED\n" }),
      ]);
    expect(stage.outside(asking).stdout).toBe("ECONNREFUSED\n");
  });

  test("nothing of the host is reached from there", async () => {
    const server = net.createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const asking = ask(`${(server.address() as net.AddressInfo).port}, "127.0.0.1"`);
    await stage.driver.run("true", A);
    expect((await stage.driver.run(asking, A)).stdout).toBe("ECONNREFUSED\n");
    expect((await stage.driver.run("cut -d: -f1 /proc/net/dev | tail -n +3", A)).stdout.trim()).toBe("lo");
    const open = stage.open({ network: true });
    expect((await open.run("echo x > /tmp/kept", A)).code).toBe(0);
    expect(await open.run(`cat /tmp/kept; readlink /proc/self/ns/net`, A)).toMatchObject({
      stdout: `x\n${fs.readlinkSync("/proc/self/ns/net")}\n`,
      enforcement: { network: "open" },
    });
  });

  test("the walls are as high as they are for a command alone", async () => {
    await stage.driver.run("true", A);
    const { stdout } = await stage.driver.run(`grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status; id -u`, A);
    for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) expect(stdout).toMatch(new RegExp(`Cap${set}:\\s0{16}\n`));
    expect(stdout).toMatch(/NoNewPrivs:\s1/);
    expect(stdout).toContain(`\n${person.uid}\n`);
    for (const command of ["mount -t tmpfs none /mnt", "umount /tmp", "unshare -m true", "unshare -Ur true"])
      expect([command, (await stage.driver.run(command, A)).code]).not.toEqual([command, 0]);
    const beside = path.join(stage.far, "beside/made");
    await stage.driver.run(`echo out > ${beside}; ip link add dummy0 type dummy; ip link set lo down`, A);
    expect(fs.existsSync(beside)).toBe(false);
    expect((await stage.driver.run("ls /dev/pts", A)).stdout).toBe("ptmx\n");
    const read = `cat ${stage.home}/.ssh/id_test ${stage.home}/notes.txt /proc/self/fd/${LEFT_OPEN}/notes.txt`;
    expect((await stage.driver.run(read, A)).stdout).toBe("");
    const fds = await stage.driver.run("for fd in /proc/self/fd/*; do readlink $fd; done | sort -u", A);
    expect(fds.stdout).toMatch(/^\/dev\/null\n(\/proc\/\d+\/fd\n)?(\/tmp\/\S+( \(deleted\))?\n)*(pipe:\S+\n)*$/);
  });

  test("commands share the network and /tmp, and nothing else", async () => {
    // at the same time: the number of a namespace that is gone may be given to the next
    const line = `${NAMESPACES}; sleep 1.5`;
    const [first, second] = await Promise.all([stage.driver.run(line, A), stage.driver.run(line, A)]);
    const [net1, ...rest1] = first.stdout.split("\n");
    const [net2, ...rest2] = second.stdout.split("\n");
    expect(net1).toMatch(/^net:/);
    expect([net2, rest2.length]).toEqual([net1, rest1.length]);
    expect(net1).not.toBe(fs.readlinkSync("/proc/self/ns/net"));
    expect(rest1.filter((each) => each && rest2.includes(each))).toEqual([]);
    stage.driver.start(`touch up; sleep 60`, A);
    await isUp();
    expect((await stage.driver.run("pgrep -x sleep; ls -d /proc/[0-9]* | wc -l", A)).stdout.trim()).toMatch(/^[2-6]$/);
  });

  test("many that start at once get the same", async () => {
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => stage.driver.run(`readlink /proc/self/ns/net; echo > /tmp/${n}`, A)),
    );
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1);
    expect(listing((await stage.driver.run("ls /tmp", A)).stdout)).toBe("0\n1\n2\n3\n4\n5\n");
  });

  test("what was judged safe reads /tmp, changes nothing in it, and has a place for its own files", async () => {
    expect((await stage.driver.run("touch /tmp/x", LOOKS)).code).toBe(0);
    await stage.driver.run("echo kept > /tmp/x", A);
    expect(await stage.driver.run("cat /tmp/x", LOOKS)).toMatchObject({ code: 0, stdout: "kept\n" });
    const harm = await stage.driver.run("echo bad > /tmp/x; rm -f /tmp/x; touch /tmp/y; mv /tmp/x /tmp/z", LOOKS);
    expect(harm.stderr.match(/Read-only file system/g)?.length).toBeGreaterThan(2);
    const own = "f=$(mktemp); echo own > $f; cat $f; sort -T $TMPDIR /etc/hostname > /dev/null && echo sorted";
    expect((await stage.driver.run(own, LOOKS)).stdout).toBe("own\nsorted\n");
    expect((await stage.driver.run("ls -A $TMPDIR", LOOKS)).stdout).toBe("");
    expect(listing((await stage.driver.run("ls /tmp; cat /tmp/x", A)).stdout)).toBe("x\nkept\n");
  });

  test("what was judged safe tells no server what to do, through no socket that it sees", async () => {
    for (const where of ['"/tmp/s"', JSON.stringify(path.join(stage.root, "s"))]) {
      fs.rmSync(path.join(stage.root, "up"), { force: true });
      stage.driver.start(serve(where), A);
      await isUp();
      expect((await stage.driver.run(ask(where), A)).stdout).toBe("hello\n");
      expect(await stage.driver.run(ask(where), LOOKS)).toMatchObject({ code: 1, stdout: "EACCES\n" });
    }
  });

  test("a session that is over has nothing left, once its commands have ended", async () => {
    await stage.driver.run("echo x > /tmp/x", A);
    const long = stage.driver.start("touch up; until [ -e /tmp/end ]; do sleep 0.02; done", A);
    await isUp();
    stage.driver.forget("a");
    expect((await stage.driver.run("cat /tmp/x; touch /tmp/end", A)).stdout).toBe("x\n");
    await long.ended;
    expect(listing((await stage.driver.run("ls -A /tmp", A)).stdout)).toBe("");
  });

  test.each(["exit", "SIGKILL"] as const)("the host ends by %s: nobody is left in the namespace", async (how) => {
    const { stdout } = await stage.driver.run("readlink /proc/self/ns/net", A);
    stage.driver.start(`touch up; sleep 300`, A);
    await isUp();
    const inside = () =>
      fs.readdirSync("/proc").filter((pid) => {
        try {
          return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/ns/net`) === stdout.trim();
        } catch {
          return false;
        }
      });
    expect(inside().length).toBeGreaterThan(0);
    await stage.driver.end(how);
    await until(() => inside().length === 0);
  });

  test("nobody stands for the session while no command runs", async () => {
    await stage.driver.run("true", A);
    const { pid } = stage.driver.child;
    await until(() => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8") === "");
    expect((await stage.driver.run("echo still", A)).stdout).toBe("still\n");
  });

  test("/tmp has an end", async () => {
    await stage.driver.run("true", A);
    const size = Number((await stage.driver.run("df --output=size -B1 /tmp | tail -1", A)).stdout);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(Math.min(4 * 1024 ** 3, os.totalmem() / 2));
  });
}

for (const person of people())
  describe(`a workspace in /tmp, as ${person.name}`, person.options, () => {
    const stage = useStage(person);
    const workspace = (below = "") => {
      const base = fs.realpathSync(fs.mkdtempSync(path.join("/tmp", "toolgate-session-")));
      onTestFinished(() => fs.rmSync(base, { recursive: true, force: true }));
      const root = path.join(base, below);
      fs.mkdirSync(path.join(root, ".toolgate"), { recursive: true });
      stage.own(base);
      return { base, root, driver: stage.open({ roots: [root], state: path.join(root, ".toolgate") }) };
    };

    test.each(["", "deep/er"])("is there beside the session's files (%j)", async (below) => {
      const { root, driver } = workspace(below);
      expect((await driver.run("echo in > made; echo t > /tmp/kept", A)).stderr).toBe("");
      expect((await driver.run("cat made /tmp/kept", A)).stdout).toBe("in\nt\n");
      expect((await driver.run("cat made /tmp/kept; touch other", LOOKS)).stdout).toBe("in\nt\n");
      expect(fs.readdirSync(root).filter((name) => !name.startsWith("."))).toEqual(["made"]);
    });

    test("no link takes the place of a folder above it, also while others run", async () => {
      const { base, root, driver } = workspace("deep/er");
      const top = path.join("/tmp", path.basename(base));
      // nothing here takes the workspace's own files away: a move to another file system would
      const swap = `mv ${top} /tmp/moved; rmdir ${top}; ln -sfn /oldroot${stage.far}/beside ${top}; mv -T /tmp/moved ${top}; ln -sfn /oldroot/tmp ${top}/deep; mv ${top}/deep ${top}/d; rmdir ${top}/d/er`;
      expect((await driver.run(`${swap}; echo end`, A)).stdout).toBe("end\n");
      const swapping = driver.start(`touch up; until [ -e /tmp/stop ]; do ${swap}; done 2>/dev/null`, A);
      await until(() => fs.existsSync(path.join(root, "up")));
      for (let turn = 0; turn < 5; turn++) {
        expect((await driver.run(`echo ${turn} > made; pwd`, A)).stdout).toBe(`${root}\n`);
        expect(fs.readFileSync(path.join(root, "made"), "utf8")).toBe(`${turn}\n`);
        expect((await driver.run("cat made", LOOKS)).stdout).toBe(`${turn}\n`);
      }
      await driver.run("touch /tmp/stop", A);
      await swapping.ended;
      expect(fs.readdirSync(path.join(stage.far, "beside"))).toEqual(["file.txt"]);
      expect(fs.readdirSync(base)).toEqual(["deep"]);
    });
  });
