import { isWithinAny } from "../core/words/containment.ts";

/** How many words of a command say what it does, by its first words: `git commit` has two, `npm run dev` three. */
const DEPTHS: Readonly<Record<string, number>> = {
  ...of(2, "git npm pnpm yarn bun cargo go pip pip3 pipx uv poetry pdm rye conda docker podman kubectl helm terraform"),
  ...of(
    2,
    "gh glab brew apt apt-get dnf pacman systemctl gradle ./gradlew gradlew mvn ./mvnw dotnet swift flutter dart",
  ),
  ...of(
    2,
    "rustup nix deno ruff make just task rake bundle composer mix rebar3 sbt lein stack cabal npx bunx pnpx uvx",
  ),
  ...of(
    2,
    "vercel netlify fly heroku wrangler firebase supabase prisma nx turbo lerna rush ng expo cdk sls hatch tox nox",
  ),
  ...of(3, "npm|run npm|exec npm|x pnpm|run pnpm|exec pnpm|dlx yarn|run yarn|exec yarn|dlx bun|run bun|x deno|task"),
  ...of(
    3,
    "npm|config npm|cache pnpm|config pip|config git|stash git|remote git|worktree git|submodule git|bisect git|flow",
  ),
  ...of(3, "docker|compose docker|image docker|container docker|volume docker|network docker|buildx podman|compose"),
  ...of(
    3,
    "kubectl|config kubectl|rollout helm|repo terraform|state terraform|workspace gh|pr gh|issue gh|repo gh|run",
  ),
  ...of(3, "gh|workflow gh|release gh|auth glab|mr glab|issue cargo|nextest uv|run uv|pip poetry|run pdm|run rye|run"),
  ...of(3, "hatch|run conda|run bundle|exec composer|run dotnet|tool dotnet|ef aws gcloud az doctl rustup|component"),
  ...of(3, "rustup|target python|-m python3|-m swift|package nx|run turbo|run rails|db"),
  ...of(4, "npm|run-script yarn|workspace docker|compose|exec docker|compose|run gcloud|compute az|vm"),
};

function of(depth: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name) => [name, depth]));
}

const DEEPEST = 3;

/** How many of the words name the action; 1 if it is the program alone. */
export function depthOf(words: readonly string[]): number {
  for (let length = Math.min(words.length, DEEPEST); length > 0; length--) {
    const depth = DEPTHS[words.slice(0, length).join("|")];
    if (depth !== undefined) return depth;
  }
  return 1;
}

/** Programs that run what their words say, or that destroy things: no rule with a star is proposed for them. */
const NEVER: ReadonlySet<string> = new Set(
  [
    "sh bash zsh fish dash ksh csh tcsh busybox toybox pwsh powershell cmd",
    "node nodejs deno bun python python2 python3 perl ruby php lua luajit Rscript julia java groovy scala awk gawk sed tclsh",
    "osascript expect ghci irb iex erl elixir ocaml racket guile sbcl ts-node tsx swipl octave",
    "env xargs sudo doas su nice nohup time timeout stdbuf setsid watch parallel strace ltrace gdb flock script unshare",
    "nsenter chroot runuser setpriv systemd-run at batch crontab entr tini dumb-init exec eval source . command builtin",
    "rm rmdir dd shred mkfs fdisk parted mount umount chmod chown chgrp chattr kill pkill killall find fd tar unzip",
    "ssh scp sftp rsync curl wget nc ncat socat telnet ftp git npm pnpm yarn docker podman kubectl vim vi nano emacs ed",
    "mysql psql sqlite3 mongo mongosh redis-cli systemctl service launchctl",
  ]
    .join(" ")
    .split(" "),
);

/** The same for commands that are named by two or three words. */
const NEVER_DEEPER: ReadonlySet<string> = new Set(
  [
    "git|config git|filter-branch git|submodule|foreach git|bisect|run git|clean git|reset git|checkout git|restore git|push|--force git|update-ref",
    "npm|exec npm|x npm|publish npm|config pnpm|exec pnpm|dlx pnpm|publish yarn|exec yarn|dlx yarn|publish bun|x",
    "docker|run docker|exec docker|cp docker|push docker|image|push podman|push podman|cp docker|system docker|compose|exec docker|compose|run podman|run podman|exec",
    "kubectl|exec kubectl|delete kubectl|apply kubectl|run kubectl|cp helm|uninstall terraform|apply terraform|destroy",
    "cargo|run cargo|publish deno|run deno|eval go|run go|generate uv|run pdm|run poetry|run bundle|exec gh|api gh|auth gh|secret",
    "aws|configure gcloud|auth npm|login npm|token cargo|login docker|login",
  ]
    .join(" ")
    .split(" "),
);

