import type { RuleKind } from "../../rules/rule.ts";
import { asObject, asTexts, commandRule, type Imported, leftOver, together } from "./imported.ts";

const DECISIONS: Readonly<Record<string, RuleKind>> = { allow: "allow", prompt: "ask", forbidden: "deny" };
const MOST_COMBINATIONS = 64;

/** `prefix_rule(…)` of Codex' rules files, which are written in Starlark. */
export const fromCodexRules = (text: string): Imported =>
  together([
    ...callsOf(text, "prefix_rule").map(prefixRule),
    ...callsOf(text, "network_rule").map((call) =>
      leftOver(`network_rule(${shortened(call)})`, "write fetch(HOST) under rules, or commands.network"),
    ),
  ]);

const shortened = (call: string): string => call.replace(/\s+/g, " ").trim().slice(0, 120);

function prefixRule(call: string): Imported {
  const setting = `prefix_rule(${shortened(call)})`;
  const { pattern, decision = "allow", justification } = namedValues(call);
  const kind = typeof decision === "string" ? DECISIONS[decision] : undefined;
  if (!Array.isArray(pattern) || !kind) return leftOver(setting, "its pattern or decision is no plain list or text");
  const lines = combinations(pattern);
  if (!lines) return leftOver(setting, "its pattern has too many alternatives");
  // a star, or both kinds of quotes, cannot be written as a plain word of a rule
  if (
    lines.flat().some((word) => (kind === "allow" && word.includes("*")) || (word.includes('"') && word.includes("'")))
  )
    return leftOver(setting, "a word of its pattern has a star or quotes in it");
  const reason = typeof justification === "string" ? { reason: justification } : {};
  return together(lines.map((words) => commandRule(kind, words.map(quoted).join(" "), true, setting, reason)));
}

const COUNTERPARTS: Readonly<Record<string, string>> = {
  "approval_policy: never": "set mode: yolo if you mean it",
  "approval_policy: untrusted": "mode: confirm-sensitive asks in the same way",
  "approval_policy: on-request": "there a model says when to ask; here mode: confirm-sensitive decides",
  "approval_policy: on-failure": "set mode: yolo with commands.sandbox: required if you mean it",
  "sandbox_mode: read-only": "set autonomy: readonly",
  "sandbox_mode: danger-full-access": "set commands.sandbox: off if you mean it",
  "network_access: true": "set commands.network: true",
};

/** Codex' config.toml. Nothing in it concerns single calls. */
export function fromCodexConfig(config: unknown): Imported {
  const { approval_policy, sandbox_mode, sandbox_workspace_write } = asObject(config);
  const { network_access, writable_roots } = asObject(sandbox_workspace_write);
  return together([
    ...Object.entries({ approval_policy, sandbox_mode, network_access }).flatMap(([name, value]) => {
      const why = COUNTERPARTS[`${name}: ${value}`];
      return why ? [leftOver(`${name}: ${value}`, why)] : [];
    }),
    ...asTexts(writable_roots).map((root) => leftOver(`writable_roots: ${root}`, "add it to workspace.allowed_paths")),
  ]);
}

const quoted = (word: string): string => {
  if (/["']/.test(word)) return word.includes('"') ? `'${word}'` : `"${word}"`;
  return /^$|\s|[;&|<>`]|\$\(/.test(word) ? `"${word}"` : word;
};

/** Every combination of the alternatives; undefined if there are too many. */
function combinations(pattern: readonly unknown[]): string[][] | undefined {
  let lines: string[][] = [[]];
  for (const element of pattern) {
    const choices = (Array.isArray(element) ? element : [element]).map(String);
    lines = lines.flatMap((line) => choices.map((choice) => [...line, choice]));
    if (lines.length > MOST_COMBINATIONS) return undefined;
  }
  return lines;
}

/** The arguments of every call of a function, as text. Ignores comments and strings. */
function callsOf(text: string, name: string): string[] {
  const calls: string[] = [];
  const code = text.replace(
    /("(?:[^"\\\n]|\\.)*(?:"|\\?(?:$|(?=\n)))|'(?:[^'\\\n]|\\.)*(?:'|\\?(?:$|(?=\n))))|#[^\n]*/g,
    (_, quotedText: string) => quotedText ?? "",
  );
  for (let at = code.indexOf(`${name}(`); at >= 0; at = code.indexOf(`${name}(`, at + 1)) {
    const start = at + name.length + 1;
    const end = closing(code, start);
    if (end > start) calls.push(code.slice(start, end));
  }
  return calls;
}

function closing(code: string, from: number): number {
  let depth = 1;
  let quote = "";
  for (let index = from; index < code.length; index++) {
    const char = code[index] as string;
    if (quote) {
      if (char === "\\") index++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return index;
  }
  return -1;
}

/** Parses `name = value` pairs with lists and strings as values, by turning them into JSON. */
function namedValues(call: string): Record<string, unknown> {
  const json = call
    .replace(/'((?:[^'\\\n]|\\.)*)'/g, (_, inside: string) => JSON.stringify(inside))
    .replace(
      /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(?<!\w)(\w+)\s*=/g,
      (_, text: string, name: string) => text ?? `"${name}":`,
    )
    .replace(/("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(\s*[\])}])/g, (_, text: string, end: string) => text ?? end)
    .replace(/,\s*$/, "");
  try {
    return JSON.parse(`{${json}}`) as Record<string, unknown>;
  } catch {
    return {};
  }
}
