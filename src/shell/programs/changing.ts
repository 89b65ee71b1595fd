import { changes, EVERYTHING, has, type Parsed, type Program } from "./program.ts";

/** One substitution or deletion that only rewrites lines. */
const SIMPLE_EDIT =
  /^\s*(?:[\d,$+~]*|\/[^/]*\/)\s*(?:s([/|#,:@!])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gIip\d]*|[dp])\s*$/;

/** Programs that write and delete what their words name. */
export const CHANGING: Readonly<Record<string, Program>> = {
  rm: changes(
    "-dfiIrRvx --force --interactive=? --one-file-system --preserve-root=? --no-preserve-root --recursive --dir --verbose",
    "delete*",
    {
      abbreviates: true,
      roles: { "-r": "delete-tree*", "-R": "delete-tree*", "--recursive": "delete-tree*" },
    },
  ),
  rmdir: changes("-pv --parents --verbose --ignore-fail-on-non-empty", "delete*"),
  unlink: changes("", "delete*"),
  shred: changes("-fuvxz -n: -s: --force --remove=? --zero --verbose --iterations= --size=", "delete*"),
  cp: changes(
    "-abdfHilLnpPrRsTuvxZ -S: -t:write-tree --archive --backup=? --force --interactive --link --dereference --no-clobber --no-dereference --parents --preserve=? --recursive --reflink=? --sparse= --symbolic-link --suffix= --target-directory=write-tree --no-target-directory --update=? --verbose --one-file-system",
    "read* write",
    {
      abbreviates: true,
      risk: "medium",
      roles: {
        "-t": "read*",
        "--target-directory": "read*",
        "-r": "tree* write-tree",
        "-R": "tree* write-tree",
        "-a": "tree* write-tree",
        "--recursive": "tree* write-tree",
        "--archive": "tree* write-tree",
      },
    },
  ),
  mv: changes(
    "-bfinTuvZ -S: -t:write-tree --backup=? --force --interactive --no-clobber --no-target-directory --strip-trailing-slashes --suffix= --target-directory=write-tree --update=? --verbose",
    "delete-tree* write-tree",
    {
      abbreviates: true,
      risk: "medium",
      roles: { "-t": "delete-tree*", "--target-directory": "delete-tree*" },
    },
  ),
  ln: changes(
    "-bdfFiLnPrsTv -S: -t:write --backup=? --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory=write --verbose",
    "read* write",
    { abbreviates: true, risk: "medium" },
  ),
  install: changes(
    "-bcCdDpsTvZ -g: -m: -o: -S: -t:write-tree --directory --group= --mode= --owner= --strip --target-directory=write-tree --verbose --preserve-timestamps",
    "read* write",
    {
      risk: "medium",
      roles: { "-d": "write*", "--directory": "write*", "-t": "read*", "--target-directory": "read*" },
    },
  ),
  touch: changes("-acfhm -d: -r:read -t: --no-create --date= --no-dereference --reference=read --time=", "write*", {
    abbreviates: true,
    risk: "medium",
  }),
  mkdir: changes("-pvZ -m: --mode= --parents --verbose", "write*", { abbreviates: true, risk: "medium" }),
  mkfifo: changes("-Z -m: --mode=", "write*"),
  mktemp: changes("-dqtuV -p:write --directory --dry-run --quiet --suffix= --tmpdir=?", "write*", { risk: "medium" }),
  tee: changes("-aip --append --ignore-interrupts --output-error=?", "write*", { abbreviates: true, risk: "medium" }),
  sponge: changes("-a", "write*"),
  truncate: changes("-co -r:read -s: --no-create --io-blocks --reference=read --size=", "write*"),
  fallocate: changes("-cdinpvxz -l: -o: --length= --offset=", "write*"),
  split: changes(
    "-deuxt -a: -b: -C: -l: -n: -t: -# --bytes= --lines= --number= --suffix-length= --additional-suffix=",
    "read write",
    { otherwise: ["write", "."] },
  ),
  csplit: changes("-kqsz -b: -f:write -n:", "read text*"),
  chmod: changes(
    "-cfRv --changes --quiet --silent --verbose --recursive --reference=read --preserve-root --no-preserve-root",
    "text write*",
    { roles: { "-R": "text write-tree*", "--recursive": "text write-tree*" } },
  ),
  chown: changes(
    "-cfhHLPRv --changes --quiet --silent --verbose --recursive --reference=read --from= --dereference --no-dereference",
    "text write*",
    { roles: { "-R": "text write-tree*", "--recursive": "text write-tree*" } },
  ),
  chgrp: changes("-cfhHLPRv --recursive --reference=read --verbose", "text write*", {
    roles: { "-R": "text write-tree*", "--recursive": "text write-tree*" },
  }),
  chattr: changes("-RVf", "text write*"),
  setfacl: changes("-bkRm: -m: -x:", "write*"),
  patch: changes(
    "-bcefnNRstTuv -B: -d:write-tree -D: -F: -i:read -o:write -p: -r:write --dry-run --directory=write-tree --input=read --output=write --strip= --forward --reverse --silent --verbose --backup --force",
    "write read",
    { risk: "medium", permissions: ["write"] },
  ),
  dos2unix: changes("-kqn", "write*"),
  unix2dos: changes("-kqn", "write*"),
  rename: changes("-fnv", "text*", { permissions: ["write"] }),
  dd: { class: "dangerous", style: "assignments", operands: "text*" },
  rsync: changes(
    "-aAbcdDEghHIkKlLmnNoOpPqrRsStTuUvwWxXyzZ -e: -f: -B: -T:write --archive --delete --delete-before --delete-after --delete-during --delete-excluded --dry-run --exclude= --include= --exclude-from=read --include-from=read --files-from=read --progress --stats --verbose --recursive --compress --partial --human-readable --info= --checksum --update --rsh= --link-dest=read --log-file=write --remove-source-files --chmod= --no-perms --no-owner --no-group --times --perms",
    "tree* write-tree",
    { permissions: ["network"] },
  ),
  kill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  pkill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  killall: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  xkill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  sed: changes(
    "-nErsuz -i? -e: -f:read -l: --in-place=? --quiet --silent --regexp-extended --expression= --file=read --separate --null-data",
    "text read*",
    {
      patternOptions: ["-e", "-f", "--expression", "--file"],
      roles: { "-i": "text write*", "--in-place": "text write*" },
      vague: (parsed) => {
        const scripts = parsed.options.filter(({ name }) => name === "-e" || name === "--expression");
        const texts =
          scripts.length > 0 ? scripts.map(({ value }) => value?.text ?? "") : [parsed.operands[0]?.text ?? ""];
        if (has(parsed, "-f", "--file")) return ["read", "write", "execute"];
        return texts.every((text) => SIMPLE_EDIT.test(text)) ? undefined : ["read", "write", "execute"];
      },
    },
  ),
  sort: changes(
    "-bcCdfghimMnrRsuVz -k: -t: -S: -o:write -T:write --output=write --temporary-directory=write --compress-program= --reverse --unique --key= --field-separator= --numeric-sort",
    "read*",
    { risk: "medium" },
  ),
  uniq: changes("-cdDiuz -f: -s: -w:", "read write", { risk: "medium" }),
  tree: changes("-adfilxpugshDFqNQrtcUCnASJXR -L: -P: -I: -o:write -H: --noreport --dirsfirst", "list-tree*", {
    risk: "medium",
  }),
  xxd: changes("-abCdeEiopru -c: -g: -l: -s:", "read write", { risk: "medium" }),
  find: {
    class: "dangerous",
    style: "word",
    options:
      "-H -L -P -name= -iname= -type= -path= -ipath= -size= -mtime= -mmin= -newer= -maxdepth= -mindepth= -perm= -user= -group= -regex= -delete -print -print0 -not -o -a -empty -prune -depth -xdev -fprint=write -fprint0=write -fls=write -fprintf=write",
    operands: "list-tree*",
    otherwise: ["list-tree", "."],
    roles: { "-delete": "delete-tree*" },
    permissions: ["read", "write"],
  },
};

/** Archives: what goes in is read, what comes out is written. */
export const ARCHIVES: Readonly<Record<string, Program>> = {
  tar: changes(
    "-cxtruAdzjJZavvpkPOhlmSsw -f:archive -C:write-tree -T:read -X:read -I: -b: -g:write -K: -V: --create --extract --list --append --update --gzip --bzip2 --xz --zstd --auto-compress --verbose --file=archive --directory=write-tree --exclude= --strip-components= --files-from=read --exclude-from=read --keep-old-files --overwrite --preserve-permissions --to-stdout --wildcards --transform= --one-file-system --totals",
    "tree*",
    {
      risk: "medium",
      roles: { "-x": "text*", "--extract": "text*", "-t": "text*", "--list": "text*" },
      more: (parsed) =>
        has(parsed, "-x", "--extract") && !has(parsed, "-C", "--directory", "-O", "--to-stdout")
          ? [["write-tree", "."]]
          : [],
    },
  ),
  zip: changes("-0123456789dfjlmqrTuvwxyDFXS -b: -i: -n: -P: -t: -x:", "write tree*", { risk: "medium" }),
  unzip: changes("-aCfjlLnopqtuvVXZ -d:write-tree -P: -x:", "read text*", {
    risk: "medium",
    permissions: ["write"],
    roles: { "-d": "read text*", "-l": "read text*" },
  }),
  gzip: changes("-1234567890cdfhklnNqrtvV --best --fast --decompress --keep --recursive --stdout --force", "write*", {
    risk: "medium",
  }),
  gunzip: changes("-cfhklnNqrtvV --keep --stdout --force", "write*", { risk: "medium" }),
  bzip2: changes("-123456789cdfkqstvz", "write*", { risk: "medium" }),
  bunzip2: changes("-cfkqstv", "write*", { risk: "medium" }),
  xz: changes("-0123456789cdefhklqtvz -T:", "write*", { risk: "medium" }),
  unxz: changes("-cfkqtv", "write*", { risk: "medium" }),
  zstd: changes("-0123456789cdfkqrtv -o:write -T:", "write*", { risk: "medium" }),
  "7z": changes("", "text write tree*", { risk: "medium", permissions: ["write"] }),
  cpio: { class: "dangerous", permissions: ["read", "write"] },
  ar: changes("", "text write read*", { risk: "medium" }),
};

const lastOf = (url: string): string => url.replace(/[?#].*$/, "").replace(/^.*\//, "") || "index.html";
const bodies = [
  "-d",
  "--data",
  "--data-raw",
  "--data-binary",
  "--data-urlencode",
  "--json",
  "-F",
  "--form",
  "--post-data",
  "--post-file",
  "--body-data",
];
const methodOf = (parsed: Parsed): string => {
  const named = parsed.options.find(({ name }) => name === "-X" || name === "--request" || name === "--method");
  if (named?.value) return named.value.text;
  if (has(parsed, "-I", "--head", "--spider")) return "HEAD";
  if (has(parsed, "-T", "--upload-file")) return "PUT";
  return has(parsed, ...bodies) ? "POST" : "GET";
};

const network = (options: string, operands: string, more: Partial<Program> = {}): Program =>
  changes(options, operands, { rule: "it talks to the network", risk: "high", ...more });

/** Programs that talk to other machines: never harmless, since names and addresses carry data out. */
export const NETWORK: Readonly<Record<string, Program>> = {
  curl: network(
    "-#0123468aBfgGiIjJkLlMnNOpqQRsSvVZ -A: -b: -c:write -C: -d:data -D:write -e: -E:read -F:data -H:data -K:read -m: -o:write -P: -r: -t: -T:read -u: -U: -w: -x: -X: -y: -Y: -z: --request= --data=data --data-raw= --data-binary=data --data-urlencode=data --json=data --form=data --header=data --output=write --output-dir=write --remote-name --remote-name-all --upload-file=read --user= --user-agent= --url=url --location --silent --show-error --fail --fail-with-body --insecure --head --include --verbose --max-time= --connect-timeout= --retry= --retry-delay= --compressed --cookie= --cookie-jar=write --cacert=read --cert=read --key=read --config=read --dump-header=write --write-out= --proxy= --get --globoff --ipv4 --ipv6 --http1.1 --http2 --resolve= --no-progress-meter --progress-bar --create-dirs --netrc-file=read --trace=write --trace-ascii=write --stderr=write",
    "url*",
    {
      method: methodOf,
      more: (parsed) =>
        has(parsed, "-O", "--remote-name", "--remote-name-all")
          ? parsed.operands.map(({ text }) => ["write", lastOf(text)] as const)
          : [],
    },
  ),
  wget: network(
    "-46bcdEFHkKLmNnpqrSvx -a:write -A: -B: -D: -e: -i:read -I: -l: -o:write -O:write -P:write-tree -Q: -R: -t: -T: -U: -w: -X: --output-document=write --output-file=write --append-output=write --directory-prefix=write-tree --input-file=read --post-data= --post-file=read --body-file=read --header= --user-agent= --quiet --no-check-certificate --recursive --mirror --continue --timeout= --tries= --spider --no-verbose --show-progress --content-disposition --method= --body-data= --user= --password= --no-parent --page-requisites --load-cookies=read --save-cookies=write",
    "url*",
    {
      method: methodOf,
      more: (parsed) =>
        has(parsed, "-O", "--output-document", "--spider")
          ? []
          : parsed.operands.map(({ text }) => ["write", lastOf(text)] as const),
    },
  ),
  ssh: network("", "text*", { stops: true, permissions: EVERYTHING }),
  scp: network("-346ABCOpqrRsTv -c: -F:read -i:read -J: -l: -o: -P: -S:", "text*", {
    permissions: ["read", "write", "network"],
  }),
  sftp: network("", "text*", { permissions: ["read", "write", "network"] }),
  ftp: network("", "text*", { permissions: ["read", "write", "network"] }),
  telnet: network("", "text*", { permissions: ["network"] }),
  nc: network("", "text*", { permissions: ["read", "write", "network"] }),
  ncat: network("", "text*", { permissions: EVERYTHING }),
  netcat: network("", "text*", { permissions: EVERYTHING }),
  socat: network("", "text*", { permissions: EVERYTHING }),
  ping: network("", "text*", { permissions: ["network"], risk: "medium" }),
  dig: network("", "text*", { permissions: ["network"], risk: "medium" }),
  host: network("", "text*", { permissions: ["network"], risk: "medium" }),
  nslookup: network("", "text*", { permissions: ["network"], risk: "medium" }),
  traceroute: network("", "text*", { permissions: ["network"], risk: "medium" }),
  whois: network("", "text*", { permissions: ["network"], risk: "medium" }),
};
