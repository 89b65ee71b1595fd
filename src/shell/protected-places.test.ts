import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";

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
