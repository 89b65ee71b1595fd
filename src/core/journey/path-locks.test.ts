import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import type { Permission, Touch } from "../words/touch.ts";
import { allBelow, lockPaths } from "./path-locks.ts";

const run = (more: object = {}): Touch => ({ action: "run", command: "x", class: "dev", inner: [], ...more });
const unknown = (...permissions: Permission[]): Touch => ({ action: "unknown", permissions });

describe("what must not change under a call", () => {
  const everything = ["/other/**", "/ws/**"];
  test.each<[what: string, touches: Touch[], paths: string[]]>([
    ["nothing is touched", [], []],
    ["what is read and listed may change", [at("read", "a"), at("list", "b")], []],
    ["a file that is written", [at("write", "a")], ["/ws/a"]],
    ["a file that is removed", [at("delete", "a")], ["/ws/a"]],
    ["each of them once, in one order", [at("write", "b"), at("delete", "a"), at("write", "a")], ["/ws/a", "/ws/b"]],
    ["all below a folder", [at("write", "sub", { scope: "*.md" })], ["/ws/sub/**"]],
    ["all below the root of the machine", [at("delete", "/x", { place: { real: "/" }, scope: "**" })], ["/**"]],
    ["a command may write anywhere", [run()], everything],
    ["a command that names what it writes, too", [run({ inner: [at("write", "a")] })], everything],
    ["one that only reads may not", [run({ class: "safe", inner: [at("read", "a")] })], []],
    ["one that is called safe, and writes", [run({ class: "safe", inner: [at("write", "a")] })], everything],
    ["one that is called safe, and held by nothing", [run({ class: "safe", exposed: "why" })], everything],
    ["what is known to write, and nobody knows where", [unknown("write")], everything],
    ["what runs anything", [unknown("read", "execute")], everything],
    ["what reads and asks the network", [unknown("read", "network")], []],
    ["an address", [{ action: "fetch", url: "http://x/", method: "POST" }], []],
    [
      "something else",
      [
        { action: "remember", target: "a" },
        { action: "use", source: "mcp", name: "a" },
      ],
      [],
    ],
    ["a file and a command", [at("write", "a"), run()], ["/other/**", "/ws/**", "/ws/a"]],
  ])("%s", (_, touches, paths) => expect(lockPaths(touches, ["/ws", "/other"])).toEqual(paths));

  test("a folder and all below", () => expect(["/", "/a"].map(allBelow)).toEqual(["/**", "/a/**"]));
});
