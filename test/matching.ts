import { expect } from "vitest";

// without this a pattern in toMatchObject fits everything: it has no members of its own that could differ
expect.addEqualityTesters([
  (found, wanted) =>
    wanted instanceof RegExp && !(found instanceof RegExp)
      ? typeof found === "string" && wanted.test(found)
      : undefined,
]);
