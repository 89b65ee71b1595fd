import { expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { deedOf } from "./deed.ts";
import { type CommandClass, type CommandReading, type Danger, dangerOf, type Touch } from "./touch.ts";

const fetch = (method: string): Touch => ({ action: "fetch", url: "https://x.test/", method });
const command = (kind: CommandClass, reason?: string): Touch => ({
  ...{ action: "run", command: "x", class: kind, inner: [] },
  ...(reason && { reading: { reason } as CommandReading }),
});
const named = (action: "signal" | "schedule" | "delegate"): Touch => ({ action, target: "it" });

test.each<[what: string, touches: Touch[], deed: string, says?: Danger]>([
  ["nothing", [], "it changes nothing"],
  ["a read", [at("read", "a")], "it changes nothing"],
  ["a list and a read", [at("list", "a"), at("read", "b")], "it changes nothing"],
  ["a safe command", [command("safe", "why")], "it changes nothing"],
  ["a write", [at("write", "a")], "it changes files"],
  ["a write beside a read", [at("read", "b"), at("write", "a")], "it changes files"],
  ["a removal", [at("delete", "a")], "it deletes files"],
  ["a removal after a write", [at("write", "a"), at("delete", "b")], "it deletes files"],
  ...["GET", "HEAD", "OPTIONS", "get"].map((method): [string, Touch[], string] => [
    method,
    [fetch(method)],
    "it reaches the network",
  ]),
  ...["POST", "PUT", "DELETE", "TRACE"].map((method): [string, Touch[], string] => [
    method,
    [fetch(method)],
    "it sends something over the network",
  ]),
  ["a request after a look", [fetch("GET"), fetch("POST")], "it sends something over the network"],
  ["a request after a write", [at("write", "a"), fetch("POST")], "it sends something over the network"],
  ["a write before a look", [at("write", "a"), fetch("GET")], "it changes files"],
  ["another server", [{ action: "use", source: "mcp", name: "x" }], "it uses a tool of another server"],
  ["a skill", [{ action: "use", source: "skill", name: "x" }], "it uses a tool of a skill"],
  ["a signal", [named("signal")], "it ends a running command"],
  ["a schedule", [named("schedule")], "it plans something for later"],
  ["nobody knows what", [{ action: "unknown", permissions: [] }], "it does not say what it touches"],
  ["a tool of development", [command("dev")], "it runs a development tool"],
  ["one of which is known why", [command("dev", "builds")], "it runs a development tool (builds)"],
  ["a dangerous command", [command("dangerous", "erases")], "it runs a command that may change things (erases)"],
  ["a blocked one", [command("blocked")], "it runs a command that may change things"],
  ["the worst of several", [at("write", "a"), command("dangerous")], "it runs a command that may change things"],
  ["what a tool says of itself", [at("write", "a")], "its tool says that it is dangerous", "dangerous"],
  ["that of one that touches nothing", [], "its tool says that it is moderate", "moderate"],
])("%s", (_, touches, deed, says = dangerOf(touches)) => {
  expect(deedOf(touches, says)).toBe(deed);
});
