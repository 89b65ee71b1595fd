import type { Policy } from "../core/contracts/policy.ts";
import {
  belowRoot,
  type KeptFile,
  type PathTouch,
  type RunTouch,
  readsUnknown,
  type Touch,
} from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { gitCommands, isShowing, namedToGit, showsKept } from "../shell/git-names.ts";
import { fits } from "../shell/paths.ts";
import { globMatcher } from "../text/glob.ts";

const EXAMPLES = ["example", "sample", "template", "dist"];
const STAGES = ["local", "dev", "development", "test", "staging", "prod", "production"];
const NO_EXAMPLE = `!(${["", ...STAGES.map((stage) => `${stage}.`)].flatMap((stage) => EXAMPLES.map((name) => stage + name)).join("|")})`;
const KEY_FILES: readonly string[] = [
  ...["*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.ovpn"],
];
/** Names that patterns for a whole tree are compared with: none of them begins like other files of a project. */
const TELLING: readonly string[] = [
  ...[".env", ".envrc", ".dev.vars"],
  ...[".npmrc", ".netrc", "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd", ".dockercfg"],
  ...[".s3cfg", ".boto", ".authinfo", ".databrickscfg", ".sentryclirc", ".terraformrc", ".vault-token", ".vault_pass"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"],
  ...["credentials.json", "credentials.yml", "credentials.yaml", "credentials.toml"],
  ...["secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml"],
];
const OTHERS: readonly string[] = [
  ...["**/.docker/config.json", "**/.kube/config", "**/.aws/credentials", "**/.config/gh/hosts.yml"],
  ...["**/.config/rclone/rclone.conf", "**/.codex/auth.json", "**/.composer/auth.json"],
  ...["**/.terraform.d/credentials.tfrc.json", "application_default_credentials.json"],
  ...["service-account.json", "service_account.json", "service-account-key.json", "serviceaccountkey.json"],
  ...["*firebase-adminsdk*.json", "*.tfstate", "secrets.tfvars", "local.settings.json", "keystore.properties"],
  ...["prod.env", "production.env", "staging.env", "local.env", "secrets.env", "secret.env"],
];

/** Copies that people, editors and tools leave beside a file. */
const LEFTOVER = "@(~|.~|.bak|.bkp|.bck|.backup|.old|.orig|.save|.saved|.copy|.tmp|.swp|.swo|.swn|.rej|.1|.2)";
function leftovers(glob: string): string[] {
  const at = glob.lastIndexOf("/") + 1;
  const [folder, name] = [glob.slice(0, at), glob.slice(at)];
  return [`${glob}${LEFTOVER}`, ...(name.startsWith("*") ? [] : [`${folder}@(.|#)${name}@(#|.swp|.swo|.swn)`])];
}

/** Files that are meant to hold secrets; not examples and templates of them. */
const SECRET_FILES: readonly string[] = [
  ...TELLING,
  ...[`.env.${NO_EXAMPLE}`, `.env-${NO_EXAMPLE}`, `.env_${NO_EXAMPLE}`],
  ...KEY_FILES,
  ...OTHERS,
  ...[...TELLING, ...KEY_FILES, ...OTHERS, "credentials", "kubeconfig"].flatMap(leftovers),
];
/** Not among them: files of these names hold secrets, but folders of these names hold code. */
const BARE = /(?:^|\/)(credentials|kubeconfig)$/i;

/** A pattern that people can read. */
const readable = (pattern: string): string => {
  const name = /(?:^|@\(\.\|#\))([^()]*)@\([~#][^()]*\)$/.exec(pattern)?.[1];
  return name === undefined ? pattern.replace(NO_EXAMPLE, "*") : `a copy of ${name}`;
};

const showsToGit = ({ reading }: RunTouch, file: KeptFile): boolean =>
  file.shown === true || gitCommands(reading).some((words) => showsKept(words, file));

const UNSEARCHED =
  "it would show something of git's history that could not be searched for files that may hold secrets";

/** A command that only looks, and at more than it names. What git keeps of a file is not hidden by hiding the file. */
const looksAround = (touch: RunTouch): boolean => touch.class === "safe" && touch.inner.some(readsMore);
const readsMore = (touch: Touch): boolean => {
  if (touch.action === "run") return touch.inner.some(readsMore);
  if (readsUnknown(touch)) return true;
  return touch.action === "read" && touch.brings !== "tracked" && touch.scope?.includes("**") === true;
};

/** Names that a pattern for a whole tree may be meant for. Patterns that begin with a wildcard are routine. */
const NAMES = [...TELLING, ".env.local"];
const BEGINNING = /^(?:\.|[\w-]{3})/;

/** What projects give to everybody on purpose: settings that are no secrets, and keys for their tests. */
const OFTEN_GIVEN = globMatcher([...[".npmrc", ".env.@(development|dev|test|ci|defaults)"], ...KEY_FILES]);

/** A person is asked before a file of secrets is read; a search leaves them out. In yolo nobody is asked. */
export function secretFiles(globs = SECRET_FILES): Policy {
  const isSecret = globMatcher(globs);
  const nameFor = (path: string): string | undefined => isSecret(path) ?? BARE.exec(path)?.[1]?.toLowerCase();
  const ask = (about: Touch, shown: string, pattern: string): Verdict => ({
    answer: "ask",
    by: "secret-files",
    reason: `it would read ${shown}, which may hold secrets (${readable(pattern)})`,
    grantable: true,
    about: [about],
  });

  function secretIn(touch: PathTouch): Verdict | undefined {
    const { real, root, shown } = touch.place;
    const { scope } = touch;
    const path = belowRoot({ real, root });
    if (scope === undefined || scope === "**") {
      const pattern = nameFor(path);
      return pattern === undefined ? undefined : ask(touch, shown, pattern);
    }
    const name = scope.slice(scope.lastIndexOf("/") + 1);
    const pattern = spelledBy(name) ?? (scope.includes("**") ? meantBy(name) : undefined);
    return pattern === undefined ? undefined : ask(touch, `${shown}/${scope}`, pattern);
  }

  /** A pattern that spells out such a name is meant for it; `*` alone is routine. */
  const spelledBy = (name: string): string | undefined =>
    [name, name.replace(/[*?]+/g, ""), name.replace(/[*?]+/g, "x")].map(nameFor).find(Boolean);

  function keptByGit(touch: RunTouch): Verdict | undefined {
    for (const name of namedToGit(touch.reading, isShowing)) {
      const pattern = spelledBy(name) ?? meantBy(name.slice(name.lastIndexOf("/") + 1));
      if (pattern !== undefined) return ask(touch, name, pattern);
    }
    for (const file of touch.kept ?? []) {
      const pattern = OFTEN_GIVEN(file.name) ? undefined : nameFor(file.name);
      if (pattern !== undefined && showsToGit(touch, file)) return ask(touch, `${file.name}, as git keeps it`, pattern);
    }
    if (touch.unsearched) return { ...ask(touch, "", ""), reason: UNSEARCHED };
    return undefined;
  }

  /** A pattern for a whole tree is compared with known names, not with the files that are there. */
  const meantBy = (name: string): string | undefined =>
    BEGINNING.test(name) ? NAMES.find((each) => fits(name.toLowerCase(), each)) : undefined;

  /** Of a safe command it is known which files it reads, so one that it only lists is not asked about. */
  const asksAbout = (touches: readonly Touch[], lists: boolean): Verdict[] =>
    touches.flatMap((touch) => {
      if (touch.action === "run") {
        const kept = keptByGit(touch);
        const inside = asksAbout(touch.inner, touch.class !== "safe");
        return kept ? [...inside, kept] : inside;
      }
      if (touch.action !== "read" && touch.action !== "list") return [];
      if (touch.place.link || (touch.action === "list" && !lists)) return [];
      return secretIn(touch) ?? [];
    });

  return {
    name: "secret-files",
    speaksOf: ["read", "list", "run"],
    minds: (path) => nameFor(path) !== undefined,
    judge({ touches }, { ceiling }) {
      if (ceiling.mode === "yolo") return undefined;
      const asks = asksAbout(touches, true);
      const [first] = asks;
      if (first) return { ...first, about: asks.flatMap(({ about = [] }) => about) };
      const searches = touches.some(
        (touch) => touch.action === "list" || (touch.action === "run" && looksAround(touch)),
      );
      if (!searches) return undefined;
      return {
        answer: "allow",
        by: "secret-files",
        reason: "files that may hold secrets are left out",
        exclude: globs,
      };
    },
  };
}
