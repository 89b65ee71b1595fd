import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const MOST_LINES = 300;
const sources = walk("src").filter((file) => file.endsWith(".ts"));
const parts = sources.filter((file) => !file.endsWith(".test.ts"));
const text = new Map(sources.map((file) => [file, readFileSync(file, "utf8")]));

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.posix.join(folder, name);
    return statSync(file).isDirectory() ? walk(file) : [file];
  });
}

/** What a file imports: files of ours by their path, others by their name. */
function importsOf(file: string): string[] {
  const found = (text.get(file) ?? "").matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^"]+)"|(?:^|[^\w.])import\(\s*"([^"]+)"\s*\)/g,
  );
  return [...found].map(([, fixed, dynamic]) => {
    const name = (fixed ?? dynamic) as string;
    return name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : name;
  });
}

const folderOf = (file: string): string =>
  file.split("/").length > 2 ? (file.split("/")[1] as string) : path.posix.basename(file);
const PURE = ["core", "arguments", "shell", "text", "rules"];
const PARTS = ["tools", "policies", "steps", "sources", "workspaces", "stores", "agents", "config"];
const isPlugin = (folder: string): boolean => !PURE.includes(folder) && !folder.endsWith(".ts");

const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  arguments: ["core"],
  shell: ["core"],
  text: ["core"],
  rules: ["core", "shell", "text"],
  tools: PURE,
  policies: PURE,
  steps: PURE,
  sources: PURE,
  workspaces: PURE,
  stores: PURE,
  agents: PURE,
  config: PURE,
  "parts.ts": [...PURE, ...PARTS],
  "storing.ts": [...PURE, ...PARTS],
  "skills.ts": [...PURE, ...PARTS, "parts.ts"],
  "workspace-at.ts": [...PURE, ...PARTS],
  "other-servers.ts": [...PURE, ...PARTS, "parts.ts"],
  "open.ts": [
    ...PURE,
    ...PARTS,
    "parts.ts",
    "storing.ts",
    "crew.ts",
    "skills.ts",
    "workspace-at.ts",
    "other-servers.ts",
    "left-out.ts",
  ],
  "left-out.ts": [...PURE, ...PARTS, "parts.ts"],
  "open-for-others.ts": [...PURE, ...PARTS, "parts.ts", "open.ts"],
  "crew.ts": [...PURE, ...PARTS],
  "open-agent.ts": [...PURE, ...PARTS, "open.ts", "crew.ts"],
  "rule-book.ts": [...PURE, ...PARTS],
  "scheduler.ts": [...PURE, ...PARTS, "open.ts", "open-agent.ts", "crew.ts", "storing.ts"],
  "doctor.ts": [...PURE, ...PARTS, "parts.ts", "other-servers.ts", "open.ts", "workspace-at.ts"],
  doors: [
    "core",
    "text",
    "open.ts",
    "storing.ts",
    "crew.ts",
    "open-agent.ts",
    "skills.ts",
    "doctor.ts",
    "rule-book.ts",
    "scheduler.ts",
    "open-for-others.ts",
  ],
  "index.ts": ["core", "open.ts", "doors"],
};
const WORLDLESS = [
  ...PURE,
  "tools",
  "policies",
  "steps",
  "parts.ts",
  "open.ts",
  "doctor.ts",
  "rule-book.ts",
  "open-for-others.ts",
  "open-agent.ts",
  "scheduler.ts",
  "skills.ts",
  "storing.ts",
  "workspace-at.ts",
  "other-servers.ts",
  "left-out.ts",
];
const WORLD =
  /(?<![\w.$"'`#])(process|fetch|setTimeout|setInterval|setImmediate|queueMicrotask|performance|Buffer|require|globalThis)(?=[.([])|\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bcrypto\./;

/** Folders whose files stand beside those of another folder, name by name. */
const PARALLEL =
  /^src\/(stores\/lib\/(memory|sqlite)|shell\/cases|doors\/(cli\/commands|hook\/clients)|config\/keys)\//;

describe("the shape", () => {
  test.each(parts)("%s imports only what it may", (file) => {
    const folder = folderOf(file);
    const allowed = MAY_IMPORT[folder];
    expect(allowed, `src/${folder} is not a folder of the design: see CONTRIBUTING.md`).toBeDefined();
    for (const imported of importsOf(file)) {
      if (!imported.startsWith("src/")) continue;
      const other = folderOf(imported);
      const own =
        other === folder &&
        (!isPlugin(folder) ||
          imported.includes("/lib/") ||
          file.includes("/lib/") ||
          folder === "doors" ||
          folder === "config" ||
          folder === "sources");
      expect(
        own || allowed?.includes(other),
        `${file} imports ${imported}; src/${folder} may import ${allowed?.join(", ") || "nothing of ours"} and its own lib/`,
      ).toBe(true);
    }
  });

  test.each(parts.filter((file) => WORLDLESS.includes(folderOf(file))))(
    "%s reaches the world through its context alone",
    (file) => {
      for (const imported of importsOf(file))
        expect(imported.startsWith("node:"), `${file} imports ${imported}`).toBe(false);
      const code = (text.get(file) ?? "")
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
        .replace(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, '""');
      expect(
        code.match(WORLD)?.[0],
        `${file} uses the world directly: take it from the context or from a part in parts.ts`,
      ).toBeUndefined();
    },
  );

  test("in one room a file's name occurs once", () => {
    const seen = new Map<string, string[]>();
    for (const file of parts) {
      const room = folderOf(file) === "doors" ? file.split("/").slice(1, 3).join("/") : folderOf(file);
      const key = `${room}: ${path.posix.basename(file)}`;
      seen.set(key, [...(seen.get(key) ?? []), file]);
    }
    const twice = [...seen.values()].filter((files) => files.filter((file) => !PARALLEL.test(file)).length > 1);
    expect(twice).toEqual([]);
  });

  test.each(sources)(`%s has at most ${MOST_LINES} lines`, (file) => {
    expect((text.get(file) ?? "").split("\n").length - 1).toBeLessThanOrEqual(MOST_LINES);
  });

  test("there are no import cycles, not even of types", () => {
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, above: readonly string[]): void => {
      if (state.get(file) === "open") cycles.push([...above.slice(above.indexOf(file)), file].join(" -> "));
      if (state.has(file)) return;
      state.set(file, "open");
      for (const imported of importsOf(file)) if (text.has(imported)) visit(imported, [...above, file]);
      state.set(file, "done");
    };
    for (const file of parts) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test("core, policies and steps name no tool", () => {
    const tools = parts
      .filter((file) => /^src\/tools\/[^/]+$/.test(file))
      .map((file) => path.basename(file, ".ts").replaceAll("-", "_"));
    expect(tools.length).toBeGreaterThan(3);
    for (const file of parts.filter((each) => ["core", "policies", "steps"].includes(folderOf(each))))
      for (const tool of tools)
        expect(
          new RegExp(`["'\`]${tool}["'\`]`).test(text.get(file) ?? ""),
          `${file} names ${tool}: let the tool declare its own answer`,
        ).toBe(false);
  });

  test("every tool, policy and step is listed in parts.ts", () => {
    const list = text.get("src/parts.ts") ?? "";
    for (const file of parts.filter((each) => /^src\/(tools|policies|steps)\/[^/]+$/.test(each)))
      expect(
        list.includes(`"./${file.slice(4)}"`),
        `add to src/parts.ts: import { … } from "./${file.slice(4)}"; and name it in its list`,
      ).toBe(true);
  });

  test("no part hides behind a name that says nothing", () => {
    for (const file of parts)
      expect(path.basename(file)).not.toMatch(/^(utils?|helpers?|types|misc|common|shared|.*manager)\.ts$/);
  });
});
