import { expect, test } from "vitest";
import { bench } from "./harness.ts";

test("process lists what was started in the background, and nothing that a call waited for", async () => {
  const { call } = await bench({}, { sandbox: "off" });
  await call("run_command", { command: "echo waited for" });
  const none = await call("process", { action: "list" });
  expect([none.output, none.metadata.count]).toEqual(["No command is running in the background.", 0]);
  const { metadata } = await call("run_command", { command: "sleep 60", background: true });
  const listed = await call("process", { action: "list" });
  expect(listed.output.split("\n")).toEqual([expect.stringMatching(/running\s+sleep 60$/)]);
  await call("process", { action: "kill", id: metadata.id });
});
