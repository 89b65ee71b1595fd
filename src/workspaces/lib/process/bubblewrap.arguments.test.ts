import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../../../test/capabilities.ts";
import { targetOf } from "../../../../test/contracts/disk.ts";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { type Afterwards, sandboxArguments } from "./bubblewrap.ts";
import { writable } from "./mounts.ts";
import { socketMasks } from "./scene.ts";
import { openSpace, SessionSpace } from "./session-space.ts";

const STRICT = "--unshare-user --unshare-all --die-with-parent --new-session --cap-drop ALL --disable-userns".split(
  " ",
);
const status = (caps: string, privileges: number, seccomp: number): string =>
  `printf 'CapEff:\\t${caps}\\nNoNewPrivs:\\t${privileges}\\nSeccomp:\\t${seccomp}\\n'`;
const NONE = "0000000000000000";

/** What is found where this script is bubblewrap, and how often it was started. */
async function found(script: string, executable = true) {
  const site = useSite();
  const [file, log] = [site.at("bwrap"), site.at("log")];
  fs.writeFileSync(file, `#!/bin/bash\necho "$*" >> ${log}\n${script}\n`, { mode: executable ? 0o755 : 0o644 });
  vi.resetModules();
  vi.doMock("./trusted-program.ts", () => ({ trustedProgram: () => file }));
  onTestFinished(() => void vi.doUnmock("./trusted-program.ts"));
  const { findSandbox } = await import("./bubblewrap.ts");
  const sandbox = (await findSandbox()) as Record<string, unknown>;
  return { sandbox, asked: fs.existsSync(log) ? fs.readFileSync(log, "utf8").trim().split("\n") : [] };
}

describe("the filter of system calls", () => {
  test("is one for all and a stricter one for who only looks", async () => {
    const { sandbox } = await found(status(NONE, 1, 2));
    const filters = [sandbox.filter, sandbox.lookingFilter].map((file) => fs.readFileSync(String(file)));
    expect(filters[0]?.equals(filters[1] as Buffer)).toBe(false);
    expect(filters[1]?.length).toBeGreaterThan(filters[0]?.length as number);
  });

  test("is a file without a name, opened once", async () => {
    const { filterFile } = await import("./seccomp.ts");
    const folders = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith("toolgate-filter-"));
    const open = () => fs.readdirSync("/proc/self/fd").filter((fd) => targetOf(fd).includes("toolgate-filter-")).length;
    const before = folders();
    const file = String(filterFile());
    expect(fs.readlinkSync(file)).toMatch(/filter \(deleted\)$/);
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
    const held = open();
    await found(status(NONE, 1, 2));
    expect(open() - held, "one for each kind of command, none for the probe").toBe(2);
  });

  test("is none for a machine whose numbers are not known", async () => {
    const { filterFile } = await import("./seccomp.ts");
    vi.spyOn(process, "arch", "get").mockReturnValue("mips" as never);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(filterFile()).toBeUndefined();
  });

  test.each([
    ["cannot be set", `[[ "$*" == *--seccomp* ]] && exit 1; ${status(NONE, 1, 2)}`],
    ["is not in force", status(NONE, 1, 0)],
    ["is of another kind", status(NONE, 1, 1)],
    ["is not told of", `printf 'CapEff:\\t${NONE}\\nNoNewPrivs:\\t1\\n'`],
  ])("where it %s the sandbox is weaker, and says so", async (_, script) => {
    const { sandbox, asked } = await found(script);
    expect(sandbox.isolation).toEqual(STRICT);
    expect(sandbox.weaker).toBe("no system call filter can be set here");
    expect(sandbox).not.toHaveProperty("filter");
    expect(sandbox).not.toHaveProperty("lookingFilter");
    expect(asked.map((args) => args.includes("--seccomp 5"))).toEqual([true, true, false]);
  });

  test("where nested namespaces cannot be forbidden either, both are said", async () => {
    const old = '[[ "$*" == *--seccomp* || "$*" == *--disable-userns* ]] && exit 1;';
    const { sandbox, asked } = await found(`${old} ${status(NONE, 1, 2)}`);
    expect(sandbox.weaker).toMatch(/nested user namespaces.*; no system call filter/);
    expect(asked).toHaveLength(4);
  });
});

