import type * as Sdk from "@modelcontextprotocol/client";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { withoutSecrets } from "../../text/known-secrets.ts";
import { Deadline, LONGEST_TIMER } from "./deadline.ts";
import { secretsOf } from "./filled-variables.ts";
import { type Manifest, readTools, seen } from "./manifest.ts";
import { whyNotStarted } from "./server-code.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { type Ground, transportTo } from "./transports.ts";

/** An old server may support the new protocol by then. */
const ERA_HOLDS_MS = 7 * 24 * 3_600_000;
const PROBE_MS = 3_000;
const PING_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const MOST_SHOWN = 2_000;

export type CallOptions = {
  signal: AbortSignal;
  onProgress: (progress: Sdk.Progress) => void;
  /** Whose call it is, and how to ask them what the server wants to know. */
  sessionID: string;
  fill: (form: Sdk.ElicitRequestParams) => Promise<Sdk.ElicitResult>;
};

/** A connection to one server: opened on first use, reopened after it ended, with a pause after failures. */
export class Connection {
  readonly #name: string;
  readonly #setting: ServerSetting;
  readonly #ground: Ground;
  readonly #tell: (manifest: Manifest) => void;
  #known: Manifest | undefined;
  /** What it has listed since it was connected. */
  #listed: Manifest | undefined;
  #connecting: Promise<Sdk.Client> | undefined;
  #transport: Sdk.Transport | undefined;
  /** The last program that was started; it may have ended. */
  #program: StdioTransport | undefined;
  #client: Sdk.Client | undefined;
  #failures = 0;
  #retryAt = 0;
  #trouble: string | undefined;
  #failed: ToolFailure | undefined;
  #closed = false;
  /** Calls that the server has not answered yet. */
  readonly #calls = new Set<Pick<CallOptions, "sessionID" | "fill"> & { deadline: Deadline }>();

