import type { ModelCall } from "./model.ts";

const FENCED_CALLS: readonly string[] = ["", "json", "tool_call", "tool"];

/**
 * Calls that a model without tool calling writes as JSON: the whole answer, or a fenced block, is an object such as
 * `{"tool": "read_file", "args": {…}}` or `{"type": "execute_code", "language": …, "code": …}`, or a list of them. JSON
 * among other words, inside another block or in a thought is an example, not a call.
 */
export function spokenCalls(text: string, isTool: (name: string) => boolean, turn: number): ModelCall[] {
  const said = listed(text) ?? fencedBlocks(withoutThought(text)).flatMap((block) => listed(block) ?? []);
  const found = said.flatMap((each) => callOf(each, isTool));
  return found.map((call, index) => ({ ...call, id: `spoken${turn}_${index + 1}` }));
}

function listed(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
}

/** Services omit the opening tag of a thought more often than the closing one. */
function withoutThought(text: string): string {
  const [ended = ""] = text.split("</think>").slice(-1);
  const [before = ""] = ended.split("<think>", 1);
  return before;
}

/** The outermost fenced blocks, as in Markdown: a longer fence may contain shorter ones. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: { fence: string; isCall: boolean; lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (!open) {
      if (fence) open = { fence, isCall: fence === "```" && FENCED_CALLS.includes(info.trim()), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === "") {
      if (open.isCall) blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

function callOf(value: unknown, isTool: (name: string) => boolean): Omit<ModelCall, "id">[] {
  if (typeof value !== "object" || value === null) return [];
  const {
    tool,
    name,
    action,
    type,
    args,
    arguments: given,
    parameters,
    input,
    ...rest
  } = value as Record<string, unknown>;
  const called = [tool, name, action, type].find((each): each is string => typeof each === "string" && isTool(each));
  if (called === undefined) return [];
  // the other fields are the arguments, unless these have a field of their own
  const own = [args, given, parameters, input].find((each) => each !== undefined);
  return [{ name: called, args: own ?? rest }];
}
