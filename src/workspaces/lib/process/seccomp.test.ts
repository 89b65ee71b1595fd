import { describe, expect, test } from "vitest";
import { seccompFilter } from "./seccomp.ts";

const AUDIT = { x64: 0xc000003e, x86: 0x40000003, arm64: 0xc00000b7, arm: 0x40000028 } as const;

/** Runs the filter as the kernel would; every jump has to end at an instruction of it. */
function decide(filter: Buffer, arch: number, number: number, args: readonly number[] = []): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + index * 8);
  let loaded = 0;
  for (let at = 0; ; at++) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const branch = (holds: boolean) => filter.readUInt8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x15) at += branch(loaded === value);
    else if (code === 0x35) at += branch(loaded >= value);
    else if (code === 0x45) at += branch((loaded & value) !== 0);
    else if (code === 0x05) at += value;
    else if (code === 0x06) return value === 0x7fff0000 ? "allowed" : `error ${value & 0xffff}`;
    else throw new Error(`${code} is no instruction.`);
  }
}

type Case = [
  what: string,
  host: "x64" | "arm64",
  arch: keyof typeof AUDIT,
  number: number,
  args: number[],
  says: string,
];
const cases: Case[] = [
  ["keyctl", "x64", "x64", 250, [], "error 1"],
  ["keyctl of a 32-bit program", "x64", "x86", 288, [], "error 1"],
  ["keyctl", "arm64", "arm64", 219, [], "error 1"],
  ["what keyctl is on another machine", "arm64", "arm64", 250, [], "allowed"],
  ["the last one that is forbidden", "x64", "x64", 163, [], "error 1"],
  ["io_uring_setup does not exist", "x64", "x64", 425, [], "error 38"],
  ["openat2 does not exist", "arm64", "arm64", 437, [], "error 38"],
  ["read", "x64", "x64", 0, [], "allowed"],
  ["execve", "x64", "x64", 59, [], "allowed"],
  ["clone3", "arm64", "arm64", 435, [], "allowed"],
  ["numbers of x32", "x64", "x64", 0x40000000 + 250, [], "error 38"],
  ["32-bit programs of arm", "arm64", "arm", 0, [], "error 38"],
  ["a machine that nobody knows", "x64", "arm64", 0, [], "error 38"],
  ["chmod 755", "x64", "x64", 90, [0, 0o755], "allowed"],
  ["chmod 4755", "x64", "x64", 90, [0, 0o4755], "error 1"],
  ["chmod g+s, as shared folders have it", "x64", "x64", 90, [0, 0o2775], "allowed"],
  ["fchmod 4755", "arm64", "arm64", 52, [0, 0o4755], "error 1"],
  ["fchmodat 6755", "x64", "x64", 268, [0, 0, 0o6755], "error 1"],
  ["fchmodat2 4755", "x64", "x86", 452, [0, 0, 0o4755], "error 1"],
  ["open for reading with whatever is in the register", "x64", "x64", 2, [0, 0, 0o4777], "allowed"],
  ["open that makes a file", "x64", "x64", 2, [0, 0o101, 0o644], "allowed"],
  ["open that makes one with the bit", "x64", "x64", 2, [0, 0o101, 0o4755], "error 1"],
  ["openat that makes one with the bit", "arm64", "arm64", 56, [0, 0, 0o101, 0o4755], "error 1"],
  ["openat without a name, with the bit", "x64", "x64", 257, [0, 0, 0o20200002, 0o4755], "error 1"],
  ["openat for writing what exists", "x64", "x64", 257, [0, 0, 1, 0o4755], "allowed"],
  ["mknodat with the bit", "x64", "x64", 259, [0, 0, 0o104755], "error 1"],
];

