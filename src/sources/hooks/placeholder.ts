/** How the file is named in the text of a script: as a variable, never by its own name. */
const FILE = "{file}";
const VARIABLE = "TOOLGATE_FILE_PATH";

type Quote = "" | "'" | '"';
/** What may stand beside it in quotes: a text in which the shell, or another program, would read no code. */
const PLAIN_WORD = /^[\w./:=@%+,-]*$/;

export const namesFile = (command: string): boolean => command.includes(FILE);

/**
 * The command with `{file}` as a variable that the shell does not split. Where it stands in a longer quoted text, which
 * may be code of another shell, it cannot be passed safely, and there is a problem instead.
 */
export function withFile(command: string): { command: string } | { problem: string } {
  let made = "";
  let quote: Quote = "";
  for (let at = 0; at < command.length; at++) {
    const letter = command[at] as string;
    if (command.startsWith(FILE, at)) {
      if (quote !== "" && !isPlainIn(command, at, quote)) return { problem: PROBLEM };
      made += quote === '"' ? `\${${VARIABLE}}` : quote === "'" ? `'"\${${VARIABLE}}"'` : `"\${${VARIABLE}}"`;
      at += FILE.length - 1;
      continue;
    }
    made += letter;
    if (letter === "\\" && quote !== "'") made += command[++at] ?? "";
    else if (quote === "" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === quote) quote = "";
  }
  return { command: made };
}

const PROBLEM = `${FILE} stands in a quoted text with more than a name in it; put ${FILE} outside the quotes, or use "$${VARIABLE}"`;

function isPlainIn(command: string, at: number, quote: Quote): boolean {
  const from = command.lastIndexOf(quote, at) + 1;
  const end = command.indexOf(quote, at + FILE.length);
  return end !== -1 && PLAIN_WORD.test(command.slice(from, end).replaceAll(FILE, ""));
}
