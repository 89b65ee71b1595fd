/** One token of awk, where no pattern starts. */
const TOKEN =
  /\s+|#[^\n]*|"(?:[^"\\\n]|\\[\s\S])*"|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+|[A-Za-z_]\w*|\|\||&&|[=!<>]=|[+\-*/%^]=|\+\+|--|!~|[\s\S]/y;
/** Awks differ in whether a slash in brackets ends a pattern, so none is accepted. Classes must be complete. */
const PATTERN =
  /\/(?:[^/\\\n[]|\\.|\[(?:\^|(?!\^))(?:\]|(?!\]))(?:\[[:.=][\w-]+[:.=]\]|(?!\[[:.=])[^\]\\\n/]|\\.)*\])*\//y;
/** No awk reads a pattern beyond its line. */
const CLOSED = /^\/(?:[^\n/\\]|\\[\s\S])*[/\\]/;
const named = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const KEYWORDS = named(
  "print printf if else while for do in return delete next nextfile exit switch case default BEGIN END BEGINFILE ENDFILE break continue",
);
/** Keywords that a value follows: a slash after them starts a pattern. */
const LEADING = named("print printf else do return exit case");
/** These run commands, read files that the command line does not name, or define functions, which are not analysed. */
const ACTING = named(
  "system getline close fflush function func ARGV ARGC ARGIND include load namespace extension dbopen eval",
);
/** What may be called; anything else is defined elsewhere. */
const FUNCTIONS = named(
  "length substr index split sub gsub gensub match sprintf tolower toupper int sqrt exp log sin cos atan2 rand srand strftime systime mktime asort asorti patsplit strtonum",
);
const MOST = 4_096;
const MOST_STEPS = 4 * MOST;

/** What a slash means at a place: the start of a pattern, a division, or either, depending on the awk. */
type Slash = "pattern" | "division" | "either";
/** A place in a program and what was read before it. */
type State = { at: number; depth: number; printing: boolean; slash: Slash };

/** Why the program is not proven harmless from this token on: it redirects output or has effects. */
const acts = (token: string, state: State): boolean => {
  if (ACTING.has(token) || token === "|" || token === "@" || token === "\\" || token === "`") return true;
  if (!state.printing) return false;
  return token === ">" ? state.depth <= 0 : (token === ";" || token === "}") && state.depth !== 0;
};

const slashAfter = (token: string, before: Slash): Slash => {
  if (/^[\s#]/.test(token)) return before === "division" && token.includes("\n") ? "either" : before;
  if (/^["\d\]]|^\.\d/.test(token)) return "division";
  if (/^\w/.test(token))
    return LEADING.has(token) ? "pattern" : KEYWORDS.has(token) || FUNCTIONS.has(token) ? "either" : "division";
  return token === ")" || token === "$" || token === "++" || token === "--" ? "either" : "pattern";
};

const after = (token: string, { at, depth, printing, slash }: State): State => {
  const next = { at: at + token.length, depth, printing, slash: slashAfter(token, slash) };
  if (token === "(" || token === "[") next.depth++;
  else if (token === ")" || token === "]") next.depth--;
  else if (token === "print" || token === "printf") {
    next.printing = true;
    next.depth = 0;
  } else if (token === ";" || token === "}" || token === "{") next.printing = false;
  return next;
};

const read = (reader: RegExp, program: string, at: number): string | undefined => {
  reader.lastIndex = at;
  return reader.exec(program)?.[0];
};

/** All ways to read the program from a place on; undefined if one of them does more than compute and print. */
const readings = (program: string, state: State): State[] | undefined => {
  const { at, slash } = state;
  const next: State[] = [];
  if (program[at] === "/" && slash !== "division") {
    const pattern = read(PATTERN, program, at);
    if (pattern !== undefined) next.push({ ...state, at: at + pattern.length, slash: "either" });
    else if (slash === "pattern" || CLOSED.test(program.slice(at))) return undefined;
    if (slash === "pattern") return next;
  }
  const token = read(TOKEN, program, at);
  if (token === undefined || token === '"' || acts(token, state)) return undefined;
  const isCall = program[at + token.length] === "(" && /^[A-Za-z_]/.test(token);
  if (isCall && !FUNCTIONS.has(token) && !KEYWORDS.has(token)) return undefined;
  next.push(after(token, state));
  return next;
};

/**
 * Whether an awk program only computes and prints: no commands, no other files, no output but its own. If a slash may
 * start a pattern or divide, both readings must be harmless, because a string in one is code in the other.
 */
export const onlyComputes = (program: string): boolean => {
  if (program.length > MOST) return false;
  const open: State[] = [{ at: 0, depth: 0, printing: false, slash: "pattern" }];
  const seen = new Set<string>();
  let steps = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (state.at >= program.length) continue;
    if (++steps > MOST_STEPS) return false;
    if (program[state.at] === "/") {
      const key = `${state.at} ${state.depth} ${state.printing} ${state.slash}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    const next = readings(program, state);
    if (next === undefined) return false;
    open.push(...next);
  }
  return true;
};