describe("the filter of system calls", () => {
  test.each(cases)("%s (%s, %s)", (_, host, arch, number, args, says) => {
    expect(decide(seccompFilter(host) as Buffer, AUDIT[arch], number, args)).toBe(says);
  });

  test.each<
    [what: string, host: "x64" | "arm64", arch: keyof typeof AUDIT, number: number, args: number[], says: string]
  >([
    ["socket(AF_UNIX)", "x64", "x64", 41, [1, 1], "error 13"],
    ["socket(AF_UNIX) of a 32-bit program", "x64", "x86", 359, [1, 1], "error 13"],
    ["socketcall", "x64", "x86", 102, [1, 0], "error 13"],
    ["socket(AF_UNIX)", "arm64", "arm64", 198, [1, 2], "error 13"],
    ["socket(AF_INET)", "x64", "x64", 41, [2, 1], "allowed"],
    ["socketpair", "x64", "x64", 53, [1, 1], "allowed"],
    ["chmod 4755, which comes after", "x64", "x64", 90, [0, 0o4755], "error 1"],
    ["keyctl", "arm64", "arm64", 219, [], "error 1"],
  ])("for what only looks: %s (%s, %s)", (_, host, arch, number, args, says) => {
    expect(decide(seccompFilter(host, true) as Buffer, AUDIT[arch], number, args)).toBe(says);
    if (says === "error 13") expect(decide(seccompFilter(host) as Buffer, AUDIT[arch], number, args)).toBe("allowed");
  });

  /** By the kernel's own tables: keys, bpf, modules, mounts, namespaces, handles, swap, reboot, accounting. */
  const FORBIDDEN = {
    x64: "155 163 165 166 167 168 169 175 176 246 248 249 250 298 304 308 313 320 321 323 428 429 430 431 432 433 442",
    x86: "21 22 51 52 87 88 115 128 129 217 283 286 287 288 336 342 346 350 357 374 428 429 430 431 432 433 442",
    arm64: "39 40 41 89 104 105 106 142 217 218 219 224 225 241 265 268 273 280 282 294 428 429 430 431 432 433 442",
  };

  test.each([
    ["x64", "x64"],
    ["x64", "x86"],
    ["arm64", "arm64"],
  ] as const)("exactly these are refused on %s to programs of %s", (host, arch) => {
    for (const onlyLooks of [false, true]) {
      const filter = seccompFilter(host, onlyLooks) as Buffer;
      const told = Array.from({ length: 500 }, (_, number) => decide(filter, AUDIT[arch], number));
      const those = (said: string) => told.flatMap((each, number) => (each === said ? [number] : [])).join(" ");
      expect(those("error 1")).toBe(FORBIDDEN[arch]);
      expect(those("error 38")).toBe("425 426 427 437");
      expect(those("error 13")).toBe(onlyLooks && arch === "x86" ? "102" : "");
    }
  });

  /** Which argument is the mode; where flags come before it, a file is made. */
  test.each<[host: "x64" | "arm64", arch: keyof typeof AUDIT, number: number, mode: number, flags?: number]>([
    ...[90, 91, 85, 133].map((number) => ["x64", "x64", number, 1] as ["x64", "x64", number, number]),
    ...[268, 452, 259].map((number) => ["x64", "x64", number, 2] as ["x64", "x64", number, number]),
    ...[15, 94, 8, 14].map((number) => ["x64", "x86", number, 1] as ["x64", "x86", number, number]),
    ...[306, 452, 297].map((number) => ["x64", "x86", number, 2] as ["x64", "x86", number, number]),
    ...[53, 452, 33].map((number) => ["arm64", "arm64", number, 2] as ["arm64", "arm64", number, number]),
    ["arm64", "arm64", 52, 1],
    ["x64", "x64", 2, 2, 1],
    ["x64", "x64", 257, 3, 2],
    ["x64", "x86", 5, 2, 1],
    ["x64", "x86", 295, 3, 2],
    ["arm64", "arm64", 56, 3, 2],
  ])("%s, %s: call %i gives nobody the rights of another", (host, arch, number, mode, flags) => {
    const args = (bits: number, made: number) =>
      [0, 1, 2, 3].map((at) => (at === mode ? bits : at === flags ? made : 0));
    for (const onlyLooks of [false, true]) {
      const filter = seccompFilter(host, onlyLooks) as Buffer;
      const told = (bits: number, made = 0o100) => decide(filter, AUDIT[arch], number, args(bits, made));
      expect([told(0o4000), told(0o4755), told(0o2775), told(0o777)]).toEqual([
        ...["error 1", "error 1", "allowed", "allowed"],
      ]);
      if (flags !== undefined) expect([told(0o4755, 0), told(0o4755, 0o20000000)]).toEqual(["allowed", "error 1"]);
    }
  });

  test("every number ends in a decision, and most are allowed", () => {
    for (const [host, arch] of [
      ["x64", "x64"],
      ["x64", "x86"],
      ["arm64", "arm64"],
    ] as const) {
      const filter = seccompFilter(host) as Buffer;
      const told = Array.from({ length: 500 }, (_, number) => decide(filter, AUDIT[arch], number));
      expect(told.filter((each) => each !== "allowed").length).toBeGreaterThan(25);
      expect(told.filter((each) => each !== "allowed").length).toBeLessThan(40);
    }
  });

  test("there is none for a machine whose numbers are not known", () => {
    expect(["riscv64", "constructor"].map((arch) => seccompFilter(arch))).toEqual([undefined, undefined]);
  });
});
