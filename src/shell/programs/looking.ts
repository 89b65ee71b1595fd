import { FOLLOWS, follows, has, hasAny, listed, looks, named, type Program, writesSecond } from "./program.ts";

const HELP = "--help --version";
const inert = { inert: true, abbreviates: true } as const;
const sums = looks(
  `-b -c -t -w -z --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn ${HELP}`,
  "read*",
  { ...inert, beyond: named("-c", "--check") },
);

/** `@file` takes words from a file, anywhere on the line; they may be any option, including one that loads code. */
const ofBinutils: Partial<Program> = {
  objection: ({ operands, options }) =>
    operands.some(({ text }) => text.startsWith("@")) || options.some(({ value }) => value?.text.startsWith("@"))
      ? "it takes its arguments from a file"
      : undefined,
};

/** An address, or the name of a commit. */
const FETCHED = /:\/\/|^git@|^[\da-f]{5,64}$/;
const ARCHIVE = /\.(?:tar|tgz|zip|gz|bz2|xz|zst|jar|whl|7z|deb|rpm)$/i;

const listedElsewhere = named("--files0-from");
const followsLinks = follows("-L", "--dereference");

const NOTHING: readonly [] = [];
const RECURSIVE = ["-R", "--recursive"];

/** Read-only programs for files and folders. */
export const LOOKING: Readonly<Record<string, Program>> = {
  ls: looks(
    `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I: -T: -w: --all --almost-all --author --escape --block-size= --ignore-backups --color=? --directory --dired --classify=? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference --hide= --hyperlink=? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero ${HELP}`,
    "list*",
    {
      ...inert,
      otherwise: ["list", "."],
      roles: { "-R": "list-tree*", "--recursive": "list-tree*" },
      more: (parsed) => (parsed.operands.length === 0 && hasAny(parsed, RECURSIVE) ? [["list-tree", "."]] : NOTHING),
      beyond: (parsed) => (hasAny(parsed, RECURSIVE) && has(parsed, "-L", "--dereference") ? FOLLOWS : undefined),
    },
  ),
  ...listed(
    "exa eza",
    looks(
      "-1aABdFghHilmrSTUuxGR -L: -s: -I: --all --long --tree --level= --sort= --reverse --icons=? --git-ignore",
      "list*",
      {
        otherwise: ["list", "."],
        roles: { "-T": "list-tree*", "--tree": "list-tree*", "-R": "list-tree*" },
        more: (parsed) =>
          parsed.operands.length === 0 && has(parsed, "-T", "--tree", "-R") ? [["list-tree", "."]] : [],
      },
    ),
  ),
  ...listed(
    "tokei cloc scc",
    looks("--version", "tree*", {
      otherwise: ["tree", "."],
      objection: ({ operands }) => {
        if (operands.some(({ text }) => FETCHED.test(text))) return "it fetches what it counts";
        return operands.some(({ text }) => ARCHIVE.test(text)) ? "it unpacks an archive to look into it" : undefined;
      },
    }),
  ),
  dir: looks("-aAlhR", "list*", { ...inert, otherwise: ["list", "."], roles: { "-R": "list-tree*" } }),
  cat: looks(
    `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP}`,
    "read*",
    inert,
  ),
  head: looks(`-n: -c: -qvz -# --lines= --bytes= --quiet --silent --verbose --zero-terminated ${HELP}`, "read*", inert),
  tail: looks(
    `-n: -c: -fFqvz -s: -# --lines= --bytes= --follow=? --retry --pid= --sleep-interval= --max-unchanged-stats= --quiet --silent --verbose --zero-terminated ${HELP}`,
    "read*",
    inert,
  ),
  wc: looks(`-clmLw --bytes --chars --lines --max-line-length --words --files0-from=read --total= ${HELP}`, "read*", {
    ...inert,
    beyond: named("--files0-from"),
  }),
  tac: looks(`-br -s: --before --regex --separator= ${HELP}`, "read*", inert),
  nl: looks(
    `-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering= --number-format= --number-width= ${HELP}`,
    "read*",
    inert,
  ),
  rev: looks(HELP, "read*", inert),
  tree: looks(
    "-adfilxpugshDFqNQrtcUCnASJX -L: -P: -I: --noreport --dirsfirst --filesfirst --prune --gitignore --du --si --inodes --device --ignore-case --matchdirs --metafirst --charset= --filelimit= --timefmt= --sort=? --help --version",
    "list-tree*",
    { otherwise: ["list-tree", "."], beyond: follows("-l") },
  ),
  file: looks(
    "-biIkLhNnrs0 -e: -F: -f:read -P: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --separator= --files-from=read --help --version",
    "read*",
    { beyond: named("-f", "--files-from") },
  ),
  stat: looks(`-Lft -c: --dereference --file-system --terse --format= --printf= --cached= ${HELP}`, "list*", inert),
  du: looks(
    `-0abchHklLmPsSxD -B: -d: -t: -X:read --all --apparent-size --bytes --total --dereference --dereference-args --human-readable --inodes --max-depth= --null --si --separate-dirs --summarize --threshold= --time=? --time-style= --exclude= --exclude-from=read --files0-from=read --one-file-system --block-size= --count-links ${HELP}`,
    "list-tree*",
    {
      ...inert,
      otherwise: ["list-tree", "."],
      beyond: (parsed) => listedElsewhere(parsed) ?? followsLinks(parsed),
    },
  ),
  df: looks(
    `-ahHiklPTv -B: -t: -x: --all --human-readable --si --inodes --local --portability --print-type --total --type= --exclude-type= --output=? --sync --block-size= ${HELP}`,
    "list*",
    inert,
  ),
  basename: looks(`-az -s: --multiple --suffix= --zero ${HELP}`, "text*", inert),
  dirname: looks(`-z --zero ${HELP}`, "text*", inert),
  realpath: looks(
    `-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero --relative-to=list --relative-base=list ${HELP}`,
    "list*",
    inert,
  ),
  readlink: looks(
    `-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${HELP}`,
    "list*",
    inert,
  ),
  which: looks("-as --all --skip-alias --help --version", "text*"),
  whereis: looks("-bmsul", "text*"),
  type: looks("-aftpP", "text*"),
  md5sum: sums,
  sha1sum: sums,
  sha224sum: sums,
  sha256sum: sums,
  sha384sum: sums,
  sha512sum: sums,
  b2sum: sums,
  shasum: looks("-a: -bcsUw0 --algorithm= --check --text --binary", "read*", { beyond: named("-c", "--check") }),
  md5: looks("-qr -s:", "read*"),
  cksum: looks(`-a: -c --algorithm= --check --raw --tag --untagged ${HELP}`, "read*", {
    ...inert,
    beyond: named("-c", "--check"),
  }),
  sum: looks("-rs --sysv", "read*", inert),
  base64: looks(`-diw -w: --decode --ignore-garbage --wrap= ${HELP}`, "read*", inert),
  base32: looks(`-di -w: --decode --ignore-garbage --wrap= ${HELP}`, "read*", inert),
  od: looks(
    `-abcdfhiloOsxvBDFHIL -A: -j: -N: -S: -t: -w? --address-radix= --format= --skip-bytes= --read-bytes= --strings=? --output-duplicates --width=? ${HELP}`,
    "read*",
    inert,
  ),
  // each word holds one option, and there are none after the first file
  xxd: looks(
    "-a -autoskip -b -bits -C -capitalize -d -e -E -EBCDIC -i -include -p -ps -postscript -plain -u -upper -c= -cols= -g= -groupsize= -l= -len= -n= -name= -o= -offset= -s= -skip= -seek= -h -help -v -version --help --version",
    "read*",
    {
      style: "word",
      stops: true,
      objection: writesSecond,
    },
  ),
  hexdump: looks("-bcCdovx -n: -s: -e: --canonical --length= --skip= --no-squeezing", "read*"),
  hd: looks("-v -n: -s:", "read*"),
  strings: looks("-afo -n: -t: -e: -d -# --all --bytes= --radix= --encoding=", "read*", ofBinutils),
  cmp: looks(
    `-bls -i: -n: --print-bytes --verbose --quiet --silent --ignore-initial= --bytes= ${HELP}`,
    "read*",
    inert,
  ),
  diff: looks(
    `-abBcdeEiNnpqrstTuwyZ -C: -D: -F: -I: -S: -U: -W: -x: -X:read -# --brief --report-identical-files --unified=? --context=? --side-by-side --recursive --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --ignore-matching-lines= --exclude= --exclude-from=read --color=? --text --minimal --suppress-common-lines --width= --strip-trailing-cr --show-c-function --no-dereference --label= --normal --speed-large-files --from-file=read-entries --to-file=read-entries ${HELP}`,
    "read-entries*",
    {
      roles: { "-r": "tree*", "--recursive": "tree*" },
      beyond: (parsed) => (has(parsed, "-r", "--recursive") && !has(parsed, "--no-dereference") ? FOLLOWS : undefined),
    },
  ),
  comm: looks(
    `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP}`,
    "read*",
    inert,
  ),
  less: looks(
    "-NSRFXiInMmEeQqsr --LINE-NUMBERS --chop-long-lines --RAW-CONTROL-CHARS --quit-if-one-screen --no-init",
    "read*",
    {
      objection: ({ operands }) =>
        operands.some(({ text }) => text.startsWith("+")) ? "it can run commands" : undefined,
    },
  ),
  more: looks("-dflpcsu -n: -#", "read*", {
    objection: ({ operands }) =>
      operands.some(({ text }) => text.startsWith("+")) ? "it can run commands" : undefined,
  }),
  nm: looks(
    "-aCDgnrSu --demangle=? --dynamic --extern-only --defined-only --undefined-only --size-sort",
    "read*",
    ofBinutils,
  ),
  readelf: looks(
    "-ahlSsednrVW --all --file-header --program-headers --sections --symbols --dynamic --notes --wide",
    "read*",
    ofBinutils,
  ),
  objdump: looks("-adDfhprRtTxSCw -M: -j: --disassemble --section= --syms --demangle", "read*", {
    ...ofBinutils,
    // the sources that the file names
    beyond: named("-S"),
  }),
  size: looks("-ABdotx", "read*", ofBinutils),
  bat: looks("-AnpS -l: -r: -H: --plain --number --language= --line-range= --color= --paging=", "read*", {
    objection: (parsed) => (has(parsed, "--paging") ? "a pager can run commands" : undefined),
  }),
  zcat: looks("-fv", "read*"),
  shellcheck: looks(
    "-a -x -C? -e: -f: -i: -o: -s: -S: --color=? --include= --exclude= --format= --enable= --shell= --severity= --external-sources --check-sourced --version",
    "read*",
    { beyond: named("-x", "--external-sources", "-a", "--check-sourced") },
  ),
};