  constructor(
    name: string,
    setting: ServerSetting,
    ground: Ground,
    { known, listed }: { known: Manifest | undefined; listed: (manifest: Manifest) => void },
  ) {
    this.#name = name;
    this.#setting = setting;
    this.#ground = ground;
    this.#known = known;
    this.#tell = listed;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }
  /** Why it could not be reached the last time. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** The same as a failure for the model. */
  get failure(): ToolFailure | undefined {
    return this.#failed;
  }

  async list(): Promise<Manifest> {
    const client = await this.#connected();
    return this.#listed ?? this.#list(client);
  }

  /** Connects if necessary, after which its tools are known. */
  async ready(): Promise<void> {
    await this.#connected();
  }

  async call(tool: Sdk.Tool, args: Record<string, unknown>, options: CallOptions): Promise<Sdk.CallToolResult> {
    const { signal, onProgress, sessionID, fill } = options;
    const client = await this.#connected();
    const { timeout } = this.#setting;
    const deadline = new Deadline(timeout);
    const call = { sessionID, fill, deadline };
    this.#calls.add(call);
    try {
      return await client.callTool(
        { name: tool.name, arguments: args },
        {
          ...{ signal: AbortSignal.any([signal, deadline.signal]), onprogress: onProgress, toolDefinition: tool },
          // the `Deadline` decides, which pauses while a person thinks
          timeout: LONGEST_TIMER,
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      const isLate = deadline.signal.aborted;
      if (isLate) await this.#endIfSilent(client);
      throw this.#failure(isLate ? `did not answer within ${timeout / 1000} s` : "failed", error);
    } finally {
      this.#calls.delete(call);
      deadline.end();
    }
  }

  /** A form belongs to the call during which it arrives. If calls of several sessions are waiting, it is declined. */
  async #filled(form: Sdk.ElicitRequestParams): Promise<Sdk.ElicitResult> {
    const [call, ...others] = [...this.#calls].reverse();
    if (!call || others.some(({ sessionID }) => sessionID !== call.sessionID)) return { action: "decline" };
    const waiting = [call, ...others];
    for (const { deadline } of waiting) deadline.pause();
    try {
      return await call.fill(form);
    } finally {
      for (const { deadline } of waiting) deadline.resume();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#drop();
  }

  async #connected(): Promise<Sdk.Client> {
    if (this.#client) return this.#client;
    if (this.#closed) throw new ToolFailure("CANCELLED", "The gate is closed.", "Open another one and call again.");
    const wait = this.#retryAt - Date.now();
    if (wait > 0 && !this.#connecting)
      throw new ToolFailure(
        "IO_ERROR",
        `The server ${this.#name} could not be reached: ${this.#trouble}.`,
        `It is tried again in ${Math.ceil(wait / 1000)} s.`,
      );
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Sdk.Client> {
    try {
      const stale = await whyNotStarted(this.#setting, this.#ground.root);
      if (stale) throw new Error(stale);
      const sdk = await import("@modelcontextprotocol/client");
      const client = await this.#open(sdk);
      // what was cached may be outdated
      await this.#list(client).catch((error: unknown) => this.#drop().then(() => Promise.reject(error)));
      this.#failures = 0;
      this.#trouble = undefined;
      this.#failed = undefined;
      if (this.#closed) {
        await this.#drop();
        throw new Error("the gate was closed");
      }
      return client;
    } catch (error) {
      throw this.#failure("could not be reached", error);
    }
  }

  /** Tries the protocol that worked before, else the new one first. */
  async #open(sdk: typeof Sdk): Promise<Sdk.Client> {
    const ways: (Sdk.PriorDiscovery | "auto")[] = [];
    const remembered = this.#setting.type === "sse" ? ({ kind: "legacy" } as const) : this.#remembered();
    if (remembered) ways.push(remembered);
    if (remembered?.kind !== "legacy") ways.push("auto", { kind: "legacy" });
    let failure: unknown;
    for (const way of ways)
      try {
        return await this.#openBy(sdk, way);
      } catch (error) {
        failure = error;
        await this.#drop();
        // a program may have exited because of a request that it does not know
        const isWorthIt = way === remembered || this.#program?.ended !== undefined;
        if (this.#closed || !isWorthIt) break;
      }
    this.#known = undefined;
    throw failure;
  }

  #remembered(): Sdk.PriorDiscovery | undefined {
    const { era, at = 0, discover } = this.#known ?? {};
    if (era === undefined || Date.now() - at > ERA_HOLDS_MS) return undefined;
    return era === "legacy" ? { kind: "legacy" } : { kind: "modern", discover: discover as Sdk.DiscoverResult };
  }

  async #openBy(sdk: typeof Sdk, way: Sdk.PriorDiscovery | "auto"): Promise<Sdk.Client> {
    const { type, startupTimeout: timeout } = this.#setting;
    // a silent program is an old one; a silent service is slow
    const timeoutMs = type === "stdio" ? Math.min(PROBE_MS, timeout) : timeout;
    const client = new sdk.Client(
      { name: "toolgate", version: "1" },
      {
        ...(way === "auto" && {
          versionNegotiation: { mode: "auto", probe: { timeoutMs } },
        }),
        capabilities: { elicitation: { form: {} } },
        listChanged: { tools: { autoRefresh: false, onChanged: () => void this.#listAgain(client) } },
      },
    );
    client.setRequestHandler("elicitation/create", ({ params }) => this.#filled(params));
    const transport = await transportTo(sdk, this.#name, this.#setting, this.#ground);
    this.#transport = transport;
    this.#program = transport instanceof StdioTransport ? transport : undefined;
    await client.connect(transport, { timeout, ...(way !== "auto" && { prior: way }) });
    client.onclose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.onerror = () => {};
    this.#client = client;
    return client;
  }

  async #list(client: Sdk.Client): Promise<Manifest> {
    const { startupTimeout: timeout, tools: only } = this.#setting;
    const { tools } = await client.listTools({}, { timeout, cacheMode: "refresh" });
    const era = client.getProtocolEra() ?? "legacy";
    const discover = era === "modern" ? client.getDiscoverResult() : undefined;
    const manifest: Manifest = { at: Date.now(), era, ...(discover && { discover }), ...readTools(tools, only) };
    this.#known = manifest;
    this.#listed = manifest;
    this.#tell(manifest);
    return manifest;
  }

  async #listAgain(client: Sdk.Client): Promise<void> {
    try {
      await this.#list(client);
    } catch {
      // the previous list stays valid
    }
  }

  /** Ends a program that does not answer at all, so that the next call starts a new one. */
  async #endIfSilent(client: Sdk.Client): Promise<void> {
    if (!this.#program) return;
    try {
      await client.listTools({}, { timeout: Math.min(PING_MS, this.#setting.timeout), cacheMode: "bypass" });
    } catch {
      await this.#drop();
    }
  }

  async #drop(): Promise<void> {
    const transport = this.#transport;
    this.#client = undefined;
    this.#listed = undefined;
    this.#transport = undefined;
    await transport?.close().catch(() => {});
  }

  /** Describes a failure, with the last output of the program, but never with secrets that it was given. */
  #failure(what: string, error: unknown): ToolFailure {
    if (error instanceof ToolFailure) return error;
    const isOpen = this.#client !== undefined;
    const { ended, errors = "" } = this.#program ?? {};
    if (!isOpen) {
      this.#failures += 1;
      this.#retryAt = Date.now() + pauseAfter(this.#failures);
    }
    const secrets = secretsOf(this.#setting, this.#ground.env);
    const clean = (text: string) => withoutSecrets(seen(text, MOST_SHOWN), secrets);
    const why = clean(ended ?? (error instanceof Error ? error.message : String(error)));
    this.#trouble = why;
    const wrote = clean(errors.slice(-MOST_SHOWN));
    this.#failed = new ToolFailure(
      "IO_ERROR",
      `The server ${this.#name} ${what}: ${why.replace(/\.$/, "")}.`,
      isOpen
        ? "Change the call, or try another approach."
        : "It is started again by the next call of one of its tools.",
      wrote === "" ? {} : { output: `It last wrote:\n${wrote}` },
    );
    return this.#failed;
  }
}

/** The first retry is immediate. */
const pauseAfter = (failures: number): number =>
  failures < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS);
