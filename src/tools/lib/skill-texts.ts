import type { Skill } from "../../core/words/skill.ts";
import { visibleLine } from "../../core/words/visible.ts";
import { countTokens } from "../../text/tokens.ts";

/** The most that skills may cost in every request of an agent. */
const MOST_TOKENS = 1_500;
const LONGEST_TOKEN = 12;
const LENGTHS = [1_024, 300, 120, 40];

const oneLine = (text: string): string => visibleLine(text.replace(/\s+/g, " ").trim());
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Names and descriptions, shortened as far as necessary; always in the same order, so that prompt caches work. */
export function listOfSkills(skills: readonly Skill[], most = MOST_TOKENS): string {
  const rows = skills.map(({ name, description }) => ({ name, told: oneLine(description) }));
  for (const length of LENGTHS) {
    const text = rows.map(({ name, told }) => `- ${name}: ${cut(told, length)}`).join("\n");
    // counting takes a while, and such a long text never fits
    if (text.length <= most * LONGEST_TOKEN && countTokens(text) <= most) return text;
  }
  const names: string[] = [];
  let used = 0;
  for (const { name } of skills) {
    used += countTokens(`${name}, `);
    if (used > most) break;
    names.push(name);
  }
  const left = skills.length - names.length;
  return `${names.join(", ")}${left > 0 ? ` and ${left} more, which \`skill\` without a name lists` : ""}`;
}

export const briefingOf = (skills: readonly Skill[]): string =>
  `Skills are instructions for kinds of tasks. Where one fits the task, read it with \`skill\` before you begin.\n${listOfSkills(skills)}`;

const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const OWN_FOLDER = /\$\{?(?:CLAUDE_)?SKILL_DIR\b\}?/g;

/** The instructions of a SKILL.md, with its placeholders filled in. */
export function instructionsIn(text: string, { shown }: Skill, args: string | undefined): string {
  const body = text
    .replace(FRONT_MATTER, "")
    .trim()
    .replace(OWN_FOLDER, () => shown);
  if (args === undefined) return body;
  return body.includes("$ARGUMENTS") ? body.replaceAll("$ARGUMENTS", () => args) : `${body}\n\nArguments: ${args}`;
}

/** What else belongs to a skill: its files and its tools. */
export function belongings({ name, shown, tools }: Skill, files: readonly string[]): string[] {
  const [first] = files;
  const read = first === undefined ? "" : ` Read one with skill {"name": "${name}", "file": ${JSON.stringify(first)}}.`;
  return [
    ...(first === undefined ? [] : [`[Files in ${shown}: ${files.map(oneLine).join(", ")}.${read}]`]),
    ...(tools.length > 0 ? [`[Tools of this skill: ${tools.map((tool) => tool.name).join(", ")}.]`] : []),
  ];
}
