import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench, sleep } from "./harness.ts";

const SERVER = `require("net").createServer((s) => s.end("hello")).listen(18124, "127.0.0.1", () => console.log("up"))`;
const CLIENT = `require("net").connect(18124, "127.0.0.1").on("data", (text) => console.log(String(text))).on("error", (e) => console.log(e.code))`;

describe("what the commands of a session share", needs("bubblewrap"), () => {
  test("a background server and a temporary file, until the server is ended; a child has its own", async () => {
    const { call, gate } = await bench({ "server.cjs": SERVER, "client.cjs": CLIENT });
    const { metadata } = await call("run_command", { command: "node server.cjs", background: true });
    for (let output = ""; !output.includes("up"); ) {
      ({ output } = await call("process", { action: "output", id: metadata.id }));
      await sleep(20);
    }
    const asked = await call("run_command", { command: "node client.cjs | tee /tmp/answer" });
    expect(asked).toMatchObject({ success: true, output: "hello", metadata: { network: "none" } });
    const looked = await call("run_command", { command: "cat /tmp/answer" });
    expect(looked).toMatchObject({ success: true, output: "hello", metadata: { workspace: "read-only" } });
    const child = gate.child();
    const below = await child.call({
      name: "run_command",
      args: { command: "node client.cjs; cat /tmp/answer; echo own > /tmp/own" },
    });
    expect(below.output).toMatch(/^ECONNREFUSED\n[\s\S]*No such file/m);
    await child.close();
    await call("process", { action: "kill", id: metadata.id });
    const after = await call("run_command", { command: "node client.cjs; cat /tmp/answer; ls /tmp/own" });
    expect(after.output).toMatch(/ECONNREFUSED\nhello\n/);
    expect(after.output).toMatch(/No such file/);
  });
});
