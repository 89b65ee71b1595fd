import { has, looks, type Program } from "./program.ts";

const HELP = "--help --version";
const inert = { inert: true, abbreviates: true } as const;
const sums = looks(`-b -c -t -w -z --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn ${HELP}`, "read*", inert);

/** Files and folders, looked at. */
export const LOOKING: Readonly<Record<string, Program>> = {
  ls: looks(
    `-aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I: -T: -w: --all --almost-all --author --escape --block-size= --ignore-backups --color=? --directory --dired --classify=? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference --hide= --hyperlink=? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero ${HELP}`,
    "list*",
    { ...inert, otherwise: ["list", "."], roles: { "-R": "list-tree*", "--recursive": "list-tree*" } },
  ),
  dir: looks("-aAlhR", "list*", { ...inert, otherwise: ["list", "."] }),
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
  wc: looks(`-clmLw --bytes --chars --lines --max-line-length --words --files0-from=read --total= ${HELP}`, "read*", inert),
  tac: looks(`-br -s: --before --regex --separator= ${HELP}`, "read*", inert),
  nl: looks(`-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering= --number-format= --number-width= ${HELP}`, "read*", inert),
  rev: looks(HELP, "read*", inert),
  tree: looks(
    "-adfilxpugshDFqNQrtcUCnASJX -L: -P: -I: --noreport --dirsfirst --filesfirst --prune --gitignore --du --si --inodes --device --ignore-case --matchdirs --metafirst --charset= --filelimit= --timefmt= --sort=? --help --version",
    "list-tree*",
    { otherwise: ["list-tree", "."] },
  ),
  file: looks("-biIkLhNnrs0 -e: -F: -f:read -P: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --separator= --files-from=read --help --version", "read*"),
  stat: looks(`-Lft -c: --dereference --file-system --terse --format= --printf= --cached= ${HELP}`, "list*", inert),
  du: looks(
    `-0abchHklLmPsSxD -B: -d: -t: -X:read --all --apparent-size --bytes --total --dereference --dereference-args --human-readable --inodes --max-depth= --null --si --separate-dirs --summarize --threshold= --time=? --time-style= --exclude= --exclude-from=read --one-file-system --block-size= --count-links ${HELP}`,
    "list-tree*",
    { ...inert, otherwise: ["list-tree", "."] },
  ),
  df: looks(`-aBhHiklPTv -t: -x: --all --human-readable --si --inodes --local --portability --print-type --total --type= --exclude-type= --output=? --sync --block-size= ${HELP}`, "list*", inert),
  basename: looks(`-az -s: --multiple --suffix= --zero ${HELP}`, "text*", inert),
  dirname: looks(`-z --zero ${HELP}`, "text*", inert),
  realpath: looks(`-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero --relative-to= --relative-base= ${HELP}`, "list*", inert),
  readlink: looks(`-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${HELP}`, "list*", inert),
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
  shasum: looks("-a: -bcsUw0 --algorithm= --check --text --binary", "read*"),
  md5: looks("-qr -s:", "read*"),
  cksum: looks(`-a: --algorithm= --check --raw --tag --untagged ${HELP}`, "read*", inert),
  sum: looks("-rs --sysv", "read*", inert),
  base64: looks(`-diw -w: --decode --ignore-garbage --wrap= ${HELP}`, "read*", inert),
  base32: looks(`-di -w: --decode --ignore-garbage --wrap= ${HELP}`, "read*", inert),
  od: looks(`-abcdfhiloOsxvBDFHIL -A: -j: -N: -S: -t: -w? --address-radix= --format= --skip-bytes= --read-bytes= --strings=? --output-duplicates --width=? ${HELP}`, "read*", inert),
  xxd: looks("-abCdeEiopu -c: -g: -l: -n: -s: --help --version", "read*", {
    objection: ({ operands }) => (operands.length > 1 ? "its second name is written to" : undefined),
  }),
  hexdump: looks("-bcCdovx -n: -s: -e: --canonical --length= --skip= --no-squeezing", "read*"),
  hd: looks("-v -n: -s:", "read*"),
  strings: looks("-afo -n: -t: -e: -d -# --all --bytes= --radix= --encoding=", "read*"),
  cmp: looks(`-bls -i: -n: --print-bytes --verbose --quiet --silent --ignore-initial= --bytes= ${HELP}`, "read*", inert),
  diff: looks(
    `-abBcdeEiNnpqrstTuwyZ -C: -D: -F: -I: -S: -U: -W: -x: -X:read -# --brief --report-identical-files --unified=? --context=? --side-by-side --recursive --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --ignore-matching-lines= --exclude= --exclude-from=read --color=? --text --minimal --suppress-common-lines --width= --strip-trailing-cr --show-c-function --no-dereference --label= --normal --speed-large-files --from-file=read --to-file=read ${HELP}`,
    "read*",
    { roles: { "-r": "tree*", "--recursive": "tree*" } },
  ),
  comm: looks(`-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP}`, "read*", inert),
  less: looks("-NSRFXiInMmEeQqsr --LINE-NUMBERS --chop-long-lines --RAW-CONTROL-CHARS --quit-if-one-screen --no-init", "read*", {
    objection: ({ operands }) => (operands.some(({ text }) => text.startsWith("+")) ? "it runs commands of its own" : undefined),
  }),
  more: looks("-dflpcsu -n: -#", "read*", {
    objection: ({ operands }) => (operands.some(({ text }) => text.startsWith("+")) ? "it runs commands of its own" : undefined),
  }),
  zcat: looks("-fv", "read*"),
  shellcheck: looks("-a -x -C? -e: -f: -i: -o: -s: -S: --color=? --include= --exclude= --format= --enable= --shell= --severity= --external-sources --check-sourced --version", "read*"),
};

