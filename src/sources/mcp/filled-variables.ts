import type { ServerSetting } from "../../core/contracts/servers.ts";

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
const SHORTEST_SECRET = 8;

/** Throws for a variable that is not set and has no default, so that nothing incomplete is sent. */
export function filledIn(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] ?? otherwise;
    if (value === undefined) throw new Error(`the environment variable ${name} is not set`);
    return value;
  });
}

export function filledMap(values: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filledIn(value, env)]));
}

/** Throws if the variable is not set. */
export function variable(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** What must not be repeated to a model: the values of its variables and headers, and its token. */
export function secretsOf({ env: own, headers, tokenEnv, oauth }: ServerSetting, env: NodeJS.ProcessEnv): string[] {
  const values = [...Object.values(own), ...Object.values(headers)].map((text) =>
    text.replace(VARIABLE, (_, name: string, otherwise = "") => env[name] ?? otherwise),
  );
  const named = [tokenEnv, oauth?.secretEnv].map((name) => (name === undefined ? "" : (env[name] ?? "")));
  const all = [...values, ...values.map((value) => value.replace(/^\w+ /, "")), ...named];
  return [...new Set(all)].filter((value) => value.length >= SHORTEST_SECRET);
}
