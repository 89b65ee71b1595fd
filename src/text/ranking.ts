/**
 * Ranks texts by a query: Okapi BM25 over words of any script. The time is linear in the length of the texts, and
 * nothing in a query is a pattern.
 */
export type RankedField = { name: string; text: string; weight: number };
export type Fit = {
  index: number;
  score: number;
  /** The words of the query that were found, in which fields, and as which other word, if any. */
  matched: readonly { word: string; fields: readonly string[]; as?: string }[];
};

const MOST_QUERY_WORDS = 64;
const SATURATION = 1.2;
const LENGTH_MATTERS = 0.75;
/** The weight of a word that only shares its beginning, such as deploy and deployment. */
const KIN = 0.5;
const SHORTEST_KIN = 4;

/** Scripts without spaces between words: their text is split into single characters and pairs. */
// functions, because compiling such a pattern takes long, and most processes rank nothing
const unspaced = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/u;
const runs = () =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]+|[\p{L}\p{N}\p{M}]+/gu;
const humps = () => /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Normalizes forms that people take as equal: width and accents on letters. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");

/** The words of a text, in order. `asQuery` uses pairs where possible, so that a single character matches little. */
export function wordsOf(text: string, asQuery = false): string[] {
  const words: string[] = [];
  for (const [run] of folded(text).matchAll(runs())) {
    if (unspaced().test(run)) addPairs(words, [...run.toLowerCase()], asQuery);
    else addWord(words, run);
  }
  return words;
}

function addPairs(words: string[], characters: readonly string[], asQuery: boolean): void {
  if (!asQuery || characters.length === 1) for (const character of characters) words.push(character);
  for (let at = 1; at < characters.length; at++) words.push(`${characters[at - 1]}${characters[at]}`);
}

/** maxRetries is found as a whole, by max and by retries. */
function addWord(words: string[], run: string): void {
  words.push(run.toLowerCase());
  if (run.length > 100 || !humps().test(run)) return;
  for (const part of run.split(humps())) words.push(part.toLowerCase());
}

type Counts = ReadonlyMap<string, number>;
type Document = { fields: readonly { name: string; weight: number; counts: Counts }[]; length: number };

function countsOf(words: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function documentOf(fields: readonly RankedField[]): Document {
  let length = 0;
  const counted = fields.map(({ name, text, weight }) => {
    const words = wordsOf(text);
    length += words.length * weight;
    return { name, weight, counts: countsOf(words) };
  });
  return { fields: counted, length };
}

const isKin = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= SHORTEST_KIN && long.length <= short.length * 2 && long.startsWith(short);
};

type Hit = { frequency: number; fields: string[]; as?: string };

/** How often a word occurs in a document; related words count less, and each field by its weight. */
function hitOf(word: string, { fields }: Document): Hit | undefined {
  let frequency = 0;
  let as: string | undefined;
  let isExact = false;
  const where: string[] = [];
  for (const { name, weight, counts } of fields) {
    const exact = counts.get(word) ?? 0;
    let kin = 0;
    if (word.length >= SHORTEST_KIN)
      for (const [other, count] of counts)
        if (other !== word && isKin(word, other)) {
          kin += count;
          as ??= other;
        }
    if (exact + kin === 0) continue;
    isExact ||= exact > 0;
    where.push(name);
    frequency += weight * (exact + KIN * kin);
  }
  if (where.length === 0) return undefined;
  return { frequency, fields: where, ...(!isExact && as !== undefined && { as }) };
}

/** The texts that contain a word of the query, best first; equal ones in the given order. */
export function rank(query: string, texts: readonly (readonly RankedField[])[]): Fit[] {
  const words = [...new Set(wordsOf(query, true))].slice(0, MOST_QUERY_WORDS);
  if (words.length === 0 || texts.length === 0) return [];
  const documents = texts.map(documentOf);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length || 1;
  const hits = words.map((word) => documents.map((document) => hitOf(word, document)));
  const rarity = hits.map((found) => {
    const having = found.filter(Boolean).length;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  });
  const fits = documents.flatMap(({ length }, index): Fit[] => {
    const damping = SATURATION * (1 - LENGTH_MATTERS + (LENGTH_MATTERS * length) / average);
    const matched: Fit["matched"][number][] = [];
    let score = 0;
    for (const [at, word] of words.entries()) {
      const hit = hits[at]?.[index];
      if (!hit) continue;
      score += ((rarity[at] ?? 0) * hit.frequency * (SATURATION + 1)) / (hit.frequency + damping);
      matched.push({ word, fields: hit.fields, ...(hit.as !== undefined && { as: hit.as }) });
    }
    return matched.length > 0 ? [{ index, score, matched }] : [];
  });
  return fits.sort((a, b) => b.score - a.score || a.index - b.index);
}
