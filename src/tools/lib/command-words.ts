/** The simple commands of a line, found by its text alone rather than by parsing: only for hints. */
export function commandsOf(line: string): string[][] {
  const bare = line.replace(/\\[\s\S]|'[^']*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)/g, "x");
  return bare
    .split(/[;&|\n]+/)
    .map((part) => part.split(/\s+/).filter((word) => word !== "" && word !== "!" && !/^\w+=/.test(word)))
    .filter((words) => words.length > 0);
}

export const nameOf = ([first = ""]: readonly string[]): string => first.slice(first.lastIndexOf("/") + 1);

const ANSWERS: Readonly<Record<string, string>> = {
  grep: "nothing matches",
  egrep: "nothing matches",
  fgrep: "nothing matches",
  zgrep: "nothing matches",
  rg: "nothing matches",
  ag: "nothing matches",
  test: "it is false",
  "[": "it is false",
  "[[": "it is false",
  diff: "they differ",
  cmp: "they differ",
  which: "there is none",
  pgrep: "there is none",
};

/** What exit code 1 of a line's last command means, if it is an answer and not a failure. */
export function answerOf(line: string): string | undefined {
  const last = commandsOf(line).at(-1) ?? [];
  const name = nameOf(last);
  if (name === "git") {
    const [, what, ...options] = last;
    if (what === "grep") return ANSWERS.grep;
    return what === "diff" && options.some((each) => /^--(?:exit-code|quiet|no-index)$/.test(each))
      ? ANSWERS.diff
      : undefined;
  }
  return Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
}

/** Programs that take over the terminal, and the options with which they do not. */
const FULL_SCREEN: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ["vi", "vim", "nvim", "view"].map((name) => [name, /^(?:-[a-zA-Z]*[eEs]|--headless|--version|--help)/]),
  ),
  ...Object.fromEntries(
    ["nano", "pico", "micro", "hx", "helix", "mc", "tig", "lazygit"].map((name) => [
      name,
      /^--?(?:version|help|[Vh])$/,
    ]),
  ),
  emacs: /^--?(?:batch|script|version|help|daemon)/,
  top: /^-[a-zA-Z]*[bhv]/,
  htop: /^--?(?:version|help|[Vh])$/,
  btop: /^--?(?:version|help|[vh])$/,
  ncdu: /^-[a-zA-Z]*o|^--version/,
  ...Object.fromEntries(
    ["watch", "ranger", "nnn", "k9s", "lazydocker", "cmatrix", "joe", "iotop", "nvtop"].map((name) => [
      name,
      /^--?(?:version|help|[Vvh])$/,
    ]),
  ),
};

/** Full-screen programs by the text of a line alone: the name may also be in a comment or here-document. */
export const fullScreenNames = (line: string): string[] => [
  ...new Set(
    commandsOf(line)
      .map(nameOf)
      .filter((name) => Object.hasOwn(FULL_SCREEN, name)),
  ),
];

/** Whether a command is this program, without an option that makes it non-interactive. */
export function isFullScreen(name: string, [first, ...rest]: readonly (string | undefined)[]): boolean {
  if (first === undefined || nameOf([first]) !== name) return false;
  return !rest.some((word) => word !== undefined && FULL_SCREEN[name]?.test(word));
}
