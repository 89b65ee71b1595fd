import { expect, test } from "vitest";
import { PERSON, type Result, type Stop, stopIn } from "./result.ts";

const result = (more: Partial<Result>): Result => ({
  ...{ success: true, status: "done", title: "", output: "", metadata: {} },
  ...more,
});
const error = { code: "CANCELLED" as const, message: "told", hint: "" };

test.each<[what: string, given: Partial<Result>, stop: Stop | undefined]>([
  ["nothing", {}, undefined],
  ["something that only looks like it", { metadata: { stop: "true", stopReason: "enough" } }, undefined],
  ["a hook", { metadata: { stop: true, by: "hook ear", stopReason: "enough" } }, { reason: "enough", by: "hook ear" }],
  ["a hook without a reason", { metadata: { stop: true } }, { reason: "a hook stopped it", by: "hook" }],
  ["no text as a reason", { metadata: { stop: true, stopReason: 7 }, error }, { reason: "told", by: "hook" }],
  ["nobody by name", { metadata: { stop: true, by: 7 } }, { reason: "a hook stopped it", by: "hook" }],
  ["a policy, by its error", { metadata: { stop: true, by: "loops" }, error }, { reason: "told", by: "loops" }],
  [
    "a person, as the journey says",
    { status: "cancelled", metadata: { stop: true, by: PERSON, stopReason: "no" } },
    { reason: "no", by: PERSON },
  ],
  [
    "a person, as a tool or a hook says",
    { status: "done", metadata: { stop: true, by: PERSON, stopReason: "no" } },
    { reason: "no", by: "hook" },
  ],
  [
    "another one, of a call that was cancelled",
    { status: "cancelled", metadata: { stop: true, by: "hook ear", stopReason: "no" } },
    { reason: "no", by: "hook ear" },
  ],
])("who wants the agent to stop: %s", (_, given, stop) => expect(stopIn(result(given))).toEqual(stop));
