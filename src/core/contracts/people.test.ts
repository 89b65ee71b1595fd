import { expect, test } from "vitest";
import { peopleBehind } from "./people.ts";

const { signal } = new AbortController();

test.each(["yes", " spaced ", "0"])("%j is an answer, as it was given", async (answer) => {
  const asked: unknown[] = [];
  const people = peopleBehind((...all) => {
    asked.push(all);
    return answer;
  });
  expect(await people.ask({ question: "why?" }, signal)).toBe(answer);
  expect(asked).toEqual([[{ question: "why?" }, signal]]);
});

test.each([undefined, null, "", "  \n", 5, true, {}])("%j is none", async (answer) => {
  await expect(peopleBehind(async () => answer as never).ask({ question: "why?" }, signal)).rejects.toMatchObject({
    code: "CANCELLED",
    message: "The person did not answer.",
  });
});
