import type { Walk } from "./walk.ts";

/** Settings by which patterns match names that begin with a dot, and the commands that change settings. */
const SETS_DOTS = /shopt|setopt|dotglob|globignore|bashopts/i;
const WITH_SETTINGS = /(?:^|\s)[-+][a-zA-Z]*O(?:\s|$)/;
const MOST_PATTERNS = 16;

const mayMatchDots = (text: string): boolean =>
  SETS_DOTS.test(text) || (text.includes("O") && WITH_SETTINGS.test(text));

export const setsDots = (env: Readonly<Record<string, string>> | undefined): true | undefined =>
  env && Object.keys(env).some((name) => SETS_DOTS.test(name)) ? true : undefined;

/**
 * Whether patterns may match hidden names as well. Determined at the first pattern, because few lines have one. A
 * script that is given to another shell may contain settings that the line does not show.
 */
export function matchesDots(walk: Walk): boolean {
  walk.dots ??= mayMatchDots(walk.line);
  return walk.dots || (walk.source !== walk.line && mayMatchDots(walk.source));
}

/** The pattern and its variants for hidden names: `*env` and `.*env`. If there are very many, the whole tree. */
export function withDots(pattern: string): readonly string[] {
  let all = [""];
  for (const [index, part] of pattern.split("/").entries()) {
    const hidden = hiddenOf(part);
    const meant = hidden === undefined ? [part] : [part, hidden];
    all = all.flatMap((before) => meant.map((each) => (index === 0 ? each : `${before}/${each}`)));
    if (all.length > MOST_PATTERNS) return ["**"];
  }
  return all;
}

/** Puts the dot in place of the first wildcard; a dot alone is not a name. */
function hiddenOf(part: string): string | undefined {
  // extended patterns are known to match hidden names
  if (part[1] === "(") return undefined;
  if (part.startsWith("*")) return `.${part}`;
  if (part === "?") return undefined;
  if (part.startsWith("?")) return `.${part.slice(1)}`;
  if (!part.startsWith("[")) return undefined;
  const end = part.indexOf("]", /^\[[!^]?\]/.test(part) ? 3 : 2);
  return end < 0 || end === part.length - 1 ? undefined : `.${part.slice(end + 1)}`;
}
