import { expect, test } from "vitest";
import { noWords, wrongWords } from "./subcommand.ts";

const FORMS = { add: "NAME", run: "" };

test.each<[string[], string, string]>([
  [["ad", "x"], "toolgate jobs has no subcommand ad.", "Did you mean add?"],
  [["other"], "toolgate jobs has no subcommand other.", "The subcommands are add, run."],
  [["constructor"], "toolgate jobs has no subcommand constructor.", "The subcommands are add, run."],
  [["add"], "toolgate jobs add was given the wrong arguments.", "Write: toolgate jobs add NAME"],
  [["run", "x"], "toolgate jobs run was given the wrong arguments.", "Write: toolgate jobs run"],
  [[], "toolgate jobs needs a subcommand.", "The subcommands are add, run."],
])("%j", (words, message, hint) => {
  expect(wrongWords("jobs", words, FORMS)).toMatchObject({ message, hint, code: "VALIDATION_ERROR" });
});

test("a command without words refuses them", () => {
  expect(() => noWords({ command: "doctor", words: ["x"] })).toThrow("toolgate doctor takes no arguments");
  expect(() => noWords({ command: "doctor", words: [] })).not.toThrow();
});
