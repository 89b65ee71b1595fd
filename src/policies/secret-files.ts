import type { Policy } from "../core/contracts/policy.ts";
import { belowRoot, eachTouch, type PathTouch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { globMatcher } from "../text/glob.ts";

/** Files that are there to hold secrets. What only shows how such a file would look is none. */
const SECRET_FILES: readonly string[] = [
  ...[".env", ".env.!(example|sample|template|dist)", ".envrc"],
  ...[".npmrc", ".netrc", "_netrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd", ".dockercfg"],
  ...["**/.docker/config.json", "**/.kube/config", "**/.aws/credentials", "**/.config/gh/hosts.yml"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk"],
  ...["credentials.json", "credentials.yml", "credentials.yaml", "secrets.json", "secrets.yml", "secrets.yaml"],
];

/** A person is asked before a file of secrets is read; a search leaves them out. In yolo nobody is asked. */
export function secretFiles(globs = SECRET_FILES): Policy {
  const isSecret = globMatcher(globs);
  // a bare word: as a name it is a file of secrets, as a folder in an exclusion it would hide whole trees
  const nameFor = (path: string): string | undefined =>
    isSecret(path) ?? (/(?:^|\/)credentials$/i.test(path) ? "credentials" : undefined);
  const ask = (about: PathTouch, shown: string, pattern: string): Verdict => ({
    answer: "ask",
    by: "secret-files",
    reason: `it would read ${shown}, which may hold secrets (${pattern})`,
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
    // a pattern that spells out such a name is meant for it; `*` alone is all day's work
    const name = scope.slice(scope.lastIndexOf("/") + 1);
    const spelled = [name, name.replace(/[*?]+/g, ""), name.replace(/[*?]+/g, "x")];
    const pattern = spelled.map(nameFor).find(Boolean);
    return pattern === undefined ? undefined : ask(touch, `${shown}/${scope}`, pattern);
  }

  return {
    name: "secret-files",
    speaksOf: ["read", "list", "run"],
    judge({ touches }, { ceiling }) {
      if (ceiling.mode === "yolo") return undefined;
      const asks: Verdict[] = [];
      for (const touch of eachTouch(touches)) {
        if ((touch.action !== "read" && touch.action !== "list") || touch.place.link) continue;
        const secret = secretIn(touch);
        if (secret) asks.push(secret);
      }
      const [first] = asks;
      if (first) return { ...first, about: asks.flatMap(({ about = [] }) => about) };
      const searches = touches.some(({ action }) => action === "list");
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
