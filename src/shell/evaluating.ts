import { everything, FROM_NETWORK, fromFlow, inFile, whole } from "./shells.ts";
import { walkText } from "./texts.ts";
import { type Decision, FETCHED_FLOW, type Field, type Flow, isKnown, UNKNOWN_FLOW, type Walk } from "./walk.ts";

export const evaluated = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const from = fields[1]?.text === "--" ? 2 : 1;
  const text = fields
    .slice(from)
    .map((field) => field.text)
    .join(" ");
  if (text.includes("\u0001")) return whole(FROM_NETWORK, true, FETCHED_FLOW, [everything]);
  const flow = walkText(text, walk, stdin);
  return whole("eval runs its arguments as a command", false, flow, isKnown(text) ? [] : [everything]);
};

export const sourced = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Decision => {
  const file = fields[fields[1]?.text === "--" ? 2 : 1];
  if (!file) return whole("it names no file to read", false, UNKNOWN_FLOW);
  const flow = file.text === "/dev/stdin" ? (stdin ?? UNKNOWN_FLOW) : file.flow;
  if (flow?.text !== undefined && !flow.fetched) {
    // unlike in another shell, what it sets stays
    const printed = walkText(flow.text, walk, undefined);
    return whole("it runs what another command prints", false, printed, isKnown(flow.text) ? [] : [everything]);
  }
  if (flow !== undefined) return fromFlow(flow, walk, "it runs commands from a file");
  return inFile(file, walk);
};
