import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FORWARDER, MOST_MESSAGE, TOO_LONG } from "./forwarder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "forwarder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a program in the place of a browser; gives what comes out of its pipe, and how it ended. */
async function driven(program: string, sent = "") {
  const args = ["-e", FORWARDER, "", folder, path.join(folder, "profile"), process.execPath, "-e", program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "pipe", "pipe"] });
  const [, , , to, from] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const pieces: Uint8Array[] = [];
  from.on("data", (piece) => pieces.push(piece));
  to.on("error", () => {});
  to.end(sent);
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, bytes: Buffer.concat(pieces), isTooLong: existsSync(path.join(folder, TOO_LONG)) };
}

/** Writes to the pipe as a browser does, in pieces of so many bytes. */
const writing = (messages: string, size = 1_000_000) => `
  const fs = require("node:fs");
  const all = Buffer.from(${messages});
  for (let at = 0; at < all.length; at += ${size}) fs.writeSync(4, all.subarray(at, at + ${size}));`;

describe("between us and the browser", () => {
  test("orders go in and answers come out as they are", async () => {
    const echo = `require("node:fs").createReadStream(null, { fd: 3 }).pipe(require("node:fs").createWriteStream(null, { fd: 4 }))`;
    const sent = `{"id":1,"method":"Runtime.consoleAPICalled"}\0{"id":2,"text":"ü"}\0`;
    expect(await driven(echo, sent)).toEqual({ code: 0, bytes: Buffer.from(sent), isTooLong: false });
  });

  test.each([1, 7, 40, 1_000])("what nobody listens to is left out, in pieces of %i bytes", async (size) => {
    const kept = ['{"id":1,"result":{}}', "{}", "", '{"method":"Runtime.bindingCalled","params":{}}'];
    const unheard = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"].map(
      (name) => `{"method":"${name}","params":{"text":"${"x".repeat(100)}"}}`,
    );
    const all = kept.flatMap((each, index) => [each, unheard[index % unheard.length], unheard[0]]);
    const { bytes } = await driven(writing(JSON.stringify(`${all.join("\0")}\0`), size));
    expect(bytes.toString().split("\0")).toEqual([...kept, ""]);
  });

  test("a long message to nobody ends nothing, and a long one to us ends the browser", async () => {
    const long = `"x".repeat(${MOST_MESSAGE})`;
    const unheard = await driven(
      writing(`'{"method":"Runtime.consoleAPICalled","params":"' + ${long} + '"}\\0{"id":1}\\0'`),
    );
    expect([unheard.code, unheard.bytes.toString(), unheard.isTooLong]).toEqual([0, '{"id":1}\0', false]);
    const heard = await driven(`${writing(`'{"id":1,"result":"' + ${long} + '"}\\0'`)} setInterval(() => {}, 1_000)`);
    expect([heard.code, heard.isTooLong]).toEqual([1, true]);
    expect(heard.bytes.length).toBeLessThanOrEqual(MOST_MESSAGE);
  });

  test("the browser ends when nobody drives it any more, and its profile tells it not to connect ahead", async () => {
    const { code } = await driven(
      `require("node:fs").createReadStream(null, { fd: 3 }).on("close", () => process.exit(7)).resume()`,
    );
    expect(code).toBe(7);
    const { net } = JSON.parse(readFileSync(path.join(folder, "profile/Default/Preferences"), "utf8"));
    expect(net).toEqual({ network_prediction_options: 2 });
  });
});
