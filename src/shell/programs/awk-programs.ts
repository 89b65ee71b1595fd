/** One token of awk. A slash starts a pattern where no value stands before it. */
const TOKEN =
  /\s+|#[^\n]*|"(?:[^"\\\n]|\\[\s\S])*"|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+|[A-Za-z_]\w*|\|\||&&|[=!<>]=|[+\-*/%^]=|\+\+|--|!~|[\s\S]/y;
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n/]|\\.)*\])*\//y;
const VALUE = /^(?:[\w.]|"|\)|\]|\$)/;
const KEYWORDS: ReadonlySet<string> = new Set(
  "print printf if else while for do in return delete next nextfile exit BEGIN END BEGINFILE ENDFILE break continue".split(
    " ",
  ),
);
/** These run commands, read files that the command line does not name, or define what is not looked at. */
const ACTING: ReadonlySet<string> = new Set(
  "system getline close fflush function func ARGV ARGC ARGIND include load namespace extension dbopen".split(" "),
);
/** What may be called; anything else is defined elsewhere. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  "length substr index split sub gsub gensub match sprintf tolower toupper int sqrt exp log sin cos atan2 rand srand strftime systime mktime asort asorti patsplit strtonum".split(
    " ",
  ),
);
const MOST = 4_096;

type State = { depth: number; printing: boolean; before: string };

/** Why the program is not proven from this token on: it redirects output, or acts. */
const acts = (token: string, state: State): boolean => {
  if (ACTING.has(token) || token === "|" || token === "@" || token === "\\" || token === "`") return true;
  if (!state.printing) return false;
  return token === ">" ? state.depth <= 0 : (token === ";" || token === "}") && state.depth !== 0;
};

const follow = (token: string, state: State): void => {
  if (token === "(" || token === "[") state.depth++;
  else if (token === ")" || token === "]") state.depth--;
  else if (token === "print" || token === "printf") {
    state.printing = true;
    state.depth = 0;
  } else if (token === ";" || token === "}" || token === "{") state.printing = false;
  if (!/^\s|^#/.test(token)) state.before = token;
};

const startsPattern = ({ before }: State): boolean => before === "" || KEYWORDS.has(before) || !VALUE.test(before);

/** `(a) / b` divides, `if (a) / b /` does not: where one of them is all there is, the difference hides nothing. */
const isAmbiguous = ({ before }: State, program: string, at: number): boolean =>
  before === "++" || before === "--" || (before === ")" && program.indexOf("/", at + 1) > 0);

/** Whether a program of awk only works out and prints: no commands, no other files, no output but its own. */
export const onlyComputes = (program: string): boolean => {
  const state: State = { depth: 0, printing: false, before: "" };
  if (program.length > MOST) return false;
  for (let at = 0; at < program.length; ) {
    let reader = TOKEN;
    if (program[at] === "/") {
      if (isAmbiguous(state, program, at)) return false;
      if (startsPattern(state)) reader = PATTERN;
    }
    reader.lastIndex = at;
    const token = reader.exec(program)?.[0];
    if (token === undefined || token === '"' || acts(token, state)) return false;
    const isCall = program[at + token.length] === "(" && /^[A-Za-z_]/.test(token);
    if (isCall && !FUNCTIONS.has(token) && !KEYWORDS.has(token)) return false;
    if (reader === PATTERN) state.before = '"';
    else follow(token, state);
    at += token.length;
  }
  return true;
};
