import type { Redirection, Word } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { INPUT, isDescriptor, noteOpened, OWN_INPUT, placeOf, readFrom } from "./descriptors.ts";
import { isKnownField, unknownField } from "./fields.ts";
import { flowFromText } from "./flows.ts";
import { isUnknownFolder } from "./folders.ts";
import { governingPlaces } from "./named-places.ts";
import { addPath, ITSELF } from "./path-claims.ts";
import { joined } from "./paths.ts";
import { isDevice } from "./protected-places.ts";
import { searchedFor } from "./searched-names.ts";
import { FETCHED_FLOW, type Field, type Flow, textFlow, UNKNOWN_FLOW, type Walk } from "./walk.ts";
import { fieldsOf, textOfParts, textOfWord } from "./words.ts";
import { isFetchedFile, writtenText } from "./written-files.ts";

/** What the redirections of a command do. `output`: to somewhere other than a descriptor or /dev/null. */
export type Redirected = {
  stdin: Flow | undefined;
  output: string | undefined;
  blocked: string | undefined;
  network: boolean;
  expanded: boolean;
  touches: Claim[];
  targets: Field[];
  /** The `>(…)` that receives the command's output. */
  fed: Word[];
};

const QUIET: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"]);
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

export const unredirected = (stdin: Flow | undefined): Redirected => ({
  stdin,
  output: undefined,
  blocked: undefined,
  network: false,
  expanded: false,
  touches: [],
  targets: [],
  fed: [],
});

/** Walks the `>(…)` that receive a command's output, once that is known. */
export const feed = (words: readonly Word[], flow: Flow, walk: Walk): void => {
  if (flow.text === undefined && !flow.fetched) return;
  walk.again++;
  for (const word of words) fieldsOf(word, walk, flow);
  walk.again--;
};

/** The known content of a file, for whoever reads it. */
export const fileFlow = (field: Field, walk: Walk): Flow => {
  if (field.flow) return field.flow;
  if (isFetchedFile(field, walk)) return FETCHED_FLOW;
  const text = writtenText(field, walk);
  return text === undefined ? UNKNOWN_FLOW : textFlow(text);
};

const networkClaim = (text: string): Claim => {
  const [, , kind = "tcp", host = "", port = ""] = text.split("/");
  return { action: "fetch", url: `${kind}://${host}:${port}` };
};

const notInput = (redirection: Redirection): boolean =>
  redirection.descriptor !== undefined &&
  !(redirection.descriptor.type === "FileDescriptor" && redirection.descriptor.value === 0);

const hereText = (redirection: Extract<Redirection, { type: "HereDoc" }>, walk: Walk): string => {
  const { body, operator } = redirection;
  // a here-document with a quoted delimiter has no parts to expand
  const text = body.parts === undefined ? body.text : textOfParts(body.parts, walk);
  return operator === "<<-" ? text.replace(/^\t+/gm, "") : text;
};

/** The input: for the command itself, or for whoever reads the descriptor later. */
const give = (redirection: Redirection, flow: Flow, into: Redirected, walk: Walk): void => {
  if (notInput(redirection)) noteOpened(redirection, flow, walk);
  else into.stdin = flow;
};

/** `<&3` reads what the third descriptor was opened on, and `4<&3` opens the fourth on the same. */
const giveSame = (redirection: Redirection, place: string, into: Redirected, walk: Walk): void => {
  const flow = place === INPUT ? into.stdin : readFrom(place, walk);
  if (flow !== undefined) give(redirection, flow, into, walk);
  else if (!notInput(redirection) && redirection.operator === "<&") into.stdin = UNKNOWN_FLOW;
};

/** Adds one redirection to what is known; `output` of the command goes into `>(…)`. */
export const redirect = (redirection: Redirection, into: Redirected, walk: Walk, output: Flow | undefined): void => {
  // `{x}<<<a` sets a variable, and `{a[x]}<<<a` expands a subscript
  if (redirection.descriptor?.type === "FileDescriptorVariable") into.expanded = true;
  if (redirection.type === "HereDoc") {
    give(redirection, flowFromText(hereText(redirection, walk)), into, walk);
    return;
  }
  const { target } = redirection;
  if (target === undefined) return;
  if (redirection.type === "HereString") {
    give(redirection, flowFromText(`${textOfWord(target, walk)}\n`), into, walk);
    return;
  }
  walk.uses.redirection = true;
  if (walk.feeding && target.text.includes(">(")) into.fed.push(target);
  const fields = fieldsOf(target, walk, output);
  const field = fields.length === 1 ? (fields[0] as Field) : unknownField;
  if (!field.worked || field.glob) into.expanded = true;
  const { operator } = redirection;
  if ((operator === ">&" || operator === "<&") && isDescriptor(field.text)) {
    if (operator === "<&" || redirection.descriptor !== undefined)
      giveSame(redirection, placeOf(field.text.replace(/-$/, "")), into, walk);
    return;
  }
  const special = field.text.startsWith("/dev/");
  if (special && NETWORK.test(field.text)) {
    into.network = true;
    into.touches.push(networkClaim(field.text));
    if (operator.startsWith("<")) give(redirection, FETCHED_FLOW, into, walk);
    return;
  }
  if (operator === "<" || operator === "<&") {
    if (!notInput(redirection) && OWN_INPUT.test(field.text)) return;
    if (!notInput(redirection) && field.text === "/dev/null") into.stdin = undefined;
    else give(redirection, fileFlow(field, walk), into, walk);
    if (!field.flow) addPath(into.touches, "read", field, walk, ITSELF);
    return;
  }
  if (operator === "<>") {
    if (!notInput(redirection)) into.stdin = fileFlow(field, walk);
    if (!field.flow) addPath(into.touches, "read", field, walk, ITSELF);
  }
  if (special && QUIET.has(field.text) && field.literal) return;
  into.output = isKnownField(field) ? field.text : "a place that is only known when it runs";
  into.targets.push(field);
  if (!field.flow) addPath(into.touches, "write", field, walk, ITSELF);
  if (!isKnownField(field) || walk.scope.folders.some(isUnknownFolder))
    into.touches.push(...governingPlaces(field.text, walk), ...searchedFor("", fields, walk));
  for (const folder of walk.scope.folders)
    if (isDevice(joined(folder, field.text))) into.blocked = `it writes to the device ${field.text}`;
};
