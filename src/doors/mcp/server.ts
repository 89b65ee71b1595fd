import { randomBytes } from "node:crypto";
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Approver } from "../../core/contracts/approval.ts";
import type { AskPerson } from "../../core/contracts/people.ts";
import { harmless } from "../../core/words/visible.ts";
import { redact } from "../../text/redact.ts";
import type { Shown } from "../lib/turn.ts";
import { digestOf, type Exchange, Exchanges, type Line, type Reply } from "./lib/elicitation.ts";
import { elicitingApprover, elicitingPerson } from "./lib/eliciting-people.ts";
import type { Prompts, Resources } from "./lib/offering.ts";
import { listed, type ServedGate, toolResult } from "./lib/tool-list.ts";

export type { ServedGate } from "./lib/tool-list.ts";

/** The SDK, which is loaded on first use. */
type Sdk = typeof import("@modelcontextprotocol/server");

export type ServeOptions = Shown & {
  readonly version?: string;
  readonly resources?: Resources;
  readonly prompts?: Prompts;
};

/** `served` is a child gate, if the client has its own. */
export type ServerFactory = (context: McpRequestContext, served?: ServedGate) => Server;

/** Serves a gate to MCP clients. `approve` and `ask`, passed to open(), reach the person at the client. */
export type McpDoor = {
  readonly approve: Approver;
  readonly ask: AskPerson;
  /** For the SDK's `serveStdio` and `createMcpHandler`: one server per connection. */
  factory(gate: ServedGate, options?: ServeOptions): Promise<ServerFactory>;
  /** Resolves when no call is running that does not wait for a person, or the time is over. */
  rested(milliseconds: number): Promise<void>;
  /** Stops every call of a client that is still running. */
  close(): void;
};

export function mcp(): McpDoor {
  const exchanges = new Exchanges();
  const forget: (() => void)[] = [];
  return {
    approve: elicitingApprover(exchanges),
    ask: elicitingPerson(exchanges),
    async factory(gate, options = {}) {
      const sdk = await import("@modelcontextprotocol/server");
      // a question is always answered in the process that asked it
      const codec = sdk.createRequestStateCodec<Parked>({
        key: randomBytes(32),
        bind: ({ sessionId, mcpReq }) => `${mcpReq.method}\0${sessionId ?? ""}`,
      });
      forget.push(
        gate.on("event", (event) => {
          if (event.type === "progress" && event.title) exchanges.progress(event.call.id, event.title);
        }),
      );
      return ({ era, requestInfo }, served = gate) => {
        const serving = new Serving(sdk, served, options, exchanges, codec);
        // a server for a single request has nobody to notify
        if (era === "legacy" || !requestInfo) serving.tellChanges();
        return serving.server;
      };
    },
    rested: (milliseconds) => exchanges.rested(milliseconds),
    close() {
      for (const each of forget.splice(0)) each();
      exchanges.stopAll();
    },
  };
}

/** The state that comes back with an answer: which call waits for it, and for which questions. */
type Parked = { id: string; keys: string[] };
type Codec = ReturnType<typeof import("@modelcontextprotocol/server").createRequestStateCodec<Parked>>;

const LONGEST_PROGRESS = 300;

/** A connection, or with HTTP a single request. */
class Serving {
  readonly server: Server;
  readonly #sdk: Sdk;
  readonly #gate: ServedGate;
  readonly #shown: Shown;
  readonly #exchanges: Exchanges;
  readonly #codec: Codec;

