// All mutants of a file at once, each behind a switch: tests go from one to the next without a new start.
import { parseSync } from "oxc-parser";
import { mutantsOf } from "./mutants.mjs";

/**
 * The source with a switch around everything that a mutant replaces; `first` is the number of the file's first mutant.
 * A mutant that cannot have one, since brackets would change the meaning of what is around it, is only in `left`.
 */
export function switched(file, source, first) {
  const chains = chainsOf(parseSync(file, source).program);
  const left = [];
  const edits = mutantsOf(file, source).flatMap((mutant, index) => {
    const edit = switchOf(mutant, source, `globalThis.__mutant?.(${first + index})`, chains);
    if (!edit) left.push(first + index);
    return edit ? [{ ...edit, index }] : [];
  });
  return { code: withEdits(source, edits), left };
}

function switchOf({ start, end, text, what, kind, own }, source, on, chains) {
  const edit = (from, to, before, after, drop = 0) => ({ start: from, end: to, before, after, drop });
  switch (kind) {
    case "statement":
      return edit(start, end, `{if(!${on}){`, "}}");
    case "finally":
      return edit(start + 1, end - 1, `if(!${on}){`, "}");
    case "name": {
      const dot = source[start - 2] === "?" ? start : start - 1;
      return edit(dot, end, `[${on}?"${text}":"`, `"]`, start - dot);
    }
    case "element": {
      const isSpread = source.startsWith("...", start);
      const [open, close] = isSpread ? ["(", ")"] : ["[", "]"];
      return edit(start, own, `...(${on}?[]:${open}`, `${close})`, isSpread ? 3 : 0);
    }
    default: {
      // within a?.b.filter(…).map(…) brackets would end what ?. leaves out
      const isInChain = chains.some((each) => each.start === start && end < each.end);
      return isInChain && what.startsWith("without .filter") ? undefined : edit(start, end, `(${on}?(${text}):(`, "))");
    }
  }
}

function chainsOf(program) {
  const chains = [];
  const look = (node) => {
    if (node.type === "ChainExpression") chains.push(node);
    for (const key in node) {
      const child = node[key];
      if (Array.isArray(child)) for (const each of child) each?.type && look(each);
      else if (child?.type) look(child);
    }
  };
  look(program);
  return chains;
}

/** Of two that begin at one place the longer is opened first, and closed last. */
function withEdits(source, edits) {
  const points = edits
    .flatMap(({ start, end, before, after, drop, index }) => [
      { at: start, order: [1, start - end, index], text: before, drop },
      { at: end, order: [0, end - start, -index], text: after, drop: 0 },
    ])
    .sort((a, b) => a.at - b.at || a.order.map((each, n) => each - b.order[n]).find((each) => each !== 0) || 0);
  let code = "";
  let at = 0;
  for (const point of points) {
    if (point.at > at) code += source.slice(at, point.at);
    at = Math.max(at, point.at + point.drop);
    code += point.text;
  }
  return code + source.slice(at);
}

/** `numbers`: the number of each file's first mutant. `fixed`: this mutant is there for real, and no other. */
export const switchPlugin = (root, { numbers, fixed }) => ({
  name: "switches",
  enforce: "pre",
  transform(source, id) {
    const file = id.split("?", 1)[0].slice(root.length + 1);
    const first = numbers[file];
    if (first === undefined) return;
    if (fixed === undefined) return { code: switched(file, source, first).code, map: null };
    const mutant = mutantsOf(file, source)[fixed - first];
    if (!mutant) return;
    return { code: source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end), map: null };
  },
});
