import type { Claim } from "../core/words/touch.ts";
import { unbundled } from "./bundles.ts";
import { claimsOf } from "./claims.ts";
import { decided, reclassed } from "./decisions.ts";
import { plainField } from "./fields.ts";
import { flowOf } from "./flows.ts";
import { namesBelow } from "./found.ts";
import { eachOf } from "./lists.ts";
import { printsNames, siftsNames } from "./names.ts";
import { parsedOptions } from "./option-parsing.ts";
import { changed } from "./paths.ts";
import { standingFlow } from "./printed-places.ts";
import { CHANGING_FORMS, PROGRAMS } from "./programs/all.ts";
import { isHarmlessSetting } from "./programs/git-config.ts";
import { type Entry, EVERYTHING, FOLLOWS, type Given, type Parsed, RUNS_PROJECT } from "./programs/program.ts";
import { riskOf } from "./programs/risks.ts";
import {
  changedFlow,
  type Decision,
  type Field,
  type Flow,
  isKnown,
  NAMES_FLOW,
  riskier,
  stricter,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";

export const everything = (): Claim => ({ action: "unknown", permissions: EVERYTHING.slice() });
export const isEverything = (claim: Claim): boolean =>
  claim.action === "unknown" && claim.permissions.length === EVERYTHING.length;

/** Whether a path has `..` after a pattern: the pattern may match a link, and its parent is not known. */
const leadsUp = (text: string): boolean =>
  text.includes("/..") && /\/\.\.(?:\/|$)/.test(text.slice(Math.max(text.search(/[*?[]/), 0)));

/** Why words that only the running shell knows make a command unproven. */
const unproven = (fields: readonly Field[], program: Entry): string | undefined => {
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (field.glob && leadsUp(field.text))
      return "a pattern in it is followed by .., which may lead out through a link";
    if (!field.worked) {
      if (program.inert && (field.given === "known" || program.operands === "text*")) continue;
      if (field.given === "path" || program.takesAny?.(fields, index)) continue;
      return "it depends on an expansion";
    }
    // a pattern may match a file whose name looks like an option
    if (field.glob && !program.inert && !/^[^-*?[]/.test(field.text)) return "a pattern may turn into an option";
  }
  return undefined;
};

type Known = { program: Entry; parsed: Parsed };

/** Follows the verbs of a program (`git remote show`) to the part of the table that fits. */
const known = (fields: readonly Field[], program: Entry): Known => {
  let current = program;
  let parsed = parsedOptions(fields, 1, current);
  for (let depth = 0; current.verbs && depth < 4; depth++) {
    const verb = parsed.operands[0];
    const next = verb && current.verbs.get(verb.text);
    if (next === undefined || parsed.unknown !== undefined) break;
    current = next;
    parsed = parsedOptions(parsed.operands, 1, next);
  }
  return { program: current, parsed };
};

const isVersion = (fields: readonly Field[], program: Entry): boolean =>
  fields.length === 2 && program.version !== undefined && program.version.includes((fields[1] as Field).text);

/** Even `--version` makes these load files of the project: `conftest.py`, `.rspec`, plugins, a copy of themselves. */
const LOADS_FIRST: ReadonlySet<string> = new Set(
  "pytest py.test rspec rubocop mocha tox jest webpack nx turbo ava stylelint flake8 pylint phpstan golangci-lint".split(
    " ",
  ),
);

/** Even `--version` makes these ask the network for a newer version, or update themselves. */
const ASKS_FOR_NEWER: ReadonlySet<string> = new Set(
  "az flutter gcloud heroku netlify pyright terraform vercel".split(" "),
);

/** Why a program that is asked for its version may do more than print it. */
const doubtfulVersion = (name: string, { chosen }: Entry): string | undefined => {
  if (chosen) return "files of the project decide which program prints its version";
  return ASKS_FOR_NEWER.has(name) ? "it may ask the network for a newer version" : undefined;
};

const versionRule = (name: string, word: string | undefined): string => {
  if (LOADS_FIRST.has(name)) return RUNS_PROJECT;
  return word === "--help" ? "it only prints its help" : "it only prints its version";
};

export const isPlain = (field: Field): boolean => field.literal && !field.glob;
export const allLiteral = (fields: readonly Field[]): boolean => fields.every(isPlain);

/** What the table of programs says about a command. */
export const byTable = (
  name: string,
  program: Entry | undefined,
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
  slash: boolean,
): Decision => {
  // output matters only where another command reads it, or where it comes from the network
  let flow =
    walk.flowing || program === undefined || program.class === "dangerous" ? flowOf(name, fields, stdin) : UNKNOWN_FLOW;
  if (name === "pwd") flow = standingFlow(walk, flow);
  if (walk.giving && flow === UNKNOWN_FLOW && printsNames(name, fields, stdin?.names === true))
    flow = stdin?.found !== undefined && siftsNames(name, fields) ? stdin : NAMES_FLOW;
  if (program === undefined)
    return decided(
      "dangerous",
      riskOf(name, fields),
      `${name} is not a command that is known to be harmless`,
      [everything()],
      flow,
    );
  if (isVersion(fields, program) && allLiteral(fields) && !slash) {
    const doubt = doubtfulVersion(name, program);
    return doubt !== undefined
      ? decided("dev", "low", doubt, [everything()], flow)
      : decided("safe", "low", versionRule(name, fields[1]?.text), [], flow);
  }
  const elsewhere = name === "git" && fields[1]?.text.startsWith("-") ? fromElsewhere(fields, walk) : undefined;
  if (elsewhere !== undefined) return inAnotherPlace(elsewhere, program, walk, stdin, slash);
  const started = startedBy(fields, program);
  if (started !== undefined) {
    const { text } = started[0] as Field;
    const inner = byTable(text, PROGRAMS.get(text), started, walk, stdin, slash);
    return inner.class === "safe" ? reclassed(inner, "dev") : inner;
  }
  const words = unbundled(name, fields);
  const { program: found, parsed } = known(words, program);
  if (flow === NAMES_FLOW) flow = chosenNames(found, parsed);
  const against = objection(name, fields, found, parsed, slash);
  if (against === undefined || (against === FOLLOWS && found.class === "safe"))
    return decided(
      found.class,
      found.risk ?? "low",
      against ?? ruleOf(name, found),
      claimsOf(found, parsed, walk),
      flow,
    );
  const form = found.class === "dangerous" ? undefined : CHANGING_FORMS.get(name);
  const touches =
    form === undefined ? claimsOf(found, parsed, walk) : claimsOf(form, parsedOptions(words, 1, form), walk);
  if (
    form === undefined &&
    against !== found.beyond?.(parsed) &&
    found.class !== "dangerous" &&
    !found.inert &&
    !found.permissions &&
    parsed.unknown === undefined
  )
    touches.push(everything());
  const risk =
    found.unprovenRisk ??
    found.risk ??
    (found.class === "dangerous"
      ? riskOf(name, fields)
      : parsed.unknown === undefined && !found.verbs && written(parsed) === undefined
        ? "low"
        : "medium");
  return decided("dangerous", risk, against, touches, flow);
};

/** A search prints only names that it selects, below the folders that it is given. */
const chosenNames = (program: Entry, parsed: Parsed): Flow => {
  const hasPattern = !parsed.options.some(({ name }) => program.patternOptions?.includes(name));
  const folders = parsed.operands.slice(hasPattern ? 1 : 0);
  const found = namesBelow(folders.length > 0 ? folders : [plainField(".")], program.chooses?.(parsed));
  return found ? changedFlow(NAMES_FLOW, { found }) : NAMES_FLOW;
};

/** Why a known program does not keep its class with these words. */
const objection = (
  name: string,
  fields: readonly Field[],
  found: Entry,
  parsed: Parsed,
  slash: boolean,
): string | undefined => {
  if (found.class === "dangerous") return found.rule ?? `${name} can change things`;
  if (slash) return `${(fields[0] as Field).text} is run by its path, so it can be any program`;
  if (parsed.unknown !== undefined)
    return found.rule ?? `${parsed.unknown} is not an option that is known to be harmless`;
  if (found.verbs && parsed.operands.length > 0)
    return `${name} ${(parsed.operands[0] as Field).text} is not known to be harmless`;
  const output = found.class === "safe" ? written(parsed) : undefined;
  if (output !== undefined) return `${output} writes a file`;
  return unproven(fields, found) ?? found.objection?.(parsed) ?? found.beyond?.(parsed);
};

const written = ({ options }: Parsed): string | undefined => {
  for (let index = 0; index < options.length; index++) {
    const { role, name } = options[index] as Given;
    if (role === "write" || role === "write-tree") return name;
  }
  return undefined;
};

/** `obeyed`: with settings that may decide what git runs; `plain`: only in another folder. */
type Elsewhere = {
  fields: readonly Field[];
  folders: readonly string[];
  obeyed: boolean;
  plain: boolean;
  unknown: string | undefined;
};
const OBEYING: ReadonlySet<string> = new Set(["-c", "--config-env", "--exec-path", "--git-dir"]);

const GIT_FLAG = /^-(?:[pP]|-[a-z-]+(?:=.*)?)$/s;
const GIT_PLACE =
  /^(-C|-c|--(?:git-dir|work-tree|namespace|exec-path|config-env|attr-source|super-prefix))(?:=(.*))?$/s;
/** Flags that the table knows itself. */
const GIT_KNOWN = /^(?:-P|--(?:no-pager|no-optional-locks|literal-pathspecs|version))$/;

/** `git -C sub`, `--work-tree=sub` and settings before the verb: the folder it works in, and the remaining words. */
const fromElsewhere = (fields: readonly Field[], walk: Walk): Elsewhere | undefined => {
  let { folders } = walk.scope;
  let obeyed = false;
  let plain = true;
  let unknown: string | undefined;
  const kept = [fields[0] as Field];
  let index = 1;
  for (; index < fields.length; index++) {
    const field = fields[index] as Field;
    const { text } = field;
    if (text.charCodeAt(0) !== 45) break;
    const [, option, attached] = GIT_PLACE.exec(text) ?? [];
    if (option === undefined) {
      if (!GIT_FLAG.test(text)) break;
      if (GIT_KNOWN.test(text)) kept.push(field);
      else unknown ??= text;
      continue;
    }
    const value = attached ?? (option === "--exec-path" ? "" : fields[++index]?.text);
    const harmless = option === "-c" && isHarmlessSetting(value ?? "");
    if (!harmless) obeyed ||= OBEYING.has(option);
    plain &&= harmless || (option === "-C" && fields[index]?.worked === true && fields[index]?.glob === false);
    if (value !== undefined && (option === "-C" || option === "--work-tree"))
      folders = eachOf(folders, (folder) => (isKnown(value) ? changed(folder, value) : UNKNOWN));
  }
  if (index === kept.length) return undefined;
  return { fields: [...kept, ...fields.slice(index)], folders, obeyed, plain: plain && unknown === undefined, unknown };
};

/** Setting an option for one command is treated like changing the file. */
export const GIT_SETTINGS: Claim = { action: "write", target: ".git/config", certain: false };

const inAnotherPlace = (
  { fields, folders, obeyed, plain, unknown }: Elsewhere,
  program: Entry,
  walk: Walk,
  stdin: Flow | undefined,
  slash: boolean,
): Decision => {
  const before = walk.scope;
  const { variables, functions, positional } = before;
  walk.scope = { variables, functions, positional, folders };
  const inner = byTable("git", program, fields, walk, stdin, slash);
  walk.scope = before;
  if (plain && inner.class === "safe") return inner;
  const rule =
    unknown === undefined
      ? "git runs in another folder, or with other settings"
      : `${unknown} is not an option that is known to be harmless`;
  const touches: Claim[] = [...inner.touches, { action: "unknown", permissions: ["read", "write", "execute"] }];
  if (obeyed) touches.push(GIT_SETTINGS);
  return decided(stricter(inner.class, "dangerous"), riskier(inner.risk, "medium"), rule, touches, inner.flow);
};

const startedBy = (fields: readonly Field[], program: Entry): readonly Field[] | undefined => {
  if (program.starts === undefined) return undefined;
  const { after, names } = program.starts;
  if (!after.every((word, index) => fields[index + 1]?.text === word)) return undefined;
  const inner = fields.slice(after.length + 1);
  return inner[0] !== undefined && isPlain(inner[0]) && names.includes(inner[0].text) ? inner : undefined;
};

const ruleOf = (name: string, { class: kind, permissions }: Entry): string => {
  if (kind === "dev") return `${name} is a development tool`;
  return permissions?.includes("execute") ? RUNS_PROJECT : `${name} only looks`;
};
