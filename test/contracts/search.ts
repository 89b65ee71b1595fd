import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileQuery, Findings, FoundLine, Search, TextQuery } from "../../src/core/contracts/search.ts";
import type { Workspace } from "../../src/core/contracts/workspace.ts";
import { FILE_ROWS } from "./search-file-rows.ts";
import { MULTILINE_ROWS } from "./search-multiline-rows.ts";
import { LINE_ROWS } from "./search-rows.ts";
import { makeTree } from "./search-tree.ts";

type Bench = { workspace: Workspace; search: Search };

const take = async <T>(findings: Findings<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> => {
  const taken: T[] = [];
  for await (const each of findings) {
    taken.push(each);
    if (taken.length >= most) break;
  }
  return taken;
};

const asText = ({ path: file, line, text, hit }: FoundLine) =>
  `${file}${hit ? ":" : "-"}${line}${hit ? ":" : "-"}${text}`;

/** Root may read everything. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** Processes that were started by this one and still run. */
const children = (): string[] =>
  execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /\brg\b/.test(line));

/** What every means of searching must find, and how it must stop. */
export function searchContract(name: string, make: (root: string) => Promise<Bench>): void {
  describe(`search contract: ${name}`, () => {
    let above: string;
    let root: string;
    let bench: Bench;
    beforeAll(async () => {
      above = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-search-")));
      root = path.join(above, "ws");
      // rules above the root and of other programs count for nothing
      fs.mkdirSync(root);
      fs.writeFileSync(path.join(above, ".gitignore"), "*\n");
      fs.writeFileSync(path.join(root, ".ignore"), "readme.md\n");
      makeTree(root);
      bench = await make(root);
    });
    afterAll(() => fs.rmSync(above, { recursive: true }));

    const lines = async (query: TextQuery, place = ".", signal?: AbortSignal) =>
      bench.search.lines(await bench.workspace.locate(place), query, signal);
    const files = async (query: FileQuery, place = ".") =>
      bench.search.files(await bench.workspace.locate(place), query);
    const code = (wanted: string) => expect.objectContaining({ name: "ToolFailure", code: wanted });

    test("what the system does not let us read is counted", async () => {
      const own = path.join(above, "closed");
      fs.mkdirSync(path.join(own, "shut"), { recursive: true });
      for (const file of ["a.txt", "b.txt", "shut/c.txt"]) fs.writeFileSync(path.join(own, file), "word\n");
      fs.chmodSync(above, 0o755);
      fs.chmodSync(path.join(own, "b.txt"), 0);
      fs.chmodSync(path.join(own, "shut"), 0);
      const { workspace, search } = await make(own);
      const place = await workspace.locate(".");
      await asOrdinaryUser(async () => {
        const found = search.lines(place, { pattern: "word" });
        expect((await take(found)).map(asText)).toEqual(["a.txt:1:word"]);
        expect(found.report.unreadable).toBe(2);
        const listed = search.files(place, {});
        expect((await take(listed)).map((file) => file.path).sort()).toEqual(["a.txt", "b.txt"]);
        expect(listed.report.unreadable).toBe(1);
      });
      fs.chmodSync(path.join(own, "shut"), 0o700);
    });

    test.each([...LINE_ROWS, ...MULTILINE_ROWS])(
      "lines: %s",
      async (_, { place = ".", query, found, tookAsText = false, excluded = 0 }) => {
        const findings = await lines(query, place);
        expect((await take(findings)).map(asText).sort()).toEqual([...found].sort());
        expect(findings.report).toMatchObject({ tookAsText, excluded });
        // a single file that is left out is handed to no engine
        expect([name, ""]).toContain(findings.report.engine);
      },
    );

    test.each(FILE_ROWS)("files: %s", async (_, { place = ".", query, found, excluded = 0 }) => {
      const findings = await files(query, place);
      expect((await take(findings)).map((file) => file.path).sort()).toEqual([...found].sort());
      expect(findings.report.excluded).toBe(excluded);
    });

    test("hits of one file come in order, with their neighbours", async () => {
      const found = await take(await lines({ pattern: "hit", globs: ["context.txt"], context: 2 }));
      expect(found.map(({ line, hit }) => `${line}${hit ? "!" : ""}`)).toEqual([
        "1",
        "2",
        "3!",
        "4",
        "5!",
        "6",
        "7",
        "8",
        "9",
        "10!",
        "11",
      ]);
    });

    test("a file comes with its size and time", async () => {
      const [file] = await take(await files({ globs: ["readme.md"] }));
      const { size, mtimeMs } = fs.statSync(path.join(root, "readme.md"));
      expect({ path: file?.path, size: file?.size, mtimeMs: file?.mtimeMs }).toEqual({
        path: "readme.md",
        size,
        mtimeMs,
      });
    });

    test("of a huge line it gives the part with the hit", async () => {
      const [first, second] = await take(await lines({ pattern: "needle", globs: ["huge.txt"] }));
      expect(first).toMatchObject({ line: 1, hit: true });
      expect(first?.text.length).toBeLessThanOrEqual(64 * 1024);
      expect(first?.text.slice(first.at, (first.at ?? 0) + 6)).toBe("needle");
      expect((first?.text.length ?? 0) + (first?.left ?? 0)).toBe(600_006);
      expect(second).toMatchObject({ line: 2, text: "after needle" });
    });

    test.each<[string, () => Promise<Findings<unknown>>, string]>([
      ["a missing place", () => lines({ pattern: "x" }, "nowhere"), "NOT_FOUND"],
      ["a missing place, for files", () => files({}, "nowhere"), "NOT_FOUND"],
      ["a folder of git's", () => lines({ pattern: "x" }, ".git"), "VALIDATION_ERROR"],
      ["our own folder", () => files({}, ".toolgate"), "VALIDATION_ERROR"],
      ["a pattern with a line break", () => lines({ pattern: "a\nb" }), "VALIDATION_ERROR"],
      ["a pattern with a NUL", () => lines({ pattern: "a\0b" }), "VALIDATION_ERROR"],
      ["an endless pattern", () => lines({ pattern: "x".repeat(40_000) }), "VALIDATION_ERROR"],
      ["a glob of stars", () => files({ globs: ["*a*a*a*a*a*a*a*a*a*b"] }), "VALIDATION_ERROR"],
    ])("refuses %s", async (_, start, wanted) => {
      await expect(start().then((findings) => take(findings))).rejects.toEqual(code(wanted));
    });

    test("an aborted search ends as cancelled, before it begins and in the middle", async () => {
      await expect(take(await lines({ pattern: "alpha" }, ".", AbortSignal.abort()))).rejects.toEqual(
        code("CANCELLED"),
      );
      const controller = new AbortController();
      const iterator = (await lines({ pattern: "." }, ".", controller.signal))[Symbol.asyncIterator]();
      await iterator.next();
      controller.abort();
      const rest = async () => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next());
      };
      await rest().catch((error) => expect(error).toEqual(code("CANCELLED")));
      expect(children()).toEqual([]);
    });

    test("who stops early leaves no process behind", async () => {
      for (const most of [1, 2, 3]) expect(await take(await lines({ pattern: "." }), most)).toHaveLength(most);
      expect(await take(await files({}), 1)).toHaveLength(1);
      expect(children()).toEqual([]);
    });

    test("a search that is never taken starts nothing", async () => {
      await lines({ pattern: "alpha" });
      expect(children()).toEqual([]);
    });

    test("no pattern reaches a shell", async () => {
      for (const pattern of ["$(touch pwned)", "`touch pwned`", "'; touch pwned; '"])
        for (const literal of [true, false]) await take(await lines({ pattern, literal, globs: [pattern, "*"] }));
      expect(fs.existsSync(path.join(root, "pwned"))).toBe(false);
    });
  });
}
