import { createHmac } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { folder } from "../../test/journeys/harness.ts";
import { sealFor } from "./seal-key.ts";

const disk: { calls: string[]; before: (call: string) => void } = { calls: [], before: () => {} };

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const noted = (call: string): void => {
    disk.before(call);
    disk.calls.push(call);
  };
  return {
    ...real,
    writeFileSync(...given: Parameters<typeof real.writeFileSync>) {
      const options = given[2] as { flush?: boolean } | undefined;
      noted(options?.flush ? "write and fsync" : "write");
      real.writeFileSync(...given);
    },
    linkSync(...given: Parameters<typeof real.linkSync>) {
      noted("name");
      real.linkSync(...given);
    },
  };
});

let workspace: string;
let user: string;
const keyFile = (): string => path.join(user, "key");
const seal = (text = "text"): string => sealFor(workspace, user)(text);
/** What a key gives, by the format's own rule: whoever knows the key can say it. */
const by = (key: Uint8Array, text = "text"): string =>
  createHmac("sha256", key).update(`${workspace}\0${text}`).digest("hex");

beforeEach(() => {
  workspace = folder();
  user = path.join(folder(), "deep/toolgate");
  Object.assign(disk, { calls: [], before: () => {} });
});

describe("a person's key", () => {
  test("is made at the first use, not before, of 32 random bytes, for its owner alone", () => {
    const mark = sealFor(workspace, user);
    expect(fs.existsSync(user)).toBe(false);
    expect(mark("text")).toBe(by(fs.readFileSync(keyFile())));
    expect(fs.readFileSync(keyFile())).toHaveLength(32);
    expect(fs.statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(user).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(user), "nothing else stays").toEqual(["key"]);
  });

  test("is on the disk as a whole before it has its name", () => {
    seal();
    expect(disk.calls).toEqual(["write and fsync", "name"]);
  });

  test("is read once, and used again by others", () => {
    const mark = sealFor(workspace, user);
    const first = mark("text");
    disk.calls = [];
    expect(seal()).toBe(first);
    expect(disk.calls, "nothing is written any more").toEqual([]);
    fs.rmSync(keyFile());
    expect(mark("text")).toBe(first);
    expect(mark("other")).not.toBe(first);
    expect(seal(), "another key").not.toBe(first);
  });

  test("that another process made meanwhile is the one that counts", () => {
    const theirs = Buffer.alloc(32, 7);
    disk.before = (call) => {
      disk.before = () => {};
      expect(call).toBe("write and fsync");
      fs.mkdirSync(user, { recursive: true });
      fs.appendFileSync(keyFile(), theirs);
    };
    expect(seal()).toBe(by(theirs));
    expect(fs.readFileSync(keyFile())).toEqual(theirs);
    expect(fs.readdirSync(user)).toEqual(["key"]);
  });

  test.each([0, 1, 31, 33, 64])("of %i bytes is none: what it would give is not what is given", (length) => {
    fs.mkdirSync(user, { recursive: true });
    const short = Buffer.alloc(length);
    fs.appendFileSync(keyFile(), short);
    const [one, other] = [seal(), seal()];
    expect([one, other]).not.toContain(by(short));
    expect(one, "each lasts as long as its process").not.toBe(other);
    expect(fs.readFileSync(keyFile()), "whatever it is, it stays").toEqual(short);
    expect(fs.readdirSync(user)).toEqual(["key"]);
  });

  test("that cannot be written leaves nothing behind, and the sealing goes on", () => {
    disk.before = (call) => {
      if (call === "name") throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    };
    expect(seal()).toMatch(/^[0-9a-f]{64}$/);
    expect(fs.readdirSync(user)).toEqual([]);
  });

  test("is that of the configuration's folder unless another is told", () => {
    const base = folder();
    vi.stubEnv("XDG_CONFIG_HOME", base);
    const mark = sealFor(workspace)("text");
    vi.unstubAllEnvs();
    expect(mark).toBe(by(fs.readFileSync(path.join(base, "toolgate/key"))));
  });
});

describe("a seal", () => {
  test("is of the folder itself, by whatever name it was reached", () => {
    const link = path.join(folder(), "link");
    fs.symlinkSync(workspace, link);
    expect(sealFor(link, user)("text")).toBe(seal());
  });

  test("is of the folder and the text as two, not as they follow each other", () => {
    const longer = `${workspace}x`;
    fs.mkdirSync(longer);
    try {
      expect(sealFor(longer, user)("text")).not.toBe(seal("xtext"));
    } finally {
      fs.rmdirSync(longer);
    }
  });

  test("of a folder that is gone is none", () => {
    expect(() => sealFor(path.join(workspace, "gone"), user)("text")).toThrow(/ENOENT/);
  });
});
