/** Folders that a machine or a person's work depends on. */
export const PROTECTED_FOLDERS: readonly string[] = [
  "/bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /opt /proc /root /run /sbin /srv /sys /usr /var",
  "/usr/bin /usr/include /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/local /usr/sbin /usr/share",
  "/usr/local/bin /usr/local/lib /usr/local/sbin",
  "/var/backups /var/lib /var/log /var/mail /var/spool /var/lib/dpkg /var/lib/docker /var/lib/mysql",
  "/Applications /Library /System /Users /Volumes /private /private/etc /private/var /cygdrive /c /mnt/c",
  "~/.. ~/.ssh ~/.gnupg ~/.config ~/.aws ~/.kube ~/.local ~/Documents ~/Desktop ~/Library ~/Pictures",
].flatMap((line) => line.split(" "));

/** Nobody keeps build output below these. */
export const PROTECTED_BELOW: readonly string[] = ["/bin", "/boot", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys"];

/** Folders that hold one home folder each. */
export const HOMES = /^\/(?:home|Users)\/[^/]+$/;

/** Raw storage and memory; writing there bypasses every file system. */
export const DEVICES =
  /^\/proc\/sysrq-trigger$|^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme|mmcblk\d|r?disk\d?|mapper\/|md|dm-|loop\d|sr\d|nbd\d|pmem\d|mem$|kmem$|port$|block\/)/;

/** What a redirection or `dd` may write below /dev without harm. */
export const HARMLESS_DEVICES: ReadonlySet<string> = new Set(
  "null zero full stdin stdout stderr tty random urandom".split(" ").map((name) => `/dev/${name}`),
);
