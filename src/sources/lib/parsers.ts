import type * as oxc from "oxc-parser";
import type * as toml from "smol-toml";
import type * as yaml from "yaml";
import type {
  excessOfYaml as excess,
  repeatedKeys as repeated,
  YamlLexing,
  YamlVisiting,
} from "../../text/yaml-bounds.ts";

// the sources of these functions are sent to another process, so they must be self-contained

/** What a parser complains about, and the offset or the line where. */
export type Complaint = { message: string; offset: number } | { message: string; line: number; column: number };

export type YamlLibrary = YamlLexing & YamlVisiting & Pick<typeof yaml, "parseAllDocuments">;
type YamlWork = { excessOfYaml: typeof excess; repeatedKeys: typeof repeated };

export function yamlComplaints(library: YamlLibrary, work: YamlWork, text: string): Complaint[] {
  const { excessOfYaml, repeatedKeys } = work;
  if (excessOfYaml(library, text, Number.POSITIVE_INFINITY)) return [];
  const options = { logLevel: "silent", prettyErrors: false, uniqueKeys: false } as const;
  return [...library.parseAllDocuments(text, options)]
    .flatMap((document) => [
      ...document.errors.map(({ pos, message }) => ({ message, offset: pos[0] })),
      ...repeatedKeys(library, document).map((offset) => ({ message: "Map keys must be unique", offset })),
    ])
    .sort((a, b) => a.offset - b.offset)
    .slice(0, 10);
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
