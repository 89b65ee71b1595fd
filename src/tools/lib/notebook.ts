type Cell = { cell_type?: unknown; source?: unknown; outputs?: unknown };

/** The cells of a notebook as text; undefined if the text is not a notebook. */
export function notebookText(text: string): string | undefined {
  let cells: unknown;
  try {
    cells = (JSON.parse(text) as { cells?: unknown } | null)?.cells;
  } catch {
    return undefined;
  }
  if (!Array.isArray(cells)) return undefined;
  return cells.map((cell: Cell, index) => cellText(cell ?? {}, index + 1)).join("\n\n");
}

function cellText({ cell_type, source, outputs }: Cell, number: number): string {
  const parts = [`[cell ${number}: ${typeof cell_type === "string" ? cell_type : "unknown"}]`, joined(source)];
  for (const output of Array.isArray(outputs) ? outputs : []) parts.push(outputText(output as Record<string, unknown>));
  return parts.filter(Boolean).join("\n");
}

function outputText(output: Record<string, unknown> | null): string {
  if (output === null || typeof output !== "object") return "";
  if (output.output_type === "error") return `[error] ${joined(output.ename)}: ${joined(output.evalue)}`;
  const data = output.data as Record<string, unknown> | undefined;
  const shown = joined(output.text) || joined(data?.["text/plain"]);
  const others = Object.keys(data ?? {}).filter((type) => type !== "text/plain");
  return [shown && `[output]\n${shown.trimEnd()}`, others.length > 0 && `[output also as ${others.join(", ")}]`]
    .filter(Boolean)
    .join("\n");
}

const joined = (source: unknown): string =>
  Array.isArray(source) ? source.join("") : typeof source === "string" ? source : "";
