import { splitLines } from "./lines.ts";

const dots = /\.{3,}|…/;
/** How comments begin in common languages, and how they may end. */
const openings = /^(?:\{\s*\/\*+|\/\*+|\/\/+|#+|<!--+|--+|;+|%+|\{-|\(\*|\{#|\{\{!(?:--)?|<%--|\*)/;
const closings = /(?:(?<!\*)\*+\/\s*\}|(?<!\*)\*+\/|(?<!-)--+>|-\}|\*\)|#\}|(?:--)?\}\}|--%>)$/;
const brackets = /^(?:\((.*)\)|\[(.*)\]|<(.*)>)$/;

/** Words that say that something was left out. */
const telling = new Set(
  (
    "rest remaining remainder existing unchanged unmodified omitted elided snip snipped truncated " +
    "previous same original other others"
  ).split(" "),
);
/** Words that may surround them. */
const plain = new Set(
  (
    "the a an of for in is are as and or to your this that these all any no not with stay stays remain remains keep " +
    "kept leave left here goes go before above below after brevity from changes change changed needed relevant " +
    "code file files content contents text lines line function functions method methods class classes component " +
    "components import imports export exports logic implementation implementations body definition definitions props " +
    "properties fields members state styles rules tests test cases section sections document script module config " +
    "configuration configs options values items entries elements markup html css template data types type variables " +
    "constants handlers routes statements block blocks part parts program source"
  ).split(" "),
);

/**
 * A line that stands for omitted lines, such as a comment of only dots or "rest of the code", and that the old text
 * does not have; undefined if there is none. Code samples in documents may have such lines.
 */
export function omission(text: string, { old, path }: { old: string; path: string }): string | undefined {
  if (!dots.test(text) && !/unchanged|remain|omitted|same/i.test(text)) return undefined;
  const isDocument = /\.(?:md|mdx|markdown|rst|adoc)$/i.test(path);
  let known: Set<string> | undefined;
  let fence: string | undefined;
  for (const line of splitLines(text)) {
    const body = line.text.trim();
    if (isDocument) {
      const mark = /^(?:`{3,}|~{3,})/.exec(body)?.[0];
      if (mark && fence === undefined) fence = mark;
      else if (mark && body === mark && mark.startsWith(fence!)) fence = undefined;
      if (fence !== undefined || (mark ?? "") !== "") continue;
    }
    if (!standsForOthers(body, isDocument)) continue;
    known ??= new Set(splitLines(old).map((each) => each.text.trim()));
    if (!known.has(body)) return body;
  }
  return undefined;
}

const longest = 120;
const longestDots = 12;

function standsForOthers(body: string, isDocument: boolean): boolean {
  if (body.length < 3 || body.length > longest) return false;
  const opening = openings.exec(body)?.[0];
  const bare = body.slice(opening?.length ?? 0).trim();
  const inside = opening === undefined ? bare : bare.replace(closings, "").trim();
  const said = brackets.exec(inside)?.slice(1).find(Boolean)?.trim() ?? inside;
  const hasDots = dots.test(said);
  const words = said.toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? [];
  const isPunctuated = /^[\s.,:;…()[\]*!-]*$/.test(said.replace(/[\p{L}\p{N}_'’]+/gu, ""));
  if (!isPunctuated) return false;
  // in documents a number sign is a heading and a dash a list item
  const isComment = opening !== undefined && (isDocument ? opening.startsWith("<!--") : opening !== "*");
  // many dots are a separator line
  if (words.length === 0) return hasDots && isComment && said.length <= longestDots;
  const tells = words.filter((word) => telling.has(word)).length;
  if (tells === 0 || !words.every((word) => telling.has(word) || plain.has(word))) return false;
  // without a comment sign it must be words between dots and blanks: anything else is code, such as a spread
  if (opening === undefined && !/^[\s.…]*[\p{L}'’]+(?:\s+[\p{L}'’]+)+[\s.…]*$/u.test(said)) return false;
  // dots within a sentence are a pause; a comment without dots needs more than one telling word
  if (hasDots) return /^(?:\.{3}|…)/.test(said) || endsInDots(said);
  return opening !== undefined && opening !== "*" && tells + Number(/\bremains?\b|\bbrevity\b/i.test(said)) > 1;
}

/** Whether it ends in dots, possibly followed by blanks. */
function endsInDots(said: string): boolean {
  let end = said.length;
  while (end > 0 && /[.\s]/.test(said[end - 1] as string)) end -= 1;
  return said[end - 1] === "…" || said.slice(end).includes("...");
}
