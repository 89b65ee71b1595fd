import type { Permission } from "../../core/words/touch.ts";
import { carried, changes, follows, has, hasAny, named, type Parsed, type Program, type Role } from "./program.ts";

const TARGET = ["-t", "--target-directory"];
const DEEP = ["-r", "-R", "-a", "--recursive", "--archive"];
const NAMED = ["-T", "--no-target-directory"];

const followsLinks = follows("-L", "--dereference");
const followsCopied = follows("-L", "-k", "--copy-links");
const namesFromFile = named("--files-from");

/** With `--reference`, no word is a mode; all words are paths. */
const byReference: Partial<Program> = {
  patternOptions: ["--reference"],
  roles: { "-R": "text write-tree*", "--recursive": "text write-tree*" },
};

/** Backups: the old file is kept under another name, chosen by these options and the environment. */
const keepsOld = (parsed: Parsed): readonly Permission[] | undefined =>
  has(parsed, "-b", "--backup", "-S", "--suffix") ? ["write"] : undefined;

const SCRIPTS = ["-e", "-f", "--expression", "--file"];

/** `sed -i.bak`: where the old text is kept; a star stands for the file's name. */
const keptBy = (parsed: Parsed): readonly (readonly [Role, string])[] => {
  const suffix = parsed.options.find(({ name }) => name === "-i" || name === "--in-place")?.value?.text;
  if (!suffix) return [];
  const files = hasAny(parsed, SCRIPTS) ? parsed.operands : parsed.operands.slice(1);
  return files.map(({ text }) => {
    const slash = text.lastIndexOf("/") + 1;
    const kept = suffix.includes("*") ? suffix.replaceAll("*", text.slice(slash)) : text.slice(slash) + suffix;
    return ["write-perhaps", kept.includes("/") ? kept : text.slice(0, slash) + kept];
  });
};

/** A hard link is a second name by which a file can be changed. */
const linked = (parsed: Parsed, isLink: boolean): readonly (readonly [Role, string])[] => {
  const { operands } = parsed;
  const sources = hasAny(parsed, TARGET) || operands.length === 1 ? operands : operands.slice(0, -1);
  return isLink ? sources.map(({ text }) => ["write-perhaps", text]) : [];
};

