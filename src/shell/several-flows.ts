import { MANY } from "./floods.ts";
import { flowFromText, OPEN } from "./flows.ts";
import { changedFlow, type Flow, textFlow, UNKNOWN_FLOW } from "./walk.ts";

/** What one of two commands prints, and nobody knows which. */
export const either = (one: Flow, other: Flow): Flow => {
  if (one.fetched || one === other) return one;
  if (other.fetched) return other;
  if (one.text !== other.text) return flowFromText(OPEN + (one.text ?? "") + (other.text ?? ""));
  return one.names || one.found ? other : one;
};

/** The output of several commands in a row, with a stand-in for unknown parts. */
export const combined = (before: Flow | undefined, after: Flow): Flow => {
  if (before === undefined || (before === UNKNOWN_FLOW && after === UNKNOWN_FLOW)) return after;
  if (before.fetched || after.fetched) return changedFlow(after, { text: undefined, fetched: true });
  // unknown output has at least one line
  const text =
    before.text === undefined && after.text === undefined ? undefined : (before.text ?? OPEN) + (after.text ?? OPEN);
  const flow = textFlow(text);
  flow.selected = before.selected || after.selected;
  if (before.lines !== undefined || after.lines !== undefined)
    flow.lines = (before.lines ?? MANY) + (after.lines ?? MANY);
  flow.open = before.open ?? after.open;
  return flow;
};
