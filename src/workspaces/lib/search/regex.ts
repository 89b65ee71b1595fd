const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};
/** What ripgrep's words and ours say differently; letters of every script are letters there. */
const OUTSIDE: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  A: "^",
  z: "$",
  Z: "$",
  h: "[ \\t]",
  a: "\\x07",
};
const INSIDE: Readonly<Record<string, string>> = { w: WORD, d: "\\p{Nd}", D: "\\P{Nd}", h: " \\t", a: "\\x07" };

export const escapeText = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");

/** The pattern of a search as our own regular expression for one line; undefined if it is none. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false }: { literal?: boolean; ignoreCase?: boolean },
): RegExp | undefined {
  const flags = ignoreCase ? "iu" : "u";
  if (literal) return new RegExp(escapeText(pattern), flags);
  const start = /^\(\?([imsu]+)\)/.exec(pattern);
  const asked = new Set(`${flags}${start?.[1] ?? ""}`);
  asked.delete("m");
  try {
    return new RegExp(translate(pattern.slice(start?.[0].length ?? 0)), [...asked].join(""));
  } catch {
    return undefined;
  }
}

function translate(pattern: string): string {
  let made = "";
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const [taken, put] = translated(rest);
    made += put;
    at += taken;
  }
  return made;
}

/** How much of the beginning is taken, and what stands in its place. */
function translated(rest: string): [number, string] {
  if (rest[0] === "\\") return escaped(rest, OUTSIDE);
  if (rest[0] === "[") return bracket(rest);
  if (rest.startsWith("(?P<")) return [4, "(?<"];
  if (rest[0] === "{" && !/^\{\d+(?:,\d*)?\}/.test(rest)) return [1, "\\{"];
  if (rest[0] === "{") {
    const [count = ""] = /^\{[^}]*\}/.exec(rest) ?? [];
    return [count.length, count];
  }
  if (rest[0] === "}" || rest[0] === "]") return [1, `\\${rest[0]}`];
  return [1, rest[0] as string];
}

const isProperty = (name: string): boolean => {
  try {
    return new RegExp(`\\p{${name}}`, "u") !== undefined;
  } catch {
    return false;
  }
};

function escaped(rest: string, words: Readonly<Record<string, string>>): [number, string] {
  const next = rest[1] ?? "";
  const word = words[next];
  if (word !== undefined) return [2, word];
  const code = /^\\x\{([0-9a-fA-F]+)\}/.exec(rest);
  if (code) return [code[0].length, `\\u{${code[1]}}`];
  const property = /^\\([pP])([A-Z])/.exec(rest);
  if (property) return [3, `\\${property[1]}{${property[2]}}`];
  const script = /^\\([pP])\{(\w+)\}/.exec(rest);
  if (script && !isProperty(script[2] as string)) return [script[0].length, `\\${script[1]}{Script=${script[2]}}`];
  if (next !== "" && !/[\w$()*+./?[\\\]^{|}-]/.test(next)) return [2, next];
  if (next === "-") return [2, words === INSIDE ? "\\-" : "-"];
  return [2, rest.slice(0, 2)];
}

function bracket(rest: string): [number, string] {
  let at = rest[1] === "^" ? 2 : 1;
  let made = rest.slice(0, at);
  // the first one closes nothing
  if (rest[at] === "]") {
    made += "\\]";
    at += 1;
  }
  while (at < rest.length) {
    const posix = /^\[:(\w+):\]/.exec(rest.slice(at));
    const named = posix && POSIX[posix[1] as string];
    if (posix && named) {
      made += named;
      at += posix[0].length;
    } else if (rest[at] === "\\") {
      const [taken, put] = escaped(rest.slice(at), INSIDE);
      made += put;
      at += taken;
    } else if (rest[at] === "]") return [at + 1, `${made}]`];
    else {
      made += rest[at] === "[" ? "\\[" : rest[at];
      at += 1;
    }
  }
  return [at, made];
}
