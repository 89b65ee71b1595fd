// Which tests reach which functions: a plugin that counts, and what it counted.
import { createHash } from "node:crypto";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { functionsOf } from "./mutants.mjs";

/** A function is known by its text, so that neither a change elsewhere nor another place of its file hides it. */
const keyOf = (text) => createHash("sha1").update(text).digest("hex").slice(0, 12);

/** Reach 0 is the module itself: it is reached by whoever imports it. */
export function reachKeys(file, source) {
  const functions = functionsOf(parseSync(file, source).program);
  return [path.basename(file), ...functions.map(({ start, end }) => keyOf(source.slice(start, end)))];
}

/** Has every function of `src` tell when it runs. */
export const reachPlugin = (root) => ({
  name: "reach",
  enforce: "pre",
  transform(source, id) {
    const file = path.relative(root, id.split("?", 1)[0]);
    if (!file.startsWith("src/") || !file.endsWith(".ts") || file.endsWith(".test.ts")) return;
    const keys = reachKeys(file, source);
    const tell = (index) => `globalThis.__reach?.(${JSON.stringify(keys[index])})`;
    const inserts = functionsOf(parseSync(file, source).program).flatMap(({ body }, index) =>
      body.type === "BlockStatement"
        ? [{ at: body.start + 1, text: `${tell(index + 1)};` }]
        : [
            { at: body.start, text: `(${tell(index + 1)}, ` },
            { at: body.end, text: ")" },
          ],
    );
    let code = source;
    // inner insertions at the same place come first, so that the order of the text is kept
    for (const { at, text } of inserts.sort((a, b) => b.at - a.at)) code = code.slice(0, at) + text + code.slice(at);
    return { code: `${code}\n;${tell(0)};`, map: null };
  },
});
