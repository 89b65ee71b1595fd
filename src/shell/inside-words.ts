import { blockedAnywhere, blockedBehindDashes, blockedInTexts, blockedInValues, blockedInWords } from "./anywhere.ts";
import { plainField } from "./fields.ts";
import { eachOf } from "./lists.ts";
import { BLANK, EQUALS, holdsAny } from "./marks.ts";
import { EMBEDDED, type Embedding } from "./programs/embedded.ts";
import type { Entry } from "./programs/program.ts";
import type { Decision, Field, Walk } from "./walk.ts";

const named = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Verbs of git that take messages. */
const WITH_MESSAGE = named("commit tag notes stash merge revert am log");

const GIT_VALUE_NEXT = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|config-env|attr-source|super-prefix))$/;

const gitVerbAt = (fields: readonly Field[]): number => {
  let index = 1;
  while (fields[index]?.text.startsWith("-")) index += GIT_VALUE_NEXT.test((fields[index] as Field).text) ? 2 : 1;
  return index;
};

const insideGit = (fields: readonly Field[], walk: Walk): string | undefined => {
  const verb = gitVerbAt(fields);
  return blockedInTexts(WITH_MESSAGE.has(fields[verb]?.text ?? "") ? fields.slice(0, verb) : fields, walk);
};

/** The position of the script, after which its arguments come; none if the program is given as text. */
const afterScript = (fields: readonly Field[]): number =>
  fields.findIndex(
    ({ text }, index) =>
      index > 0 && !text.startsWith("-") && !/^-[a-zA-Z]*[cemrEp]$/.test(fields[index - 1]?.text ?? ""),
  );

/** Programs whose own language can run system commands. */
const LIKE_SHELLS = named("pwsh powershell");

const insideInterpreter = (name: string, fields: readonly Field[], walk: Walk): string | undefined => {
  if (LIKE_SHELLS.has(name)) return blockedInTexts(fields, walk);
  const script = afterScript(fields);
  return script < 0 ? undefined : blockedAnywhere(name, fields.slice(script), walk);
};

const PACKAGES = named("npx pnpx bunx npm pnpm yarn bun");
const STARTING = named("exec x dlx explore");

const NONE: readonly string[] = [];
/** `npm pkg set scripts.x=…`. */
const SCRIPT = /^scripts\.[\w:.-]{1,80}=(.*)$/s;

/** Package names and script arguments may look like commands; only a program started by name is one. */
const insidePackages = (name: string, fields: readonly Field[], walk: Walk): string | undefined => {
  // only a word with a blank in it is a text
  const from = holdsAny(fields, BLANK) ? fields.findIndex(({ text }, index) => index > 0 && EMBEDDED.has(text)) : -1;
  const verb = name.endsWith("x") ? 0 : fields.findIndex(({ text }) => STARTING.has(text));
  const scripts = holdsAny(fields, EQUALS) ? fields.flatMap(({ text }) => SCRIPT.exec(text)?.[1] ?? []) : NONE;
  return (
    (scripts.length > 0 ? blockedInTexts(eachOf([name, ...scripts], plainField), walk) : undefined) ??
    (from < 0 ? undefined : blockedInTexts(fields.slice(from), walk)) ??
    (verb < 0 ? undefined : blockedInWords(fields.slice(verb), walk))
  );
};

const MAKES = named("make gmake sbt");
/** Words after these are searched for, created or removed, never run. */
const NAMING = named(
  "install i add remove uninstall update upgrade get download wheel search view info show create init new clone pull push build tag link unlink delete apply inspect logs",
);

/** The commands that these start are extracted from their words and judged separately. */
const OPENED = named("docker podman nerdctl docker-compose kubectl oc");
const OPENING = named("run exec create debug");

const mayRunAnything = ({ touches }: Decision): boolean =>
  touches.some((touch) => touch.action === "unknown" && touch.permissions.includes("execute"));

type Inside = (fields: readonly Field[], walk: Walk, decision: Decision) => string | undefined;

/** For a program that the table knows. */
const insideKnown = (name: string, program: Entry): Inside => {
  // names and patterns of tests may look like commands
  const runs = MAKES.has(name) || (program.class === "dangerous" && program.permissions?.includes("execute"));
  const opens = OPENED.has(name);
  return (fields, walk, decision) => {
    const inTexts = runs ? blockedInTexts(fields, walk) : undefined;
    if (inTexts !== undefined || decision.class !== "dangerous" || !mayRunAnything(decision)) return inTexts;
    // the command it is known to run was judged separately
    if (walk.segments.some((segment) => segment.class === "blocked")) return undefined;
    if (opens && fields.some(({ text }) => OPENING.has(text))) return undefined;
    if (fields.slice(1, 4).some(({ text }) => NAMING.has(text))) return undefined;
    return program.class === "safe" ? blockedBehindDashes(fields, walk) : blockedInWords(fields, walk);
  };
};

const insideOf = (
  name: string,
  program: Entry | undefined,
  embedding: Embedding | undefined,
  interprets: boolean,
): Inside => {
  if (name === "git") return insideGit;
  if (interprets) return (fields, walk) => insideInterpreter(name, fields, walk);
  if (program !== undefined)
    return PACKAGES.has(name) ? (fields, walk) => insidePackages(name, fields, walk) : insideKnown(name, program);
  if (!embedding) return (fields, walk) => blockedAnywhere(name, fields, walk);
  return (fields, walk) => {
    const inside = blockedInTexts(fields, walk) ?? blockedBehindDashes(fields, walk);
    // if the words after such an option are a command, they may be one without the option as well
    if (inside !== undefined || !embedding.rest || fields.some(({ text }) => embedding.rest?.test(text))) return inside;
    return blockedAnywhere(name, fields, walk);
  };
};

/** For one program: why something that it may run from its words must not run. */
export const insideWordsOf = (
  name: string,
  program: Entry | undefined,
  embedding: Embedding | undefined,
  interprets: boolean,
): Inside => {
  const inside = insideOf(name, program, embedding, interprets);
  return (fields, walk, decision) =>
    fields.length < 2 ? undefined : (blockedInValues(fields, walk, interprets) ?? inside(fields, walk, decision));
};
