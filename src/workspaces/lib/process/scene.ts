import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { blank, empty, isVisible, kindOf, type Mount, readOnly, realPath, writable } from "./mounts.ts";

/** Programs that people install in their home folder; shown read-only, without the credentials among them. */
const TOOLCHAINS =
  ".cargo .rustup .pyenv .nvm .rbenv .volta .asdf .sdkman .bun .deno .goenv .nodenv .jenv .ghcup .juliaup go .local/bin .local/lib .local/pipx .local/share/mise .local/share/fnm .local/share/pnpm .local/share/uv .dotnet .nix-profile".split(
    " ",
  );

const SECRETS =
  ".ssh .gnupg .aws .azure .kube .docker .oci .netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .vault-token .terraform.d .password-store .config/gcloud .config/gh .config/glab-cli .config/hub .config/op .config/toolgate .config/git/credentials .config/google-chrome .config/chromium .config/rclone .config/sops .config/doctl .config/heroku .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config .m2/settings.xml .gradle/gradle.properties .local/share/keyrings .mozilla .thunderbird .bash_history .zsh_history .python_history .node_repl_history .claude .claude.json .codex .gemini .composer/auth.json .subversion .s3cfg .boto .wrangler".split(
    " ",
  );

/** Folders of the system in which an administrator keeps what others may not read. */
const PRIVATE_IN = ["/", "/etc", "/etc/ssh", "/etc/ssl", "/var", "/var/lib", "/var/spool", "/var/log", "/opt", "/srv"];
const CREDENTIALS_IN_GITCONFIG = /:\/\/[^\s/"]+@|extraheader|password|token/i;

/** To root every file is readable that is not world-readable too: those are blanked. */
function privateOfSystem(): Mount[] {
  const found: Mount[] = [];
  for (const folder of PRIVATE_IN) {
    let names: string[] = [];
    try {
      names = fs.readdirSync(folder);
    } catch {
      continue;
    }
    for (const name of names) {
      const file = path.join(folder, name);
      const stats = fs.lstatSync(file, { throwIfNoEntry: false });
      if (stats?.isDirectory() && (stats.mode & 0o5) !== 0o5) found.push(empty(file));
      else if (stats?.isFile() && (stats.mode & 0o4) === 0) found.push(blank(file));
    }
  }
  return found;
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

/** The system read-only, the roots writable unless they are fixed, people's and the administrator's things not there. */
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

/** As whoever runs this process would see it. */
export const sceneHere = (roots: readonly string[], network: boolean, fixed = false): Mount[] =>
  sceneMounts({
    roots,
    homes: [...new Set([os.homedir(), os.userInfo().homedir].flatMap((home) => realPath(home) ?? []))],
    network,
    fixed,
    asRoot: process.getuid?.() === 0,
  });

/** Sockets that programs of the host listen on are reachable through the file system, whatever the network is. */
export function socketMasks(mounts: readonly Mount[]): Mount[] {
  let table: string;
  try {
    table = fs.readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  const paths = new Set(table.split("\n").flatMap((line) => /\s(\/.*)$/.exec(line)?.[1] ?? []));
  const real = [...paths].map(realPath).filter((each) => each !== undefined);
  return real.filter((each) => kindOf(each) === "other" && isVisible(each, mounts)).map(blank);
}
