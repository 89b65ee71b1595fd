import { describe, expect, test } from "vitest";
import { sqliteError } from "../../../test/contracts/store-driver.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { explained, isBusy } from "./failure.ts";

const FILE = "/w/store.db";

describe("an error of SQLite", () => {
  test.each<[unknown, RegExp, RegExp]>([
    [sqliteError(5, "x"), /is locked by another process/, /end the other process/],
    [sqliteError(5 | (2 << 8), "x"), /is locked by another process/, /end the other process/],
    [sqliteError(8, "x"), /can't be written/, /permissions/],
    [sqliteError(10 | (3 << 8), "x"), /could not be read or written/, /Check the disk/],
    [sqliteError(11, "x"), /is damaged/, /left as it is.*backup/],
    [sqliteError(13, "x"), /disk is full/, /Free some space/],
    [sqliteError(14, "x"), /can't be opened/, /folder exists/],
    [sqliteError(26, "x"), /is not a SQLite database/, /left as it is/],
    [new Error("database is locked"), /is locked by another process/, /end the other process/],
    [new Error("disk I/O error"), /could not be read or written/, /Check the disk/],
    [new Error("database disk image is malformed"), /is damaged/, /backup/],
  ])("%s says which file, what and what to do", (error, message, hint) => {
    const failure = explained(error, FILE) as ToolFailure;
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ code: "IO_ERROR", message, hint });
    expect(failure.message).toContain(`The store ${FILE} `);
    expect(failure.message, "with SQLite's own words").toContain(`(${(error as Error).message}).`);
  });

  test.each<[string, unknown]>([
    ["one without a code", new Error("no such table: x")],
    ["a code that says nothing to people", sqliteError(1, "near SELECT")],
    ["a code that is none", Object.assign(new Error("x"), { errcode: "5" })],
    ["no error at all", "database is locked"],
    ["an object that is none", { errcode: 5 }],
    ["nothing", undefined],
  ])("%s stays what it is", (_, error) => {
    expect(explained(error, FILE)).toBe(error);
    expect(isBusy(error)).toBe(false);
  });

  test.each([
    [5, true],
    [5 | (1 << 8), true],
    [6, true],
    [15, true],
    [0, false],
    [8, false],
    [10, false],
    [11, false],
    [13, false],
  ])("%i may pass by itself: %s", (code, busy) => {
    expect(isBusy(sqliteError(code, "x"))).toBe(busy);
  });
  test("the text alone tells it too", () => {
    expect(isBusy(new Error("database is locked"))).toBe(true);
    expect(isBusy(new Error("disk I/O error"))).toBe(false);
  });
});
