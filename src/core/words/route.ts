/**
 * A name by which others mean several of our tools. `tool` is the one it stands for if the arguments are not known;
 * `means` returns the tool and arguments that a call means, or why it is refused.
 */
export type Route = {
  tool: string;
  means(args: Readonly<Record<string, unknown>>): Meant | string;
};
export type Meant = { name: string; args: unknown };

export function meantBy({ tool, means }: Route, args: unknown): Meant | string {
  const sent = typeof args === "string" ? objectIn(args) : args;
  return isRecord(sent) ? means(sent) : { name: tool, args };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parsed JSON text, or the text itself if it is not JSON. */
function objectIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Models may put a tool's name into a namespace: functions.read_file. */
export const withoutNamespace = (name: string): string =>
  name.trim().replace(/^(?:(?:functions?|tools?|default_api)(?:[.:/]|__)|mcp__toolgate__)/, "");

/** The form in which ReadFile, read-file and read_file are the same. */
export const bareName = (name: string): string => name.replace(/[-_\s.]+/g, "").toLowerCase();

/** All names by their `bareName`. */
export function spellingsOf(names: readonly string[]): Map<string, string[]> {
  const spellings = new Map<string, string[]>();
  for (const name of names) spellings.set(bareName(name), [...(spellings.get(bareName(name)) ?? []), name]);
  return spellings;
}
