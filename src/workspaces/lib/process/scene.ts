import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { blank, empty, isVisible, kindOf, type Mount, readOnly, realPath, writable } from "./mounts.ts";

/** Programs that people install in their home folder. Visible read-only, without the credentials among them. */
const TOOLCHAINS =
  ".cargo .rustup .pyenv .nvm .rbenv .volta .asdf .sdkman .bun .deno .goenv .nodenv .jenv .ghcup .juliaup go .local/bin .local/lib .local/pipx .local/share/mise .local/share/fnm .local/share/pnpm .local/share/uv .dotnet .nix-profile".split(
    " ",
  );

const SECRETS =
  ".ssh .gnupg .aws .azure .kube .docker .oci .netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .vault-token .terraform.d .password-store .config/gcloud .config/gh .config/glab-cli .config/hub .config/op .config/toolgate .config/git/credentials .config/google-chrome .config/chromium .config/rclone .config/sops .config/doctl .config/heroku .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .m2/settings.xml .gradle/gradle.properties .local/share/keyrings .mozilla .thunderbird .bash_history .zsh_history .python_history .node_repl_history .claude .claude.json .codex .gemini .composer/auth.json .subversion .s3cfg .boto .wrangler".split(
    " ",
  );

/** System folders of which only the direct entries are checked for restrictive permissions. */
const PRIVATE_IN = ["/", "/etc/ssh", "/etc/ssl", "/var"];
const CREDENTIALS_IN_GITCONFIG = /:\/\/[^\s/"]+@|extraheader|password|token/i;

/** Folders that are searched deeper, because administrators give each service folders of its own. */
const PRIVATE_BELOW = ["/etc", "/var/lib", "/var/log", "/var/spool", "/var/backups", "/opt", "/srv", "/usr/local/etc"];
const MOST_ENTRIES = 10_000;
const DEEPEST = 5;

/** Root can read files that others cannot. These are hidden. */
function privateOfSystem(): Mount[] {
  const found: Mount[] = [];
  let entries = 0;
  const look = (folder: string, depth: number): void => {
    if (entries > MOST_ENTRIES) return;
    for (const name of namesIn(folder)) {
      entries += 1;
      const file = path.join(folder, name);
      const stats = fs.lstatSync(file, { throwIfNoEntry: false });
      if (stats?.isDirectory() && (stats.mode & 0o5) !== 0o5) found.push(empty(file));
      else if (stats?.isFile() && (stats.mode & 0o4) === 0) found.push(blank(file));
      else if (stats?.isDirectory() && depth > 0) look(file, depth - 1);
    }
  };
  for (const folder of [...PRIVATE_BELOW, ...PRIVATE_IN]) {
    entries = 0;
    look(folder, PRIVATE_BELOW.includes(folder) ? DEEPEST : 0);
  }
  return found;
}

/** The same for a single file, without scanning all folders. */
export function isPrivateOfSystem(file: string): boolean {
  if (process.getuid?.() !== 0 || !isWithinAny(file, PRIVATE_BELOW)) return false;
  const names = file.split("/");
  const above = names.map((_, index) => names.slice(0, index + 1).join("/")).slice(2);
  return above.some((each) => {
    const stats = fs.lstatSync(each, { throwIfNoEntry: false });
    return stats?.isDirectory() ? (stats.mode & 0o5) !== 0o5 : stats?.isFile() === true && (stats.mode & 0o4) === 0;
  });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function holdsNoCredentials(file: string): boolean {
  try {
    return !CREDENTIALS_IN_GITCONFIG.test(fs.readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

function shownOfHome(home: string): Mount[] {
  const shown = TOOLCHAINS.map((name) => path.join(home, name)).filter((each) => kindOf(each) === "folder");
  const gitconfig = path.join(home, ".gitconfig");
  if (kindOf(gitconfig) === "file" && holdsNoCredentials(gitconfig)) shown.push(gitconfig);
  return shown.map((each) => readOnly(each));
}

type Scene = {
  roots: readonly string[];
  homes: readonly string[];
  network: boolean;
  fixed: boolean;
  asRoot: boolean;
};

/** The layout of a sandbox: system read-only, roots writable unless `fixed`, private files hidden. */
function sceneMounts({ roots, homes, network, fixed, asRoot }: Scene): Mount[] {
  const inRoot = (file: string): boolean => isWithinAny(file, roots);
  const hidden = ["/run", "/tmp", "/var/tmp", "/root", "/home", ...homes].map(empty);
  if (asRoot) hidden.push(...privateOfSystem());
  const mounts = hidden.filter(({ path: each }) => each !== "/" && !inRoot(each) && kindOf(each) !== undefined);
  for (const home of homes) if (!inRoot(home)) mounts.push(...shownOfHome(home));
  const resolver = network ? realPath("/etc/resolv.conf") : undefined;
  for (const needed of ["/run/current-system", ...(resolver ? [resolver] : [])])
    if (kindOf(needed) !== undefined && !isVisible(needed, mounts)) mounts.push(readOnly(needed, realPath(needed)));
  mounts.push(...roots.map((root) => (fixed ? readOnly(root) : writable(root))));
  for (const secret of homes.flatMap((home) => SECRETS.map((name) => path.join(home, name)))) {
    const real = realPath(secret);
    if (real && !roots.includes(real) && isVisible(real, mounts))
      mounts.push(kindOf(real) === "folder" ? empty(real) : blank(real));
  }
  mounts.push({ path: "/dev", kind: "hidden", args: ["--dev", "/dev"] });
  mounts.push({ path: "/proc", kind: "hidden", args: ["--proc", "/proc"] });
  return mounts;
}

const ownHomes = (): string[] => [
  ...new Set([os.homedir(), os.userInfo().homedir].flatMap((home) => realPath(home) ?? [])),
];

/** The layout for the user who runs this process. */
export const sceneHere = (roots: readonly string[], network: boolean, fixed = false): Mount[] =>
  sceneMounts({
    roots,
    homes: ownHomes(),
    network,
    fixed,
    asRoot: process.getuid?.() === 0,
  });

/** Without the system's private files, which take long to find; `isPrivateOfSystem` checks a single file instead. */
export const outlineHere = (roots: readonly string[], network: boolean): Mount[] =>
  sceneMounts({ roots, homes: ownHomes(), network, fixed: false, asRoot: false });

/** Hides Unix sockets of the host's programs, which can be reached through the file system even without a network. */
export function socketMasks(mounts: readonly Mount[], roots: readonly string[] = []): Mount[] {
  let table: string;
  try {
    table = fs.readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  // skips the heading and the number columns; then comes a path, or `@` and an abstract name
  const [, ...lines] = table.split("\n");
  const rows = lines.filter((line) => /^(?:\S+\s+){7}[^@\s]/.test(line));
  const named = rows.map((line) => line.replace(/^(?:\S+\s+){7}/, ""));
  const paths = new Set(named.filter((each) => each.startsWith("/")));
  const relative = rows.filter((_, at) => !named[at]?.startsWith("/"));
  for (const each of socketsByRelativeNames(relative, roots)) paths.add(each);
  const real = [...paths].map(realPath).filter((each) => each !== undefined);
  return real.filter((each) => kindOf(each) === "other" && isVisible(each, mounts)).map(blank);
}

const MOST_LOOKED_AT = 5_000;

/** The last result. Each row contains an inode number, so a new socket means a new key. */
let known: { key: string; found: string[] } | undefined;

/**
 * A socket that was bound by a relative name lies in its program's working directory, usually the current one. If that
 * has changed since, the socket is looked for below the roots, which commands know best.
 */
function socketsByRelativeNames(rows: readonly string[], roots: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const key = [...rows, ...roots].join("\n");
  if (known?.key === key) return known.found;
  const names = [...new Set(rows.map((line) => line.replace(/^(?:\S+\s+){7}/, "")))];
  const folders = new Set(namesIn("/proc").flatMap((pid) => realPath(`/proc/${pid}/cwd`) ?? []));
  const found = [...folders].flatMap((folder) => names.map((name) => path.resolve(folder, name)));
  const wanted = new Set(names.map((name) => path.basename(name)));
  const ahead = [...roots];
  for (let looked = 0; ahead.length > 0 && looked < MOST_LOOKED_AT; ) {
    const folder = ahead.shift() as string;
    for (const name of namesIn(folder)) {
      looked += 1;
      const file = path.join(folder, name);
      if (wanted.has(name)) found.push(file);
      if (kindOf(file) === "folder" && name !== "node_modules") ahead.push(file);
    }
  }
  known = { key, found };
  return found;
}