/** The name of a program without its path. */
export const programName = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");

/** Programs for which removing something means changing a list that version control keeps. */
const MANAGERS: ReadonlySet<string> = new Set("npm pnpm yarn bun cargo poetry uv pdm rye pip pip3 composer".split(" "));
/** Words of other programs for what cannot be undone. */
const LOSES =
  /(?:^|[:-])(?:rm|rb|delete|destroy|remove|terminate.*|drop|purge|prune|wipe|kill|exec|eval|apply|deploy)(?:[-:]|$)/;

/** Whether a rule with a star for these words would allow what nobody has seen. */
export function isTooWide(words: readonly string[]): boolean {
  const [program = ""] = words;
  const name = programName(program);
  if ((words.length === 1 || name === "systemctl" || name === "service") && NEVER.has(name)) return true;
  if (!MANAGERS.has(name) && words.slice(1).some((word) => LOSES.test(word))) return true;
  for (let length = 2; length <= Math.min(words.length, DEEPEST); length++)
    if (NEVER_DEEPER.has(words.slice(0, length).join("|")) && words.length <= length) return true;
  // `python -m pytest` is a program of its own; `python x.py` is not
  return NEVER.has(programName(program)) && depthOf(words) < 2;
}

const OTHER_KIND =
  /^--?(?:force.*|hard|delete.*|mirror|prune.*|exec.*|eval|command|shell|script-shell|upload-pack|receive-pack|config.*|rcfile|init-file|prefix|global|location|cwd|dir|directory|privileged|volume|mount|registry|index-url|extra-index-url|proxy|out(?:put|-?dir|-?file).*|(?:env-?)?file|[a-z-]+-file|input|repo(?:sitory)?|project-?dir(?:ectory)?|root-?dir|[a-z]*profile|no-verify|no-preserve-root|unsafe.*|insecure|require|import|loader|plugin.*|preload|host|context|kubeconfig|remote|all-namespaces|target-dir|manifest-path|userconfig|globalconfig|with|from)(?:=.*)?$/i;
/** Programs that talk to where a project is published. */
const FORGES: ReadonlySet<string> = new Set(["gh", "glab", "hub", "tea"]);
const SHORT = /^-[a-zA-Z]+$/;

/** Another repository or archive than the configured ones, a forced or removed branch, a command inside a word. */
const ELSEWHERE = /^(?:[a-z+]+:\/\/|git\+|[\w.-]+@[\w.-]+:|ext::|file:|\+|:.)|^-x./i;

/** An option that makes a command do something of another kind, so that no star covers it. */
export function isOfAnotherKind(program: string, option: string): boolean {
  if (OTHER_KIND.test(option)) return true;
  if (ELSEWHERE.test(option) && (MANAGERS.has(programName(program)) || programName(program) === "git")) return true;
  if (!SHORT.test(option)) return false;
  const letters = option.slice(1);
  if (programName(program) === "git") return /[fDCx]/.test(letters);
  // another repository, or a file whose text is published
  if (FORGES.has(programName(program)) && /[RF]/.test(letters)) return true;
  // -D saves a development dependency
  if (MANAGERS.has(programName(program)) && letters === "D") return false;
  return letters.length === 1 && /[fgecCDrXo]/.test(letters);
}

const HERE: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);

/** A word, or an option's value, that names something outside these folders; a text with blanks is not a path. */
export function leadsOutside(word: string, roots: readonly string[] = []): boolean {
  const path = word.replace(/^-[\w-]*[=:]?(?=[/~.])/, "").replace(/^[\w.-]+=/, "");
  if (/\s/.test(path) || HERE.has(path)) return false;
  if (path.split("/").includes("..") || path.startsWith("~")) return true;
  return path.startsWith("/") && !isWithinAny(path.replace(/(?<=[^/])\/+$/, ""), roots);
}