/** One substitution or deletion that only rewrites lines. */
const SIMPLE_EDIT =
  /^\s*(?:(?:[\d,$+~]+|\/[^/]*\/)\s*)?(?:s([/|#,:@!])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gIip\d]*|[dp])\s*$/;

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
  shred: changes("-fuvxz -n: -s: --force --remove=? --zero --verbose --iterations= --size=", "delete*", {
    deletesBehindLinks: true,
  }),
  cp: changes(
    "-abdfHilLnpPrRsTuvxZ -S: -t:write-tree --archive --backup=? --force --interactive --link --dereference --no-clobber --no-dereference --parents --preserve=? --recursive --reflink=? --sparse= --symbolic-link --suffix= --target-directory=write-tree --no-target-directory --update=? --verbose --one-file-system",
    "read* write",
    {
      abbreviates: true,
      risk: "medium",
      into: { folder: TARGET, never: NAMED, deep: DEEP, whole: ["--parents"] },
      vague: keepsOld,
      more: (parsed) => linked(parsed, has(parsed, "-l", "--link")),
      beyond: (parsed) => (hasAny(parsed, DEEP) ? followsLinks(parsed) : undefined),
      roles: {
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
      vague: keepsOld,
      into: { folder: TARGET, never: NAMED },
      more: (parsed) => carried(hasAny(parsed, TARGET) ? parsed.operands : parsed.operands.slice(0, -1)),
    },
  ),
  ln: changes(
    "-bdfFiLnPrsTv -S: -t:write --backup=? --force --interactive --logical --no-dereference --no-target-directory --physical --relative --symbolic --suffix= --target-directory=write --verbose",
    "read* write",
    {
      abbreviates: true,
      risk: "medium",
      vague: keepsOld,
      into: { folder: TARGET, never: NAMED, alone: true },
      more: (parsed) => linked(parsed, !has(parsed, "-s", "--symbolic")),
    },
  ),
  install: changes(
    "-bcCdDpsTvZ -g: -m: -o: -S: -t:write-tree --directory --group= --mode= --owner= --strip --target-directory=write-tree --no-target-directory --verbose --preserve-timestamps",
    "read* write",
    {
      risk: "medium",
      vague: keepsOld,
      into: { folder: TARGET, never: [...NAMED, "-d", "--directory"] },
      roles: { "-d": "write*", "--directory": "write*" },
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
    { otherwise: ["write", "."], permissions: ["write"] },
  ),
  csplit: changes("-kqsz -b: -f:write -n:", "read text*", { permissions: ["write"] }),
  chmod: changes(
    "-cfRv --changes --quiet --silent --verbose --recursive --reference=read --preserve-root --no-preserve-root",
    "text write*",
    byReference,
  ),
  chown: changes(
    "-cfhHLPRv --changes --quiet --silent --verbose --recursive --reference=read --from= --dereference --no-dereference",
    "text write*",
    byReference,
  ),
  chgrp: changes("-cfhHLPRv --recursive --reference=read --verbose", "text write*", byReference),
  chattr: changes("-RVf", "text write*"),
  setfacl: changes("-bkRm: -m: -x:", "write*"),
  patch: changes(
    "-bcefnNRstTuv -B: -d:write-tree -D: -F: -i:read -o:write -p: -r:write --dry-run --directory=write-tree --input=read --output=write --strip= --forward --reverse --silent --verbose --backup --force",
    "write read",
    {
      risk: "medium",
      permissions: ["write"],
      more: ({ operands, options }) => {
        const folder = options.findLast(({ name }) => name === "-d" || name === "--directory")?.value?.text ?? ".";
        if (operands.length > 0) return [];
        return [
          ["write-tree", folder],
          ["unpack", folder],
        ];
      },
    },
  ),
  dos2unix: changes("-kqn", "write*"),
  unix2dos: changes("-kqn", "write*"),
  rename: changes("-fnv", "text*", { permissions: ["write"], always: ["write", "."] }),
  dd: { class: "dangerous", style: "assignments", operands: "text*" },
  rsync: changes(
    "-aAbcdDEghHIkKlLmnNoOpPqrRsStTuUvwWxXyzZ -e: -f: -B: -T:write --archive --delete --delete-before --delete-after --delete-during --delete-excluded --dry-run --exclude= --include= --exclude-from=read --include-from=read --files-from=read --progress --stats --verbose --recursive --compress --partial --human-readable --info= --checksum --update --relative --copy-links --rsh= --link-dest=read --compare-dest=read --copy-dest=read --backup --backup-dir=write-tree --temp-dir=write-tree --partial-dir=write-tree --log-file=write --remove-source-files --chmod= --no-perms --no-owner --no-group --times --perms",
    "tree* write-tree",
    {
      permissions: ["network"],
      beyond: (parsed) => namesFromFile(parsed) ?? followsCopied(parsed),
      into: { whole: ["-R", "--relative"], contents: true },
    },
  ),
  kill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  pkill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  killall: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  xkill: { class: "dangerous", style: "none", operands: "signal*", risk: "medium" },
  sed: changes(
    "-nErsuz -i? -e: -f:read -l: --in-place=? --quiet --silent --regexp-extended --expression= --file=read --separate --null-data",
    "text read*",
    {
      patternOptions: SCRIPTS,
      roles: { "-i": "text write*", "--in-place": "text write*" },
      more: keptBy,
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
    "-bcCdfghimMnrRsuVz -k: -t: -S: -o:write -T:write --output=write --temporary-directory=write --compress-program= --files0-from=read --reverse --unique --key= --field-separator= --numeric-sort",
    "read*",
    { risk: "medium", beyond: named("--files0-from") },
  ),
  uniq: changes("-cdDiuz -f: -s: -w:", "read write", { risk: "medium" }),
  tree: changes("-adfilxpugshDFqNQrtcUCnASJXR -L: -P: -I: -o:write -H: --noreport --dirsfirst", "list-tree*", {
    risk: "medium",
    otherwise: ["list-tree", "."],
    beyond: follows("-l"),
  }),
  xxd: changes("-abCdeEiopru -c: -g: -l: -s:", "read write", { risk: "medium" }),
  find: {
    class: "dangerous",
    style: "word",
    options:
      "-H -L -P -name= -iname= -type= -path= -ipath= -size= -mtime= -mmin= -newer=list -anewer=list -cnewer=list -samefile=list -follow -maxdepth= -mindepth= -perm= -user= -group= -regex= -delete -print -print0 -not -o -a -empty -prune -depth -xdev -fprint=write -fprint0=write -fls=write -fprintf=write",
    operands: "list-tree*",
    otherwise: ["list-tree", "."],
    roles: { "-delete": "delete-tree*" },
    deletesBehindLinks: true,
    permissions: ["read", "write"],
  },
};
