/** A server's tool is called mcp_SERVER_TOOL here. */
export const SERVED_PREFIX = "mcp_";

/** How a server of tools is reached, as configured. `${NAME}` stands for an environment variable. */
export type ServerSetting = {
  readonly type: "stdio" | "http" | "sse";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working directory. Absent: the workspace. */
  readonly cwd?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The environment variable that holds a bearer token. */
  readonly tokenEnv?: string;
  readonly oauth?: ServerOAuth;
  readonly enabled: boolean;
  /** The time limit of one call, in milliseconds. */
  readonly timeout: number;
  readonly startupTimeout: number;
  /** For a server of the workspace itself: the code that a person accepted, by real path and hash. */
  readonly accepted?: Readonly<Record<string, string>>;
  /** Only these of its tools, by their own names; `*` matches any characters. */
  readonly tools?: readonly string[];
};

/** An OAuth client that acts for itself, or for a logged-in person. `secretEnv` names the variable with its secret. */
export type ServerOAuth = {
  readonly grant: "client_credentials" | "authorization_code";
  readonly clientId?: string;
  readonly secretEnv?: string;
  readonly scope?: string;
  /** The only issuer that may get the secret. Absent: the one that the server names. */
  readonly issuer?: string;
};

export type ServerSettings = Readonly<Record<string, ServerSetting>>;

/** A tool that was found: its name here, its server's description of it, and its arguments. */
export type FoundTool = { readonly name: string; readonly description: string; readonly parameters: object };

/** The command or the address of a server. */
export const whereIs = ({ type, command, args, url }: ServerSetting): string =>
  type === "stdio" ? [command, ...args].join(" ") : url;

/** What is known of a server, for people. */
export type ServerState = {
  readonly name: string;
  /** Its command or address. */
  readonly where: string;
  /** `known`: its tools are known without starting it. */
  readonly state: "off" | "unknown" | "known" | "connected" | "failed";
  readonly tools: readonly string[];
  /** Why it failed, or what was left out of its tools. */
  readonly notes: readonly string[];
};

/** What a model is told about tools that are loaded when they are called or found. */
export type Offer = { readonly text: string; readonly names: readonly string[] };

/** Tools known only by their names until somebody needs them: those of other servers. */
export interface LateTools {
  /** Starts only servers of which nothing is known yet. Never rejects. */
  offer(): Promise<Offer>;
  /**
   * Registers the tool of this name, if there is one. A server of which nothing is known yet is started and asked, even
   * to explain a call, because the verdict depends on the tool. Throws if that fails.
   */
  load(name: string): Promise<void>;
  /** The best matches first; they can be called from now on. `only`: the names to consider. */
  search(query: string, most: number, only?: readonly string[]): Promise<readonly FoundTool[]>;
  states(): Promise<readonly ServerState[]>;
  close(): Promise<void>;
}
