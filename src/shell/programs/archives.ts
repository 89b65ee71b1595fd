import { splitAtGlob } from "../paths.ts";
import {
  changes,
  FOLLOWS,
  follows,
  has,
  hasAny,
  listed,
  looks,
  named,
  type Parsed,
  type Program,
  type Role,
} from "./program.ts";

type More = readonly (readonly [Role, string])[];

const HERE: More = [
  ["write-tree", "."],
  ["unpack", "."],
];
const FOLDERS = ["-C", "--directory", "-d", "-o"];

/** Unpacking writes anywhere below a folder; members that are named are written under their names. */
const unpacked = (parsed: Parsed, members: Parsed["operands"]): More => {
  if (has(parsed, "-O", "--to-stdout")) return [];
  const folder = parsed.options.findLast(({ name }) => FOLDERS.includes(name))?.value?.text;
  const written = members.map(({ text }) => ["write", folder === undefined ? text : `${folder}/${text}`] as const);
  return folder === undefined ? [...HERE, ...written] : [["unpack", folder], ...written];
};

/** The name with the ending, or without it where it has one. */
const packed =
  (ending: string) =>
  ({ operands }: Parsed): More =>
    operands
      .filter(({ text }) => text !== "-" && !text.startsWith("\u0000"))
      .map(({ text }) => ["write-perhaps", text.endsWith(ending) ? text.slice(0, -ending.length) : text + ending]);

const namesFromFile = named("-T", "--files-from");
const followsLinks = follows("-h");

const sevenZip = changes("-y -r -p: -o:write-tree", "read text*", {
  risk: "medium",
  permissions: ["write"],
  more: (parsed) => unpacked(parsed, parsed.operands.slice(1)),
});

const TAR = changes(
  "-cxtruAdzjJZavvpkPOhlmSsw -f:archive -C:write-tree -T:read -X:read -I: -b: -g:write -K: -V: --create --extract --get --list --append --update --gzip --bzip2 --xz --zstd --auto-compress --verbose --file=archive --directory=write-tree --exclude= --strip-components= --files-from=read --exclude-from=read --keep-old-files --overwrite --preserve-permissions --absolute-names --to-stdout --wildcards --transform= --one-file-system --totals",
  "tree*",
  {
    risk: "medium",
    roles: { "-x": "text*", "--extract": "text*", "--get": "text*", "-t": "text*", "--list": "text*" },
    beyond: (parsed) => namesFromFile(parsed) ?? followsLinks(parsed),
    // names in the archive may then lead anywhere
    vague: (parsed) => (has(parsed, "-P", "--absolute-names") ? ["read", "write"] : undefined),
    more: (parsed) => (has(parsed, "-x", "--extract", "--get") ? unpacked(parsed, parsed.operands) : []),
  },
);

