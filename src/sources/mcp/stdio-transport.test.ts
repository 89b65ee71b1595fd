import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { PipedHearer, PipedProcesses } from "../../core/contracts/piped.ts";
import { StdioTransport } from "./stdio-transport.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message"}\n';

async function program() {
  let listeners: PipedHearer | undefined;
  let exit: (how: string) => void = () => {};
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  const written: string[] = [];
  const kill = vi.fn(async () => {});
  const write = vi.fn(async (text: string) => void written.push(text));
  const processes = {
    async start(_: unknown, heard: PipedHearer) {
      listeners = heard;
      return { write, kill, exited };
    },
  } as unknown as PipedProcesses;
  const launch = { program: "server", args: [], env: {}, cwd: "/" };
  const transport = new StdioTransport(processes, launch, (line) => JSON.parse(line) as JSONRPCMessage);
  const heard: unknown[] = [];
  const closed = vi.fn();
  transport.onmessage = (message) => void heard.push(message);
  transport.onclose = closed;
  await transport.start();
  const says = (text: string | Uint8Array) => listeners?.output(typeof text === "string" ? bytes(text) : text);
  const complains = (text: string | Uint8Array) => listeners?.errors(typeof text === "string" ? bytes(text) : text);
  return { transport, says, complains, exit, heard, closed, kill, write, written };
}

afterEach(() => void vi.useRealTimers());

describe("a server as a program", () => {
  test("is heard line by line, however its bytes come", async () => {
    const it = await program();
    const text = bytes('{"id":1,"result":"ü"}\n\n  \n{"id":2,"result":2}\r\n{"id":3');
    for (const each of text) it.says(Uint8Array.of(each));
    expect(it.heard).toEqual([
      { id: 1, result: "ü" },
      { id: 2, result: 2 },
    ]);
    it.says('}\n{"id":4}\n');
    expect(it.heard.slice(2)).toEqual([{ id: 3 }, { id: 4 }]);
  });

  test("keeps what it heard, though the buffer is used again", async () => {
    const it = await program();
    const buffer = bytes('{"id":1');
    it.says(buffer);
    buffer.fill(0x78);
    it.says("}\n");
    expect(it.heard).toEqual([{ id: 1 }]);
  });

  test("prints what is no message, and goes on; one that floods is ended", async () => {
    const it = await program();
    it.says("starting\n".repeat(1_000));
    it.says('{"id":1}\n');
    expect(it.heard).toEqual([{ id: 1 }]);
    expect(it.closed).not.toHaveBeenCalled();
    it.says('one more\n{"id":2}\n');
    expect(it.transport.ended).toContain("1000 lines that are no messages");
    expect(it.kill).toHaveBeenCalledOnce();
    expect(it.closed).toHaveBeenCalledOnce();
    it.says('{"id":3}\n');
    expect(it.heard, "nothing is heard of it any more").toEqual([{ id: 1 }]);
  });

  test("sends what nobody asked for, up to a point; answers are never too many", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const it = await program();
    it.says('{"id":1}\n'.repeat(6_000));
    it.says(NOTE.repeat(5_000));
    expect(it.closed).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 10_001);
    it.says(NOTE.repeat(5_000));
    expect(it.closed, "later it may again").not.toHaveBeenCalled();
    it.says(NOTE);
    expect(it.transport.ended).toContain("more than 5000 messages in 10 s");
    expect(it.heard).toHaveLength(16_000);
    expect(it.kill).toHaveBeenCalledOnce();
  });

  test("is ended by a message that has no end", async () => {
    const it = await program();
    const part = new Uint8Array(8 << 20).fill(0x20);
    for (let n = 0; n < 4; n++) it.says(part);
    expect(it.closed).not.toHaveBeenCalled();
    it.says(" ");
    expect(it.transport.ended).toContain("more than 32 MB");
    expect(it.kill).toHaveBeenCalledOnce();
  });

  test("is not troubled by whoever hears it", async () => {
    const it = await program();
    const errors: Error[] = [];
    it.transport.onerror = (error) => void errors.push(error);
    it.transport.onmessage = () => {
      throw new Error("no");
    };
    it.says('{"id":1}\n');
    expect(errors).toEqual([new Error("no")]);
    expect(it.closed).not.toHaveBeenCalled();
  });

  test("its last words are kept, and only those", async () => {
    const it = await program();
    it.complains("a".repeat(10_000));
    it.complains(bytes("ü").subarray(0, 1));
    it.complains(bytes("ü").subarray(1));
    expect(it.transport.errors).toBe(`${"a".repeat((8 << 10) - 1)}ü`);
  });

  test("says how it ended to whoever sends it something", async () => {
    const it = await program();
    await it.transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(it.written).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ping"}\n']);
    it.write.mockImplementationOnce(async () => {
      it.exit("it ended with exit code 3");
      throw new Error("EPIPE");
    });
    const sending = it.transport.send({ jsonrpc: "2.0", id: 2, method: "ping" });
    await expect(sending).rejects.toThrow("it ended with exit code 3");
    expect(it.closed).toHaveBeenCalledOnce();
    await expect(it.transport.send({ jsonrpc: "2.0", id: 3, method: "ping" })).rejects.toThrow("exit code 3");
    expect(it.written).toHaveLength(1);
  });

  test("is closed once, and what it is sent then fails", async () => {
    const it = await program();
    await it.transport.close();
    await it.transport.close();
    expect(it.kill).toHaveBeenCalledOnce();
    expect(it.closed).toHaveBeenCalledOnce();
    await expect(it.transport.send({ jsonrpc: "2.0", id: 3, method: "ping" })).rejects.toThrow("it is not connected");
  });
});
