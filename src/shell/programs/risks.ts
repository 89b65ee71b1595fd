import type { Field, Risk } from "../walk.ts";

const named = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

const HIGH = named(
  `rm mkfs dd shutdown reboot halt poweroff init telinit sudo su doas pkexec chown chmod chgrp useradd userdel usermod
  groupadd groupdel adduser deluser passwd chpasswd visudo mount umount iptables ip6tables nft ufw firewall-cmd fdisk
  parted sfdisk sgdisk mkswap swapoff swapon shred wipefs curl wget nc ncat netcat scp ssh sftp ftp tftp telnet rsync
  socat crontab at systemctl service insmod rmmod modprobe sysctl setcap setfacl chattr kexec nsenter chroot
  del erase format rmdir taskkill reg`,
);

const LOW = named(
  `echo printf true false test pwd cd set read export declare local typeset trap alias type hash jobs wait
  sleep seq exit return break continue shift unset let pushd popd dirs`,
);

/** Verbs by which an installer changes packages. */
const INSTALLS = named("install i add ci update upgrade remove uninstall publish");
const MANAGERS = named(
  "npm pnpm yarn bun cargo pip pip3 gem brew apt apt-get yum dnf apk pacman go composer poetry uv",
);

/** The risk scale, which is separate from the class: by program, and for installers by verb. */
export const riskOf = (name: string, fields: readonly Field[]): Risk => {
  if (HIGH.has(name) || name.startsWith("mkfs")) return "high";
  if (LOW.has(name)) return "low";
  if (MANAGERS.has(name)) return fields.some((field) => INSTALLS.has(field.text)) ? "medium" : "low";
  return "medium";
};
