import { expect, test } from "vitest";
import { Ending, type Result, ToolFailure } from "./result.ts";
import { mayPass, type Trouble, troubleIn, troubleOf } from "./trouble.ts";

const coded = (code: unknown, message = "x") => Object.assign(new Error(message), { code });

/** An error that stands for others, so many in all. */
const nested = (levels: number, last: Error): Error =>
  levels === 1 ? last : new Error("a", { cause: nested(levels - 1, last) });

test.each<[string, unknown, Trouble | undefined]>([
  ...["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EBUSY", "EAGAIN", "EPIPE", "EAI_AGAIN", "UND_ERR_SOCKET"].map(
    (code): [string, unknown, Trouble] => [code, coded(code), "TRANSIENT"],
  ),
  ["ENOSPC", coded("ENOSPC"), "RESOURCE"],
  ["ENOTFOUND", coded("ENOTFOUND"), "DEPENDENCY"],
  ["ENOENT", coded("ENOENT"), undefined],
  ["ENOENT that talks of a timeout", coded("ENOENT", "timeout.txt: timeout"), undefined],
  ["a cause", new Error("fetch failed", { cause: coded("ECONNRESET") }), "TRANSIENT"],
  ["a deep cause", new Error("a", { cause: new Error("b", { cause: coded("EBUSY") }) }), "TRANSIENT"],
  ["a request that timed out", new Error("The request timed out."), "TRANSIENT"],
  ["a timeout", new Error("Timeout while waiting"), "TRANSIENT"],
  ["too many requests", new Error("429 Too Many Requests"), "RATE_LIMITED"],
  ["anything", new Error("wrong colour"), "INTERNAL"],
  ["a word that has timeout in it", new Error("setTimeoutish is not a function"), "INTERNAL"],
  ["a text", "ECONNRESET", "INTERNAL"],
  ["nothing", undefined, "INTERNAL"],
  ["a limit of ours", new Ending("timed-out", "TIMEOUT", "late", ""), "TRANSIENT"],
  ["a refusal", new Ending("refused", "PERMISSION_DENIED", "timeout", ""), undefined],
  ["a limit of ours that is used up", new Ending("refused", "RATE_LIMITED", "", ""), undefined],
  ["no cause", Object.assign(new Error("it timed out"), { cause: null }), "TRANSIENT"],
  ["a cause too deep to look for", nested(5, coded("EBUSY")), "INTERNAL"],
  ["a cause as deep as is looked for", nested(4, coded("EBUSY")), "TRANSIENT"],
  ["a code that every object has", coded("toString"), "INTERNAL"],
  ["a list of codes", coded(["EBUSY"]), "INTERNAL"],
  ["what is no error, though it reads like one", { message: "it timed out" }, "INTERNAL"],
  ["a stop", new Ending("cancelled", "CANCELLED", "", ""), undefined],
  ["a foreseen time-out", new ToolFailure("TIMEOUT", "", ""), "TRANSIENT"],
  ["a foreseen failure", new ToolFailure("NOT_FOUND", "timeout", ""), undefined],
  [
    "a circle",
    Object.assign(new Error("x"), {
      get cause() {
        return this;
      },
    }),
    "INTERNAL",
  ],
  [
    "one that cannot be looked at",
    Object.defineProperty({}, "code", {
      get() {
        throw new Error("no");
      },
    }),
    "INTERNAL",
  ],
])("%s", (_, error, trouble) => expect(troubleOf(error)).toBe(trouble));

test.each<[Partial<Result>, Trouble | undefined]>([
  [{ success: false, status: "failed", error: { code: "TIMEOUT", message: "", hint: "" } }, "TRANSIENT"],
  [{ success: false, status: "failed", error: { code: "RATE_LIMITED", message: "", hint: "" } }, "RATE_LIMITED"],
  [{ success: false, status: "refused", error: { code: "RATE_LIMITED", message: "", hint: "" } }, undefined],
  [{ success: false, status: "failed", error: { code: "COMMAND_FAILED", message: "", hint: "" } }, undefined],
  [{ success: false, status: "timed-out", error: { code: "TIMEOUT", message: "", hint: "" } }, "TRANSIENT"],
  [{ success: true, status: "failed", error: { code: "TIMEOUT", message: "", hint: "" } }, undefined],
  [{ success: true, status: "done" }, undefined],
])("%j is given back", (result, trouble) => expect(troubleIn(result as Result)).toBe(trouble));

test("what may pass", () => {
  const all: Trouble[] = ["TRANSIENT", "RATE_LIMITED", "RESOURCE", "DEPENDENCY", "INTERNAL"];
  expect(all.filter(mayPass)).toEqual(["TRANSIENT", "RATE_LIMITED"]);
  expect(mayPass(undefined)).toBe(false);
});
