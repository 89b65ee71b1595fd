import net, { type AddressInfo } from "node:net";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bench } from "../journeys/harness.ts";

/** Bytes that a server sends, in pieces, and whether it hangs up then; a function says them again and again. */
type Script = { pieces: (string | Uint8Array)[]; again?: () => string | Uint8Array; stays?: boolean };

const OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
const bomb = (pack: (bytes: Uint8Array) => Uint8Array) => pack(Buffer.alloc(30_000_000, "boom "));
const packed = (encoding: string, body: Uint8Array): Script => ({
  pieces: [`${OK}Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`, body],
});

/** What servers may answer, and what becomes of it: the text that is shown, or how the error begins. */
const ANSWERS: Readonly<Record<string, [Script, shown: string | RegExp]>> = {
  "no answer": [{ pieces: [] }, /^IO_ERROR/],
  garbage: [{ pieces: ["\0\0\0 not http at all\r\n\r\n"] }, /^IO_ERROR/],
  "the oldest protocol": [{ pieces: ["<h1>hello</h1>"] }, /^IO_ERROR/],
  "half a head": [{ pieces: ["HTTP/1.1 200 OK\r\nContent-Type: text/pl"] }, /^IO_ERROR/],
  "a status that is none": [{ pieces: ["HTTP/1.1 99999 Wow\r\n\r\nx"] }, /^IO_ERROR/],
  "a head that never ends": [
    { pieces: [OK], again: () => `X-${"a".repeat(500)}: ${"b".repeat(500)}\r\n` },
    /^IO_ERROR/,
  ],
  "a line that never ends": [{ pieces: ["HTTP/1.1 200 "], again: () => "O".repeat(10_000) }, /^IO_ERROR/],
  "many short headers": [{ pieces: [OK, "A: b\r\n".repeat(5_000), "Content-Length: 2\r\n\r\nok"] }, "ok"],
  "a header without a colon": [{ pieces: [`${OK}nonsense\r\n\r\nx`] }, /^IO_ERROR/],
  "a header with a zero": [{ pieces: [`${OK}X-A: a\0b\r\n\r\nx`] }, /^IO_ERROR/],
  "two lengths": [{ pieces: [`${OK}Content-Length: 2\r\nContent-Length: 5\r\n\r\nokEVIL`] }, /^IO_ERROR/],
  "a length and pieces": [
    { pieces: [`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`] },
    /^IO_ERROR|^ok$/,
  ],
  "a length that is none": [{ pieces: [`${OK}Content-Length: -1\r\n\r\nx`] }, /^IO_ERROR/],
  "a length beyond all numbers": [{ pieces: [`${OK}Content-Length: 99999999999999999999\r\n\r\nx`] }, /^IO_ERROR/],
  "fewer bytes than it says": [{ pieces: [`${OK}Content-Length: 100\r\n\r\nshort`] }, /^IO_ERROR/],
  "more bytes than it says": [{ pieces: [`${OK}Content-Length: 2\r\n\r\nokMORE`] }, "ok"],
  pieces: [{ pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n`, "1\r\nk\r\n0\r\n\r\n"] }, "ok"],
  "pieces that break off": [{ pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nok`] }, /^IO_ERROR/],
  "pieces with a size that is none": [
    { pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n`] },
    /^IO_ERROR/,
  ],
  "pieces with a size beyond all numbers": [
    { pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nok`] },
    /^IO_ERROR/,
  ],
  "a name for its piece that never ends": [
    { pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\n2;`], again: () => "x".repeat(10_000) },
    /^IO_ERROR/,
  ],
  "headers behind the body": [
    { pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-After: 1\r\n\r\n`] },
    "ok",
  ],
  "headers behind the body that never end": [
    { pieces: [`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`], again: () => "X-After: 1\r\n".repeat(500) },
    /^IO_ERROR/,
  ],
  "hints before the answer": [
    { pieces: ["HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(50), `${OK}Content-Length: 2\r\n\r\nok`] },
    "ok",
  ],
  "hints without an answer": [{ pieces: [], again: () => "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50) }, /^TIMEOUT/],
  "another protocol": [
    { pieces: ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"] },
    /^IO_ERROR/,
  ],
  "nothing, as it says": [{ pieces: ["HTTP/1.1 204 No Content\r\n\r\nEVIL"] }, ""],
  "not changed, though nobody asked": [{ pieces: ["HTTP/1.1 304 Not Modified\r\n\r\n"] }, ""],
  "a body until it hangs up": [{ pieces: ["HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nok"] }, "ok"],
  "a byte now and then": [{ pieces: [OK], again: () => "X", stays: true }, /^TIMEOUT|^IO_ERROR/],
  "a redirect to nowhere": [{ pieces: ["HTTP/1.1 302 Found\r\nLocation: http://\r\n\r\n"] }, /^IO_ERROR/],
  "a redirect without a place": [
    { pieces: ["HTTP/1.1 302 Found\r\nContent-Type: text/plain\r\n\r\nlook elsewhere"] },
    "look elsewhere",
  ],
  "a bomb in gzip": [packed("gzip", bomb(zlib.gzipSync)), /^boom/],
  "a bomb in deflate": [packed("deflate", bomb(zlib.deflateSync)), /^boom/],
  "a bomb in brotli": [packed("br", bomb(zlib.brotliCompressSync)), /^boom/],
  "a bomb in a bomb": [packed("gzip, br", zlib.brotliCompressSync(bomb(zlib.gzipSync))), /^boom/],
  "three layers": [packed("gzip, gzip, gzip", Buffer.from("x")), /^IO_ERROR/],
  "many layers": [packed("gzip,".repeat(1_000), Buffer.from("x")), /^IO_ERROR/],
  "an encoding that nobody asked for": [packed("zstd", Buffer.from("x")), /^IO_ERROR/],
  "an encoding by the name of something else": [packed("__proto__", Buffer.from("x")), /^IO_ERROR/],
  "no encoding, by name": [packed("identity", Buffer.from("ok")), "ok"],
  "less than was packed": [packed("gzip", zlib.gzipSync("hello, all of you").subarray(0, 25)), /^IO_ERROR/],
  "what was never packed": [packed("br", Buffer.from("hello")), /^IO_ERROR/],
  "packed without a head": [packed("deflate", zlib.deflateRawSync("ok")), "ok"],
};

let server: net.Server;
const paths = Object.keys(ANSWERS);

beforeAll(async () => {
  server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const script = ANSWERS[paths[Number(/^GET \/(\d+)/.exec(String(head))?.[1])] ?? ""]?.[0];
      for (const piece of script?.pieces ?? []) socket.write(piece);
      if (!script?.again) return void socket.end();
      const { again, stays } = script;
      const more = () => {
        if (!socket.writable) return;
        if (stays || socket.write(again())) setTimeout(more, stays ? 50 : 0);
        else socket.once("drain", more);
      };
      more();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

test("whatever a server answers is shown or is an error, and ends nothing else", async () => {
  const { port } = server.address() as AddressInfo;
  const config = { web: { allow_private_hosts: [`127.0.0.1:${port}`], rate: 1_000 }, loops: "off" };
  const { gate } = await bench({}, { toolset: "all", mode: "yolo", config });
  const answers = await Promise.all(
    paths.map(async (name, index) => {
      const args = {
        url: `http://127.0.0.1:${port}/${index}`,
        format: "raw",
        timeout: name.startsWith("hints without") || name.startsWith("a byte") ? 1 : 60,
      };
      const { success, output, error } = await gate.call({ name: "web_fetch", args });
      const [, shown = ""] = /^\[From [^\n]*\]\n\n([\s\S]*?)(?:\n\n)?\[end \w+\]/.exec(output) ?? [];
      return success ? shown : `${error?.code} ${error?.message}`;
    }),
  );
  for (const [index, name] of paths.entries()) {
    const expected = ANSWERS[name]?.[1] ?? "";
    if (typeof expected === "string") expect.soft(answers[index], name).toBe(expected);
    else expect.soft(answers[index], name).toMatch(expected);
  }
}, 120_000);
