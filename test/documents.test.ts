import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { shareCompiled } from "./compiled.ts";

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "THREAT_MODEL.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
].filter((file) => file.endsWith(".md"));

type Block = { language: string; text: string; line: number };

function blocksOf(document: string): Block[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[1] ?? "",
    text: found[2] ?? "",
    line: text.slice(0, found.index).split("\n").length,
  }));
}

/** The anchors that headings get: lower case, without punctuation, hyphens for blanks. */
const anchorsOf = (document: string): string[] =>
  [...readFileSync(document, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** A folder with `toolgate` on the PATH and no configuration of this machine. */
function place(): { dir: string; env: NodeJS.ProcessEnv } {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-doc-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [dir, bin, home] = ["project", "bin", "home"].map((name) => path.join(base, name)) as [string, string, string];
  for (const folder of [dir, bin, home]) mkdirSync(folder);
  shareCompiled(home);
  const shim = path.join(bin, "toolgate");
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${path.resolve("dist/cli/toolgate.js")}" "$@"\n`);
  chmodSync(shim, 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: "1", LANG: "C.UTF-8" };
  return { dir, env };
}

/** `…` stands for anything in a line, and alone for any lines. */
function matches(expected: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0;
  if (first.trim() === "…")
    return actual.some((_, index) => matches(rest, actual.slice(index))) || rest.length === 0 || matches(rest, []);
  if (actual[0] === undefined) return false;
  const pattern = first
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(actual[0]) && matches(rest, actual.slice(1));
}

describe.each(documents)("%s", (document) => {
  const blocks = blocksOf(document);

  test("its sessions run as they are printed", { timeout: 180_000 }, () => {
    const { dir, env } = place();
    for (const { text, line } of blocks.filter(({ language }) => language === "console"))
      for (const step of text.split(/^(?=\$ )/m)) {
        const [command = "", ...expected] = step.trimEnd().split("\n");
        const { stdout, stderr } = spawnSync("bash", ["-c", command.replace(/^\$ /, "")], {
          cwd: dir,
          env,
          encoding: "utf8",
        });
        const actual = `${stdout}${stderr}`
          .trimEnd()
          .split("\n")
          .filter((each, _, all) => all.length > 1 || each !== "");
        expect(
          matches(expected, actual),
          `${document}:${line} ${command}\nprinted:\n${actual.join("\n")}\nexpected:\n${expected.join("\n")}`,
        ).toBe(true);
      }
  });

  test("its examples are the files that are compiled and tested", () => {
    for (const { text, line } of blocks.filter(({ language }) => language === "ts")) {
      const [, file] = /^\/\/ (examples\/\S+\.ts)\n/.exec(text) ?? [];
      if (!file) continue;
      const source = readFileSync(file, "utf8")
        .replaceAll('"../src/index.ts"', '"toolgate"')
        .replace(/"\.\.\/src\/doors\/([\w-]+)\.ts"/g, '"toolgate/$1"');
      expect(text.replace(/^.*\n/, ""), `${document}:${line} differs from ${file}`).toBe(source);
    }
  });

  test("its links to files of the project lead somewhere", () => {
    const links = [...readFileSync(document, "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, link]) => link as string,
    );
    for (const link of links)
      expect(existsSync(path.join(path.dirname(document), link)), `${document} links to ${link}`).toBe(true);
  });

  test("its links to a section lead to a heading", () => {
    const links = readFileSync(document, "utf8").matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g);
    for (const [, file, anchor] of links) {
      const target = file ? path.join(path.dirname(document), file) : document;
      expect(anchorsOf(target), `${document} links to ${file}#${anchor}`).toContain(anchor);
    }
  });
});
