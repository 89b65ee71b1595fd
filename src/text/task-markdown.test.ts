import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListedTask, tasksFromMarkdown, tasksToMarkdown } from "./task-markdown.ts";

const word = fc
  .array(fc.stringMatching(/^[a-z]{1,6}[.:-]?$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "));
const listed = fc.record({
  subject: word,
  description: fc.array(word, { maxLength: 3 }).map((lines) => lines.join("\n")),
  status: fc.constantFrom("pending" as const, "in_progress" as const, "completed" as const),
});

test("what is written is read again", () => {
  fc.assert(
    fc.property(fc.array(listed, { maxLength: 6 }), (rows) => {
      const tasks: ListedTask[] = rows.map((row, index) => ({
        ...row,
        ref: String(index + 1),
        blockedBy: index > 0 ? [String(index)] : [],
      }));
      expect(tasksFromMarkdown(tasksToMarkdown(tasks))).toEqual(tasks);
    }),
  );
});

test.each<[markdown: string, subjects: string[]]>([
  ["", []],
  ["# Plan\n\nSome words.\n- no box\n", []],
  ["- [ ] one\n* [x] two\n+ [~] three\n", ["one", "two", "three"]],
  ["1. [ ] one\n2) [x] two\n3.[ ] three\n4. four\n", ["one", "two"]],
  ["- [ ] one\r\n- [X] two\r\n", ["one", "two"]],
  ["- [ ]   \n- [?] odd\n- [ ] fine", ["fine"]],
])("%j holds %j", (markdown, subjects) =>
  expect(tasksFromMarkdown(markdown).map(({ subject }) => subject)).toEqual(subjects),
);

test("what is indented belongs to the item above it, and what is not belongs to none", () => {
  const markdown = "- [ ] one\n  more\n\n  and more\nSome words.\n  lost\n- [x] #7 two (blocked by #1, #3)\n";
  expect(tasksFromMarkdown(markdown)).toEqual([
    { subject: "one", description: "more\n\nand more", status: "pending", blockedBy: [] },
    { ref: "7", subject: "two", description: "", status: "completed", blockedBy: ["1", "3"] },
  ]);
});
