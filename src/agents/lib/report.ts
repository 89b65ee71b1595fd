import type { ReportParts } from "../../core/contracts/agents.ts";

const HEADINGS: Readonly<Record<string, keyof ReportParts>> = {
  findings: "findings",
  actions: "actions",
  failures: "failures",
  "next steps": "nextSteps",
};

/** `## Findings`, `**Findings**:`, `Findings:` and the like, alone or with the first words after a colon. */
const HEADING =
  /^\s{0,3}(?:#{1,6}\s*)?(?:\*\*|__)?(findings|actions|failures|next steps)(?:\*\*|__)?\s*(?::(?:\*\*|__)?(.*))?$/i;

/** The items under the headings of a report, one per line; undefined if it has none of them. */
export function reportParts(text: string): ReportParts | undefined {
  const parts: Record<keyof ReportParts, string[]> = { findings: [], actions: [], failures: [], nextSteps: [] };
  let under: string[] | undefined;
  for (const line of text.split("\n")) {
    const [, heading, rest = ""] = HEADING.exec(line) ?? [];
    if (heading !== undefined) under = parts[HEADINGS[heading.toLowerCase()] as keyof ReportParts];
    else if (/^\s{0,3}#{1,6}\s/.test(line)) under = undefined;
    const item = (heading === undefined ? line : rest).trim();
    if (!under || item === "") continue;
    const isItem = heading !== undefined || /^(?:[-*•]|\d{1,3}[.)])\s/.test(item) || under.length === 0;
    if (isItem) under.push(item.replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, ""));
    // a line without a bullet continues the item before it
    else under[under.length - 1] += `\n${item}`;
  }
  return Object.values(parts).some((each) => each.length > 0) ? parts : undefined;
}
