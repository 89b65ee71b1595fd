import { describe, expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import type { RunTouch, Touch } from "../core/words/touch.ts";
import { trust } from "./trust.ts";

const fetched: Touch = { action: "fetch", url: "https://example.com", method: "GET" };
const used: Touch = { action: "use", source: "mcp", name: "github/issue" };
const looks = { ...run(at("read", "a")), class: "safe" } as RunTouch;

const judge = (before: Touch[], touch: Touch, settings: Partial<Parameters<typeof trust>[0]> = {}, status = "done") => {
  const facts = factsUnder({ mode: "yolo" });
  facts.noteEnd({ tool: "t", input: {}, touches: before, status, seen: [] } as unknown as CallRecord);
  return trust({ outsideText: "ask", commandsOffline: false, ...settings }).judge(ready({ touches: [touch] }), facts);
};

describe("after text from outside came in", () => {
  test.each<[what: string, touch: Touch, answer: "ask" | undefined]>([
    ["a fetch", fetched, "ask"],
    ["another server's tool", used, "ask"],
    ["a command that may do anything", run(), "ask"],
    ["a command inside a command", { ...looks, inner: [run()] } as Touch, "ask"],
    ["a command that only looks", looks, undefined],
    ["a command that looks and fetches", { ...looks, inner: [fetched] } as Touch, "ask"],
    ["a command that is exposed", { ...looks, exposed: "it runs a helper" } as Touch, "ask"],
    ["a tool that does not say what it does", { action: "unknown", permissions: [] }, "ask"],
    ["a tool that needs the network", { action: "unknown", permissions: ["network"] }, "ask"],
    ["a tool that runs things", { action: "unknown", permissions: ["read", "execute"] }, "ask"],
    ["a tool that reads", { action: "unknown", permissions: ["read"] }, undefined],
    ["a command that looks at several files", { ...looks, inner: [at("read", "a"), fetched] } as Touch, "ask"],
    ["a job for later", { action: "schedule", target: "cron/backup" }, "ask"],
    ["a note for later", { action: "remember", target: "memory:project/a" }, undefined],
    ["a write", at("write", "a"), undefined],
    ["a read", at("read", "a"), undefined],
  ])("%s", (_, touch, answer) => {
    for (const before of [[fetched], [used], [run(fetched)]]) {
      const verdict = judge(before, touch);
      expect(verdict?.answer).toBe(answer);
      expect(verdict?.grantable).toBeUndefined();
    }
    expect(judge([fetched], touch, { outsideText: "deny" })?.answer).toBe(answer && "deny");
    expect(judge([fetched], touch, { outsideText: "off" })).toBeUndefined();
    expect(judge([at("read", "a"), run()], touch), "nothing came in").toBeUndefined();
    expect(judge([fetched], touch, {}, "refused"), "it was refused").toBeUndefined();
  });

  const may = (kind: RunTouch["class"], ...permissions: ("read" | "execute" | "network")[]) =>
    ({ ...run({ action: "unknown", permissions }), class: kind }) as Touch;
  test.each<[what: string, before: Touch, online: "ask" | undefined, offline: "ask" | undefined]>([
    ["a command that may do anything", may("dangerous", "read", "execute", "network"), "ask", undefined],
    ["a command that only reaches the network", may("dev", "read", "network"), "ask", undefined],
    ["a tool of development", may("dev", "read", "execute", "network"), undefined, undefined],
    ["a program without a network", may("dangerous", "read", "execute"), undefined, undefined],
    ["a tool that needs the network", { action: "unknown", permissions: ["network"] }, "ask", "ask"],
    ["a tool that does not say what it needs", { action: "unknown", permissions: [] }, "ask", "ask"],
    ["a tool that reads", { action: "unknown", permissions: ["read"] }, undefined, undefined],
  ])("text may have come in by %s", (_, before, online, offline) => {
    expect(judge([before], fetched)?.answer).toBe(online);
    expect(judge([before], fetched, { commandsOffline: true })?.answer).toBe(offline);
    expect(judge([before], fetched, {}, "refused")).toBeUndefined();
  });

  test.each<[touch: Touch, way: string]>([
    [run(), "a command"],
    [{ action: "schedule", target: "x" }, "a job for later"],
    [fetched, "a request"],
    [used, "mcp github/issue"],
    [{ action: "unknown", permissions: [] }, "a tool"],
  ])("says what could carry data out: %j", (touch, way) => {
    expect(judge([fetched], touch)?.reason).toBe(
      `text from outside came into this session, and ${way} could carry data out (trust.outside_text)`,
    );
  });

  test("commands that have no network anyway are let through", () => {
    expect(judge([fetched], run(), { commandsOffline: true })).toBeUndefined();
    expect(judge([fetched], fetched, { commandsOffline: true })?.answer).toBe("ask");
  });
});
