import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { fromClaude } from "./claude.ts";
import { fromCodexConfig, fromCodexRules } from "./codex.ts";
import { fromGemini, fromGeminiPolicies } from "./gemini.ts";
import { type Imported, leftOver, together } from "./imported.ts";
import { fromOpencode } from "./opencode.ts";

type Reader = (text: string) => Imported;

/** Some of these files allow comments and trailing commas. */
const json = (text: string): unknown =>
  JSON.parse(
    text
      .replace(
        /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
        (_, quoted: string) => quoted ?? "",
      )
      .replace(/("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(\s*[\]}])/g, (_, quoted: string, end: string) => quoted ?? end),
  );

/** Where a client keeps its settings: the user's first, then the project's. A folder stands for its files. */
type Place = { from: "home" | "project"; path: string; ending?: string; read: Reader };

const claude: Reader = (text) => fromClaude(json(text));
const gemini: Reader = (text) => fromGemini(json(text));
const opencode: Reader = (text) => fromOpencode(json(text));
const policies: Reader = (text) => fromGeminiPolicies(parseToml(text));

const CLIENTS: Readonly<Record<string, readonly Place[]>> = {
  claude: [
    { from: "home", path: ".claude/settings.json", read: claude },
    { from: "project", path: ".claude/settings.json", read: claude },
    { from: "project", path: ".claude/settings.local.json", read: claude },
  ],
  codex: [
    { from: "home", path: ".codex/config.toml", read: (text) => fromCodexConfig(parseToml(text)) },
    { from: "home", path: ".codex/rules", ending: ".rules", read: fromCodexRules },
    { from: "home", path: ".codex/policy", ending: ".codexpolicy", read: fromCodexRules },
    { from: "project", path: ".codex/config.toml", read: (text) => fromCodexConfig(parseToml(text)) },
    { from: "project", path: ".codex/rules", ending: ".rules", read: fromCodexRules },
  ],
  gemini: [
    { from: "home", path: ".gemini/settings.json", read: gemini },
    { from: "home", path: ".gemini/policies", ending: ".toml", read: policies },
    { from: "project", path: ".gemini/settings.json", read: gemini },
    { from: "project", path: ".gemini/policies", ending: ".toml", read: policies },
  ],
  opencode: [
    { from: "home", path: ".config/opencode/opencode.json", read: opencode },
    { from: "home", path: ".config/opencode/opencode.jsonc", read: opencode },
    { from: "project", path: "opencode.json", read: opencode },
    { from: "project", path: "opencode.jsonc", read: opencode },
  ],
};

export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

export type ImportedFiles = Imported & { readonly files: readonly string[] };

/** Imports a client's settings on this machine. A file that cannot be read is reported and stops nothing. */
export async function importFrom(client: string, project: string, home: string): Promise<ImportedFiles> {
  const files: string[] = [];
  const pieces: Imported[] = [];
  for (const place of CLIENTS[client] ?? [])
    for (const file of await filesAt(join(place.from === "home" ? home : project, place.path), place.ending)) {
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (text === undefined) continue;
      files.push(file);
      pieces.push(read(place.read, text, file));
    }
  return { ...together(pieces), files };
}

function read(reader: Reader, text: string, file: string): Imported {
  try {
    return reader(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return leftOver(file, `it cannot be read: ${error instanceof Error ? error.message.split("\n", 1)[0] : error}`);
  }
}

async function filesAt(path: string, ending: string | undefined): Promise<string[]> {
  if (ending === undefined) return [path];
  const names = await readdir(path).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(path, name));
}
