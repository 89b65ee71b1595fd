/** Where a JSON text stops or goes wrong, in words that a model can act on. */
type Broken = { at: number; cutOff: boolean; where: string };

/**
 * Parses invalid JSON until it cannot go on. A text that ends too early was cut off, and should be sent again; anything
 * else is a mistake at one place.
 */
export function brokenJson(text: string): Broken {
  const open: ("object" | "array")[] = [];
  let at = 0;
  // what may come next: a value, a key, a colon, or what follows a value
  let expects: "value" | "first" | "key" | "first key" | "colon" | "next" = "value";
  const end = (where: string): Broken => ({ at: text.length, cutOff: true, where });
  const wrong = (): Broken => ({ at, cutOff: false, where: JSON.stringify(text.slice(at, at + 12)) });
  const inside = (): string => `in the middle of ${open.at(-1) === "array" ? "a list" : "an object"}`;
  for (;;) {
    while (at < text.length && " \t\r\n".includes(text[at] as string)) at += 1;
    const character = text[at];
    if (character === undefined) return end(inside());
    if (expects === "colon") {
      if (character !== ":") return wrong();
      at += 1;
      expects = "value";
      continue;
    }
    const closes = character === "}" ? "object" : character === "]" ? "array" : undefined;
    if (closes && open.at(-1) === closes && (expects === "next" || expects.startsWith("first"))) {
      open.pop();
      at += 1;
      expects = "next";
      continue;
    }
    if (expects === "next") {
      if (character !== "," || open.length === 0) return wrong();
      at += 1;
      expects = open.at(-1) === "object" ? "key" : "value";
      continue;
    }
    if (character === '"') {
      const stop = stringEnd(text, at);
      if (stop === undefined) return end("in the middle of a string");
      if (stop < 0) {
        at = -stop;
        return wrong();
      }
      at = stop;
      expects = expects.endsWith("key") ? "colon" : "next";
      continue;
    }
    if (expects.endsWith("key")) return wrong();
    if (character === "{" || character === "[") {
      open.push(character === "{" ? "object" : "array");
      at += 1;
      expects = character === "{" ? "first key" : "first";
      continue;
    }
    const word = /^[-+.\w]+/.exec(text.slice(at, at + 400))?.[0] ?? "";
    const whole = isScalar(word);
    if (at + word.length === text.length && !whole && /^(?:-?[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/.test(word))
      return end("in the middle of a value");
    if (!whole) return wrong();
    at += word.length;
    expects = "next";
  }
}

function isScalar(word: string): boolean {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(word);
}

/** The index after the closing quote; undefined if there is none; negative for the position of an invalid character. */
function stringEnd(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') return at + 1;
    if (character < " ") return -at;
    if (character !== "\\") continue;
    const code = text.slice(at + 1, at + 6);
    if (code === "" || (code[0] === "u" && code.length < 5 && /^u[\da-fA-F]*$/.test(code))) return undefined;
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(code)) return -at;
    at += code[0] === "u" ? 5 : 1;
  }
  return undefined;
}
