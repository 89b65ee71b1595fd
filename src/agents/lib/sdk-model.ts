import type { Attachment } from "../../core/words/result.ts";
import { countTokens } from "../../text/tokens.ts";
import type { Message, Model, ModelCall, ModelRequest, ModelTurn, ToolAnswer, Usage } from "./model.ts";
import { tokensOf } from "./window.ts";

/** What we need from a language model of the AI SDK, in any version. */
export type SdkLanguageModel = {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>;
};

type StreamPart =
  | { type: "text-delta"; delta: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string }
  | { type: "finish"; finishReason: unknown; usage: unknown }
  | { type: "error"; error: unknown };

const ATTEMPTS = 4;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** A model of any provider of the AI SDK. Its output is passed on unchanged: the gate parses the arguments. */
export function sdkModel(
  model: SdkLanguageModel,
  wait: (ms: number, signal: AbortSignal) => Promise<void> = pause,
): Model {
  return {
    name: `${model.provider}/${model.modelId}`,
    async turn(request) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await oneTurn(model, request);
        } catch (error) {
          if (attempt === ATTEMPTS || request.signal.aborted || !canPass(error)) throw error;
          await wait(waitFor(error, attempt), request.signal);
        }
      }
    },
  };
}

async function oneTurn(model: SdkLanguageModel, request: ModelRequest): Promise<ModelTurn> {
  const { system, messages, tools, signal, onText } = request;
  const options = {
    prompt: [...(system ? [{ role: "system", content: system }] : []), ...messages.map(toPrompt)],
    tools: tools.map(({ name, description, inputSchema }) => ({ type: "function", name, description, inputSchema })),
    ...(tools.length > 0 && { toolChoice: { type: "auto" } }),
    abortSignal: signal,
  };
  const { stream } = await model.doStream(options as never);
  let text = "";
  let end: End | undefined;
  const calls: ModelCall[] = [];
  for await (const part of stream as AsyncIterable<StreamPart>) {
    signal.throwIfAborted();
    if (part.type === "text-delta") {
      text += part.delta;
      onText?.(part.delta);
    } else if (part.type === "tool-call") calls.push({ id: part.toolCallId, name: part.toolName, args: part.input });
    else if (part.type === "finish") end = endOf(part.finishReason, part.usage);
    else if (part.type === "error") throw inStream(part.error);
  }
  if (!end || end.cutShort) throw Object.assign(new Error("the answer ended in the middle"), { isRetryable: true });
  const usage = counted(end.usage, () => estimated(request, text, calls));
  return { text, calls, usage, ...(end.cutOff && { cutOff: true }) };
}

/** An error in the middle of a stream is retried; some services send only a text. */
const inStream = (error: unknown): unknown =>
  error instanceof Error ? error : Object.assign(new Error(textOf(error)), { isRetryable: true });

const textOf = (error: unknown): string =>
  typeof error === "string" ? error : (JSON.stringify(error) ?? "the service broke off");

type End = { usage: Usage; cutOff?: boolean; cutShort?: boolean };

/** A stream that ended without a reason was cut short: the provider makes one up. */
function endOf(reason: unknown, usage: unknown): End {
  const { unified = reason, raw = unified } = (typeof reason === "object" && reason !== null ? reason : {}) as {
    unified?: unknown;
    raw?: unknown;
  };
  const wasTold = typeof reason !== "object" || reason === null || (reason as { raw?: unknown }).raw !== undefined;
  return {
    usage: usageOf(usage),
    ...((unified === "length" || raw === "length") && { cutOff: true }),
    ...(unified === "other" && !wasTold && { cutShort: true }),
  };
}

function usageOf(usage: unknown): Usage {
  const { inputTokens, outputTokens, raw } = (usage ?? {}) as Record<string, unknown>;
  const count = (value: unknown): number => amount(typeof value === "number" ? value : totalOf(value)) ?? 0;
  // some services report the cost of a turn
  const cost = amount((raw as { cost?: unknown } | undefined)?.cost);
  return { input: count(inputTokens), output: count(outputTokens), ...(cost !== undefined && { cost }) };
}

