import fs from "node:fs";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk } from "../../../../test/contracts/disk.ts";
import { engineNamed, enginesFor } from "./engines.ts";

afterEach(() => void vi.unstubAllEnvs());

/** Puts a program of this name, and no other, on the PATH; gives a workspace beside it. */
function onPath(name: string, script: string) {
  const one = disk();
  const program = path.join(one.outside, name);
  fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", one.outside);
  return one;
}

describe("an rg on the PATH", () => {
  test.each<[says: string, script: string, taken: boolean]>([
    ["13.0.0", "echo 'ripgrep 13.0.0'", true],
    ["14.1.1 with more words", "echo 'ripgrep 14.1.1 (rev 4649aa9700)'; echo 'features:+pcre2'", true],
    ["12.1.1", "echo 'ripgrep 12.1.1'", false],
    ["another program's words", "echo 'rg, a random generator 14'", false],
    ["nothing", "true", false],
    ["13.0.0, and fails", "echo 'ripgrep 13.0.0'; exit 3", false],
  ])("that says %s is taken: %s", async (_, script, taken) => {
    const { root } = onPath("rg", script);
    expect((await engineNamed("rg", [root])) !== undefined).toBe(taken);
  });

  test("that cannot be run, or lies in the workspace, is not", async () => {
    const one = onPath("rg", "echo 'ripgrep 14.0.0'");
    expect(await engineNamed("rg", [one.outside])).toBeUndefined();
    fs.chmodSync(path.join(one.outside, "rg"), 0o644);
    expect(await engineNamed("rg", [one.root])).toBeUndefined();
  });

  test("hands a pattern with look-around on unless it says that it knows such", async () => {
    for (const [features, engine] of [
      ["-pcre2", "walk"],
      ["+pcre2", "rg"],
    ] as const) {
      const one = onPath(
        "rg",
        `[ "$2" = --version ] && echo 'ripgrep 14.0.0 ${features}' && exit; exec ${rgPath} "$@"`,
      );
      one.put("a.txt", "ab\nac\n");
      const { searchIn } = await import("./search.ts");
      const rg = await engineNamed("rg", [one.root]);
      if (!rg) throw new Error("there is no rg");
      const found = searchIn({ files: one.workspace.files, roots: [one.root], engine: rg }).lines(one.at("."), {
        pattern: "a(?=c)",
      });
      const lines: number[] = [];
      for await (const { line } of found) lines.push(line);
      expect([lines, found.report.engine]).toEqual([[2], engine]);
    }
  });
});

test("each engine is looked for once in a process, and those that are missing are passed over", async () => {
  const { root, outside } = onPath("rg", 'echo x >> "$0.log"; echo "ripgrep 12.0.0"');
  for (let turn = 0; turn < 3; turn += 1) {
    const names: string[] = [];
    for await (const { name } of enginesFor([root])) names.push(name);
    expect(names).toEqual(["ripgrep"]);
  }
  expect(fs.readFileSync(path.join(outside, "rg.log"), "utf8")).toBe("x\n");
  expect(await engineNamed("grep", [root])).toBeUndefined();
  expect(await engineNamed("walk", [root])).toMatchObject({ name: "walk" });
});