describe("no sandbox", () => {
  test.each([
    ["one capability is left", status("0000000000000001", 1, 2)],
    ["privileges can be gained", status(NONE, 0, 2)],
    ["it is killed", `${status(NONE, 1, 2)}; kill -KILL $$`],
  ])("where %s", async (_, script) => {
    const { sandbox, asked } = await found(script);
    expect(sandbox.missing).toContain("does not work here");
    expect(asked).toHaveLength(4);
  });

  test("where it cannot be started", async () =>
    expect((await found("true", false)).sandbox.missing).toMatch(/does not work here \(spawn .* EACCES\)/));
});

describe("the arguments", () => {
  const args = (more: Partial<Parameters<typeof sandboxArguments>[1]> = {}): string[] =>
    sandboxArguments(["--isolated"], {
      ...{ network: false, afterwards: "nothing" as Afterwards, mounts: ["--bind", "/ws", "/ws"], cwd: "/ws" },
      ...{ set: ["--setenv", "LD_PRELOAD", "x"], argv: ["bash", "-c", "true"] },
      ...more,
    });

  test("are these, in this order", () => {
    const given = args({ network: true, filter: "/filter" });
    const script = given.indexOf("-c") + 1;
    expect([...given.slice(0, script), ...given.slice(script + 1)].join(" ")).toBe(
      "--isolated --share-net --ro-bind / / --bind /ws /ws --chdir /ws --setenv LD_PRELOAD x --json-status-fd 3 --seccomp 5 -- /bin/sh -c sh bash -c true",
    );
  });

  test("without a network or a filter they are not there", () => {
    expect(args()).not.toContain("--share-net");
    expect(args()).not.toContain("--seccomp");
  });

  const script = (more: Parameters<typeof args>[0]): string => args(more)[args(more).indexOf("-c") + 1] as string;

  test.each([
    [1024, "ulimit -d 1;"],
    [1025, "ulimit -d 2;"],
    [undefined, ""],
  ])("memory of %s bytes", (maxMemory, limit) =>
    expect(script({ maxMemory }).match(/ulimit -d \d+;/)?.[0] ?? "").toBe(limit),
  );

  test("the shell becomes the command, or stays and tells what was left", () => {
    const [nothing, tell, wait] = (["nothing", "tell", "wait"] as const).map((afterwards) => script({ afterwards }));
    for (const each of [nothing, tell, wait]) expect(each).toMatch(/^echo started >&4\n/);
    expect(nothing).toMatch(/exec 4>&-\nexec "\$@"$/);
    for (const each of [tell, wait]) expect(each).toMatch(/\nexit \$code$/);
    expect(wait).toContain("while left; do sleep 0.2");
    expect(tell).not.toContain("while left");
    expect(tell).toContain("for n in 1 2 3 4 5");
  });
});

