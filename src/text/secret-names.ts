/** What is secret whatever it looks like. */
const STRONG =
  /^(?:pass(?:w|wo|wor)?|passwords?|passwd|passphrase|passcode|pwd?|secrets?|token|pat|creds?|credentials?|bearer|apikey|authkey|authtoken|sshpass)$/;
/** Words that end in one, written without a separator: `DBPASS`, `PGPASSWORD`, `NPMTOKEN`. */
const JOINED =
  /(?:password|passwd|passphrase|secret|token|apikey|accesskey|secretkey|authkey|(?<!^by|com|tres|sur|over|under|im)pass)$/;
/** What is secret where its value looks like one. */
const WEAK = /^(?:key|auth|cookie|psk|pin|sid|otp)$/;

/** Whose keys are secrets. */
const KEYED = /^(?:api|secret|access|auth|account|master|encryption|signing|shared|subscription|app|application)$/;

/** What is about a secret and is none: `PASSWORD_FILE`, `TOKEN_TYPE`. */
const ABOUT = new Set(
  (
    "file files path paths dir directory folder url uri urls endpoint host hosts port name names id ids arn type types kind " +
    "length len size limit limits max min count counts number total ttl expiry expires expire expiration timeout age days " +
    "policy field fields header headers hash hashed hasher salt rounds env var variable required enabled disabled enable " +
    "disable version manager store stores provider alg algorithm prefix suffix label labels placeholder prompt reset change " +
    "strength rotation rotate check validation validator valid regex pattern format encoding scope scopes issuer audience " +
    "user username email account stdin fd ask cmd command eval script hint message text title ref refs list set usage mode " +
    "status state index start end bucket region class cache service server client context config settings required rate " +
    "budget per price cost ring chain stream streams space map sets json yaml col column columns table pair pairs"
  ).split(" "),
);
const WHERE =
  /^(?:\d{1,4}|prod|production|dev|development|stage|staging|test|qa|live|local|main|master|root|admin|new|old|current|default|backup|primary|secondary|readonly|rw|ro|base|value|[a-z])$/;

export type Named = "strong" | "weak";

const known = new Map<string, Named | undefined>();

/** What the name of a variable, a setting or an option says of its value. */
export function nameSays(name: string): Named | undefined {
  if (name.length > 128) return nameSays(name.slice(-128));
  if (known.has(name)) return known.get(name);
  const says = judge(name);
  if (known.size < 2000) known.set(name, says);
  return says;
}

function judge(name: string): Named | undefined {
  if (name === "PWD" || name === "OLDPWD") return undefined;
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
  const upper = name === name.toUpperCase();
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = (parts[index] as string).replace(/(?<=[a-z])\d{1,4}$/, "");
    if (part === "pat" && !upper) return undefined;
    if (STRONG.test(part) || JOINED.test(part)) return "strong";
    if (part === "key" && KEYED.test(parts[index - 1] ?? "")) return "strong";
    if (WEAK.test(part)) return "weak";
    if (ABOUT.has(part)) return undefined;
    // behind a name in small letters only where and for what it is used
    if (!upper && !WHERE.test(part)) return undefined;
  }
  return undefined;
}
