import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const rows = readFileSync("docs/glossary.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| word "))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")))
  .map(([word = "", meaning = "", where = ""]) => ({ word, meaning, where }));

/** Words that anybody who reads the code meets on the first day, whatever the files are called. */
const WORDS =
  "answer call ceiling claim condition danger deeds door facts gate grant hook journey judgement lease lock overlay place placeholder plan policy ready record reserve scope seal settle sight station step store tool touch trip trust verdict watch wave workspace".split(
    " ",
  );

const core = readdirSync("src/core", { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));

/** The pairs of type and file in the last column; a type belongs to the file that is named after it. */
const places = rows.flatMap(({ where }) =>
  where.split("; ").map((each) => {
    const [, type, file = ""] = /^(?:`(\w+)`, )?(\S+)$/.exec(each) ?? [];
    return { type, file: file.startsWith("src/") ? file : `src/core/${file}`, each };
  }),
);

test("every word has one meaning, and they are in order", () => {
  const words = rows.map(({ word }) => word);
  expect(words).toEqual([...new Set(words)].sort());
  for (const { word, meaning } of rows) expect(meaning, word).toMatch(/^[A-Z`].{15,}\.$/);
});

test.each(WORDS)("%s is explained", (word) => expect(rows.map((row) => row.word)).toContain(word));

test.each(core)("src/core/%s can be placed by the glossary", (file) =>
  expect(
    places.map((place) => place.file),
    `docs/glossary.md: add a word for src/core/${file}`,
  ).toContain(`src/core/${file}`),
);

test.each(places)("$each is there", ({ type, file }) => {
  expect(existsSync(file), file).toBe(true);
  if (type === undefined) return;
  const text = readFileSync(file, "utf8");
  expect(text, `${file} exports ${type}`).toMatch(new RegExp(`^export (?:type|interface|class|const) ${type}\\b`, "m"));
});
