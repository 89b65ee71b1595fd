import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { FETCHED_AND_RUN, FETCHED_ONLY } from "./cases/fetched.ts";

describe("what came over the network", () => {
  test.each(FETCHED_AND_RUN)("is not run: %s", (line) => expect(analyse(line).class).toBe("blocked"));
  test.each(FETCHED_ONLY)("may be there: %s", (line) => expect(analyse(line).class).toBe("dangerous"));
});