/** Uses what a service reports and estimates what it leaves out, so that budgets hold there, too. */
function counted(told: Usage, estimate: () => Usage): Usage {
  if (told.input > 0 && told.output > 0) return told;
  const { input, output } = estimate();
  return { ...told, input: told.input || input, output: told.output || output };
}

const totalOf = (value: unknown): unknown => (value as { total?: unknown } | undefined)?.total;
const amount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

const estimated = ({ system, messages }: ModelRequest, text: string, calls: readonly ModelCall[]): Usage => ({
  input: countTokens(system) + tokensOf(messages, countTokens),
  output: countTokens(text) + countTokens(calls.map(({ args }) => String(args)).join("\n")),
});

function toPrompt(message: Message): object {
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: message.text }] };
  if (message.role === "tool") return { role: "tool", content: message.answers.map(toResult) };
  return {
    role: "assistant",
    content: [
      ...(message.text ? [{ type: "text", text: message.text }] : []),
      ...message.calls.map(({ id, name, args }) => ({
        type: "tool-call",
        toolCallId: id,
        toolName: name,
        input: inputOf(args),
      })),
    ],
  };
}

/** Providers require an object; what cannot be parsed goes back as text. */
function inputOf(args: unknown): unknown {
  if (typeof args !== "string") return args ?? {};
  if (args.trim() === "") return {};
  try {
    return isDeep(args) ? { unreadable: args } : (JSON.parse(args) as unknown);
  } catch {
    return { unreadable: args };
  }
}

const DEEPEST = 500;

/** Providers recurse without a depth limit. Brackets inside strings are counted, too, which is harmless. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const each of text) {
    if (each === "[" || each === "{") depth++;
    else if (each === "]" || each === "}") depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function toResult({ id, name, text, failed, images = [] }: ToolAnswer): object {
  const output = failed
    ? { type: "error-text", value: text }
    : images.length === 0
      ? { type: "text", value: text }
      : { type: "content", value: [{ type: "text", text }, ...images.map(toImage)] };
  return { type: "tool-result", toolCallId: id, toolName: name, output };
}

const toImage = ({ mime, data }: Attachment): object => ({ type: "image-data", data, mediaType: mime });

/** The provider package's names for an answer that it cannot parse. */
const GARBLED = new Set(["AI_InvalidResponseDataError", "AI_TypeValidationError", "AI_JSONParseError"]);

/** Whether a retry makes sense: rate limits, server errors, garbled answers, broken connections. */
function canPass(error: unknown): boolean {
  const { isRetryable, statusCode, name } = (error ?? {}) as {
    isRetryable?: boolean;
    statusCode?: number;
    name?: string;
  };
  if (GARBLED.has(name ?? "")) return true;
  if (typeof isRetryable === "boolean") return isRetryable;
  if (statusCode !== undefined) return statusCode === 408 || statusCode === 429 || statusCode >= 500;
  return (
    name !== "AbortError" &&
    error instanceof Error &&
    /fetch|network|socket|ECONN|terminated/i.test(`${error.message} ${error.cause}`)
  );
}

function waitFor(error: unknown, attempt: number): number {
  const headers = (error as { responseHeaders?: Record<string, string> } | undefined)?.responseHeaders;
  const asked = Number(headers?.["retry-after-ms"] ?? secondsOrDate(headers?.["retry-after"] ?? ""));
  const own = FIRST_WAIT * 2 ** (attempt - 1);
  return Math.min(LONGEST_WAIT, Number.isFinite(asked) ? Math.max(0, asked) : own);
}

/** `Retry-After` as seconds or a date, in milliseconds from now; NaN if it is neither. */
const secondsOrDate = (written: string): number =>
  /^\d+(?:\.\d+)?$/.test(written.trim()) ? Number(written) * 1000 : Date.parse(written) - Date.now();

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
