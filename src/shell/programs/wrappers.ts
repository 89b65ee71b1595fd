import type { CommandClass } from "../../core/words/touch.ts";

/**
 * Programs that run the words after their own. `skips`: the number of their own operands before the command, with
 * `own` for the roles of these; `assigns`: NAME=value words come first; `floor`: the mildest class, whatever it runs.
 */
export type Wrapper = { options: string; skips?: number; own?: string; assigns?: true; floor?: CommandClass };

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    options:
      "-i -0 -v -u: -C: -S: --ignore-environment --null --debug --unset= --chdir= --split-string= --block-signal=? --default-signal=? --ignore-signal=?",
    assigns: true,
  },
  command: { options: "-p -v -V" },
  builtin: { options: "" },
  exec: { options: "-c -l -a:", floor: "dangerous" },
  nohup: { options: "", floor: "dangerous" },
  time: { options: "-p -v -a -q -f: -o:write --verbose --portability --append --quiet --format= --output=write" },
  timeout: {
    options: "-v -k: -s: --foreground --preserve-status --verbose --kill-after= --signal=",
    skips: 1,
  },
  gtimeout: { options: "-v -k: -s: --foreground --preserve-status --kill-after= --signal=", skips: 1 },
  nice: { options: "-n: -# --adjustment=" },
  ionice: { options: "-c: -n: -t -p: -P: -u: --class= --classdata= --ignore" },
  stdbuf: { options: "-i: -o: -e: --input= --output= --error=" },
  chrt: { options: "-b -f -i -o -r -d --batch --fifo --idle --other --rr", skips: 1, floor: "dangerous" },
  taskset: { options: "-a -c --all-tasks --cpu-list", skips: 1, floor: "dangerous" },
  setsid: { options: "-c -f -w --ctty --fork --wait", floor: "dangerous" },
  chroot: { options: "--userspec= --groups= --skip-chdir", skips: 1, floor: "dangerous" },
  unshare: {
    options:
      "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --fork --map-root-user --mount-proc=?",
    floor: "dangerous",
  },
  nsenter: { options: "-a -t: -m? -u? -i? -n? -p? -U? -C? --all --target=", floor: "dangerous" },
  flock: {
    options: "-s -x -e -n -u -w: -E: -o -F -v --shared --exclusive --nonblock --wait=",
    skips: 1,
    own: "write",
    floor: "dangerous",
  },
  strace: { options: "-f -c -t -T -v -q -y -o:write -e: -s: -p: -E: -u: -P:", floor: "dangerous" },
  ltrace: { options: "-f -c -S -o:write -e: -s: -p:", floor: "dangerous" },
  prlimit: { options: "", floor: "dangerous" },
  numactl: { options: "-C: -N: -m: -i:", floor: "dangerous" },
  setarch: { options: "-R --addr-no-randomize", floor: "dangerous" },
  setpriv: { options: "", floor: "dangerous" },
  capsh: { options: "", floor: "dangerous" },
  fakeroot: { options: "-u -s: -i:", floor: "dangerous" },
  firejail: { options: "", floor: "dangerous" },
  bwrap: { options: "", floor: "dangerous" },
  proot: { options: "-0 -r: -b: -m: -w: -q: -R: -S:", floor: "dangerous" },
  catchsegv: { options: "", floor: "dangerous" },
  valgrind: { options: "", floor: "dangerous" },
  rlwrap: { options: "-a? -c -i -r -N -A? -f:read -H:write -s: -l:write", floor: "dangerous" },
  sshpass: { options: "-e -v -p: -f: -d: -P:", floor: "dangerous" },
  eatmydata: { options: "", floor: "dangerous" },
  chronic: { options: "-v -e", floor: "dangerous" },
  "cross-env": { options: "", assigns: true, floor: "dangerous" },
  choom: { options: "-n: --adjust=", floor: "dangerous" },
  "systemd-run": {
    options: "-t -q -G -u: -p: --user --scope --wait --pipe --pty --unit= --property=",
    floor: "dangerous",
  },
  "dbus-run-session": { options: "", floor: "dangerous" },
  "xvfb-run": { options: "-a -l -e:write -f:write -n: -p: -s: -w:", floor: "dangerous" },
  unbuffer: { options: "-p", floor: "dangerous" },
  proxychains: { options: "-q -f:", floor: "dangerous" },
  proxychains4: { options: "-q -f:", floor: "dangerous" },
  torsocks: { options: "", floor: "dangerous" },
  faketime: { options: "-f -m -p:", skips: 1, floor: "dangerous" },
  caffeinate: { options: "-d -i -m -s -u -t: -w:", floor: "dangerous" },
  busybox: { options: "", floor: "dangerous" },
  toybox: { options: "", floor: "dangerous" },
  noglob: { options: "", floor: "dangerous" },
  nocorrect: { options: "", floor: "dangerous" },
  entr: { options: "-a -c -d -n -p -r -s -z", floor: "dangerous" },
  parallel: {
    options:
      "-k -u -0 -X -m -q -t -v -j: -a:read -d: -I: -N: -n: -P: -S: --arg-file=read --joblog=write --results=write-tree --jobs= --bar --eta --dry-run --keep-order --will-cite --colsep= --delay= --timeout=",
    floor: "dangerous",
  },
  watch: {
    options:
      "-b -c -d? -e -g -p -t -w -x -n: --beep --color --differences=? --errexit --chgexit --precise --no-title --exec --interval=",
    floor: "dangerous",
  },
  coproc: { options: "", floor: "dangerous" },
};

/** Two-word wrappers of package managers, which start a program of the project: `poetry run pytest`. */
export const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  poetry: ["run"],
  pipenv: ["run"],
  uv: ["run"],
  pdm: ["run"],
  rye: ["run"],
  hatch: ["run"],
  bundle: ["exec"],
  pnpm: ["exec"],
  yarn: ["exec"],
  direnv: ["exec"],
};
