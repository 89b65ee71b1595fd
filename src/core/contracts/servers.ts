/** A server's tool is called mcp_SERVER_TOOL here. */
export const SERVED_PREFIX = "mcp_";

/** How a server of tools is reached, as somebody wrote it down: `${NAME}` stands for a variable of the environment. */
export type ServerSetting = {
  readonly type: "stdio" | "http" | "sse";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it is started; absent: in the workspace. */
  readonly cwd?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable that holds a bearer token. */
  readonly tokenEnv?: string;
  readonly oauth?: ServerOAuth;
  readonly enabled: boolean;
  /** Milliseconds that one call may take. */
  readonly timeout: number;
  readonly startupTimeout: number;
  /** What a person accepted of the workspace's own code, by real path and hash; absent: it is theirs. */
  readonly accepted?: Readonly<Record<string, string>>;
  /** Only these of its tools, by their own names; `*` stands for any characters. */
  readonly tools?: readonly string[];
};

/** A client that speaks for itself, or for a person who has logged in; the variable holds its secret. */
export type ServerOAuth = {
  readonly grant: "client_credentials" | "authorization_code";
  readonly clientId?: string;
  readonly secretEnv?: string;
  readonly scope?: string;
  /** Who may be given the secret; absent: whoever the server names. */
  readonly issuer?: string;
};

export type ServerSettings = Readonly<Record<string, ServerSetting>>;

/** A tool that was found: what it is called here, what its server says of it, what it takes. */
export type FoundTool = { readonly name: string; readonly description: string; readonly parameters: object };

/** Its command, or its address. */
export const whereIs = ({ type, command, args, url }: ServerSetting): string =>
  type === "stdio" ? [command, ...args].join(" ") : url;

/** What is known of a server, for people. */
export type ServerState = {
  readonly name: string;
  /** Where it is: its command, or its address. */
  readonly where: string;
  /** `known`: its tools are, and it was not started for that. */
  readonly state: "off" | "unknown" | "known" | "connected" | "failed";
  readonly tools: readonly string[];
  /** Why it failed, or what was left out of what it offers. */
  readonly notes: readonly string[];
};

/** What a model is told of tools that are loaded when they are called or found. */
export type Offer = { readonly text: string; readonly names: readonly string[] };

/** Tools that are known by their names alone until somebody needs them: those of other servers. */
export interface LateTools {
  /** Starts servers only where nothing is known of them yet; never rejects. */
  offer(): Promise<Offer>;
  /**
   * Registers the tool of this name, if there is one. A server of which nothing is known yet is started and asked, also
   * to explain a call: who wants to know the verdict needs the tool. Throws where that fails.
   */
  load(name: string): Promise<void>;
  /** The best first; those that are found can be called from now on. `only`: names that count. */
  search(query: string, most: number, only?: readonly string[]): Promise<readonly FoundTool[]>;
  states(): Promise<readonly ServerState[]>;
  close(): Promise<void>;
}
