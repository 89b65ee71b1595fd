import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../../../test/capabilities.ts";
import { blank, empty, type Mount, readOnly, writable } from "./mounts.ts";
import { namesBelowTmp, SessionSpace } from "./session-space.ts";

const space = (names: string[]) => new SessionSpace("/bin/nsenter", new Map([["user", 7] as const]), names);
const TMP = empty("/tmp");

describe("the session's /tmp among the mounts of a command", () => {
  const shared = (mounts: Mount[], names: string[], readsOnly = false) =>
    space(names)
      .shareTmp(mounts, readsOnly)
      ?.map(({ args }) => args.join(" "));

  test("takes the place of the empty one, read-only for who only looks", () => {
    expect(shared([TMP, writable("/ws")], [])).toEqual(["--bind /ws /ws", "--bind /dev/pts/tmp /tmp"]);
    expect(shared([TMP], [], true)).toEqual(["--ro-bind /dev/pts/tmp /tmp"]);
  });

  test("what is mounted below lies in folders of the command's own", () => {
    const mounts = [TMP, writable("/tmp/a/deep/ws"), readOnly("/tmp/b"), blank("/tmp/a/deep/ws/secret")];
    expect(namesBelowTmp(mounts)).toEqual(["a", "b"]);
    expect(shared(mounts, ["a", "b"])?.slice(0, 2)).toEqual(["--tmpfs /tmp/a", "--tmpfs /tmp/b"]);
  });

  test("is not shared where a name was not kept from the beginning: a command may have put a link there", () => {
    expect(shared([TMP, writable("/tmp/a/ws")], ["b"])).toBeUndefined();
  });

  test("a workspace that holds /tmp keeps it", () => {
    expect(shared([writable("/tmp")], [])).toEqual(["--bind /tmp /tmp"]);
    expect(namesBelowTmp([writable("/tmpfiles/x"), writable("/var/tmp/x")])).toEqual([]);
  });
});

describe("where namespaces cannot be entered", needs("bubblewrap"), () => {
  test.each([
    ["nsenter is missing", undefined],
    ["nsenter fails", "/bin/false"],
    ["nsenter does something else", "/bin/true"],
  ])("%s: every command runs, with a /tmp of its own", async (_, nsenter) => {
    vi.resetModules();
    const real = await vi.importActual<typeof import("./trusted-program.ts")>("./trusted-program.ts");
    vi.doMock("./trusted-program.ts", () => ({
      trustedProgram: (name: string) => (name === "nsenter" ? nsenter : real.trustedProgram(name)),
    }));
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-alone-")));
    const { localProcesses } = await import("../../processes.ts");
    const options = {
      roots: [root],
      state: path.join(root, ".toolgate"),
      sandbox: "required",
      network: false,
    } as const;
    const processes = localProcesses(options);
    onTestFinished(async () => {
      await processes.close();
      vi.doUnmock("./trusted-program.ts");
      fs.rmSync(root, { recursive: true });
    });
    for (const command of [
      "echo x > /tmp/x; ls /tmp",
      "ls -A /tmp",
      "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '",
    ]) {
      const running = await processes.start({
        ...{ command, session: "a", cwd: { shown: ".", real: root, root, exists: true } },
      });
      expect((await running.exited).code).toBe(0);
      const { text } = running.captured().stdout;
      expect(text).toBe(
        command.startsWith("echo")
          ? `${path.basename(root)}\nx\n`
          : command.startsWith("ls")
            ? `${path.basename(root)}\n`
            : "lo\n",
      );
    }
  });
});
