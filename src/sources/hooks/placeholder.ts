/** The placeholder for the file in a hook's command. It becomes a variable, never the file's name itself. */
const FILE = "{file}";
const VARIABLE = "TOOLGATE_FILE_PATH";

type Quote = "" | "'" | '"';
/** What may surround it inside quotes: text that neither the shell nor another program would read as code. */
const PLAIN_WORD = /^[\w./:=@%+,-]*$/;

export const namesFile = (command: string): boolean => command.includes(FILE);

/**
 * The command with `{file}` replaced by a variable that the shell does not split. Inside a longer quoted text, which
 * may be code for another shell, it cannot be passed safely, and a problem is returned instead.
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

const PROBLEM = `${FILE} is inside a longer quoted text; put ${FILE} outside the quotes, or use "$${VARIABLE}"`;

function isPlainIn(command: string, at: number, quote: Quote): boolean {
  const from = command.lastIndexOf(quote, at) + 1;
  const end = command.indexOf(quote, at + FILE.length);
  return end !== -1 && PLAIN_WORD.test(command.slice(from, end).replaceAll(FILE, ""));
}
