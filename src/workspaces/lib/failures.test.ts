import { expect, test } from "vitest";
import { failure, systemError } from "../../../test/contracts/disk.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { asFailure, brief, errorCode } from "./failures.ts";

test.each([
  ["ENOENT", "NOT_FOUND", /does not exist/],
  ["EACCES", "PERMISSION_DENIED", /does not allow this on f \(EACCES\)/],
  ["EPERM", "PERMISSION_DENIED", /\(EPERM\)/],
  ["EROFS", "PERMISSION_DENIED", /\(EROFS\)/],
  ["ELOOP", "PERMISSION_DENIED", /a link or another folder/],
  ["EISDIR", "VALIDATION_ERROR", /is a folder, not a file/],
  ["ENOTDIR", "VALIDATION_ERROR", /is not a folder/],
  ["ENXIO", "VALIDATION_ERROR", /not a regular file/],
  ["ENODEV", "VALIDATION_ERROR", /not a regular file/],
  ["ENAMETOOLONG", "VALIDATION_ERROR", /too long/],
  ["ENOSPC", "IO_ERROR", /f: the disk says ENOSPC/],
  ["EMFILE", "IO_ERROR", /f: the disk says EMFILE/],
])("%s is told as %s", (code, due, says) => {
  expect(asFailure(systemError(code), "f")).toMatchObject({ ...failure(due), message: expect.stringMatching(says) });
});

test("what is a failure already, or none of the system's, stays what it is", () => {
  const own = new ToolFailure("CONFLICT", "It changed.", "Look again.");
  const defect = new TypeError("a mistake of ours");
  expect([asFailure(own, "f"), asFailure(defect, "f"), asFailure("text", "f")]).toEqual([own, defect, "text"]);
});

test("a code is a text that an error has", () => {
  const odd = Object.assign(new Error("odd"), { code: 5 });
  expect([systemError("EIO"), odd, { code: "EIO" }, undefined, new Error("none")].map(errorCode)).toEqual([
    "EIO",
    "",
    "",
    "",
    "",
  ]);
});

test("a path that is too long for a message is cut, and no other", () => {
  expect([brief("x".repeat(300)).length, brief("x".repeat(301)).length]).toEqual([300, 301]);
  expect(brief("x".repeat(5000)).endsWith("x…")).toBe(true);
});