/** The machine and the shell, looked at. */
export const SYSTEM: Readonly<Record<string, Program>> = {
  echo: { class: "safe", style: "none", operands: "text*", inert: true },
  printf: {
    class: "safe",
    style: "none",
    operands: "text*",
    objection: ({ operands }) => (operands[0]?.text.startsWith("-v") ? "it sets a variable" : undefined),
  },
  true: { class: "safe", style: "none", operands: "text*", inert: true },
  false: { class: "safe", style: "none", operands: "text*", inert: true },
  ":": { class: "safe", style: "none", operands: "text*", inert: true },
  exit: looks("", "text*"),
  return: looks("", "text*"),
  break: looks("", "text*"),
  continue: looks("", "text*"),
  wait: looks("", "text*"),
  jobs: looks("-lnprs", "text*"),
  test: testing(),
  "[": testing(),
  pwd: looks("-LP --logical --physical", "text*"),
  printenv: looks("-0 --null --help --version", "text*"),
  date: looks(
    `-uR -I? -d: -r:read -f:read --date= --iso-8601=? --rfc-3339= --rfc-email --utc --universal --reference=read --file=read --debug ${HELP}`,
    "text*",
    {
      abbreviates: true,
      objection: ({ operands }) => (operands.some(({ text }) => !text.startsWith("+")) ? "it sets the clock" : undefined),
    },
  ),
  cal: looks("-13jmsy -A: -B: -n:", "text*"),
  whoami: looks(HELP, "text*"),
  logname: looks(HELP, "text*"),
  id: looks(`-agGnruzZ --group --groups --name --real --user --zero ${HELP}`, "text*", inert),
  groups: looks(HELP, "text*"),
  users: looks(HELP, "text*"),
  who: looks("-abdHlmpqrstTu --all --boot --count --heading", "text*"),
  w: looks("-hfosiu", "text*"),
  uname: looks(`-amnoprsvi --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${HELP}`, "text*", inert),
  arch: looks(HELP, "text*"),
  hostname: looks("-aAdfiIsy --all-ip-addresses --alias --domain --fqdn --long --ip-address --short", "text*", {
    objection: ({ operands }) => (operands.length > 0 ? "it renames the machine" : undefined),
  }),
  uptime: looks("-psV --pretty --since --version", "text*"),
  nproc: looks("--all --ignore= --help --version", "text*"),
  tty: looks("-s --silent --quiet", "text*"),
  free: looks("-bghkmtlvw -c: -s: --bytes --kibi --mebi --gibi --human --si --total --wide --lohi", "text*"),
  ps: looks(
    "-aAcdefFHjlLmMNPTVwyZ -C: -g: -G: -k: -o: -O: -p: -q: -s: -t: -u: -U: --context --cols= --columns= --deselect --forest --format= --group= --headers --no-headers --lines= --pid= --ppid= --sort= --tty= --user= --User= --width= --help --version",
    "text*",
    { inert: true },
  ),
  pgrep: looks("-acdfilLnovwx -d: -g: -G: -P: -s: -t: -u: -U: --list-name --list-full --count --full --newest --oldest --exact --ignore-case --parent= --euid=", "text*"),
  pidof: looks("-csqwx -o: -S:", "text*"),
  lscpu: looks("-aeJpbcx --all --extended --json --parse", "text*"),
  lsblk: looks("-abdfilmnoOprSstT --all --bytes --fs --json --list --output=", "text*"),
  locale: looks("-acmkv --all-locales --charmaps", "text*"),
  getconf: looks("-a -v:", "text*"),
  sleep: looks(HELP, "text*"),
  seq: looks(`-w -f: -s: -# --equal-width --format= --separator= ${HELP}`, "text*", inert),
  expr: { class: "safe", style: "none", operands: "text*", inert: true },
  factor: looks(HELP, "text*"),
  env: looks("", "text*"),
};

function testing(): Program {
  return {
    class: "safe",
    style: "none",
    operands: "text*",
    objection: ({ operands }) =>
      operands.some(({ text }) => text === "-v" || text === "-R") ? "it reads the index of an array, which can run code" : undefined,
  };
}

