import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { folder } from "../../test/journeys/harness.ts";
import { acceptedScripts, isTrusted, trust } from "./trust.ts";

const disk: { calls: string[]; fail: (call: string) => void } = { calls: [], fail: () => {} };

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const noted = (call: string): void => {
    disk.calls.push(call);
    disk.fail(call);
  };
  return {
    ...real,
    async open(...given: Parameters<typeof real.open>) {
      const handle = await real.open(...given);
      if (given[1] !== "wx") return handle;
      return {
        writeFile: async (text: string) => {
          await handle.writeFile(text.slice(0, text.length / 2));
          noted("half written");
          await handle.writeFile(text.slice(text.length / 2));
          noted("written");
        },
        sync: async () => {
          await handle.sync();
          noted("synced");
        },
        close: async () => {
          await handle.close();
          noted("closed");
        },
      };
    },
    async rename(...given: Parameters<typeof real.rename>) {
      noted("renamed");
      await real.rename(...given);
    },
  };
});

let userFolder: string;
let file: string;
const list = (): string => path.join(userFolder, "trusted.json");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const accepted = (text = "mode: yolo"): Promise<boolean> => isTrusted(file, bytes(text), userFolder);

beforeEach(() => {
  userFolder = path.join(folder(), "toolgate");
  file = path.join(folder({ "toolgate.yaml": "mode: yolo", "other.yaml": "other" }), "toolgate.yaml");
  Object.assign(disk, { calls: [], fail: () => {} });
});

describe("the list of accepted files", () => {
  test("is on the disk as a whole before it takes the old one's place", async () => {
    await trust(file, { userFolder });
    expect(disk.calls).toEqual(["half written", "written", "synced", "closed", "renamed"]);
    expect(await accepted()).toBe(true);
  });

  test.each(["half written", "written", "synced", "closed", "renamed"])(
    "a writing that fails when it is %s leaves the old list and nothing else, and accepts nothing",
    async (moment) => {
      await trust(file, { userFolder });
      const before = fs.readFileSync(list());
      disk.fail = (call) => {
        if (call === moment) throw new Error("no");
      };
      const other = path.join(path.dirname(file), "other.yaml");
      await expect(trust(other, { userFolder })).rejects.toThrow("no");
      expect(fs.readFileSync(list())).toEqual(before);
      expect(fs.readdirSync(userFolder)).toEqual(["trusted.json"]);
      expect(await isTrusted(other, bytes("other"), userFolder)).toBe(false);
    },
  );

  test("torn anywhere, it accepts nothing and is not written over", async () => {
    await trust(file, { userFolder });
    const whole = fs.readFileSync(list(), "utf8").trimEnd();
    for (let length = 0; length < whole.length; length++) {
      fs.writeFileSync(list(), whole.slice(0, length));
      expect(await accepted(), `${length} bytes`).toBe(false);
    }
    const torn = fs.readFileSync(list());
    await expect(trust(file, { userFolder })).rejects.toThrow(/not a list of accepted files/);
    expect(fs.readFileSync(list())).toEqual(torn);
  });

  test.each(["[]", "null", '"text"', "1", "true"])("that is %s accepts nothing and stays", async (text) => {
    fs.mkdirSync(userFolder);
    fs.writeFileSync(list(), text);
    expect(await accepted()).toBe(false);
    await expect(trust(file, { userFolder })).rejects.toThrow(/not a list of accepted files/);
    expect(fs.readFileSync(list(), "utf8")).toBe(text);
  });

  test("that is no file accepts nothing", async () => {
    fs.mkdirSync(list(), { recursive: true });
    expect(await accepted()).toBe(false);
    await expect(trust(file, { userFolder })).rejects.toThrow(/not a list of accepted files/);
  });

  test.each([
    ["true", true],
    ["a list", [""]],
    ["an empty text", ""],
    ["null", null],
  ])("an entry that is %s accepts nothing", async (_, value) => {
    fs.mkdirSync(userFolder);
    fs.writeFileSync(list(), JSON.stringify({ [file]: value }));
    expect(await accepted()).toBe(false);
  });

  test("is whole at every moment while several write it", async () => {
    const names = ["toolgate.yaml", "other.yaml"].map((name) => path.join(path.dirname(file), name));
    const writers = names.flatMap((name) => [trust(name, { userFolder }), trust(name, { userFolder })]);
    disk.fail = () => void (fs.existsSync(list()) && JSON.parse(fs.readFileSync(list(), "utf8")));
    await Promise.all(writers);
    expect(Object.keys(JSON.parse(fs.readFileSync(list(), "utf8"))).length).toBeGreaterThan(0);
    expect(fs.readdirSync(userFolder)).toEqual(["trusted.json"]);
  });
});

