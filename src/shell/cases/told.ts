import type { Claim } from "../../core/words/touch.ts";
import { type AnalyseOptions, analyse, codeIn } from "../analyse.ts";

const permissions = (claim: Extract<Claim, { action: "unknown" }>): string =>
  claim.permissions.map((permission) => permission[0]).join("");

const touched = (claim: Claim): string => {
  switch (claim.action) {
    case "read":
    case "list":
    case "write":
    case "delete":
      return `${claim.action} ${claim.target}${claim.scope ? `/${claim.scope}` : ""}${claim.certain === false ? "?" : ""}`;
    case "fetch":
      return `fetch ${claim.url}`;
    case "signal":
      return `signal ${claim.target}`;
    case "unknown":
      return `any ${permissions(claim)}`;
    default:
      return claim.action;
  }
};

/** All that an analysis says, in one line: the verdict, each command with its class, what is touched, and why. */
export const told = (line: string, options: AnalyseOptions = {}): string => {
  const { class: kind, risk, segments, touches, reason, parsed } = analyse(line, options);
  const commands = segments.map((segment) => `${segment.program ?? "·"} ${segment.class}`).join(", ");
  const verdict = `${kind} ${risk}${parsed ? "" : " unparsed"}`;
  return [verdict, commands, touches.map(touched).join(", "), reason].join(" | ");
};

/** A touch with what is seldom said of one: that what is behind a link is meant, whose names are brought, by which method. */
const touchedInFull = (claim: Claim): string => {
  const more = [
    ...("itself" in claim ? [claim.itself ? "itself" : "behind links"] : []),
    ...("brings" in claim ? [`brings ${claim.brings}`] : []),
    ...("method" in claim ? [`by ${claim.method}`] : []),
  ];
  return more.length === 0 ? touched(claim) : `${touched(claim)} (${more.join(", ")})`;
};

/** All that is touched. */
export const toldOfTouches = (line: string, options: AnalyseOptions = {}): string =>
  analyse(line, options).touches.map(touchedInFull).join(", ") || "nothing";

/** What is known of a line beyond its verdict: what it makes use of, and the words of each command; `=`: nothing but these. */
export const toldOfWords = (line: string, options: AnalyseOptions = {}): string => {
  const { segments, uses, sure } = analyse(line, options);
  const used = Object.entries(uses).flatMap(([use, isUsed]) => (isUsed ? [use] : []));
  const commands = segments.map(
    ({ words, plain }) => `${plain ? "=" : ""}[${words.map((word) => word ?? "?").join("·")}]`,
  );
  return [sure ? "sure" : "unsure", used.join(" "), commands.join(" ")].join(" | ");
};

const SUFFIXES =
  ".js .cjs .mjs .ts .mts .cts .tsx .jsx .json .py .rb .lua .pl .pm /index.js /__main__.py /__init__.py /package.json".split(
    " ",
  );
const CONFIGS = ".config.js .config.cjs .config.mjs .config.ts .config.cts .config.mts".split(" ");

/** Names that differ only by all of these endings, as one. */
const together = (names: ReadonlySet<string>, endings: readonly string[], sign: string): Set<string> => {
  const first = endings[0] as string;
  const stems = [...names].filter((name) => name.endsWith(first)).map((name) => name.slice(0, -first.length));
  const whole = stems.filter((stem) => endings.every((ending) => names.has(stem + ending)));
  const known = new Set(whole.flatMap((stem) => endings.map((ending) => stem + ending)));
  return new Set([...[...names].filter((name) => !known.has(name)), ...whole.map((stem) => stem + sign)]);
};

/** The files that decide what a line runs; `a+` is `a` by every ending that an interpreter adds. */
export const toldOfCode = (line: string, options: AnalyseOptions = {}): string => {
  const { files, open } = codeIn(line, options);
  const names = new Set(files.map(({ target, part }) => (part === undefined ? target : `${target}#${part}`)));
  const short = together(together(names, SUFFIXES, "+"), CONFIGS, ".config.*");
  return [...(open ? ["and others:"] : []), ...short].join(" ") || "nothing";
};
