import { createHash, randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type * as Sdk from "@modelcontextprotocol/client";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { putFile } from "./cache.ts";
import { filledIn, variable } from "./filled-variables.ts";

/** The stored part of a login: our registration at the service, and the tokens that it gave us. */
type Kept = {
  readonly client?: Sdk.StoredOAuthClientInformation;
  /** Where the service sends a browser back to. A different address needs a new registration. */
  readonly redirect?: string;
  readonly tokens?: Sdk.StoredOAuthTokens;
  /** The scope that was missing when a call was refused. */
  readonly scope?: string;
};

/** Shows a person the page to log in at, and says where a browser returns to. */
export type Visit = { readonly redirectUrl: string; show(page: URL): void };

type Whose = {
  readonly name: string;
  readonly setting: ServerSetting;
  readonly folder: string;
  env?: NodeJS.ProcessEnv;
};

/** A login belongs to a server's name and address: another address is another server. */
const fileOf = ({ name, setting, folder, env = process.env }: Whose): string => {
  const key = createHash("sha256").update(JSON.stringify([name, filledIn(setting.url, env)]));
  return join(folder, `${key.digest("hex").slice(0, 32)}.login.json`);
};

export const wantsLogin = (name: string): Error => new Error(`it wants a login: toolgate mcp login ${name}`);

/** A person's login at a service: stored in their own configuration folder, and refreshed when it expires. */
export class Login implements Sdk.OAuthClientProvider {
  readonly #whose: Whose;
  readonly #visit: Visit | undefined;
  readonly #file: string;
  #verifier = "";
  #discovery: Sdk.OAuthDiscoveryState | undefined;
  #sent: Sdk.StoredOAuthTokens | undefined;
  /** The OAuth state: the browser returns it, and nobody else knows it. */
  readonly secret = randomBytes(24).toString("base64url");

  /** A client id that is a URL tells the service where to read who we are. */
  readonly clientMetadataUrl?: string;

  constructor(whose: Whose, visit?: Visit) {
    const { clientId } = whose.setting.oauth ?? {};
    if (clientId?.startsWith("https://")) this.clientMetadataUrl = clientId;
    this.#whose = whose;
    this.#visit = visit;
    this.#file = fileOf(whose);
  }

  async kept(): Promise<Kept> {
    try {
      return JSON.parse(await readFile(this.#file, "utf8")) as Kept;
    } catch {
      return {};
    }
  }

  async #keep(change: Partial<Record<keyof Kept, unknown>>): Promise<void> {
    const all = { ...(await this.kept()), ...change };
    await putFile(this.#whose.folder, this.#file, JSON.stringify(all));
  }

  /** Deletes the login. Returns false if there was none. */
  async forget(): Promise<boolean> {
    const { tokens } = await this.kept();
    await rm(this.#file, { force: true });
    return tokens !== undefined;
  }

  get #oauth() {
    return this.#whose.setting.oauth;
  }
  get redirectUrl(): string {
    return this.#visit?.redirectUrl ?? "http://127.0.0.1/callback";
  }
  get clientMetadata(): Sdk.OAuthClientMetadata {
    return {
      client_name: "Toolgate",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
      ...(this.#oauth?.scope !== undefined && { scope: this.#oauth.scope }),
    };
  }
  state(): string {
    return this.secret;
  }

  async clientInformation({ issuer }: { issuer?: string } = {}): Promise<Sdk.StoredOAuthClientInformation | undefined> {
    const { clientId, secretEnv, issuer: expected } = this.#oauth ?? {};
    if (clientId !== undefined && this.clientMetadataUrl === undefined)
      return {
        client_id: clientId,
        ...(secretEnv !== undefined && { client_secret: variable(secretEnv, this.#whose.env ?? process.env) }),
        ...(expected !== undefined && { issuer: expected }),
      };
    const { client, redirect } = await this.kept();
    const isOurs = client?.issuer === undefined || issuer === undefined || client.issuer === issuer;
    if (client && isOurs && (!this.#visit || redirect === this.redirectUrl)) return client;
    // no registration without a person
    if (!this.#visit) throw wantsLogin(this.#whose.name);
    return undefined;
  }
  saveClientInformation(client: Sdk.StoredOAuthClientInformation): Promise<void> {
    return this.#keep({ client, redirect: this.redirectUrl });
  }

  async tokens(): Promise<Sdk.StoredOAuthTokens | undefined> {
    const { tokens } = await this.kept();
    this.#sent = tokens;
    return tokens;
  }
  async saveTokens(tokens: Sdk.StoredOAuthTokens): Promise<void> {
    this.#sent = tokens;
    // the next discovery may name another authorization server
    this.#discovery = undefined;
    await this.#keep({ tokens, scope: undefined });
  }

  async redirectToAuthorization(page: URL): Promise<void> {
    if (this.#visit) return this.#visit.show(page);
    const scope = page.searchParams.get("scope");
    if (scope !== null) await this.#keep({ scope });
    throw wantsLogin(this.#whose.name);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: Sdk.OAuthDiscoveryState): void {
    this.#discovery = state;
  }
  discoveryState(): Sdk.OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (what === "discovery" || what === "all") this.#discovery = undefined;
    const { tokens } = await this.kept();
    // another process may have refreshed them in the meantime
    const isStale = JSON.stringify(tokens) === JSON.stringify(this.#sent);
    if ((what === "tokens" || what === "all") && isStale) await this.#keep({ tokens: undefined });
    if (what === "client" || what === "all") await this.#keep({ client: undefined });
  }
}
