import type * as oxc from "oxc-parser";
import type * as toml from "smol-toml";
import type * as yaml from "yaml";
import type { excessOfYaml, YamlLexing } from "../../text/yaml-bounds.ts";

// the sources of these functions are sent to another process, so they must be self-contained

/** What a parser complains about, and the offset or the line where. */
export type Complaint = { message: string; offset: number } | { message: string; line: number; column: number };

export type YamlLibrary = YamlLexing & Pick<typeof yaml, "parseAllDocuments" | "visit" | "isScalar">;

export function yamlComplaints(library: YamlLibrary, excessOf: typeof excessOfYaml, text: string): Complaint[] {
  const { parseAllDocuments, visit, isScalar } = library;
  if (excessOf(library, text, Number.POSITIVE_INFINITY)) return [];
  // the parser would compare each key with all others
  const documents = parseAllDocuments(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
  const found: { message: string; offset: number }[] = [];
  for (const document of documents) {
    for (const { pos, message } of document.errors) found.push({ message, offset: pos[0] });
    visit(document, {
      Map: (_, { items }) => {
        const seen = new Set<unknown>();
        for (const { key } of items) {
          if (!isScalar(key)) continue;
          if (seen.has(key.value)) found.push({ message: "Map keys must be unique", offset: key.range?.[0] ?? 0 });
          seen.add(key.value);
        }
      },
    });
  }
  return found.sort((a, b) => a.offset - b.offset).slice(0, 10);
}

export function tomlComplaints(
  { parse, TomlError }: Pick<typeof toml, "parse" | "TomlError">,
  text: string,
): Complaint[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    return [
      { message: error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "invalid", line, column },
    ];
  }
}

export function scriptComplaints(
  { parseSync }: Pick<typeof oxc, "parseSync">,
  text: string,
  file: string,
): Complaint[] {
  const how = /\.[cm]?js$/.test(file) ? ({ lang: "jsx", sourceType: "unambiguous" } as const) : {};
  return parseSync(file, text, how)
    .errors.filter(({ severity }) => severity === "Error")
    .slice(0, 10)
    .map(({ message, labels }) => ({ message, offset: labels[0]?.start ?? 0 }));
}
