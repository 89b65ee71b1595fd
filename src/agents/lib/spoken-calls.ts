import type { ModelCall } from "./model.ts";

/**
 * Calls that a model without tool calling writes as JSON: the whole answer, or a fenced block, is an object such as
 * `{"tool": "read_file", "args": {…}}` or `{"type": "execute_code", "language": …, "code": …}`, or a list of them.
 * JSON that stands among other words is an example, not a call.
 */
export function spokenCalls(text: string, isTool: (name: string) => boolean, turn: number): ModelCall[] {
  const blocks = [...text.matchAll(/^```(?:json|tool_call|tool)?[ \t]*\n([\s\S]*?)\n```[ \t]*$/gm)].map(
    ([, body = ""]) => body,
  );
  const parts = text.trim().startsWith("{") || text.trim().startsWith("[") ? [text] : blocks;
  const found = parts.flatMap(listed).flatMap((each) => callOf(each, isTool));
  return found.map((call, index) => ({ ...call, id: `spoken${turn}_${index + 1}` }));
}

function listed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
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
  // what stands beside the name are the arguments, unless they have a place of their own
  const own = [args, given, parameters, input].find((each) => each !== undefined);
  return [{ name: called, args: own ?? rest }];
}