  constructor(sdk: Sdk, gate: ServedGate, options: ServeOptions, exchanges: Exchanges, codec: Codec) {
    const { version = "0.0.0", resources, prompts, ...shown } = options;
    this.#sdk = sdk;
    this.#gate = gate;
    this.#shown = shown;
    this.#exchanges = exchanges;
    this.#codec = codec;
    this.server = new sdk.Server(
      { name: "toolgate", title: "Toolgate", version },
      {
        capabilities: {
          tools: { listChanged: true },
          ...(resources && { resources: {} }),
          ...(prompts && { prompts: {} }),
        },
        instructions: INSTRUCTIONS,
        requestState: { verify: (state, context) => codec.verify(state, context) },
        inputRequired: { maxRounds: 100 },
        debouncedNotificationMethods: ["notifications/tools/list_changed"],
      },
    );
    this.server.setRequestHandler("tools/list", (_, context) => ({ tools: this.#tools(context) }));
    this.server.setRequestHandler("tools/call", (request, context) => this.#call(request.params, context));
    if (resources) this.#offerResources(resources);
    if (prompts) this.#offerPrompts(prompts);
  }

  #tools(context: ServerContext) {
    const tools = listed(this.#gate, this.#shown);
    return this.#canAsk(context) ? tools : tools.filter(({ name }) => !isForPeople(this.#gate, name));
  }

  async #call(
    { name, arguments: args = {} }: CallToolRequest["params"],
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const digest = digestOf(name, args);
    const parked = context.mcpReq.requestState<Parked>();
    const exchange = parked ? this.#resumed(parked, digest, context) : this.#begun(name, args, digest, context);
    if (!exchange) return failure(parked ? NOBODY_WAITS : TOO_MANY);
    const turn = await exchange.next();
    if ("result" in turn) {
      this.#exchanges.end(exchange);
      return toolResult(turn.result, this.#gate.registry.get(name));
    }
    this.#exchanges.park(exchange);
    const { inputRequired } = this.#sdk;
    return inputRequired({
      inputRequests: Object.fromEntries(
        turn.questions.map(({ key, form: { message, properties, required } }) => [
          key,
          inputRequired.elicit({
            message,
            requestedSchema: { type: "object", properties, required: [...required] } as never,
          }),
        ]),
      ),
      requestState: await this.#codec.mint({ id: exchange.id, keys: turn.questions.map(({ key }) => key) }, context),
    });
  }

  #begun(name: string, args: unknown, digest: string, context: ServerContext): Exchange | undefined {
    const agent = this.#client(context);
    return this.#exchanges.open(digest, this.#line(context), (signal, id) =>
      this.#gate.call({ id, name, args, ...(agent && { agent }) }, { signal }),
    );
  }

  #resumed({ id, keys }: Parked, digest: string, context: ServerContext): Exchange | undefined {
    const replyTo = (key: string): Reply => {
      const given = this.#sdk.inputResponse(context.mcpReq.inputResponses, key);
      if (given.kind !== "elicit") return { action: "cancel" };
      return given.action === "accept"
        ? { action: "accept", content: (given.content ?? {}) as Record<string, unknown> }
        : { action: given.action };
    };
    return this.#exchanges.resume(id, digest, this.#line(context), { keys, replyTo });
  }

  #line(context: ServerContext): Line {
    const { signal, notify, _meta, envelope } = context.mcpReq;
    const progressToken = _meta?.progressToken;
    let progress = 0;
    return {
      signal,
      staysOpen: envelope === undefined,
      canAsk: this.#canAsk(context),
      progress(text) {
        if (progressToken === undefined) return;
        const message = harmless(redact(text)).trim().slice(-LONGEST_PROGRESS);
        const params = { progressToken, progress: ++progress, ...(message && { message }) };
        notify({ method: "notifications/progress", params }).catch(() => {});
      },
    };
  }

  #offerResources(resources: Resources): void {
    const { server } = this;
    server.setRequestHandler("resources/list", async () => ({ resources: await resources.list(this.#gate) }));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resources.templates] }));
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      const contents = await resources.read(uri, this.#gate);
      if (!contents) throw new this.#sdk.ResourceNotFoundError(uri);
      return { contents };
    });
  }

  #offerPrompts(prompts: Prompts): void {
    const { server } = this;
    server.setRequestHandler("prompts/list", async () => ({ prompts: await prompts.list() }));
    server.setRequestHandler("prompts/get", async ({ params: { name, arguments: args = {} } }) => {
      const prompt = await prompts.get(name, args);
      if (prompt) return prompt;
      throw new this.#sdk.ProtocolError(this.#sdk.ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
    });
  }

  /** A bare `elicitation: {}` means that the client supports forms. */
  #canAsk(context: ServerContext): boolean {
    const declared =
      this.#envelope<ClientCapabilities>(context, this.#sdk.CLIENT_CAPABILITIES_META_KEY) ??
      this.server.getClientCapabilities();
    const { elicitation } = declared ?? {};
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }

  /** The name that the client gives itself, for the record. */
  #client(context: ServerContext): string {
    const client =
      this.#envelope<{ name?: string }>(context, this.#sdk.CLIENT_INFO_META_KEY) ?? this.server.getClientVersion();
    return (client?.name ?? "").replace(/[^\w .-]/g, "").slice(0, 40);
  }

  #envelope<T>({ mcpReq }: ServerContext, key: string): T | undefined {
    return (mcpReq.envelope as Record<string, unknown> | undefined)?.[key] as T | undefined;
  }

  tellChanges(): void {
    const { server } = this;
    const forget = this.#gate.on("event", ({ type }) => {
      if (type === "register" || type === "unregister") void server.sendToolListChanged().catch(() => {});
    });
    server.onclose = forget;
  }
}

const INSTRUCTIONS =
  "Files and commands of one workspace, through Toolgate: every call is judged and recorded, and changes can be taken " +
  "back. A call that is refused says why, and how a person can allow it; do not look for a way around.";

const NOBODY_WAITS = "Nothing waits for this answer any more. Make the call again.";
const TOO_MANY = "Too many calls are being made at once. Wait for some of them to end, then call again.";

const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** A tool that only asks a person is useless if nobody can be asked. */
const isForPeople = ({ registry }: ServedGate, name: string): boolean => registry.get(name)?.name === "ask_user";
