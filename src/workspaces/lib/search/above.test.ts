import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Findings, FoundFile, FoundLine, TextQuery } from "../../../core/contracts/search.ts";
import { localWorkspace } from "../../local.ts";
import { overlay } from "../../overlay.ts";
import { searchIn } from "./search.ts";

const PATHS = [
  "a",
  "b.ts",
  "d/a",
  "d/b.ts",
  "d/e/a",
  "d/e/.hidden",
  "~x",
  "d/[z]",
  ".gitignore",
  "d/.gitignore",
  "new/n.ts",
];
const TEXTS = ["needle", "needle\nhay\nneedle", "hay", "", "b.ts", "*", "!a", "e/"];

const text = fc.constantFrom(...TEXTS);
const someFiles = fc.dictionary(fc.constantFrom(...PATHS), text);
const changes = fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.option(text)), { minLength: 1, maxLength: 6 });
const queries = fc.record<TextQuery>(
  {
    pattern: fc.constantFrom("needle", "ne+dle$"),
    globs: fc.constantFrom(["*.ts"], ["d/**"], ["!b.ts"]),
    exclude: fc.constantFrom(["a"], ["d"], ["new", "b.ts"]),
    recursive: fc.boolean(),
    noIgnore: fc.boolean(),
    context: fc.constantFrom(0, 1),
  },
  { requiredKeys: ["pattern"] },
);

/** Sizes and dates may be looked up when they are asked for. */
async function outcome(findings: Findings<FoundFile | FoundLine>) {
  const found: string[] = [];
  for await (const each of findings)
    found.push(JSON.stringify("size" in each ? [each.path, each.size, each.mtimeMs] : each));
  const { excluded, tookAsText } = findings.report;
  return { found: found.sort(), excluded, tookAsText };
}

test("what some files lie above is found as the walk over all of them finds it", { timeout: 120_000 }, async () => {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-above-")));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(someFiles, changes, queries, fc.constantFrom(".", "d"), async (tree, planned, query, where) => {
      const folder = path.join(root, String(count++));
      fs.mkdirSync(path.join(folder, "d"), { recursive: true });
      for (const [name, content] of Object.entries(tree)) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), content);
      }
      const base = localWorkspace({ root: folder });
      const above = overlay(base);
      for (const [name, content] of planned) {
        const place = await above.locate(`./${name}`);
        const info = await above.files.stat(place);
        const before = info ? (await above.files.read(place)).bytes : null;
        if (content === null && before === null) continue;
        await above.files.commit(
          [{ place, before, after: content === null ? null : Buffer.from(content) }],
          async () => {},
        );
      }
      const place = await above.locate(where);
      const walk = searchIn({ files: above.files });
      expect(await outcome(above.search.lines(place, query))).toEqual(await outcome(walk.lines(place, query)));
      expect(await outcome(above.search.files(place, query))).toEqual(await outcome(walk.files(place, query)));
      await above.close();
      await base.close();
    }),
    { numRuns: 30 },
  );
});
