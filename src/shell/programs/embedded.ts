/**
 * Programs that take a command among their own words: attached to an option (`attached`, its last group), as the word
 * after one (`next`), or as all words after one (`rest`), except its options; `valued` are those that take a word.
 */
export type Embedding = {
  attached?: RegExp | undefined;
  next?: RegExp | undefined;
  rest?: RegExp | undefined;
  valued?: RegExp | undefined;
};

/** A word with a blank in it is a whole command. */
const LINE = /^(\S+\s.*)$/s;

/** Settings of ssh that hold a command. */
const CONNECTING = /^(?:-o)?(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ]"?(.+?)"?$/is;

const editor: Embedding = {
  attached: /^(?:(?:-c|\+|--cmd=?):?(?:!|silent !|call system\()|:?sil(?:ent)?!? !)(.+)$/s,
  next: /^(?:-c|--cmd)$/,
};

/** `make` runs `$(shell …)` as soon as it reads it, wherever it occurs. */
const recipes: Embedding = {
  attached: /^(?:(?:--eval=|-E|SHELL=)(.+)|.*\$\(shell ([^)]+)\).*)$/s,
  next: /^(?:-E|--eval)$/,
};

const EMBEDDINGS: Readonly<Record<string, Embedding>> = {
  script: { next: /^(?:-[a-z]*c|--command)$/, attached: /^(?:--command=|-[a-z]{0,8}c)(.+)$/s },
  git: {
    attached:
      /^(?:(?:alias\.[^=]+=|core\.(?:pager|editor|sshCommand|fsmonitor)=|diff\.external=|-c\S+=)!?|--exec=|--upload-pack=|--ext-cmd=)(.+)$/s,
    next: /^(?:alias\.[\w-]+|--exec|-x|--tree-filter|--index-filter|--msg-filter)$/,
    rest: /^(?:run|foreach|--recursive|for-each-repo)$/,
  },
  tar: {
    attached:
      /^(?:--checkpoint-action=exec=|--to-command=|--use-compress-program=|--rsh-command=|--(?:info|new-volume)-script=|-[a-zA-Z]*I)(.+)$/s,
    next: /^(?:--to-command|--use-compress-program|--(?:info|new-volume)-script|-[a-zA-Z]*[IF])$/,
  },
  sed: {
    attached:
      /^(?:(?:.*?[;{}\n][\s\d,$!]{0,32}|(?![sy][^\w\s])[^;{}\n]{0,256}?[/!$\d,]\s{0,8}|\s{0,8})e\s+(.+)|s([^\w\s\\])(?:\\.|(?!\2)[^\\])*\2((?:\\.|(?!\2)[^\\])*)\2[\dgpiImM]*e.*)$/s,
  },
  sort: { attached: /^--comp[a-z-]*=(.+)$/s, next: /^--comp[a-z-]*$/ },
  rg: { attached: /^--(?:pre|hostname-bin)=(.+)$/s, next: /^--(?:pre|hostname-bin)$/ },
  zip: { next: /^-(?:TT|-unzip-command)$/, attached: /^-TT(.+)$/s },
  rsync: { attached: /^(?:--rsh=|-e)(.+)$/s, next: /^(?:-[a-zA-Z]*e|--rsh)$/ },
  ssh: { attached: CONNECTING },
  sftp: { next: /^-S$/, attached: CONNECTING },
  scp: { next: /^-S$/, attached: CONNECTING },
  wget: { attached: /^--use-askpass=(.+)$/s },
  man: { next: /^-P$/, attached: /^(?:--pager=|-P|--html=|-H)(.+)$/s },
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  npx: { next: /^(?:-c|--call)$/, attached: /^--call=(.+)$/s },
  npm: { next: /^(?:-c|--call)$/, attached: /^(?:--call=|--script-shell=)(.+)$/s, rest: /^--$/ },
  "nix-shell": { next: /^--(?:run|command)$/ },
  tmux: {
    attached: LINE,
    rest: /^(?:new|new-session|new-window|neww|split-window|splitw|run|run-shell|respawn-pane|send-keys|send)$/,
    valued: /^-[a-zA-Z]*[censtxyF]$/,
  },
  screen: { attached: LINE, rest: /^-(?=[a-zA-Z]*[dDmSX])[a-zA-Z]+$/, valued: /^-[a-zA-Z]*[cehpsStT]$/ },
  ip: { rest: /^exec$/ },
  xterm: { rest: /^-e$/ },
  tox: { rest: /^--$/ },
  "gnome-terminal": { rest: /^--$/ },
  make: recipes,
  gmake: recipes,
  gdb: {
    attached: /^(?:-{1,2}(?:eval-command|ex|iex)=)?(?:shell\s+|!)(.+)$/s,
    rest: /^-{1,2}args$/,
  },
  hyperfine: { attached: LINE },
  concurrently: { attached: LINE },
  nodemon: { attached: /^--exec=(.+)$/s, next: /^(?:-x|--exec)$/ },
  watchexec: { attached: LINE, rest: /^--$/ },
  split: { attached: /^--f[a-z]*=(.+)$/s, next: /^--f[a-z]*$/ },
  less: { attached: /^\+!(.+)$/s },
  more: { attached: /^\+!(.+)$/s },
  socat: { attached: /^(?:EXEC|exec|SYSTEM|system|SHELL|shell):(.+)$/s },
  nix: { rest: /^(?:-c|--command)$/ },
  mise: { rest: /^--$/ },
  perf: { rest: /^(?:stat|record|trace)$/, valued: /^-[a-zA-Z]*[ceopFGrC]$/ },
  conda: { rest: /^run$/, valued: /^(?:-[np]|--name|--prefix|--cwd)$/ },
  "systemd-run": { rest: /^--$/ },
  expect: { attached: /^(?:spawn|exec) (.+)$/s },
  osascript: { attached: /^do shell script "(.+)"/s },
  sqlite3: { attached: /^\.(?:shell|system) (.+)$/s },
};

/** `any`: a quick check whether a word may be one of them. */
export const EMBEDDED: ReadonlyMap<string, Embedding & { any: RegExp }> = new Map(
  Object.entries(EMBEDDINGS).map(([name, { attached, next, rest, valued }]) => {
    const sources = [attached, next, rest].flatMap((each) => each?.source ?? []);
    return [name, { attached, next, rest, valued, any: new RegExp(sources.join("|"), "s") }];
  }),
);
