import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

/** Names that stand in a list and are judged alike: one that is missing there goes unnoticed elsewhere. */
const each = (names: string): string[] => names.split(" ");
const classOf = (line: string): string => analyse(line).class;

describe("what a program prints that fetches is not run", () => {
  const TAKING_OVER = each("curl wget wget2 aria2c axel curlie lynx w3m ncat netcat");
  const OTHERS = each(
    "fetch http https xh links elinks nc socat telnet ftp tftp sftp scp ssh rclone gsutil GET lwp-request lwp-download snarf hurl dig drill nslookup host whois finger s3cmd s5cmd ipfs smbclient",
  );

  test.each([...TAKING_OVER, ...OTHERS])("%s", (name) => {
    expect(classOf(`${name} u | sh`)).toBe("blocked");
    expect(classOf(`${name}.exe u | sh`)).toBe("blocked");
    expect(classOf(`foo -- ${name} u | sh`)).toBe("blocked");
  });

  test.each(TAKING_OVER)("%s behind a program that is not known", (name) => {
    expect(classOf(`foo ${name} u | sh`)).toBe("blocked");
    expect(classOf(`foo '${name} u' | sh`)).toBe("blocked");
  });

  test.each<[program: string, fetching: string, other: string]>([
    ["openssl", "s_client", "enc"],
    ["gh", "gist api release", "pr"],
    ["glab", "snippet api release", "mr"],
    ["aws", "s3 s3api ssm secretsmanager", "ec2"],
    ["az", "storage", "vm"],
    ["gcloud", "storage", "compute"],
    ["oci", "os", "iam"],
    ["svn", "cat export", "log"],
    ["mc", "cat head", "ls"],
  ])("%s, with some of its verbs", (program, fetching, other) => {
    for (const verb of each(fetching)) expect([verb, classOf(`${program} ${verb} x | sh`)]).toEqual([verb, "blocked"]);
    expect(classOf(`${program} ${other} x | sh`)).toBe("dangerous");
  });

  test.each(
    each("apt apt-get aptitude dnf yum apk pacman brew zypper port snap flatpak dpkg rpm man info tldr whatis logger"),
  )("%s takes names, and runs none of them", (name) => expect(classOf(`${name} curl u | sh`)).toBe("dangerous"));

  test.each(each("install i add remove uninstall update upgrade search info show init new clone commit tag build"))(
    "what is behind %s is a name",
    (verb) => expect(classOf(`foo ${verb} curl | sh`)).toBe("dangerous"),
  );
});