/** Lines of text, filtered: only to standard output. */
export const FILTERS: Readonly<Record<string, Program>> = {
  cut: looks(`-b: -c: -d: -f: -nsz --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated ${HELP}`, "read*", inert),
  sort: looks(
    `-bcCdfghimMnrRsuVz -k: -t: -S: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check=? --key= --merge --stable --field-separator= --unique --zero-terminated --parallel= --buffer-size= --batch-size= --files0-from=read --debug ${HELP}`,
    "read*",
    { abbreviates: true },
  ),
  uniq: looks(`-cdDiuz -f: -s: -w: --count --repeated --all-repeated=? --skip-fields= --group=? --ignore-case --skip-chars= --unique --check-chars= --zero-terminated ${HELP}`, "read*", {
    abbreviates: true,
    objection: ({ operands }) => (operands.length > 1 ? "its second name is written to" : undefined),
  }),
  tr: looks(`-cCdst --complement --delete --squeeze-repeats --truncate-set1 ${HELP}`, "text*", inert),
  join: looks(`-i -a: -e: -j: -o: -t: -v: -1: -2: --ignore-case --check-order --nocheck-order --header --zero-terminated ${HELP}`, "read*", inert),
  paste: looks(`-sz -d: --delimiters= --serial --zero-terminated ${HELP}`, "read*", inert),
  fold: looks(`-bs -w: -# --bytes --spaces --width= ${HELP}`, "read*", inert),
  fmt: looks(`-cstu -g: -p: -w: -# --crown-margin --split-only --uniform-spacing --width= --goal= ${HELP}`, "read*", inert),
  expand: looks(`-i -t: --initial --tabs= ${HELP}`, "read*", inert),
  unexpand: looks(`-a -t: --all --first-only --tabs= ${HELP}`, "read*", inert),
  column: looks("-etxJLn -c: -N: -s: -o: -H: -R: --table --separator= --output-separator= --table-columns= --json --columns=", "read*"),
  numfmt: looks("-d: -z --from= --to= --suffix= --padding= --field= --format= --grouping --round= --header=?", "text*"),
  shuf: looks("-ezr -i: -n: --echo --input-range= --head-count= --repeat --zero-terminated", "read*"),
  tsort: looks(HELP, "read*"),
  iconv: looks("-cls -f: -t: --from-code= --to-code= --list", "read*"),
  jq: looks(
    "-cCMSjnrRseag -# --compact-output --color-output --monochrome-output --sort-keys --join-output --null-input --raw-output --raw-output0 --raw-input --slurp --exit-status --ascii-output --tab --indent= --unbuffered --seq --stream --version --help",
    "text read*",
    { objection: ({ operands }) => (/\b(?:include|import|input_filename)\b/.test(operands[0]?.text ?? "") ? "it loads other files" : undefined) },
  ),
  awk: awk(),
  gawk: awk(),
  mawk: awk(),
  nawk: awk(),
  sed: looks("-nErsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix -e: --expression=", "text read*", {
    patternOptions: ["-e", "--expression"],
    objection: (parsed) => {
      const scripts = parsed.options.filter(({ name }) => name === "-e" || name === "--expression").map(({ value }) => value?.text ?? "");
      if (scripts.length === 0) scripts.push(parsed.operands[0]?.text ?? "");
      if (!scripts.every((script) => PRINTING.test(script))) return "a script of sed that does more than print lines can write and run";
      return has(parsed, "-n", "--quiet", "--silent") || scripts.every((script) => /q;?$/.test(script))
        ? undefined
        : "sed is known to be harmless only with -n and lines to print";
    },
  }),
};

/** `5p`, `1,20p`, `$p`, `10q`, and several of them. */
const PRINTING = /^\s*(?:(?:\d+|\$)(?:\s*,\s*(?:\d+|\$|\+\d+))?\s*[pq=]\s*;?\s*)+$/;

function awk(): Program {
  return {
    class: "safe",
    options: "-F: -v:",
    operands: "text read*",
    objection: ({ operands, options }) => {
      if (options.some(({ name, value }) => name === "-v" && !/^\w+=[\w.,:; -]*$/.test(value?.text ?? ""))) return "it sets an odd variable";
      return AWK_PRINTING.test(operands[0]?.text ?? "") && !/getline|system|close|printf?\s*\(?.*[|>]|["']\s*[|>]/.test(operands[0]?.text ?? "")
        ? undefined
        : "an awk program that does more than print can write and run";
    },
    rule: "awk runs a program of its own",
  };
}

/** Fields, lengths, numbers and plain texts, printed; with comparisons or a plain pattern in front. */
const AWK_PRINTING =
  /^\s*(?:(?:NR|NF|\$\d+|\$NF)\s*(?:==|!=|>=|<=|>|<|~)\s*(?:\d+|"[^"\\|<>]*"|\/[\w .:-]*\/)\s*|\/[\w .:=-]*\/\s*|(?:BEGIN|END)\s*)?(?:\{\s*(?:print(?:\s+|(?=\s*\})))?(?:[\w$,;. +*()%-]|"[^"\\|<>]*")*\})?\s*$/;
