import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** The system call number on x86-64, 32-bit x86 and arm64; `-` if there is none. */
type Row = readonly [name: string, x64: string, x86: string, arm64: string];
const rows = (text: string): Row[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/) as unknown as Row);

/** Kernel keyrings, kernel facilities and mounts: no build or test needs them. */
const FORBIDDEN = rows(`
  keyctl 250 288 219
  add_key 248 286 217
  request_key 249 287 218
  bpf 321 357 280
  userfaultfd 323 374 282
  perf_event_open 298 336 241
  kexec_load 246 283 104
  kexec_file_load 320 - 294
  init_module 175 128 105
  finit_module 313 350 273
  delete_module 176 129 106
  mount 165 21 40
  umount - 22 -
  umount2 166 52 39
  pivot_root 155 217 41
  open_tree 428 428 428
  move_mount 429 429 429
  fsopen 430 430 430
  fsconfig 431 431 431
  fsmount 432 432 432
  fspick 433 433 433
  mount_setattr 442 442 442
  setns 308 346 268
  open_by_handle_at 304 342 265
  reboot 169 88 142
  swapon 167 87 224
  swapoff 168 115 225
  acct 163 51 89
`);

/** Reported as missing, so that programs use the older calls: a filter cannot read arguments in memory. */
const ABSENT = rows(`
  io_uring_setup 425 425 425
  io_uring_enter 426 426 426
  io_uring_register 427 427 427
  openat2 437 437 437
`);

/** `mode` is the index of the mode argument; `flags` of the one that says whether a file is created. */
const MODES = [
  { mode: 1, calls: rows("chmod 90 15 -\nfchmod 91 94 52\ncreat 85 8 -\nmknod 133 14 -") },
  { mode: 2, calls: rows("fchmodat 268 306 53\nfchmodat2 452 452 452\nmknodat 259 297 33") },
  { mode: 2, flags: 1, calls: rows("open 2 5 -") },
  { mode: 3, flags: 2, calls: rows("openat 257 295 56") },
] as const;
const SETS_USER_ID = 0o4000;
const MAKES_FILE = 0o20000100;

/** A read-only command must not control a program that can write, through a socket in a folder that it sees. */
const SOCKET = rows("socket 41 359 198");
/** socketcall passes the kind of socket in memory, where a filter cannot read it. */
const SOCKETCALL = rows("socketcall - 102 -");
const UNIX = 1;

const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;
const X32_BIT = 0x40000000;

type Machine = { audit: number; column: 1 | 2 | 3 };
const MACHINES: Readonly<Record<string, readonly Machine[]>> = {
  x64: [
    { audit: 0xc000003e, column: 1 },
    { audit: 0x40000003, column: 2 },
  ],
  arm64: [{ audit: 0xc00000b7, column: 3 }],
};

/** A BPF instruction: code, jump offsets if true and if false, value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const loadArgument = (index: number): Instruction => load(16 + 8 * index);
const ifEqual = (value: number, yes: number, no: number): Instruction => [0x15, yes, no, value];
const ifAtLeast = (value: number, yes: number, no: number): Instruction => [0x35, yes, no, value];
const ifAnyBit = (bits: number, yes: number, no: number): Instruction => [0x45, yes, no, bits];
const jump = (over: number): Instruction => [0x05, 0, 0, over];
const allow: Instruction = [0x06, 0, 0, 0x7fff0000];
const refuse = (error: number): Instruction => [0x06, 0, 0, 0x00050000 | error];

const numbersOf = (calls: readonly Row[], column: Machine["column"]): number[] =>
  calls.flatMap((row) => (row[column] === "-" ? [] : [Number(row[column])]));

const refused = (calls: readonly Row[], column: Machine["column"], error: number): Instruction[] =>
  numbersOf(calls, column).flatMap((number) => [ifEqual(number, 0, 1), refuse(error)]);

const withoutSockets = (column: Machine["column"]): Instruction[] => [
  ...numbersOf(SOCKET, column).flatMap((number) => [
    ifEqual(number, 0, 4),
    loadArgument(0),
    ifEqual(UNIX, 0, 1),
    refuse(EACCES),
    allow,
  ]),
  ...refused(SOCKETCALL, column, EACCES),
];

function filterFor({ column }: Machine, onlyLooks: boolean): Instruction[] {
  const modes = MODES.flatMap(({ calls, mode, ...more }) => {
    const onlyIfMade = "flags" in more ? [loadArgument(more.flags), ifAnyBit(MAKES_FILE, 1, 0), allow] : [];
    const body = [...onlyIfMade, loadArgument(mode), ifAnyBit(SETS_USER_ID, 0, 1), refuse(EPERM), allow];
    return numbersOf(calls, column).flatMap((number) => [ifEqual(number, 0, body.length), ...body]);
  });
  return [
    load(0),
    // the x32 ABI, whose call numbers are not listed here
    ...(column === 1 ? [ifAtLeast(X32_BIT, 0, 1), refuse(ENOSYS)] : []),
    ...refused(FORBIDDEN, column, EPERM),
    ...refused(ABSENT, column, ENOSYS),
    ...(onlyLooks ? withoutSockets(column) : []),
    ...modes,
    allow,
  ];
}

/** The filter as the kernel reads it; undefined for architectures whose numbers are not known here. */
export function seccompFilter(arch: string, onlyLooks = false): Buffer | undefined {
  const machines = Object.hasOwn(MACHINES, arch) ? MACHINES[arch] : undefined;
  if (!machines) return undefined;
  const program: Instruction[] = [load(4)];
  for (const machine of machines) {
    const body = filterFor(machine, onlyLooks);
    program.push(ifEqual(machine.audit, 1, 0), jump(body.length), ...body);
  }
  program.push(refuse(ENOSYS));
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/** An unlinked file that holds the filter, as a path that processes of the same user can open. */
export function filterFile(onlyLooks = false): string | undefined {
  const filter = seccompFilter(process.arch, onlyLooks);
  if (!filter) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-filter-"));
  const file = path.join(folder, "filter");
  try {
    fs.writeFileSync(file, filter, { mode: 0o400 });
    return `/proc/${process.pid}/fd/${fs.openSync(file, "r")}`;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