/** Archivers: packed files are read, unpacked files are written. */
export const ARCHIVES: Readonly<Record<string, Program>> = {
  tar: TAR,
  ...listed("bsdtar gtar", TAR),
  zip: changes("-0123456789dfjlmqrTuvwxyDFXS -b: -i: -n: -P: -t: -x:", "write tree*", {
    risk: "medium",
    beyond: (parsed) => (has(parsed, "-r") && !has(parsed, "-y") ? FOLLOWS : undefined),
    deletesBehindLinks: true,
    // -m deletes what was packed
    more: (parsed) =>
      has(parsed, "-m") ? parsed.operands.slice(1).map(({ text }) => ["delete-tree", text] as const) : [],
  }),
  unzip: changes("-aCfjlLnopqtuvVXZ -d:write-tree -P: -x:", "read text*", {
    risk: "medium",
    permissions: ["write"],
    more: (parsed) => (has(parsed, "-l", "-t", "-p", "-Z") ? [] : unpacked(parsed, parsed.operands.slice(1))),
  }),
  gzip: changes("-1234567890cdfhklnNqrtvV --best --fast --decompress --keep --recursive --stdout --force", "write*", {
    risk: "medium",
    more: packed(".gz"),
  }),
  gunzip: changes("-cfhklnNqrtvV --keep --stdout --force", "write*", { risk: "medium", more: packed(".gz") }),
  bzip2: changes("-123456789cdfkqstvz", "write*", { risk: "medium", more: packed(".bz2") }),
  bunzip2: changes("-cfkqstv", "write*", { risk: "medium", more: packed(".bz2") }),
  xz: changes("-0123456789cdefhklqtvz -T:", "write*", { risk: "medium", more: packed(".xz") }),
  unxz: changes("-cfkqtv", "write*", { risk: "medium", more: packed(".xz") }),
  zstd: changes("-0123456789cdfkqrtv -o:write -T:", "write*", { risk: "medium", more: packed(".zst") }),
  "7z": {
    ...changes("", "text write tree*", { risk: "medium", permissions: ["write"] }),
    stops: true,
    verbs: { x: sevenZip, e: sevenZip },
  },
  cpio: { class: "dangerous", permissions: ["read", "write"], more: () => HERE },
  ar: changes("", "text write read*", {
    risk: "medium",
    more: ({ operands }) => (/x/.test(operands[0]?.text ?? "") ? HERE : []),
  }),
};

const TO_STDOUT = ["-c", "--stdout"];
const MODES = ["-t", "--test", "-l", "--list", "-d", "--decompress", "-z", "--compress"];

/** It is read-only if it prints, or if the last option that says what to do is to test or to list. */
const printsOrTests: Partial<Program> = {
  unprovenRisk: "medium",
  objection: (parsed) => {
    const mode = parsed.options.findLast(({ name }) => MODES.includes(name))?.name ?? "";
    return hasAny(parsed, TO_STDOUT) || /^-(?:[tl]|-test|-list)$/.test(mode) ? undefined : "it unpacks";
  },
};

/** It is read-only if one of these options is given. */
const only = (...names: readonly string[]): Partial<Program> => ({
  unprovenRisk: "medium",
  objection: (parsed) => (hasAny(parsed, names) ? undefined : "it unpacks"),
});

/** They match patterns themselves, in quotes too, and follow the links that they come upon. */
const ofPattern = ({ operands: [archive] }: Parsed): More => {
  const { folder, pattern } = splitAtGlob(archive?.text ?? "");
  return pattern === "" ? [] : [["tree", folder]];
};

/** Archivers that only list or print contents. */
export const LISTING: Readonly<Record<string, Program>> = {
  tar: looks("-tvzjJ -f:read --list --verbose --gzip --bzip2 --xz --file=read", "text*", {
    unprovenRisk: "medium",
    objection: (parsed) => {
      if (!has(parsed, "-t", "--list")) return "it packs or unpacks";
      return parsed.options.some(({ name, value }) => /^(?:-f|--file)$/.test(name) && value?.text.includes(":"))
        ? "its archive is on another machine"
        : undefined;
    },
  }),
  unzip: looks("-lvqZ1", "read text*", { ...only("-l", "-v", "-Z"), more: ofPattern }),
  zipinfo: looks("-1smlvht", "read text*", { more: ofPattern }),
  gzip: looks(
    "-cdlqtv0123456789 --stdout --decompress --list --test --quiet --verbose --best --fast",
    "read*",
    printsOrTests,
  ),
  gunzip: looks("-clqt --stdout --list --test", "read*", printsOrTests),
  bzip2: looks("-cdqtv --stdout --decompress --test", "read*", printsOrTests),
  bunzip2: looks("-cqt", "read*", printsOrTests),
  xz: looks("-cdlqtv --stdout --decompress --list --test", "read*", printsOrTests),
  unxz: looks("-clqt", "read*", printsOrTests),
  zstd: looks("-cdlqtv --stdout --decompress --list --test", "read*", printsOrTests),
  ...listed("bzcat xzcat zstdcat", looks("-qv", "read*")),
};
