import type { Edit } from "./decode.ts";
import { countLines } from "./lines.ts";
import { type Replacement, type Request, replaceText } from "./match.ts";

type Replaced = Extract<Replacement, { kind: "replaced" }>;

/** `edits` is set for a single request only: those of several do not refer to one text. */
export type Listed =
  | { text: string; edits: readonly Edit[] | undefined; how: string[] }
  | { failed: Exclude<Replacement, Replaced>; index: number };

/** Applies all requests in order, each to the result of those before, or none. Hints refer to the original text. */
export function replaceEach(content: string, requests: readonly Request[]): Listed {
  const how = new Set<string>();
  const shifts: Shift[] = [];
  let text = content;
  let edits: readonly Edit[] | undefined;
  for (const [index, request] of requests.entries()) {
    const hint = request.line === undefined ? {} : { line: shifted(request.line, shifts) };
    const made = replaceText(text, { ...request, ...hint });
    if (made.kind !== "replaced") return { failed: made, index };
    for (const each of made.how) how.add(each);
    if (requests.some(({ line }, at) => at > index && line !== undefined))
      for (const shift of shiftsOf(text, made)) shifts.push(shift);
    text = made.text;
    edits = requests.length === 1 ? made.edits : undefined;
  }
  return { text, edits, how: [...how] };
}

/** Lines below this one, in the text before, have moved down by `by`. */
type Shift = { below: number; by: number };

function shiftsOf(text: string, { edits, places }: Replaced): Shift[] {
  let moved = 0;
  return edits.map(({ start, end, text: wanted }, index) => {
    const { line, lines } = places[index]!;
    const by = countLines(wanted) - countLines(text.slice(start, end));
    const below = line + lines + moved;
    moved += by;
    return { below, by };
  });
}

const shifted = (line: number, shifts: readonly Shift[]): number =>
  shifts.reduce((at, { below, by }) => (at >= below ? at + by : at), line);
