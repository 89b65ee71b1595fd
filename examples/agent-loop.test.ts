import { expect, test } from "vitest";
import { folder } from "../test/journeys/harness.ts";
import { oneTurn } from "./agent-loop.ts";

test("a turn with a read, an edit that is asked about, and one that is refused", async () => {
  const dir = folder({ "a.txt": "one\ntwo\n", "toolgate.yaml": "mode: confirm-sensitive\n" });
  const asked: string[] = [];
  const texts = await oneTurn(
    dir,
    [
      { id: "1", name: "Read", args: { file_path: "a.txt" } },
      { id: "2", name: "Edit", args: { file_path: "a.txt", old_string: "two", new_string: "2" } },
    ],
    async (question) => {
      asked.push(question);
      return true;
    },
  );
  expect(texts.map(({ id }) => id)).toEqual(["1", "2"]);
  expect(texts[0]?.content).toBe("1\tone\n2\ttwo");
  expect(texts[1]?.content).toContain("-two\n+2");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("edit_file wants to change a.txt");
  expect(asked[0]).toContain("-two\n    +2");
  expect(asked[0]).toContain("it changes files; confirm-sensitive asks before that");
});
