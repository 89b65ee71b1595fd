import { statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs, when } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";

/** Tries system calls by their numbers and prints what the kernel said. */
const PROGRAM = `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
N = ctypes.c_long
def call(name, number, *args):
    ctypes.set_errno(0)
    done = libc.syscall(N(number), *[N(a) if isinstance(a, int) else a for a in args])
    print(name, "done" if done >= 0 else errno.errorcode[ctypes.get_errno()])
    return done
buffer = ctypes.create_string_buffer(256)
call("keyctl", 250, 0, -3, 0)
call("add_key", 248, b"user", b"n", b"v", 1, -3)
call("request_key", 249, b"user", b"n", 0, 0)
call("bpf", 321, 0, buffer, 128)
call("userfaultfd", 323, 1)
call("perf_event_open", 298, buffer, 0, -1, -1, 0)
call("io_uring_setup", 425, 4, buffer)
call("io_uring_enter", 426, 0, 0, 0, 0, 0, 0)
call("io_uring_register", 427, 0, 0, 0, 0)
call("openat2", 437, -100, b"a", buffer, 24)
call("kexec_load", 246, 0, 0, 0, 0)
call("init_module", 175, 0, 0, 0)
call("mount", 165, b"none", b"/tmp", b"tmpfs", 0, 0)
call("fsopen", 430, b"tmpfs", 0)
call("open_tree", 428, -100, b"/", 1)
call("setns", 308, 0, 0)
call("open_by_handle_at", 304, -100, buffer, 0)
call("chmod-setuid", 90, b"a", 0o4755)
call("fchmodat-setuid", 268, -100, b"a", 0o4755)
call("fchmodat2-setuid", 452, -100, b"a", 0o4755, 0)
call("open-setuid", 2, b"made", os.O_CREAT | os.O_WRONLY, 0o4755)
call("openat-setuid", 257, -100, b"made", os.O_CREAT | os.O_WRONLY, 0o4755)
call("creat-setuid", 85, b"made", 0o4755)
call("chmod", 90, b"a", 0o755)
call("openat", 257, -100, b"plain", os.O_CREAT | os.O_WRONLY, 0o644)
call("getpid", 39)
print([line for line in open("/proc/self/status") if line.startswith("Seccomp:")])
`;

const REFUSED = [
  "keyctl add_key request_key bpf userfaultfd perf_event_open kexec_load init_module mount fsopen open_tree setns",
  "open_by_handle_at chmod-setuid fchmodat-setuid fchmodat2-setuid open-setuid openat-setuid creat-setuid",
]
  .join(" ")
  .split(" ");
const ABSENT = "io_uring_setup io_uring_enter io_uring_register openat2".split(" ");

describe("what no build needs of the kernel", needs("bubblewrap"), () => {
  test(
    "is refused in the sandbox, and nothing else is",
    when(process.arch === "x64", "the numbers are those of x86-64"),
    async () => {
      const { call, dir } = await bench({ a: "a", "try.py": PROGRAM });
      const { output, metadata } = await call("run_command", { command: "umask 0; python3 try.py" });
      expect(metadata).toMatchObject({ sandbox: "bubblewrap" });
      const told = Object.fromEntries(output.split("\n").map((line) => line.split(" ", 2)));
      expect(Object.fromEntries(REFUSED.map((name) => [name, told[name]]))).toEqual(
        Object.fromEntries(REFUSED.map((name) => [name, "EPERM"])),
      );
      expect(ABSENT.map((name) => told[name])).toEqual(ABSENT.map(() => "ENOSYS"));
      expect(["chmod", "openat", "getpid"].map((name) => told[name])).toEqual(["done", "done", "done"]);
      expect(output).toMatch(/Seccomp:\\t2/);
      expect(statSync(path.join(dir, "a")).mode & 0o7777).toBe(0o755);
    },
  );

  test("chmod u+s of the shell fails too, a debugger's own children can still be traced", async () => {
    const { call } = await bench({ a: "a" });
    const traced = `python3 -c 'import ctypes; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0))'`;
    const { output } = await call("run_command", { command: `chmod u+s a; chmod g+s . && echo shared; ${traced}` });
    expect(output).toMatch(/Operation not permitted/);
    expect(output).toMatch(/shared\n0/);
  });
});
