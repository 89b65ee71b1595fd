import type { RuleKind } from "../../rules/rule.ts";
import { asObject, commandRule, type Imported, leftOver, oneRule, pathRule, together } from "./imported.ts";
import { exceptionTo } from "./text-patterns.ts";

const KINDS: readonly unknown[] = ["allow", "ask", "deny"] satisfies RuleKind[];
const MILDER: Readonly<Record<RuleKind, number>> = { allow: 0, ask: 1, deny: 2 };
const isKind = (value: unknown): value is RuleKind => KINDS.includes(value);

type Entry = { pattern: string; kind: RuleKind };

/**
 * `permission` of opencode.json. There the last matching pattern decides. Here a stricter rule gets exceptions, and
 * only narrower ones, so that a mistake in the order never makes it milder.
 */
export function fromOpencode(settings: unknown): Imported {
  const { permission, tools, agent, mode } = asObject(settings);
  return together([
    ...(isKind(permission)
      ? [everything("permission", permission)]
      : Object.entries(asObject(permission)).map(([name, value]) =>
          isKind(value) ? wholeTool(name, value) : byPattern(name, value),
        )),
    ...Object.entries(asObject(tools)).flatMap(([name, isOn]) => (isOn === false ? [wholeTool(name, "deny")] : [])),
    ...Object.entries({ ...asObject(mode), ...asObject(agent) }).flatMap(([name, value]) => ofOneAgent(name, value)),
  ]);
}

function ofOneAgent(name: string, value: unknown): Imported[] {
  const { permission, tools } = asObject(value);
  return permission === undefined && tools === undefined
    ? []
    : [leftOver(`agent ${name}`, "it is about one agent; rules are about all of them")];
}

const EVERYTHING: Readonly<Record<RuleKind, string>> = {
  allow: "it allows everything; set mode: yolo if you mean it",
  ask: "mode: confirm-all asks about everything",
  deny: "it denies everything; set autonomy: readonly, or deny tools by name",
};
const everything = (setting: string, kind: RuleKind): Imported => leftOver(`${setting}: ${kind}`, EVERYTHING[kind]);

const READS: ReadonlySet<string> = new Set(["read", "glob", "grep", "list"]);
const WRITES: ReadonlySet<string> = new Set(["edit", "write", "patch", "multiedit", "apply_patch"]);

function wholeTool(name: string, kind: RuleKind): Imported {
  const setting = `${name}: ${kind}`;
  if (name === "*") return everything("permission.*", kind);
  if (name === "bash") return commandRule(kind, "*", true, setting);
  if (WRITES.has(name)) return pathRule(kind, "write", "**", setting);
  // reading is never asked about, so it needs no allow rule
  if (READS.has(name)) return kind === "allow" ? together([]) : pathRule(kind, "read", "**", setting);
  if (name === "external_directory" || name === "doom_loop") return leftOver(setting, "it has no counterpart in rules");
  // there a server's tools are named SERVER_TOOL
  if (name.includes("*")) return serversTools(name, kind, setting);
  return oneRule(kind, name, setting);
}

function serversTools(name: string, kind: RuleKind, setting: string): Imported {
  const [, server] = /^([\w.-]+?)_?\*$/.exec(name) ?? [];
  return server === undefined
    ? leftOver(setting, "a pattern of tools' names has no counterpart; name the tools, or write mcp(SERVER/TOOL)")
    : oneRule(kind, `mcp(${server}/*)`, setting);
}

function byPattern(name: string, value: unknown): Imported {
  const patterns = asObject(value);
  if (patterns !== value) return leftOver(name, "it is none of allow, ask and deny");
  const entries = Object.entries(patterns).flatMap(([pattern, kind]) => (isKind(kind) ? [{ pattern, kind }] : []));
  const odd = Object.keys(patterns).filter((pattern) => !isKind(patterns[pattern]));
  return together([
    ...entries.map((entry) => patternRule(name, entry, entries)),
    ...odd.map((pattern) => leftOver(`${name}: ${pattern}`, "it is none of allow, ask and deny")),
  ]);
}

function patternRule(name: string, entry: Entry, entries: readonly Entry[]): Imported {
  const { pattern, kind } = entry;
  const setting = `${name}: ${pattern}: ${kind}`;
  const at = entries.indexOf(entry);
  const except = entries.flatMap((other, index) =>
    MILDER[other.kind] < MILDER[kind] ? exceptionTo(pattern, other.pattern, index > at) : [],
  );
  if (kind === "allow" && entries.slice(at).some((later) => later.kind === "ask" && later.pattern === "*"))
    return leftOver(setting, "a later * asks about it, and the last pattern decides");
  if (kind === "ask" && pattern === "*")
    return leftOver(setting, "mode: confirm-sensitive asks about everything that is not safe");
  if (name === "bash") return commandRule(kind, pattern, false, setting, except.length > 0 ? { except } : {});
  if (WRITES.has(name) || name === "read") {
    const action = name === "read" ? "read" : "write";
    const excused = except.map(inside);
    return together(
      globsOf(pattern, kind).map((glob) => oneRule(kind, withExceptions(`${action}(${glob})`, excused), setting)),
    );
  }
  if (name === "webfetch") return oneRule(kind, withExceptions(`fetch(${pattern})`, except), setting);
  return leftOver(setting, `patterns of ${name} have no counterpart`);
}

const withExceptions = (rule: string, except: readonly string[]) => (except.length > 0 ? { rule, except } : rule);

/** The narrowest reading of a pattern: a star at the end crosses folders, others do not. */
const inside = (pattern: string): string =>
  pattern === "*"
    ? "**"
    : pattern.replace(/^\$HOME(?=\/)/, "~").replace(/(?<!\*)\*$/, (star) => (pattern.endsWith("/*") ? "**" : star));

/** The widest reading, for rules that forbid: every star crosses folders. */
function globsOf(pattern: string, kind: RuleKind): string[] {
  const glob = inside(pattern);
  if (kind === "allow" || !glob.includes("/")) return [glob];
  const [first = "", ...parts] = glob.split("/");
  const wide = [first, ...parts.map((part) => (part === "*" ? "**" : part.replace(/^\*(?!\*)/, "**/*")))].join("/");
  const deep = wide.replace(/(?<=[^*/])\*(?=[^*/])/g, "*/**/*");
  return [...new Set([wide, deep])];
}
