import { ToolFailure } from "../../../core/words/result.ts";
import { hostList, type Target } from "../../../rules/hosts.ts";
import { GONE, patternOf } from "../../../text/known-secrets.ts";

/** Environment variables that may be sent as secrets, each with the hosts that may receive them. */
export type SecretHosts = Readonly<Record<string, readonly string[]>>;

const PLACE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

export type Filled = { readonly headers: Record<string, string>; readonly secrets: readonly string[] };

/** Replaces `${env:NAME}` in headers. Throws if the variable is not allowed for this host, which would leak it. */
export function filled(
  headers: Readonly<Record<string, string>>,
  target: Target & { readonly isKept: boolean },
  allowed: SecretHosts,
  env: Readonly<Record<string, string | undefined>>,
): Filled {
  const secrets: string[] = [];
  const fill = (value: string): string =>
    value.replace(PLACE, (_, name: string) => {
      const hosts = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      if (!hosts || !hostList(hosts).has(target))
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `The variable ${name} may not be sent to ${target.host}:${target.port}.`,
          `A person can allow it: web.secrets: { ${name}: [${JSON.stringify(target.host)}] }.`,
        );
      if (!target.isKept)
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `The variable ${name} would be sent to ${target.host} for everybody on the way to read.`,
          "Use https.",
        );
      const secret = env[name];
      if (!secret) throw new ToolFailure("CONFIG_ERROR", `The variable ${name} is not set.`, "A person has to set it.");
      secrets.push(secret);
      return secret;
    });
  return { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])), secrets };
}

/** Removes secrets from a body in pieces. Bytes that may begin a secret are held back until the next piece. */
export async function* piecesWithout(
  body: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { pattern, longest } = patternOf(secrets);
  let rest = "";
  for await (const piece of body) {
    // latin1 preserves every byte
    const text = rest + Buffer.from(piece).toString("latin1");
    const certain = text.length - longest + 1;
    let out = "";
    let at = 0;
    for (const { index, 0: found } of text.matchAll(pattern)) {
      // a longer secret may begin here
      if (index >= certain) break;
      out += text.slice(at, index) + GONE;
      at = index + found.length;
    }
    const end = Math.max(at, certain);
    out += text.slice(at, end);
    rest = text.slice(end);
    if (out !== "") yield Buffer.from(out, "latin1");
  }
  const last = rest.replace(pattern, GONE);
  if (last !== "") yield Buffer.from(last, "latin1");
}