describe("the space of a session", () => {
  const files = new Map([["user", 7] as const, ["mnt", 8] as const, ["net", 9] as const]);
  const entered = (space: SessionSpace, network: boolean) => {
    const { file, args, network: has } = space.entry(network);
    return [file, ...args, String(has)].join(" ").replaceAll(`/proc/${process.pid}/fd/`, "fd ");
  };

  test("is entered with its network only by who may have one", () => {
    const space = new SessionSpace("/bin/nsenter", files, []);
    expect(entered(space, true)).toBe(
      "/bin/nsenter --user=fd 7 --mount=fd 8 --net=fd 9 --preserve-credentials -- true",
    );
    expect(entered(space, false)).toBe("/bin/nsenter --user=fd 7 --mount=fd 8 --preserve-credentials -- false");
    const without = new SessionSpace("/bin/nsenter", new Map([["user", 7] as const]), []);
    expect(entered(without, true)).toBe("/bin/nsenter --user=fd 7 --preserve-credentials -- false");
  });

  test("is closed once: the numbers may be somebody else's by then", () => {
    const site = useSite();
    const fd = fs.openSync(site.root, "r");
    const space = new SessionSpace("/bin/nsenter", new Map([["user", fd] as const]), []);
    space.close();
    expect(() => fs.fstatSync(fd)).toThrow("EBADF");
    const next = fs.openSync(site.root, "r");
    onTestFinished(() => fs.closeSync(next));
    space.close();
    expect(fs.fstatSync(next).isDirectory()).toBe(true);
  });

  test("is none where a name in /tmp is no folder", async () => {
    const site = useSite();
    const name = path.basename(site.base);
    fs.writeFileSync(`${site.base}-file`, "");
    onTestFinished(() => fs.rmSync(`${site.base}-file`));
    for (const names of [[`${name}-file`], [name, `${name}-missing`]])
      expect(await openSpace({ program: "/bin/false", network: false, names })).toBeUndefined();
  });

  test("is none where bubblewrap fails, or stays in our own namespaces", async () => {
    const site = useSite();
    const script = (text: string): string => {
      fs.writeFileSync(site.at("fake"), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
      return site.at("fake");
    };
    const open = (program: string) => openSpace({ program, network: true, names: [] });
    const namespaces = () => fs.readdirSync("/proc/self/fd").filter((fd) => /^(?:user|mnt|net):/.test(targetOf(fd)));
    const before = namespaces();
    expect(await open("/bin/false")).toBeUndefined();
    expect(await open(site.at("nowhere"))).toBeUndefined();
    expect(await open(script(`echo '{ "child-pid": '$$' }' >&3; exec cat`))).toBeUndefined();
    expect(namespaces()).toEqual(before);
  });

  test("has namespaces of its own", needs("bubblewrap"), async () => {
    const space = await openSpace({ program: "/usr/bin/bwrap", network: true, names: [] });
    onTestFinished(() => space?.close());
    const args = space?.entry(true).args ?? [];
    const kinds = args.slice(0, 3).map((each) => fs.readlinkSync(each.replace(/^--\w+=/, "")).replace(/:.*/, ""));
    expect(kinds).toEqual(["user", "mnt", "net"]);
    for (const [at, kind] of kinds.entries())
      expect(fs.readlinkSync((args[at] as string).replace(/^--\w+=/, ""))).not.toBe(
        fs.readlinkSync(`/proc/self/ns/${kind}`),
      );
    const without = await openSpace({ program: "/usr/bin/bwrap", network: false, names: [] });
    onTestFinished(() => without?.close());
    expect(without?.entry(true)).toMatchObject({ network: false });
    expect(without?.entry(true).args.some((each) => each.startsWith("--net"))).toBe(false);
  });
});

describe("sockets that a program made by a relative name", () => {
  const row = (name: string, inode = 1) => `0000000000000000: 00000002 00000000 00010000 0001 01 ${inode} ${name}`;
  const table = (...rows: string[]) => {
    const { readFileSync } = fs;
    vi.spyOn(fs, "readFileSync").mockImplementation(((file: string, ...more: never[]) =>
      file === "/proc/net/unix"
        ? ["Num       RefCount Protocol Flags    Type St Inode Path", ...rows].join("\n")
        : readFileSync(file, ...more)) as typeof fs.readFileSync);
  };
  const listen = async (file: string) => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    onTestFinished(() => void server.close());
  };

  test("are masked wherever they lie below the roots, but for packages", async () => {
    const site = useSite();
    site.put({ "root/deep/er/": "", "root/node_modules/": "", "root/sock2": "a file", "away/": "" });
    for (const file of ["root/deep/er/sock", "root/node_modules/sock", "away/sock", "root/other"])
      await listen(site.at(file));
    table(row("sock"), row("run/sock2"), row("@abstract"));
    const masked = () => socketMasks([writable(site.base)], [site.root]).map(({ path: each }) => each);
    expect(masked()).toEqual([site.at("root/deep/er/sock")]);
    // known rows are not looked for again; a new row is
    await listen(site.at("root/sock"));
    expect(masked()).toEqual([site.at("root/deep/er/sock")]);
    table(row("sock"), row("./sock", 2));
    expect(masked().sort()).toEqual([site.at("root/deep/er/sock"), site.at("root/sock")]);
    expect(socketMasks([writable(site.base)], [site.at("away")]).map(({ path: each }) => each)).toEqual([
      site.at("away/sock"),
    ]);
  });

  test("are masked where the program still is", async () => {
    const site = useSite();
    await listen(site.at("away-sock"));
    const { readdirSync } = fs;
    const { native } = fs.realpathSync;
    vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) =>
      folder === "/proc" ? ["self", "4711"] : readdirSync(folder, ...more)) as typeof fs.readdirSync);
    vi.spyOn(fs.realpathSync, "native").mockImplementation(((file: string) =>
      file === "/proc/4711/cwd" ? site.base : native(file)) as typeof native);
    table(row("./away-sock", 3));
    expect(socketMasks([writable(site.base)]).map(({ path: each }) => each)).toEqual([site.at("away-sock")]);
  });
});
