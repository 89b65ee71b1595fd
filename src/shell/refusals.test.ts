import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

/** Each rule for what never runs, and beside it what is so close that the rule must let it be asked about. */
const RULES: Record<string, { blocked: string[]; beside: string[] }> = {
  "rm of what must not be lost": {
    blocked: ["rm -r -- /", "rm --rec /", "rm --recursive=x /", "rm -f -R ~", "rm a b -r /etc", "rm --no-p a"],
    beside: ["rm /", "rm -f ~", "rm /etc", "rm -- -rf /", "rm --force /", "rm --dir /", "rm -rf -- --no-preserve-root"],
  },
  "programs that need no option to remove a folder": {
    blocked: [
      "rimraf /",
      "shred /etc",
      "srm ~",
      "npx rimraf /",
      "npx rimraf@5 ~",
      "npm exec rimraf -- /",
      "bunx rimraf /",
    ],
    beside: ["rimraf build", "npx rimraf build", "npx cowsay /", "npx cowsay rimraf"],
  },
  "folders that are moved away": {
    blocked: [
      "mv / -",
      "mv -- / --",
      "mv a /etc b",
      "mv ~ x",
      "mv -t /tmp /etc",
      "mv --target-directory=x ~",
      "mv -vt x /",
    ],
    beside: [
      "mv a /",
      "mv a /etc",
      "mv a b ~",
      "mv /etc",
      "mv -t /etc a",
      "mv --target-directory /etc a",
      "mv -T a /etc",
    ],
  },
  "folders that are made like another": {
    blocked: ["rsync -a --delete a /etc", "rsync --delete-after a/ /usr", "rsync --del a b ~"],
    beside: [
      "rsync -a a /etc",
      "rsync --delete /etc b",
      "rsync --delete",
      "rsync -a --exclude=x a /",
      "rsync --delete a b",
    ],
  },
  "modes that open to all": {
    blocked: [
      "chmod 777 a",
      "chmod 0777 a",
      "chmod 1777 a",
      "chmod -v 777 a",
      "chmod a+r,a+w,a+x a",
      "chmod a+rwX a",
      "chmod u=rwx,g=rwx,o=rwx a",
      "chmod a-x,a=rwx a",
      "mkdir -m 777 a",
      "mkdir -m777 a",
      "mkdir --mode=777 a",
      "mkdir --mode 777 a",
      "mkdir -pm a+rwx a",
      "install -d --mode=a+rwx b",
    ],
    beside: [
      "chmod 77 a",
      "chmod 775 a",
      "chmod 7770 a",
      "chmod 644 777",
      "chmod a+rwx,o-rwx a",
      "chmod a=r,a=w,a=x a",
      "chmod ug=rwx,o=rx a",
      "chmod u+rwx a",
      "chmod a+rw a",
      "chmod a+rx a",
      "chmod a+wx a",
      "chmod a+rwx,what a",
      "mkdir -m 755 a",
      "mkdir -p 777",
      "mkdir -- -m 777",
      "mkdir 777 -m 755",
    ],
  },
  "rights of all below a folder": {
    blocked: [
      "chmod -R 755 /",
      "chmod 755 -R /",
      "chmod -R 755 a /etc b",
      "chown -R me /",
      "chown --recursive me /etc",
      "chgrp -R me ~",
    ],
    beside: [
      "chmod 755 /",
      "chmod -R 755 src",
      "chmod -R / a",
      "chown me /",
      "chown -R me src",
      "chown --reference=x me /etc",
      "chown -r me /etc",
    ],
  },
  "dd onto a device": {
    blocked: ["dd if=a of=/dev/sda", "dd of=/dev/../dev/sda", "dd of=//dev/sda", "dd if=a bs=1 of=/dev/fd0"],
    beside: [
      "dd if=a of=/dev/null",
      "dd if=a of=/dev/fd/3",
      "dd if=a of=/tmp/x",
      "dd if=/dev/sda of=a",
      "dd of=/devices",
    ],
  },
  "processes killed without a chance": {
    blocked: [
      "killall -9 x",
      "killall -KILL x",
      "killall -s 9 x",
      "killall -s KILL x",
      "killall --signal=KILL x",
      "killall --signal KILL x",
      "killall --sig SIGKILL x",
      "pkill -9 -f x",
      "pkill -9f x",
      "pkill -KILL --full x",
      "pkill -s 9 -f x",
      "pkill --signal=9 -f x",
      "pkill -9 --f x",
      "kill -9 -1",
      "kill -KILL -1",
      "kill -s KILL -1",
      "kill -9 $(pgrep -f x)",
      "kill -9 $(pidof x)",
      "pgrep -f x | xargs kill -9",
    ],
    beside: [
      "killall x",
      "killall 9",
      "killall -s TERM x",
      "killall -TERM 9",
      "pkill -9 x",
      "pkill -f x",
      "pkill -SIGKILL x",
      "pkill --signal sigkill x",
      "kill -1",
      "kill -1 9",
      "kill -9 123",
      "kill -9 $(pgrep x)",
      "kill $(pgrep -f x)",
      "kill -TERM -1",
    ],
  },
  "find that deletes everything": {
    blocked: [
      "find / -delete",
      "find -H / -delete",
      "find -L /etc -delete",
      "find src / -delete",
      "find / -type f -delete",
    ],
    beside: ["find / -name x -delete", "find -delete", "find . -delete /", "find ! -delete /", "find ( -delete / )"],
  },
  "a shell for the network": {
    blocked: [
      "nc -e sh x 1",
      "nc -c sh x 1",
      "nc -ve sh x 1",
      "ncat --sh-exec sh x 1",
      "ncat --exec sh x",
      "socat exec:sh tcp:x:1",
      "socat TCP4:x:1 EXEC:sh",
      "socat - tcp:x,exec:sh",
    ],
    beside: ["nc x 1", "nc -v x 1", "socat exec:sh stdio", "socat tcp:x:1 stdio", "socat - tcp:x,execute"],
  },
  "new file systems": {
    blocked: ["mkfs a", "mkfs.ext4 a", "newfs_msdos a", "wipefs a", "mkswap a", "m?fs a"],
    beside: ["mkfsx a", "newfsx a"],
  },
};

