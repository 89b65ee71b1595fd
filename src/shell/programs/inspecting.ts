import {
  develops,
  EVERYTHING,
  has,
  isAsWritten,
  listed,
  looks,
  type Parsed,
  type Program,
  RUNS_PROJECT,
} from "./program.ts";

/** Devices that discard what is written to them. */
const NOWHERE = /^\/dev\/(?:null|stdout|stderr)$/;
const isAddress = ({ operands }: Parsed): boolean => operands.some(({ text }) => text.includes("://"));

const DIGESTS = "-md5 -sha1 -sha224 -sha256 -sha384 -sha512";
const shownOnly =
  (why: string) =>
  (parsed: Parsed): string | undefined => {
    if (!has(parsed, "-noout")) return why;
    // `-in org.openssl.engine:/x.so:y` loads a library
    const isAddressed = parsed.options.some(({ name, value }) => name === "-in" && value?.text.includes(":"));
    return isAddressed ? "what it reads is an address, which may be code that it loads" : undefined;
  };
const certificate = looks(
  `-in=read -inform= -noout -text -subject -issuer -dates -startdate -enddate -fingerprint -serial -purpose -modulus -pubkey -hash -email -ext= -nameopt= -checkend= ${DIGESTS}`,
  "",
  { style: "word", objection: shownOnly("it prints the certificate itself") },
);

/** Programs of which only the version is known to be harmless. */
const tool: Program = { class: "dangerous", permissions: EVERYTHING, version: ["--version", "-V"] };

/** Expressions of yq that read other files or the environment. */
const READS_MORE = /\b(?:load\w*|strload|env|strenv|envsubst|eval|split_doc|system)\b|\$ENV/;
const UV = "uv installs packages or runs code of them";
/** Lists what the project depends on, and may run code of the project to do so. */
const ofProject = (rule: string, options: string, verbs: string): Program => ({
  class: "dangerous",
  options: "",
  stops: true,
  permissions: EVERYTHING,
  rule,
  version: ["--version", "-V"],
  chosen: true,
  verbs: listed(verbs, develops(options, { rule: RUNS_PROJECT })),
});

/** Read-only programs for certificates, documents, packages and the terminal. */
export const INSPECTING: Readonly<Record<string, Program>> = {
  openssl: {
    ...tool,
    options: "",
    style: "word",
    stops: true,
    verbs: {
      version: looks("-a -v -b -o -p -d", "", { style: "word" }),
      x509: certificate,
      req: { ...certificate, options: "-in=read -inform= -noout -text -subject -verify -modulus -pubkey -nameopt=" },
      crl: {
        ...certificate,
        options: "-in=read -inform= -noout -text -issuer -lastupdate -nextupdate -hash -fingerprint",
      },
      dgst: looks(`-c -r -hex ${DIGESTS}`, "read*", { style: "word" }),
      ...listed("md5 sha1 sha256 sha512", looks("-c -r -hex", "read*", { style: "word" })),
      rand: looks("-hex -base64", "text", { style: "word" }),
    },
  },
  xmllint: looks(
    "--noout --format --nonet --nowarning --recover --huge --html --htmlout --noblanks --xpath= --encode= --pretty= --version",
    "read*",
    { objection: (parsed) => (isAddress(parsed) ? "it fetches a document" : undefined) },
  ),
  yq: looks(
    "-rPeNjCMy -o: -p: -I: --output-format= --input-format= --prettyPrint --unwrapScalar=? --colors --no-colors --no-doc --exit-status --indent= --version",
    "text read*",
    {
      unprovenRisk: "medium",
      objection: ({ operands: [first, second] }) => {
        const expression = /^(?:e|ea|eval|eval-all)$/.test(first?.text ?? "") ? second : first;
        return (expression !== undefined && !isAsWritten(expression)) || READS_MORE.test(expression?.text ?? "")
          ? "it loads other files"
          : undefined;
      },
    },
  ),
  hadolint: looks("-f: -t: --format= --ignore= --no-color --no-fail --failure-threshold= --version", "read*"),
  yamllint: looks("-f: -s --format= --strict --no-warnings --version", "tree*", { otherwise: ["tree", "."] }),
  // a page opens in a pager, which can run commands
  man: looks("-k -f -w -a -s: -S: --apropos --whatis --where --path --all --sections=", "text*", {
    objection: (parsed) =>
      has(parsed, "-k", "-f", "-w", "--apropos", "--whatis", "--where", "--path") ? undefined : "it opens a pager",
  }),
  ...listed("apropos whatis", looks("-a -e -l -r -s: -w --and --exact --long --regex --sections= --wildcard", "text*")),
  tput: looks("-V -T:", "text*", {
    objection: ({ operands: [what] }) =>
      what === undefined || /^(?:init|reset|clear)$/.test(what.text) ? "it sets the terminal up" : undefined,
  }),
  tee: looks("-ip --ignore-interrupts --output-error=?", "text*", {
    unprovenRisk: "medium",
    objection: ({ operands }) => (operands.every(({ text }) => NOWHERE.test(text)) ? undefined : "it writes files"),
  }),
  history: looks("", "text*"),
  ulimit: looks("-aHScdefilmnpqrstuvx", "", {
    objection: ({ operands }) => (operands.length > 0 ? "it sets limits" : undefined),
  }),
  gem: {
    ...tool,
    options: "",
    stops: true,
    rule: "gem installs packages or runs code of them",
    version: ["--version", "-v"],
    verbs: {
      list: looks("-l -a -d -i -e --local --all --details --exact --installed --no-versions --versions", "text*"),
      ...listed("environment env which", looks("-a --all", "text*")),
    },
  },
  poetry: ofProject(
    "poetry installs packages or runs code of them",
    "-t -T -l --tree --no-dev --top-level --only= --with= --without=",
    "show check version",
  ),
  uv: {
    ...tool,
    options: "",
    stops: true,
    rule: UV,
    verbs: { pip: ofProject(UV, "--format= --editable --exclude= --depth= --strict", "list show freeze check tree") },
  },
  bundle: ofProject(
    "bundle installs packages or runs code of them",
    "--name-only --paths --without-group= --only-group=",
    "list show info check platform",
  ),
  composer: ofProject(
    "composer installs packages or runs code of them",
    "-t -i -D -N -l --tree --installed --direct --name-only --latest --no-dev --strict --format= -f: --no-interaction -n",
    "show info licenses validate check-platform-reqs",
  ),
  ...listed("aws gcloud az heroku vercel netlify psql mysql mongosh redis-cli sqlite3 ffmpeg pandoc", tool),
};