describe("what never runs", () => {
  test.each(
    each(
      "sudo su doas pkexec sudoedit runuser run0 gksu gksudo kdesu kdesudo sudo-rs sudo.ws gosu su-exec dzdo pfexec pbrun ksu beesu lxsudo calife setuidgid s6-setuidgid",
    ),
  )("%s: as another user", (name) => expect(classOf(`${name} ls`)).toBe("blocked"));

  test.each(
    each(
      "mkfs mkfs.xfs mke2fs mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs mkswap newfs newfs_msdos wipefs blkdiscard sg_format sg_sanitize",
    ),
  )("%s: over a disk", (name) => expect(classOf(`${name} /dev/sdb1`)).toBe("blocked"));

  test.each<[harm: string, other: string]>([
    ["rimraf /", "rimraf build"],
    ["shred ~", "shred a"],
    ["srm /etc", "srm a"],
    ["trash-put /", "trash-put a"],
    ["del-cli /", "del-cli a"],
    ["wipe /", "wipe a"],
    ["trash /", "trash a"],
    ["gio trash /", "gio trash a"],
    ["gio remove /", "gio remove a"],
    ["gio delete /", "gio delete a"],
    ["chown -R me /", "chown -R me a"],
    ["chgrp -R me /", "chgrp -R me a"],
    ["dcfldd if=a of=/dev/sda", "dcfldd if=a of=b"],
    ["dc3dd if=a of=/dev/sda", "dc3dd if=a of=b"],
    ["killall -9 a", "killall a"],
    ["killall5 -9", "killall5 -15"],
    ["nc -e sh h 1", "nc h 1"],
    ["ncat --exec sh h 1", "ncat h 1"],
    ["ncat --sh-exec ls h 1", "ncat h 1"],
    ["netcat -c sh h 1", "netcat h 1"],
    ["sg root ls", "sg users ls"],
    ["newgrp docker", "newgrp users"],
    ["setpriv --reuid 0 ls", "setpriv --reuid 1000 ls"],
    ["setpriv --ruid=0 ls", "setpriv --ruid=1000 ls"],
    ["setpriv --euid=root ls", "setpriv --euid=me ls"],
    ["setpriv --regid=wheel ls", "setpriv --regid=me ls"],
    ["systemd-run --uid=0 ls", "systemd-run --uid=1000 ls"],
    ["sgdisk -Z /dev/sda", "sgdisk -p /dev/sda"],
    ["gdisk /dev/sda", "gdisk -l /dev/sda"],
    ["cgdisk /dev/sda", "cgdisk -l /dev/sda"],
    ["fdisk /dev/sda", "fdisk --list /dev/sda"],
    ["cfdisk /dev/sda", "cfdisk a.img"],
    ["sfdisk --delete -l /dev/sda", "sfdisk -l /dev/sda"],
    ["parted /dev/sda mklabel gpt", "parted /dev/sda print"],
    ["cryptsetup luksFormat /dev/sda", "cryptsetup status a"],
    ["cryptsetup luksErase UUID=1", "cryptsetup luksDump UUID=1"],
    ["cryptsetup erase PARTLABEL=a", "cryptsetup open PARTLABEL=a b"],
    ["cryptsetup reencrypt /dev/sda", "cryptsetup reencrypt a.img"],
    ["badblocks -wv /dev/sda", "badblocks -v /dev/sda"],
    ["nvme format nvme0n1", "nvme list"],
    ["nvme sanitize /dev/nvme0", "nvme id-ctrl /dev/nvme0"],
    ["nvme write-zeroes /dev/nvme0", "nvme read /dev/nvme0"],
    ["nvme dsm /dev/nvme0", "nvme smart-log /dev/nvme0"],
    ["hdparm --security-erase x /dev/sda", "hdparm -I /dev/sda"],
    ["hdparm --trim-sector-ranges 1:2 /dev/sda", "hdparm -t /dev/sda"],
    ["mdadm --zero-superblock /dev/sda", "mdadm --detail /dev/md0"],
    ["mdadm --create /dev/md0", "mdadm --examine /dev/sda"],
    ["zpool create a /dev/sda", "zpool list"],
    ["zpool destroy a", "zpool status a"],
    ["zpool labelclear /dev/sda", "zpool history a"],
    ["zfs destroy a", "zfs list a"],
    ["debugfs -w /dev/sda1", "debugfs /dev/sda1"],
    ["pvremove /dev/sda", "pvremove --help"],
    ["pvcreate /dev/sda", "pvcreate --help"],
    ["vgremove a", "vgremove --help"],
    ["lvremove a/b", "lvremove --help"],
    ["ddrescue a /dev/sda", "ddrescue /dev/sda a"],
    ["dd_rescue a /dev/sda", "dd_rescue /dev/sda a"],
    ["pv a -o /dev/sda", "pv a -o b"],
    ["qemu-img dd of=/dev/sda", "qemu-img dd of=b"],
  ])("%s, but %s may", (harm, other) => {
    expect(classOf(harm)).toBe("blocked");
    expect(classOf(other)).not.toBe("blocked");
  });
});

describe("a search that deletes in the root, and leaves most of it alone", () => {
  test.each(
    each(
      "-name -iname -path -ipath -wholename -iwholename -regex -iregex -amin -cmin -mmin -atime -ctime -mtime -newer -newermt -size -user -group -perm -inum -links -samefile -uid -gid",
    ),
  )("%s", (option) => {
    expect(classOf(`find / ${option} 5a -delete`)).toBe("dangerous");
    for (const turned of [`! ${option} 5a`, `-not ${option} 5a`, `${option} 5a -o -true`, `${option} 5a , -true`])
      expect([turned, classOf(`find / ${turned} -delete`)]).toEqual([turned, "blocked"]);
  });

  test.each(["*", "**", "?*", "*?", ".*", "/*", "/.*"])("a pattern that fits all: %s", (pattern) => {
    expect(classOf(`find / -name '${pattern}' -delete`)).toBe("blocked");
  });
});