describe.each(Object.entries(RULES))("%s", (_, { blocked, beside }) => {
  test.each(blocked)("blocked: %s", (line) => expect(analyse(line)).toMatchObject({ class: "blocked", risk: "high" }));
  test.each(beside)("asked about: %s", (line) => expect(analyse(line).class).toBe("dangerous"));
});

describe("folders that must not be lost, by another way to them", () => {
  test.each([
    "../../../../..",
    "../../../../../..",
    "../../../../../../",
    "../../../../../.",
    "../../../../../*",
    "../../../../../.*",
    "a/../../../../../..",
    "../../../../../etc",
    "../../../../../../home/me",
    "../../../../../usr/lib",
    "/..",
    "/tmp/..",
    "/tmp/../etc",
    "/home/me/",
    "/home/me/*",
    "/home/*",
    "/*/*",
    "/e*c",
    "/[e]tc",
    "/us?/lib",
    "/etc/*",
    "/etc/ssh/x",
    "~me",
    "~/..",
    "~/../..",
    "~/.ssh",
    "~/.ssh/*",
    "~/*",
    "/$nothing",
    "//$nothing/",
    "/?*",
    "/[a-z]*",
    "/@(a|b)*",
  ])("rm -rf %s", (path) => {
    expect(analyse(`rm -rf ${path}`).class).toBe("blocked");
    expect(analyse(`rm -rf a ${path} b`).class).toBe("blocked");
  });

  test.each([
    "..",
    "../..",
    "../../..",
    "../../../..",
    "../../../../x",
    "../../../../*",
    "../../../../../x/y",
    "../../../../../tmp/x",
    "a/../../../../..",
    "a/../b",
    "/tmp",
    "/tmp/*",
    "/home/me/x",
    "/home/me/x*",
    "/home/me/*/x",
    "/var/lib/x",
    "/usr/x/lib",
    "/x*",
    "/etcx",
    "~/x",
    "~/x/*",
    "~/.sshx",
    "'~'",
    "'/*'",
    "$nothing/x",
    "$nothing",
    "''",
    "*",
    "./*",
  ])("not rm -rf %s", (path) => expect(analyse(`rm -rf ${path}`).class).toBe("dangerous"));

  test.each([
    ["cd ../.. && rm -rf ../../..", "blocked"],
    ["cd ../../../../.. && rm -rf *", "blocked"],
    ["cd ../../.. && rm -rf ../..", "blocked"],
    ["cd ../../.. && rm -rf ..", "dangerous"],
    ["cd / && rm -rf *", "blocked"],
    ["cd / && rm -rf etc", "blocked"],
    ["cd / && rm -rf tmp/x", "dangerous"],
    ["cd ~ && rm -rf .ssh", "blocked"],
    ["cd $x && rm -rf *", "dangerous"],
  ])("from where the shell stands: %s is %s", (line, kind) => expect(analyse(line).class).toBe(kind));

  const home = "/data/me";
  test.each([
    ["rm -rf /data/me", "blocked"],
    ["rm -rf /data", "blocked"],
    ["rm -rf /data/me/.ssh", "blocked"],
    ["rm -rf /data/me/*", "blocked"],
    ["rm -rf /data/me/x", "dangerous"],
    ["rm -rf /data/mex", "dangerous"],
    ["rm -rf /dat", "dangerous"],
    ["rm -rf ~/.ssh", "blocked"],
  ])("with a home elsewhere: %s is %s", (line, kind) => expect(analyse(line, { home }).class).toBe(kind));

  test("a home at the root makes nothing else a home", () => {
    expect(analyse("rm -rf /x", { home: "/" }).class).toBe("dangerous");
    expect(analyse("rm -rf /.ssh", { home: "/" }).class).toBe("dangerous");
    expect(analyse("rm -rf ~", { home: "/" }).class).toBe("blocked");
  });
});

describe("devices that are written to", () => {
  test.each(["/dev/sda", "/dev/nvme0n1", "/dev/../dev/sda", "//dev/sda", "/dev/mapper/x", "/dev/mem"])(
    "%s",
    (device) => {
      for (const line of [`echo x > ${device}`, `cp x ${device}`, `tee ${device}`, `{ ls; } > ${device}`])
        expect(analyse(line), line).toMatchObject({ class: "blocked", risk: "high" });
      expect(analyse(`cat ${device}`).class).not.toBe("blocked");
      expect(analyse(`cd /dev && echo x > ${device.slice(device.lastIndexOf("/dev/") + 5)}`).class).toBe("blocked");
    },
  );
  test.each(["/dev/null", "/dev/tty", "/dev/memory", "dev/sda", "/devices/sda"])("not %s", (device) =>
    expect(analyse(`echo x > ${device}`).class).not.toBe("blocked"),
  );
});
