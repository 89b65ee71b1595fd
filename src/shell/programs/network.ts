import { changes, EVERYTHING, has, hasAny, type Parsed, type Program, type Role } from "./program.ts";

const lastOf = (url: string): string => url.replace(/[?#].*$/, "").replace(/^.*\//, "") || "index.html";
const SERVER_NAMES = [
  "-J",
  "--remote-header-name",
  "-r",
  "-m",
  "-p",
  "-x",
  "-i",
  "--recursive",
  "--mirror",
  "--page-requisites",
  "--content-disposition",
  "--input-file",
];

const lastValue = ({ options }: Parsed, ...names: readonly string[]): string | undefined =>
  options.findLast(({ name }) => names.includes(name))?.value?.text;

/** Files named after their addresses, in the folder that an option names. */
const saved = (parsed: Parsed, ...folders: readonly string[]): readonly (readonly [Role, string])[] => {
  const folder = lastValue(parsed, ...folders);
  const files = parsed.operands.map(({ text }) => lastOf(text)).map((name) => (folder ? `${folder}/${name}` : name));
  const written = files.map((file) => ["write", file] as const);
  return hasAny(parsed, SERVER_NAMES)
    ? [...written, ["write-tree", folder ?? "."], ["unpack", folder ?? "."]]
    : written;
};

const REMOTE_NAME = ["-O", "--remote-name", "--remote-name-all"];
const METHOD_OPTIONS = ["-X", "--request", "--method"];
const bodies =
  "-d --data --data-raw --data-binary --data-urlencode --json -F --form --post-data --post-file --body-data";
const IMPLIED: ReadonlyMap<string, string> = new Map([
  ...["-I", "--head", "--spider"].map((name) => [name, "HEAD"] as const),
  ...["-T", "--upload-file"].map((name) => [name, "PUT"] as const),
  ...bodies.split(" ").map((name) => [name, "POST"] as const),
]);

/** The named method, or the one that the options imply; sending something takes precedence over HEAD. */
const methodOf = ({ options }: Parsed): string => {
  let method = "GET";
  for (const { name, value } of options) {
    if (value !== undefined && METHOD_OPTIONS.includes(name)) return value.text;
    const implied = IMPLIED.get(name);
    if (implied !== undefined && (method === "GET" || method === "HEAD")) method = implied;
  }
  return method;
};

/** `curl --output-dir d -o f` writes d/f. */
const inOutputFolder = (parsed: Parsed): readonly (readonly [Role, string])[] => {
  const folder = has(parsed, "--output-dir") ? lastValue(parsed, "--output-dir") : undefined;
  if (folder === undefined) return [];
  return parsed.options
    .filter(({ name }) => name === "-o" || name === "--output")
    .map(({ value }) => ["write", `${folder}/${value?.text ?? ""}`]);
};

const OF_FILE = /^file:(?:\/\/(?=\.)|\/*(?=\/))(\.?\/.*)$/is;

/** An attribute of a form part; anything else after a comma or semicolon is a file name. */
const FORM_WORD = /^(?:type|filename|encoder|headers)=/;

/** Splits at commas and semicolons outside of quotes. A quote that is never closed is an ordinary character. */
function piecesOf(value: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let isClosed = true;
  for (let at = 0; at <= value.length; at++) {
    const end = isClosed && value[at] === '"' ? endOfQuotes(value, at) : at;
    if (end > at) at = end;
    else if (end < at) isClosed = false;
    else if (at === value.length || value[at] === ";" || value[at] === ",") {
      if (at > from) pieces.push(value.slice(from, at));
      from = at + 1;
    }
  }
  return pieces;
}

/** Returns where the closing quote is, or -1. */
function endOfQuotes(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++)
    if (text[at] === '"') return at;
    else if (text[at] === "\\") at += 1;
  return -1;
}

/** The further files of `curl -F 'a=@x,"y z";headers=@h'`, which its role does not cover; quotes are removed. */
const filesOfForm = (text: string): string[] => {
  const value = text.slice(text.indexOf("=") + 1);
  const files = piecesOf(value).flatMap((piece) => {
    const word = piece.trim();
    const file = /^(?:headers=)?[@<]\s*(.*)$/s.exec(word)?.[1];
    return file ?? (/^[@<]/.test(value) && !FORM_WORD.test(word) ? word : []);
  });
  const names = files.map((file) => /^"(.*)"/s.exec(file)?.[1]?.replace(/\\(.)/gs, "$1") ?? file);
  const said = /(?:^|=)@(.*)$/s.exec(text)?.[1]?.split(";")[0];
  return [...new Set([/^<([^;]+)/s.exec(value)?.[1] ?? names, names].flat())].filter((name) => name !== said);
};

/** Files among the values of options, and those that are named as addresses. */
const sent = ({ options, operands }: Parsed): readonly (readonly [Role, string])[] => {
  const files: (readonly [Role, string])[] = [];
  for (const { name, value } of options) {
    const text = value?.text ?? "";
    const file =
      name === "-b" || name === "--cookie"
        ? /^[^=]+$/.exec(text)?.[0]
        : name === "--data-urlencode"
          ? /^[^=@]+@(.+)$/s.exec(text)?.[1]
          : undefined;
    if (file !== undefined) files.push(["read", file]);
    if (name === "-F" || name === "--form") for (const each of filesOfForm(text)) files.push(["read", each]);
  }
  for (const { text } of operands) {
    const file = text.includes(":") ? OF_FILE.exec(text)?.[1] : undefined;
    if (file !== undefined) files.push(["read", file]);
  }
  return files;
};

const network = (options: string, operands: string, more: Partial<Program> = {}): Program =>
  changes(options, operands, { rule: "it talks to the network", risk: "high", ...more });

/** Programs that talk to other machines: never harmless, since names and addresses carry data out. */
export const NETWORK: Readonly<Record<string, Program>> = {
  curl: network(
    "-#0123468aBfgGiIjJkLlMnNOpqQRsSvVZ -A: -b: -c:write -C: -d:data -D:write -e: -E:read -F:data -H:data -K:read -m: -o:write -P: -r: -t: -T:read -u: -U: -w: -x:url -X: -y: -Y: -z: --request= --data=data --data-raw= --data-binary=data --data-urlencode=data --json=data --form=data --header=data --output=write --output-dir=write --remote-name --remote-name-all --upload-file=read --user= --user-agent= --url=url --location --silent --show-error --fail --fail-with-body --insecure --head --include --verbose --max-time= --connect-timeout= --retry= --retry-delay= --compressed --cookie= --cookie-jar=write --cacert=read --cert=read --key=read --config=read --dump-header=write --write-out= --proxy=url --get --globoff --ipv4 --ipv6 --http1.1 --http2 --resolve= --no-progress-meter --progress-bar --create-dirs --netrc-file=read --trace=write --trace-ascii=write --stderr=write",
    "url*",
    {
      version: ["--version", "-V", "--help", "-h"],
      method: methodOf,
      vague: (parsed) => (has(parsed, "-K", "--config") ? ["read", "write", "network"] : undefined),
      more: (parsed) => {
        const files = sent(parsed);
        const written = hasAny(parsed, REMOTE_NAME) ? saved(parsed, "--output-dir") : inOutputFolder(parsed);
        return written.length === 0 ? files : [...files, ...written];
      },
    },
  ),
  wget: network(
    "-46bcdEFHkKLmNnpqrSvx -a:write -A: -B: -D: -e: -i:read -I: -l: -o:write -O:write -P:write-tree -Q: -R: -t: -T: -U: -w: -X: --output-document=write --output-file=write --append-output=write --directory-prefix=write-tree --input-file=read --post-data= --post-file=read --body-file=read --header= --user-agent= --quiet --no-check-certificate --recursive --mirror --continue --timeout= --tries= --spider --no-verbose --show-progress --content-disposition --method= --body-data= --user= --password= --no-parent --page-requisites --load-cookies=read --save-cookies=write",
    "url*",
    {
      version: ["--version", "-V", "--help", "-h"],
      method: methodOf,
      vague: (parsed) => (has(parsed, "-i", "--input-file") ? ["network"] : undefined),
      more: (parsed) =>
        has(parsed, "-O", "--output-document", "--spider") ? [] : saved(parsed, "-P", "--directory-prefix"),
    },
  ),
  ssh: network("", "text*", { version: ["-V"], stops: true, permissions: EVERYTHING }),
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
