import { describe, expect, test } from "vitest";
import { at, factsUnder, type Given, ready, run, says } from "../../test/judging.ts";
import type { Ceiling, Mode } from "../core/words/ceiling.ts";
import type { Danger, Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { access } from "./access.ts";
import { mode } from "./mode.ts";

describe("mode", () => {
  const table: [Mode, Danger, Verdict["answer"]][] = [
    ["yolo", "safe", "allow"],
    ["yolo", "moderate", "allow"],
    ["yolo", "dangerous", "allow"],
    ["confirm-sensitive", "safe", "allow"],
    ["confirm-sensitive", "moderate", "ask"],
    ["confirm-sensitive", "dangerous", "ask"],
    ["confirm-all", "safe", "ask"],
    ["confirm-all", "moderate", "ask"],
    ["confirm-all", "dangerous", "ask"],
  ];
  test.each(table)("%s and %s: %s", (its, danger, answer) => {
    const verdict = mode.judge(ready({ danger }), factsUnder({ mode: its }));
    expect(verdict).toMatchObject({ answer, by: "mode" });
    expect(verdict?.grantable === true).toBe(answer === "ask");
  });
});

describe("what mode says of an ask", () => {
  const [reads, writes, runs] = [at("read", "a"), at("write", "b"), run()];
  const judged = (touches: Touch[], danger: Danger, its: Mode = "confirm-sensitive") =>
    mode.judge(ready({ touches, danger }), factsUnder({ mode: its }));
  test("it is about the touches that are not safe", () => {
    expect(judged([reads, writes], "moderate")).toMatchObject({ about: [writes] });
    expect(judged([reads, writes, runs], "moderate")).toMatchObject({ about: [writes, runs] });
  });
  test("a tool that calls itself more dangerous than its touches is asked about as a whole", () => {
    expect(judged([reads, writes], "dangerous")).not.toHaveProperty("about");
    expect(judged([], "moderate")).not.toHaveProperty("about");
  });
  test("it says why", () => {
    expect(judged([writes], "moderate")?.reason).toBe("it changes files; confirm-sensitive asks before that");
    expect(judged([writes], "moderate", "confirm-all")).toMatchObject({ reason: "confirm-all asks before every call" });
    expect(judged([writes], "moderate", "confirm-all")).not.toHaveProperty("about");
    expect(judged([reads], "safe")?.reason).toBe("it changes nothing");
    expect(judged([writes], "moderate", "yolo")?.reason).toBe("yolo lets everything through");
  });
});

const LOOKS: Touch = { action: "run", command: "ls", class: "safe", inner: [] };
const USES: Touch = { action: "use", source: "mcp", name: "x/y" };
const DELEGATES: Touch = { action: "delegate", target: "other" };

describe("access", () => {
  const readTouch = at("read", "a");
  const writeTouch = at("write", "a");
  const table: [what: string, given: Given, ceiling: Partial<Ceiling>, answer: "deny" | undefined][] = [
    ["no ceiling", { touches: [writeTouch], danger: "moderate" }, {}, undefined],
    ["a tool of the list", { tool: "a" }, { tools: ["a", "b"] }, undefined],
    ["a tool that is not", { tool: "c" }, { tools: ["a", "b"] }, "deny"],
    ["an empty list", { tool: "a" }, { tools: [] }, "deny"],
    ["enough permissions", { needs: ["read"], touches: [readTouch] }, { permissions: ["read", "write"] }, undefined],
    ["one permission missing", { needs: ["read", "network"] }, { permissions: ["read"] }, "deny"],
    ["a tool that does not say", { needs: undefined }, { permissions: ["read", "write", "execute"] }, "deny"],
    [
      "a tool that does not say, all given",
      { needs: undefined },
      { permissions: ["read", "write", "execute", "network"] },
      undefined,
    ],
    ["more touched than said", { needs: ["read"], touches: [writeTouch] }, { permissions: ["read"] }, "deny"],
    [
      "a removal without the permission",
      { needs: [], touches: [at("delete", "a")] },
      { permissions: ["read"] },
      "deny",
    ],
    [
      "a fetch without the permission",
      { needs: [], touches: [{ action: "fetch", url: "http://x", method: "GET" }] },
      { permissions: ["read"] },
      "deny",
    ],
    ["a command without the permission", { needs: [], touches: [run()] }, { permissions: ["read", "write"] }, "deny"],
    [
      "a write inside a command",
      { needs: ["execute"], touches: [run(writeTouch)] },
      { permissions: ["execute"] },
      "deny",
    ],
    ["no gate is open, looking", { touches: [readTouch, at("list", "."), LOOKS] }, { gates: [] }, undefined],
    ["no gate is open, writing", { touches: [writeTouch] }, { gates: ["Delegate", "Finalize"] }, "deny"],
    ["no gate is open, deleting", { touches: [at("delete", "a")] }, { gates: [] }, "deny"],
    ["no gate is open, a command that may change files", { touches: [run()] }, { gates: [] }, "deny"],
    ["no gate is open, a command inside a command", { touches: [{ ...LOOKS, inner: [run()] }] }, { gates: [] }, "deny"],
    ["no gate is open, another server's tool", { touches: [USES] }, { gates: [] }, "deny"],
    ["no gate is open, nobody says", { touches: [{ action: "unknown", permissions: [] }] }, { gates: [] }, "deny"],
    [
      "no gate is open, nobody says, only reading",
      { touches: [{ action: "unknown", permissions: ["read"] }] },
      { gates: [] },
      undefined,
    ],
    ["to patch is open", { touches: [writeTouch, run(), USES] }, { gates: ["Patch"] }, undefined],
    ["handing on is not open", { touches: [DELEGATES] }, { gates: ["Patch"] }, "deny"],
    ["handing on is open", { touches: [DELEGATES] }, { gates: ["Delegate"] }, undefined],
    ["readonly, reading", { touches: [readTouch, at("list", ".")] }, { autonomy: "readonly" }, undefined],
    ["readonly, nothing touched", {}, { autonomy: "readonly" }, undefined],
    ["readonly, writing", { touches: [writeTouch], danger: "moderate" }, { autonomy: "readonly" }, "deny"],
    ["readonly, writing called safe", { touches: [writeTouch] }, { autonomy: "readonly" }, "deny"],
    [
      "readonly, a safe command",
      { touches: [{ action: "run", command: "ls", class: "safe", inner: [] }] },
      { autonomy: "readonly" },
      "deny",
    ],
    ["readonly, a tool that calls itself dangerous", { danger: "dangerous" }, { autonomy: "readonly" }, "deny"],
    [
      "readonly, unknown with reading",
      { touches: [{ action: "unknown", permissions: ["read"] }] },
      { autonomy: "readonly" },
      undefined,
    ],
    [
      "readonly, unknown with nothing",
      { touches: [{ action: "unknown", permissions: [] }] },
      { autonomy: "readonly" },
      "deny",
    ],
    [
      "supervised adds nothing here",
      { touches: [writeTouch], danger: "moderate" },
      { autonomy: "supervised" },
      undefined,
    ],
    ["full adds nothing", { touches: [writeTouch], danger: "moderate" }, { autonomy: "full" }, undefined],
  ];
  test.each(table)("%s", (_, given, ceiling, answer) => {
    expect(says(access, given, ceiling)).toBe(answer);
  });
});
