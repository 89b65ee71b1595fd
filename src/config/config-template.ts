import { KEYS } from "./keys.ts";
import { defaultOf, isEmpty, withoutLinks } from "./schema.ts";

const HEAD = `# Every key with its default. Remove the # in front of one to set it.
`;

type Row = { says: string; kind: { accepts: string }; default: unknown; to: string };

/** All keys with what they do and their defaults, commented out. */
export function configTemplate(): string {
  const told = new Set<string>();
  const sections = new Map<string, string[]>();
  for (const [key, row] of Object.entries(KEYS) as unknown as [string, Row][]) {
    if (told.has(row.to)) continue;
    told.add(row.to);
    const [first = "", field] = key.split(".");
    const lines = sections.get(field === undefined ? "" : first) ?? [];
    sections.set(field === undefined ? "" : first, [...lines, ...entry(field ?? first, row, field === undefined)]);
  }
  const parts = [...sections].map(([section, lines]) =>
    section === "" ? lines.join("\n") : [`\n#${section}:`, ...lines.map((line) => `#  ${line}`)].join("\n"),
  );
  return `${[HEAD, ...parts].join("\n")}\n`;
}

/** A key without a default gets an ellipsis. */
function entry(name: string, row: Row, isTop: boolean): string[] {
  const usual = isEmpty(row.default) ? JSON.stringify(row.default) : defaultOf(row);
  return [`# ${withoutLinks(row.says)} (${row.kind.accepts})`, `${isTop ? "#" : ""}${name}: ${usual ?? "…"}`];
}
