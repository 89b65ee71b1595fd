import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Context, Tool } from "../core/words/tool.ts";
import { textOf } from "../text/charset.ts";
import { counted } from "../text/counted.ts";
import { outsideText } from "../text/outside.ts";
import { prettyJson } from "../text/pretty-json.ts";
import { LONGEST_SECONDS, timeAsked } from "./lib/time-asked.ts";
import { addressFrom } from "./lib/web/address.ts";
import { bodyOf, type Fetched, redirectTarget, statusText } from "./lib/web/fetching.ts";
import { kindOf } from "./lib/web/kinds.ts";
import { partOf } from "./lib/web/paged.ts";

const MOST_BYTES = 1024 * 1024;
const SHOWN_BYTES = 40 * 1024;
const USUAL_SECONDS = 30;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const input = () =>
  z.object({
    url: z.string().min(1),
    method: z.enum(METHODS).optional(),
    headers: z
      .record(z.string(), z.string())
      .describe("${env:NAME} stands for a secret that people allowed")
      .optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
    timeout: z
      .number()
      .positive()
      .max(LONGEST_SECONDS * 1_000)
      .optional(),
  });
type Request = z.output<ReturnType<typeof input>>;

export const httpRequest = Tool.define("http_request", {
  description: "Send one HTTP request and get status, headers and body. Redirects are not followed.",
  permissions: { required: ["network"] },
  aliases: {
    names: ["HttpRequest"],
    args: { url: ["uri", "endpoint"], method: ["verb"], body: ["data", "payload"] },
    readings: { json: (value) => ({ body: value }) },
  },
  rare: ["timeout"],
  get input() {
    return input();
  },
  timeLimit: ({ timeout = USUAL_SECONDS }) => timeAsked(timeout),
  touches: (request) => [{ action: "fetch", url: addressFrom(request.url), method: methodOf(request) }],
  async execute(request, context) {
    const url = addressFrom(request.url);
    const asked = methodOf(request);
    context.metadata({ title: `${asked} ${url}` });
    const response = await context.network.request({ url, method: asked, ...messageOf(request) });
    context.noteOutside();
    const { status, headers } = response;
    const answer: Fetched = { url, status, headers, ...(await bodyOf(response, MOST_BYTES)) };
    const { text, note } = await bodyText(answer, context);
    const said = [headOf(answer), text].filter(Boolean).join("\n\n");
    return {
      title: `${asked} ${url}: ${statusText(status)}`,
      output: [outsideText(url, said, context.hash), ...redirected(answer), ...note].join("\n\n"),
      metadata: { url, method: asked, status, headers, bytes: answer.bytes.length, ...(answer.cut && { cut: true }) },
    };
  },
});

/** Headers by which a server handles a request under another method than the one that was judged. */
const OVERRIDES = /^x-(?:http-)?method(?:-override)?$/;

const methodOf = ({ method: asked = "GET" }: Request): string => asked;

/** An object is sent as JSON. */
function messageOf({ headers = {}, body }: Request): { headers: Record<string, string>; body?: string } {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ToolFailure("VALIDATION_ERROR", `The header ${twice} is given twice.`, "Give every header once.");
  const other = names.find((name) => OVERRIDES.test(name.trim()));
  if (other !== undefined)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `The header ${other} asks for another method.`,
      "Use that as the method.",
    );
  const usual = { "user-agent": "toolgate", accept: "*/*", ...headers };
  if (body === undefined) return { headers: usual };
  if (typeof body === "string") {
    const kind = names.includes("content-type")
      ? {}
      : { "content-type": looksLikeJson(body) ? "application/json" : "text/plain; charset=utf-8" };
    return { headers: { ...usual, ...kind }, body };
  }
  const kind = names.includes("content-type") ? {} : { "content-type": "application/json" };
  return { headers: { ...usual, ...kind }, body: JSON.stringify(body) };
}

const looksLikeJson = (body: string): boolean => /^\s*[[{]/.test(body) && prettyJson(body) !== undefined;

function headOf({ status, headers }: Fetched): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `Status: ${statusText(status)}\n\nHeaders:\n${lines.join("\n")}`;
}

function redirected({ url, status, headers: { location = "" } }: Fetched): string[] {
  const target = status >= 300 && status <= 399 ? redirectTarget(location, url) : undefined;
  return target ? [`[It redirects to ${target.href}. Make another call for that.]`] : [];
}

/** The text of the body, and a note about it. */
type BodyShown = { readonly text: string; readonly note: readonly string[] };

async function bodyText({ bytes, headers, cut }: Fetched, context: Context): Promise<BodyShown> {
  if (bytes.length === 0) return { text: "", note: [] };
  const kind = kindOf(bytes, headers["content-type"]);
  if (kind === "binary" || kind === "image" || kind === "pdf") {
    const path = cut ? undefined : await context.keep(bytes, "body.bin");
    const size = `${cut ? "more than " : ""}${counted(bytes.length, "byte")}`;
    return { text: "", note: [`Body: not text (${size})${path === undefined ? "" : `, saved as ${path}`}.`] };
  }
  const { text } = textOf(bytes, headers["content-type"]);
  const whole = kind === "json" ? (prettyJson(text) ?? text) : text;
  const part = partOf(whole, 0, SHOWN_BYTES);
  if (part.to === part.total)
    return {
      text: `Body:\n${whole}`,
      note: cut ? [`[The body is longer than ${MOST_BYTES} bytes; the rest was not read.]`] : [],
    };
  const path = await context.keep(new TextEncoder().encode(whole), kind === "json" ? "body.json" : "body.txt");
  const where = path === undefined ? "" : ` ${cut ? "What was read" : "All of it"} is in ${path}.`;
  return { text: `Body:\n${part.text}`, note: [`[The first ${part.to} of ${part.total} characters.${where}]`] };
}