describe("accepting", () => {
  test("holds for these bytes of this file: no other bytes, no other file, no other list", async () => {
    const { file: real, hash } = await trust(file, { userFolder });
    expect([real, hash.length]).toEqual([file, 64]);
    expect(await accepted()).toBe(true);
    expect(await accepted("mode: yolo ")).toBe(false);
    const other = path.join(path.dirname(file), "other.yaml");
    fs.writeFileSync(other, "mode: yolo");
    expect(await isTrusted(other, bytes("mode: yolo"), userFolder)).toBe(false);
    expect(await isTrusted(file, bytes("mode: yolo"), folder())).toBe(false);
  });

  test("is of the file that a link leads to, and of the bytes that were shown", async () => {
    const link = path.join(folder(), "link.yaml");
    fs.symlinkSync(file, link);
    expect(await trust(link, { userFolder, bytes: bytes("shown") })).toMatchObject({ file });
    expect(await isTrusted(file, bytes("shown"), userFolder)).toBe(true);
    expect(await accepted(), "what is there now was not shown").toBe(false);
  });

  test("again replaces what was accepted before, and keeps the others", async () => {
    const other = path.join(path.dirname(file), "other.yaml");
    await trust(other, { userFolder });
    await trust(file, { userFolder });
    await trust(file, { userFolder, bytes: bytes("newer") });
    expect([await accepted(), await accepted("newer")]).toEqual([false, true]);
    expect(await isTrusted(other, bytes("other"), userFolder)).toBe(true);
  });

  test("what is not there is refused, and no list is made for it", async () => {
    await expect(trust(`${file}.gone`, { userFolder })).rejects.toThrow(/there is no such file to trust/);
    await expect(trust(`${file}.gone`, { userFolder, bytes: bytes("x") })).rejects.toThrow(/ENOENT/);
    expect(fs.existsSync(userFolder)).toBe(false);
  });

  test("of scripts is a list of its own: no word for a file is one for a script, nor the other way round", async () => {
    const script = path.join(path.dirname(file), "other.yaml");
    const hash = createHash("sha256").update("other").digest("hex");
    expect(await acceptedScripts(userFolder)).toEqual({});
    await trust(file, { userFolder, scripts: { [script]: hash } });
    expect(await acceptedScripts(userFolder)).toEqual({ [script]: hash });
    expect(await isTrusted(script, bytes("other"), userFolder)).toBe(false);
    await trust(script, { userFolder });
    expect(await acceptedScripts(userFolder), "what was accepted stays").toEqual({ [script]: hash });
    fs.writeFileSync(list(), "[]");
    expect(await acceptedScripts(userFolder), "of a list that cannot be read, none").toEqual({});
  });

  test("uses the folder of the configuration unless another is told", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", path.dirname(userFolder));
    await trust(file);
    expect(await isTrusted(file, bytes("mode: yolo"))).toBe(true);
    vi.unstubAllEnvs();
    expect(await accepted()).toBe(true);
    expect(fs.statSync(list()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(userFolder).mode & 0o777).toBe(0o700);
  });
});
