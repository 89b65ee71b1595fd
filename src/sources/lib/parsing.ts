import { createRequire } from "node:module";
import { excessOfYaml, repeatedKeys } from "../../text/yaml-bounds.ts";
import { Apart } from "./apart.ts";
import { type Complaint, scriptComplaints, tomlComplaints, yamlComplaints } from "./parsers.ts";

export type Language = "yaml" | "toml" | "script";
type Task = { language: Language; file: string; text: string };

const ALLOWANCE = { cpuMs: 2_000, wallMs: 10_000, bytes: 512 * 1024 * 1024 };

const parsers = new Apart(ALLOWANCE.wallMs, () => {
  const { resolve } = createRequire(import.meta.url);
  const libraries = { yaml: resolve("yaml"), toml: resolve("smol-toml"), script: resolve("oxc-parser") };
  return { code: THREAD, libraries, allowance: ALLOWANCE, memoryMb: 512 };
});

/** Ends the process of the parsers, unless somebody waits for it. */
export const endIfIdle = (): void => parsers.endIfIdle();

/**
 * What the parser of a language complains about. The native one crashes on deep nesting, and others take quadratic
 * time, so only what is too short for either is parsed here. A text that costs too much has no complaints.
 */
export async function complaintsOf(task: Task): Promise<Complaint[]> {
  if (!isHarmless(task)) return (await parsers.ask<Complaint[]>(task)) ?? [];
  const { language, text, file } = task;
  if (language === "yaml") return yamlComplaints(await import("yaml"), WORK, text);
  if (language === "toml") return tomlComplaints(await import("smol-toml"), text);
  return scriptComplaints(await import("oxc-parser"), text, file);
}

const WORK = { excessOfYaml, repeatedKeys };
const SHORT = { yaml: 4_000, toml: 16_000, script: 32_000 };
/** Each level takes a token, and a stack has room for four times as many levels. */
const FEW_TOKENS = 1_000;

const isHarmless = ({ language, text }: Task): boolean =>
  text.length <= SHORT[language] && (language !== "script" || hasFewTokens(text));

/** Words and marks, wherever they are. */
function hasFewTokens(text: string): boolean {
  let tokens = 0;
  let inWord = false;
  for (let index = 0; index < text.length && tokens <= FEW_TOKENS; index++) {
    const code = text.charCodeAt(index);
    const isBlank = code <= 32;
    const isWord =
      (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127;
    if (!isBlank && !(isWord && inWord)) tokens++;
    inWord = isWord;
  }
  return tokens <= FEW_TOKENS;
}

// plain JavaScript, so that it needs no file of its own
const THREAD = `
const { parentPort, workerData: at } = require("node:worker_threads");
const work = { excessOfYaml: ${String(excessOfYaml)}, repeatedKeys: ${String(repeatedKeys)} };
const yaml = ${String(yamlComplaints)};
const toml = ${String(tomlComplaints)};
const script = ${String(scriptComplaints)};
const parsers = {
  yaml: (text) => yaml(require(at.yaml), work, text),
  toml: (text) => toml(require(at.toml), text),
  script: (text, file) => script(require(at.script), text, file),
};
parentPort.on("message", ({ language, file, text }) => {
  try {
    parentPort.postMessage({ found: parsers[language](text, file) });
  } catch {
    parentPort.postMessage({});
  }
});
`;
