import type { Redirection } from "unbash";
import { flowFromText, OPEN } from "./flows.ts";
import { assignMaybe, FETCHED_FLOW, type Flow, type Walk } from "./walk.ts";
import { noteFile } from "./written-files.ts";

/** What a command reads as its own input when it opens such a file. */
export const OWN_INPUT = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/;
/** `exec {x}<file`: the shell chooses a number that is not in use, from this one on. */
const FIRST_FREE = "10";

export const placeOf = (descriptor: string | number): string => `/dev/fd/${descriptor}`;
export const INPUT = placeOf(0);

/** `<&3`, `<&3-`, `<&-`. */
export const isDescriptor = (text: string): boolean => /^(?:\d+-?|-)$/.test(text);

/** What is read from a descriptor, if this line has opened it on something that is known; it may be open on something else. */
export const readFrom = (place: string, walk: Walk): Flow | undefined => {
  if (walk.fetchedFiles?.has(place)) return FETCHED_FLOW;
  const text = walk.writtenFiles?.get(place);
  return text === undefined ? undefined : flowFromText(OPEN + text);
};

/** What later reads from the descriptor of a redirection get. */
export const noteOpened = ({ descriptor }: Redirection, flow: Flow, walk: Walk): void => {
  if (descriptor?.type === "FileDescriptor") noteFile(placeOf(descriptor.value), flow, walk);
  else if (descriptor !== undefined) {
    assignMaybe(walk, descriptor.name, FIRST_FREE);
    noteFile(placeOf(FIRST_FREE), flow, walk);
  }
};
