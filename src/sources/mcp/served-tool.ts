import { AsyncResource } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { ElicitRequestParams, ElicitResult, Progress } from "@modelcontextprotocol/client";
import type { PersonQuestion } from "../../core/contracts/people.ts";
import type { JsonSchema } from "../../core/words/json-schema.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { type Context, Tool } from "../../core/words/tool.ts";
import { unifiedDiff } from "../../text/diff.ts";
import { resultOf } from "./content.ts";
import { fillIn } from "./forms.ts";
import { type ServedTool, seen } from "./manifest.ts";
import { spellingsOf } from "./served-names.ts";
import type { Connection } from "./server-connection.ts";

const PROGRESS_MS = 100;
const MOST_OF_CHANGE = 8_000;
/** How many forms a server may send during one call. */
const MOST_FORMS = 10;

/** A person's approval of a tool is bound to everything that its server says about it. */
const definitionHash = (tool: ServedTool): string => createHash("sha256").update(JSON.stringify(tool)).digest("hex");

export type ServedBy = {
  readonly server: string;
  readonly timeout: number;
  readonly connection: Connection;
  /** How its server describes it now, if it still does. */
  current(): ServedTool | undefined;
  /** How it was described when it was last approved, if it was. */
  approved(): ServedTool | undefined;
  approve(tool: ServedTool): void;
};

/** A tool of a server as one of ours. It declares the server as a touch; the server's own claims decide nothing. */
export function toolOf(name: string, served: ServedTool, by: ServedBy): Tool {
  const { server, timeout } = by;
  const hash = definitionHash(served);
  return Tool.define<JsonSchema>(name, {
    description: served.description || `${served.name} of the server ${server}.`,
    input: served.schema,
    touches: () => {
      const changed = changeOf(by.approved(), served);
      return [{ action: "use", source: "mcp", name: `${server}/${served.name}`, ...(changed && { changed }) }];
    },
    countsAs: { names: spellingsOf({ server, tool: served.name }) },
    scope: () => hash,
    timeLimit: timeout + 10_000,
    async execute(input, context) {
      await by.connection.ready();
      const now = by.current();
      if (!now || definitionHash(now) !== hash) throw otherwise(server, served.name, now !== undefined);
      // without questions nobody approves a new tool; a changed one has been asked about again
      if (context.ceiling.mode !== "yolo" || by.approved()) by.approve(served);
      const definition = { name: served.name, inputSchema: { ...served.schema, type: "object" as const } };
      const { fill, notes } = asker(context, server, served.name);
      const answer = await by.connection.call(definition, input, {
        ...{ signal: context.abort, sessionID: context.sessionID, fill },
        onProgress: teller(context),
      });
      return resultOf(answer, server, `${server}: ${served.name}`, notes);
    },
  });
}

/** The failure if the tool is no longer the one that was judged. */
const otherwise = (server: string, tool: string, isThere: boolean): ToolFailure =>
  isThere
    ? new ToolFailure(
        "CONFLICT",
        `The server ${server} describes ${tool} otherwise now than when the call was judged, so it was not made.`,
        "Look at what it takes with tool_search, then call it again.",
      )
    : new ToolFailure(
        "NOT_FOUND",
        `The server ${server} has no tool ${tool} any more.`,
        "Find another with tool_search.",
      );

/** A diff between the approved and the current description. */
function changeOf(before: ServedTool | undefined, now: ServedTool): string | undefined {
  if (!before || definitionHash(before) === definitionHash(now)) return undefined;
  const names = { from: `${now.name}, as it was approved`, to: `${now.name}, now` };
  return unifiedDiff(asText(before), asText(now), names).slice(0, MOST_OF_CHANGE);
}

const asText = ({ description, schema }: ServedTool): string =>
  `${description}\n\n${JSON.stringify(schema, null, 2)}\n`;

/** Asks the server's forms one after the other; `notes` collects what the model should know about them. */
function asker(context: Context, server: string, tool: string) {
  const notes: string[] = [];
  let asked = 0;
  let last: Promise<unknown> = Promise.resolve();
  // a form arrives outside of the call's async context, so that context is bound here
  const ask = AsyncResource.bind((question: PersonQuestion) => context.people.ask(question));
  const one = async (form: ElicitRequestParams): Promise<ElicitResult> => {
    if (++asked > MOST_FORMS) return { action: "decline" };
    const { result, why } = await fillIn(form, { server, tool, ask: async (question) => ask(question) });
    if (why !== undefined)
      notes.push(`[The server asked a person something, and was told ${result.action}: ${seen(why, 200)}.]`);
    return result;
  };
  return {
    notes,
    fill(form: ElicitRequestParams): Promise<ElicitResult> {
      const filled = last.then(() => one(form));
      last = filled.catch(() => {});
      return filled;
    },
  };
}

/** Limits the rate to what people can read. */
function teller(context: Context): (progress: Progress) => void {
  let told = 0;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now - told < PROGRESS_MS && progress !== total) return;
    told = now;
    const title = message ? seen(message, 200) : undefined;
    context.metadata({ ...(title && { title }), metadata: { progress, ...(total !== undefined && { total }) } });
  };
}
