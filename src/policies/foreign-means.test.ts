import { expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Touch } from "../core/words/touch.ts";
import { changedTools } from "./changed-tools.ts";
import { unheld } from "./unheld.ts";

const tool = (more: object = {}): Touch => ({ action: "use", source: "mcp", name: "a/b", ...more });
const facts = factsUnder({ mode: "yolo" });

test.each<[what: string, touches: Touch[], answer: "ask" | undefined]>([
  ["described as before", [tool()], undefined],
  ["described differently", [tool({ changed: "-a\n+b\n" })], "ask"],
  ["described differently, if only by nothing", [tool({ changed: "" })], "ask"],
  ["among others", [at("read", "a"), tool(), tool({ changed: "+b\n" })], "ask"],
  ["no tool of a server", [at("write", "a")], undefined],
])("a tool that is %s", (_, touches, answer) => {
  const verdict = changedTools.judge(ready({ touches }), facts);
  expect(verdict?.answer).toBe(answer);
  if (!answer) return;
  expect(verdict?.reason).toBe("a/b is described differently now than when it was approved");
  expect(verdict?.grantable, "an earlier yes was to the other description").toBeUndefined();
});

test.each<[what: string, touches: Touch[], answer: "deny" | undefined]>([
  ["a command", [run()], "deny"],
  ["a command among others", [at("read", "a"), run(at("read", "b"))], "deny"],
  ["files", [at("read", "a"), at("write", "b")], undefined],
  ["nothing", [], undefined],
])("without our sandbox, %s", (_, touches, answer) => {
  const verdict = unheld.judge(ready({ touches }), facts);
  expect(verdict?.answer).toBe(answer);
  if (answer) expect(verdict?.reason).toContain("commands.sandbox is required");
});
