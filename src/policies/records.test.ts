import { expect, test } from "vitest";
import { at, ready, run } from "../../test/judging.ts";
import { GateFacts, Session } from "../core/journey/facts.ts";
import type { Touch } from "../core/words/touch.ts";
import { records } from "./records.ts";

const STORE = "/ws/data/store.db";

const answer = (touch: Touch, isChild: boolean, mode: "yolo" | "confirm-sensitive" = "yolo") => {
  const above = isChild ? [new Session("above")] : [];
  const facts = new GateFacts({ mode }, new Session("own"), [], above);
  const call = { ...ready({ touches: [at("read", "a"), touch] }), call: { sessionID: "own/1" } as never };
  return records([STORE]).judge(call, facts);
};

test.each<[what: string, touch: Touch, answer: "deny" | undefined]>([
  ["another's output", at("read", ".toolgate/output/other/1.txt"), "deny"],
  ["a listing of all outputs", at("list", ".toolgate/output"), "deny"],
  ["the store", at("read", ".toolgate/store.db"), "deny"],
  ["the state folder", at("list", ".toolgate"), "deny"],
  ["in other capitals", at("read", ".TOOLGATE/store.db"), "deny"],
  ["its own output, in other capitals", at("read", ".Toolgate/output/own~2f~1/1.txt"), "deny"],
  ["by a command", run(at("read", ".toolgate/store.db")), "deny"],
  ["its own output", at("read", ".toolgate/output/own~2f~1/1.txt"), undefined],
  ["a session whose name begins so", at("read", ".toolgate/output/own~2f~12/1.txt"), "deny"],
  ["a session whose name differs in a sign", at("read", ".toolgate/output/own_1/1.txt"), "deny"],
  ["agents", at("read", ".toolgate/agents/a.md"), undefined],
  ["skills", at("list", ".toolgate/skills"), undefined],
  ["a folder whose name begins so", at("read", ".toolgate2/a"), undefined],
  ["the state of a workspace further down", at("read", "a/.toolgate/store.db"), "deny"],
  ["an output with the same name further down", at("read", "a/.toolgate/output/own~2f~1/1.txt"), "deny"],
  ["agents further down", at("read", "a/.toolgate/agents/a.md"), undefined],
  ["agents in other capitals", at("read", ".Toolgate/agents/a.md"), "deny"],
  ["a store elsewhere", at("read", "data/store.db"), "deny"],
  ["a file whose name begins so", at("read", "data/store.db2"), undefined],
  ["an ordinary file", at("read", "src/a"), undefined],
  ["a write, which is for others to judge", at("write", ".toolgate/x"), undefined],
  ["a fetch", { action: "fetch", url: "http://x.test/", method: "GET" }, undefined],
])("a child and %s", (_, touch, expected) => {
  const verdict = answer(touch, true);
  expect(verdict?.answer).toBe(expected);
  if (expected) expect(verdict?.reason).toContain("a child may only read its own outputs there");
  expect(answer(touch, false), "nobody's child").toBeUndefined();
});

test.each<[what: string, touch: Touch, answer: "ask" | undefined]>([
  ["the store", run(at("read", ".toolgate/store.db")), "ask"],
  ["another's output", run(at("read", ".toolgate/output/other/1.txt")), "ask"],
  ["a store elsewhere", run(at("read", "data/store.db")), "ask"],
  ["its own output", run(at("read", ".toolgate/output/own~2f~1/1.txt")), undefined],
  ["the names in the state folder", run(at("list", ".toolgate")), undefined],
  ["skills", run(at("read", ".toolgate/skills/a.md")), undefined],
  [
    "the store, which a sandbox hides",
    { ...run(at("read", ".toolgate/store.db")), contained: true } as Touch,
    undefined,
  ],
  ["the store by a tool", at("read", ".toolgate/store.db"), undefined],
])("a command that reads %s", (_, touch, expected) => {
  const verdict = answer(touch, false, "confirm-sensitive");
  expect(verdict?.answer).toBe(expected);
  if (expected)
    expect(verdict).toMatchObject({ grantable: true, reason: expect.stringContaining("the record of all sessions") });
  expect(answer(touch, false), "in yolo").toBeUndefined();
});

test.each([
  [".toolgate/store.db", true],
  ["a/.toolgate/output/x/1.txt", true],
  [".TOOLGATE/store.db", true],
  [".toolgate", false],
  [".toolgate/agents/a.md", false],
  ["src/a.ts", false],
])("a pattern that fits %s is told of it: %s", (path, minded) => expect(records().minds?.(path)).toBe(minded));
