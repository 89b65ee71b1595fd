import { eachOf } from "../lists.ts";
import { chosenByRipgrep, includedByGrep } from "./chosen-names.ts";
import { follows, type Given, has, hasAny, looks, type Parsed, type Program } from "./program.ts";

const NOTHING: readonly [] = [];
const PATTERNS = ["-e", "-f", "--regexp", "--file"];
const RECURSIVE: ReadonlySet<string> = new Set(["-r", "-R", "--recursive", "--dereference-recursive"]);
const recursive = ({ options }: Parsed): boolean => {
  for (let index = 0; index < options.length; index++) {
    const { name, value } = options[index] as Given;
    if (RECURSIVE.has(name)) return true;
    if (value?.text === "recurse" && (name === "-d" || name === "--directories")) return true;
  }
  return false;
};

const grep = looks(
  "-abcEFGhHiIlLnoPqrRsTuUvVwxyzZ -A: -B: -C: -D: -d: -e: -f:read -m: -# --after-context= --before-context= --context= --basic-regexp --binary --binary-files= --byte-offset --color=? --colour=? --count --dereference-recursive --devices= --directories= --exclude= --exclude-dir= --exclude-from=read --extended-regexp --file=read --files-with-matches --files-without-match --fixed-strings --group-separator= --no-group-separator --ignore-case --no-ignore-case --include= --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-messages --null --null-data --only-matching --perl-regexp --quiet --silent --recursive --regexp= --text --with-filename --word-regexp --help --version",
  "text read*",
  {
    inert: true,
    abbreviates: true,
    patternOptions: PATTERNS,
    chooses: includedByGrep,
    more: (parsed) => {
      if (!recursive(parsed)) return NOTHING;
      const paths = parsed.operands.slice(hasAny(parsed, PATTERNS) ? 0 : 1);
      if (paths.length === 0) return [["tree", "."]];
      return has(parsed, "-d", "--directories") ? eachOf(paths, ({ text }) => ["tree", text] as const) : NOTHING;
    },
    beyond: follows("-R", "--dereference-recursive"),
    roles: {
      "-r": "text tree*",
      "-R": "text tree*",
      "--recursive": "text tree*",
      "--dereference-recursive": "text tree*",
    },
  },
);

export const SEARCHING: Readonly<Record<string, Program>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: { ...grep, class: "dangerous" },
  rg: looks(
    "-abcFHhiIlLNnopPqsSTuUvVwx0. -A: -B: -C: -d: -E: -e: -f:read -g: -j: -m: -M: -r: -t: -T: --after-context= --before-context= --context= --auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context-separator= --count --count-matches --crlf --debug --encoding= --engine= --field-context-separator= --field-match-separator= --file=read --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --hidden --iglob= --ignore-case --ignore-file=read --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim --type= --type-not= --type-list --unrestricted --vimgrep --with-filename --word-regexp --help --version",
    "text tree*",
    {
      patternOptions: [...PATTERNS, "--files", "--type-list"],
      always: ["read", "."],
      chooses: chosenByRipgrep,
      beyond: follows("-L", "--follow"),
    },
  ),
  ag: looks(
    "-acilLnQsSvw -A: -B: -C: -G: -m: --nocolor --nogroup --hidden --literal --ignore= --count --files-with-matches",
    "text tree*",
    { always: ["read", "."] },
  ),
  fd: looks(
    "-HIusigalpLF0q1 -d: -t: -e: -E: -S: -c: -j: --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --type= --extension= --exclude= --size= --changed-within= --changed-before= --color= --max-results= --quiet --version --help",
    "text list-tree*",
    { always: ["list", "."], beyond: follows("-L", "--follow") },
  ),
  locate: looks("-bceiSqw -l: -n: --limit= --count --ignore-case --basename", "text*", { permissions: ["read"] }),
  find: looks(
    "-H -L -P -amin= -anewer=list -atime= -cmin= -cnewer=list -ctime= -mmin= -mtime= -newer=list -newermt= -newerat= -newerct= -empty -executable -readable -writable -false -true -fstype= -gid= -uid= -user= -group= -ilname= -lname= -iname= -name= -inum= -ipath= -path= -iregex= -regex= -regextype= -iwholename= -wholename= -links= -nogroup -nouser -perm= -samefile=list -size= -type= -xtype= -used= -maxdepth= -mindepth= -depth -d -daystart -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -nowarn -warn -print -print0 -printf= -ls -prune -quit -not -and -or -a -o -help -version --help --version",
    "list-tree*",
    { style: "word", otherwise: ["list-tree", "."], beyond: follows("-L", "-H", "-follow") },
  ),
};
