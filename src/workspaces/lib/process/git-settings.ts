const NOTHING = /[ \t\n\v\f\r]+|[#;][^\n]*/y;
const SECTION = /\[([A-Za-z0-9.-]*)(?:[ \t\v\f\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const NAME = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)/y;
/** A backslash continues on the next line, but not at the end of a comment, and not if it is itself escaped. */
const VALUE = /(?:[^\\"\n#;]|\\.|"(?:[^"\\\n]|\\.)*")*/sy;
const LINE_END = /(?:[#;][^\n]*)?(?:\n|$)/y;

export type Setting = { key: string; value: string };

/**
 * The settings that git reads from a configuration, with keys like `section.name.key`; a line may hold several. Throws
 * for what git would refuse, because another version of git may read it differently.
 */
export function settingsIn(given: string): Setting[] {
  const text = given.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const settings: Setting[] = [];
  let section = "";
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (take(NOTHING)) continue;
    const header = take(SECTION);
    if (header) {
      section = header[2] === undefined ? `${header[1]}` : `${header[1]}.${header[2]}`;
      continue;
    }
    const name = take(NAME);
    const value = name?.[2] ? (take(VALUE)?.[0] ?? "") : "";
    if (!name || !take(LINE_END)) throw new Error("not a configuration of git");
    // quotes and escaped line breaks may be anywhere in a value
    settings.push({ key: `${section}.${name[1]}`, value: value.trim().replace(/\\\n|\\(.)|"/g, "$1") });
  }
  return settings;
}
