import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { locales } from "zod";
import { folder } from "../journeys/harness.ts";

const { dependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const run = promisify(execFile);

/** A project that has this package, and all that it needs, among its own. */
function project(): string {
  const dir = folder();
  mkdirSync(path.join(dir, "node_modules"));
  symlinkSync(path.resolve("."), path.join(dir, "node_modules/toolgate"));
  return dir;
}
const WORK = `
  const gate = await open({ workspace: ".", store: "sqlite", mode: "yolo", config: {} });
  await gate.call({ name: "write_file", args: { path: "made.txt", content: "made" } });
  const found = await gate.call({ name: "read_file", args: { path: "made.txt" } });
  await gate.close();
  console.log(found.status, found.output);`;
const node = async (dir: string, ...words: string[]) =>
  (await run(process.execPath, words, { cwd: dir })).stdout.trim();

test.each([
  ["import", "main.mjs", `import { open } from "toolgate"; ${WORK}`],
  ["require", "main.cjs", `const { open } = require("toolgate"); (async () => { ${WORK} })();`],
])("%s works", async (_, file, code) => {
  const dir = project();
  writeFileSync(path.join(dir, file), code);
  expect(await node(dir, file)).toMatch(/^done .*made/);
});

test("stores, workspaces and doors are required by their own names", async () => {
  const names = [
    ...["stores/memory", "stores/sqlite", "workspaces/local", "workspaces/overlay"],
    ...["openai", "openai-agents", "anthropic", "ai-sdk", "langchain", "mcp"],
  ];
  const code = names.map((name) => `Object.keys(require("toolgate/${name}")).length`).join(" * ");
  expect(Number(await node(project(), "-e", `console.log(${code})`))).toBeGreaterThan(0);
});

test("zod speaks all of its languages, each loaded when it is asked for", async () => {
  const code = `const { z } = require("toolgate");
    z.config(z.locales.de());
    console.log(Object.keys(z.locales).length, z.string().safeParse(1).error.issues[0].message)`;
  expect(await node(project(), "-e", code)).toBe(
    `${Object.keys(locales).length} Ungültige Eingabe: erwartet string, erhalten Zahl`,
  );
});

test.each(["esm", "cjs"] as const)("a bundle by esbuild works: %s, with packages left outside", async (format) => {
  const dir = project();
  writeFileSync(path.join(dir, "main.js"), `import { open } from "toolgate"; (async () => { ${WORK} })();`);
  const outfile = path.join(dir, format === "esm" ? "out.mjs" : "out.cjs");
  const options = { platform: "node", packages: "external", logLevel: "error", bundle: true, outfile, format } as const;
  await build({ ...options, entryPoints: [path.join(dir, "main.js")], absWorkingDir: dir });
  expect(await node(dir, outfile)).toMatch(/^done .*made/);
});

test.each([
  ["all of a project", "esm", [], /^done .*made/],
  ["all of a project", "cjs", [], /^done .*made/],
  ["for conditions that name module", "esm", ["own", "module"], /^done .*made/],
  ["for conditions that do not", "esm", ["own"], /toolgate was bundled without the condition "module": add it/],
] as const)("toolgate itself in a bundle by esbuild, %s: %s %j", async (_, format, conditions, said) => {
  const dir = project();
  writeFileSync(path.join(dir, "main.js"), `import { open } from "toolgate"; (async () => { ${WORK} })();`);
  const outfile = path.join(dir, format === "esm" ? "out.mjs" : "out.cjs");
  const options = { platform: "node", logLevel: "error", bundle: true, outfile, format } as const;
  const external = Object.keys({ ...dependencies, ...peerDependencies });
  const given = conditions.length > 0 ? { conditions: [...conditions] } : {};
  await build({ ...options, ...given, external, entryPoints: [path.join(dir, "main.js")], absWorkingDir: dir });
  for (const name of new Set(external.map((each) => each.split("/")[0] as string)))
    symlinkSync(path.resolve("node_modules", name), path.join(dir, "node_modules", name));
  expect(await node(dir, outfile).catch(({ stderr }) => stderr)).toMatch(said);
});

test("what Node runs and what bundlers see offer the same", async () => {
  const [run, seen] = ["compiled-gate.js", "gate.js"].map((file) => path.resolve("dist/lib/chunks", file));
  const code = `const names = [${JSON.stringify(run)}, ${JSON.stringify(seen)}].map((file) =>
    JSON.stringify(Object.entries(require(file)).map(([name, value]) => [name, typeof value]).sort()));
    console.log(names[0] === names[1], names[0].includes('"function"'))`;
  expect(await node(project(), "--no-warnings", "-e", code)).toBe("true true");
});
