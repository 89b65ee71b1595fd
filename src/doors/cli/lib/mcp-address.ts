import { readFileSync } from "node:fs";
import { isLoopback } from "../../mcp/http/checks.ts";
import type { HttpOptions } from "../../mcp/http/serve.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";

const SHORTEST_TOKEN = 16;

/** Where to serve over HTTP, and who may connect; undefined if not over HTTP. */
export function addressOf({ values }: Invocation): Pick<HttpOptions, "port" | "host" | "hosts" | "token"> | undefined {
  const { http, host = "127.0.0.1", "allow-host": names } = values;
  const { TOOLGATE_MCP_TOKEN: given } = process.env;
  // removed, so that commands that are run cannot see it
  delete process.env.TOOLGATE_MCP_TOKEN;
  if (http === undefined) {
    const stray = ["host", "allow-host", "token-file"].find((option) => values[option] !== undefined);
    if (stray) throw new UsageFailure(`--${stray} is for serving over HTTP.`, "Add --http PORT.");
    return undefined;
  }
  if (!/^\d{1,5}$/.test(http) || Number(http) > 65_535)
    throw new UsageFailure(`--http ${http} is not a port.`, "Write for example --http 8080.");
  const token = tokenFrom(values["token-file"], given);
  if (token === undefined && !isLoopback(host))
    throw new UsageFailure(
      `${host} can be reached from other machines, so a token is required.`,
      "Put one into TOOLGATE_MCP_TOKEN or into a file: --token-file FILE.",
    );
  return {
    port: Number(http),
    host,
    ...(names && { hosts: names.split(",").map((name) => name.trim()) }),
    ...(token !== undefined && { token }),
  };
}

function tokenFrom(file: string | undefined, given: string | undefined): string | undefined {
  const token = file === undefined ? given : readToken(file);
  if (token === undefined || token.trim() === "") {
    if (file !== undefined)
      throw new UsageFailure(`${file} contains no token.`, "Write one into it, on a single line.");
    return undefined;
  }
  if (token.trim().length < SHORTEST_TOKEN || /\s/.test(token.trim()))
    throw new UsageFailure(
      `A token needs at least ${SHORTEST_TOKEN} characters, and no blanks.`,
      "For example: openssl rand -hex 32",
    );
  return token.trim();
}

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageFailure(
      `${file} cannot be read (${(error as { code?: string }).code}).`,
      "Give the file that holds the token: --token-file FILE.",
    );
  }
}
