import { blockedInInput } from "./anywhere.ts";
import { addSpoken } from "./assignments.ts";
import { RULES, type Rule, ruleOf } from "./blocked.ts";
import { BUILTINS, forgotten, walkIndexes } from "./builtins.ts";
import { unbundled } from "./bundles.ts";
import { decided, reclassed, withFlow } from "./decisions.ts";
import { evaluated, sourced } from "./evaluating.ts";
import { plainField } from "./fields.ts";
import { leavesMost } from "./find-tests.ts";
import { flowOf } from "./flows.ts";
import { namesFound, printsWhatItFound, walkFound, walkFoundByFd } from "./found.ts";
import { blockedAsData, fetchesInCode } from "./given-data.ts";
import { insideWordsOf } from "./inside-words.ts";
import { byTable, everything } from "./judged-by-table.ts";
import { fetcherAmong } from "./origins.ts";
import { nameOf, normalised } from "./paths.ts";
import { PROGRAMS } from "./programs/all.ts";
import { EMBEDDED } from "./programs/embedded.ts";
import { protectedPlace } from "./protected-places.ts";
import { walkContained, walkOwnCommands, walkRecipes, walkSchedule } from "./recipes-and-containers.ts";
import { noteCopied } from "./renamed.ts";
import {
  INTERPRETERS,
  inInterpreter,
  inShell,
  inShellLater,
  isInterpreter,
  SHELLS,
  walkEmbedded,
  walkRemote,
} from "./shells.ts";
import { speaks, withSpoken } from "./spoken-texts.ts";
import { walkStartup } from "./startup-files.ts";
import { noteFetchedFiles, passedOn, runsFetched, runsFiles, tainted } from "./taint.ts";
import { unwrapped, WRAPPING } from "./unwrap.ts";
import { setVariable } from "./variables.ts";
import { changedFlow, type Decision, FETCHED_FLOW, type Field, type Flow, textOf, type Walk } from "./walk.ts";
import { noteFile } from "./written-files.ts";
import { blockedInWritten } from "./written-recipes.ts";
import { throughXargs } from "./xargs.ts";

type Act = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined, slash: boolean) => Decision;

/** What a program's name alone decides: whether it is refused, and how its words are interpreted. */
type Meaning = { rule: Rule | undefined; act: Act };

/** The tables' verdict, and for programs that are not harmless, what else their words contain. */
const inTable = (name: string): Act => {
  const program = PROGRAMS.get(name);
  const embedding = EMBEDDED.get(name);
  const interprets = isInterpreter(name);
  const isAwk = name.endsWith("awk");
  const insideWords = insideWordsOf(name, program, embedding, interprets);
  const isMaking = runsFiles(name);
  const namesLanguages = OF_LANGUAGES.has(name);
  const readsCode = program === undefined && !interprets;
  const speaking = speaks(name);
  const copying = COPYING.has(name);
  return (fields, walk, stdin, slash) => {
    const alone = byTable(name, program, fields, walk, stdin, slash);
    const spoken = speaking && walk.flowing ? withSpoken(alone, fields, stdin) : alone;
    const judged = walk.writtenFiles ? passedOn(name, spoken, fields, walk) : spoken;
    const known = walk.fetchedFiles && (!interprets || isAwk) ? tainted(name, judged, fields, walk) : judged;
    const decision =
      known.class === "safe" || program?.class === "safe"
        ? known
        : passingOnFetched(name, interprets, known, fields, walk);
    if (decision.class !== "safe") {
      if (stdin !== undefined && program?.class !== "safe" && !namesLanguages) walkShellAmong(fields, walk, stdin);
      const reason =
        (stdin?.session && CONNECTING.has(name) ? "a shell that takes its commands from the network" : undefined) ??
        insideWords(fields, walk, decision) ??
        (isMaking ? runsFetched(name, fields, walk, stdin) : undefined) ??
        (walk.writtenFiles ? blockedInWritten(name, fields, walk) : undefined) ??
        (name === "sed" ? blockedAsData(name, fields, walk, stdin) : undefined) ??
        (name === "git" ? undefined : blockedInInput(givenTo(fields, stdin), walk, readsCode));
      if (reason !== undefined) return decided("blocked", "high", reason, [everything()], decision.flow);
    }
    if (interprets && decision.class !== "safe") {
      const other = inInterpreter(name, fields, walk, stdin);
      if (other !== undefined) return other;
    }
    if (decision.class !== "dangerous") return decision;
    if (embedding !== undefined) walkEmbedded(embedding, unbundled(name, fields), walk);
    if (copying) noteCopied(fields, decision.touches, walk);
    if (decision.flow.fetched) noteFetchedFiles(name, decision.touches, fields, walk);
    else if (decision.flow.text !== undefined)
      for (const touch of decision.touches)
        if (touch.action === "write") noteFile(normalised(touch.target), decision.flow, walk);
    return decision;
  };
};

const COPYING: ReadonlySet<string> = new Set(["cp", "ln", "mv", "install"]);

/** Programs that connect a shell earlier in the pipe to another machine. */
const CONNECTING: ReadonlySet<string> = new Set("nc ncat netcat socat telnet openssl".split(" "));

/** Options whose value is a path, not a program. */
const PLACED = /^(?:-[a-zA-Z]*[COfo]|--\w[\w-]*)$/;

/** Programs that highlight or format code: a shell's name among their words is a language. */
const OF_LANGUAGES: ReadonlySet<string> = new Set(
  "pygmentize bat batcat shfmt highlight source-highlight chroma enscript silicon freeze germanium ccat".split(" "),
);

/** `docker exec -i box sh`: a shell that a program may start reads the program's input. */
const walkShellAmong = (fields: readonly Field[], walk: Walk, stdin: Flow): void => {
  const isShell = ({ text }: Field, index: number): boolean =>
    SHELLS.has(nameOf(text)) &&
    (fields[index + 1]?.text.startsWith("-") ?? true) &&
    !PLACED.test(fields[index - 1]?.text.replace(/^--$/, "") ?? "");
  if (!stdin.fetched && stdin.text === undefined) return;
  const at = fields.findIndex(isShell);
  if (at > 0) walk.command(fields.slice(at), walk, stdin);
};

/** A program that may run its words prints what a fetcher among them prints, and leaves behind what that saves. */
const passingOnFetched = (
  name: string,
  interprets: boolean,
  decision: Decision,
  fields: readonly Field[],
  walk: Walk,
): Decision => {
  if (decision.flow.text !== undefined) return decision;
  if (interprets && fields.some(({ text }) => fetchesInCode(text))) return asFetched(decision);
  const at = fetcherAmong(name, fields);
  if (at === undefined) return decision;
  if (at > 0) {
    const inner = fields.slice(at);
    const fetcher = nameOf((inner[0] as Field).text);
    const { touches } = byTable(fetcher, PROGRAMS.get(fetcher), inner, walk, undefined, false);
    noteFetchedFiles(fetcher, touches, inner, walk);
  }
  return asFetched(decision);
};

/** Keeps the number of lines, which is still known. */
const asFetched = (decision: Decision): Decision => {
  const { lines } = decision.flow;
  return withFlow(decision, lines === undefined ? FETCHED_FLOW : changedFlow(FETCHED_FLOW, { lines }));
};

const givenTo = (fields: readonly Field[], stdin: Flow | undefined): string | undefined =>
  stdin?.text ?? fields.find(({ flow }) => flow?.text !== undefined)?.flow?.text;

/** Adds a step that looks at the words before the table judges them. */
const after =
  (look: (fields: readonly Field[], walk: Walk, stdin: Flow | undefined) => void, act: Act): Act =>
  (fields, walk, stdin, slash) => {
    look(fields, walk, stdin);
    return act(fields, walk, stdin, slash);
  };

const HERE = plainField(".");

/** The first protected folder among the words; without any words, the current folder may be one. */
const listedPlace = (fields: readonly Field[], walk: Walk): string | undefined => {
  let isNamed = false;
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (field.text.startsWith("-")) continue;
    isNamed = true;
    const place = protectedPlace(field, walk);
    if (place !== undefined) return place;
  }
  return isNamed ? undefined : protectedPlace(HERE, walk);
};

/** A listing of a protected folder is treated as the folder itself: `ls / | xargs rm -rf`. */
const listing =
  (act: Act): Act =>
  (fields, walk, stdin, slash) => {
    const decision = act(fields, walk, stdin, slash);
    const place = listedPlace(fields, walk);
    return place === undefined || leavesMost(fields)
      ? decision
      : withFlow(decision, changedFlow(decision.flow, { listed: place }));
  };

const FIND = plainField("find");
const inFind = listing(inTable("find"));
const searching: Act = (fields, walk, stdin, slash) => {
  const { own, commands } = walkFound(fields, walk);
  const judged = inFind(own, walk, stdin, slash);
  const fetching = commands.some((command) => fetcherAmong("find", [FIND, ...command]) !== undefined);
  const decision = fetching ? withFlow(judged, FETCHED_FLOW) : judged;
  if (!decision.flow.names) return decision;
  // what a command prints may be anything
  if (!commands.every(printsWhatItFound)) {
    return withFlow(decision, changedFlow(decision.flow, { names: undefined }));
  }
  const found = namesFound(own);
  return found === undefined ? decision : withFlow(decision, changedFlow(decision.flow, { found }));
};

/** `printf -v name …` prints into a variable. */
const intoVariable = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  const attached = /^-v(.+)$/s.exec(fields[1]?.text ?? "")?.[1];
  const name = attached ?? (fields[1]?.text === "-v" ? fields[2]?.text : undefined);
  if (name === undefined) return;
  walkIndexes(fields, walk);
  const rest = fields.slice(attached === undefined ? 3 : 2);
  const flow = flowOf("printf", [fields[0] as Field, ...rest], stdin);
  setVariable(walk, name, textOf(flow));
  addSpoken(name, flow, walk);
};

/** `arch -x86_64 program`, as macOS has it. */
const onOther = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void => {
  if (fields.length > 2) walk.command(fields.slice(2), walk, stdin);
};

const SPECIAL: ReadonlyMap<string, Act> = new Map<string, Act>([
  ["eval", evaluated],
  [".", sourced],
  ["source", sourced],
  ["xargs", throughXargs],
  ["at", inShellLater],
  ["batch", inShellLater],
  ["newgrp", inShellLater],
  ["find", searching],
  ["fd", after(walkFoundByFd, inTable("fd"))],
  ["fdfind", after(walkFoundByFd, inTable("fdfind"))],
  ["ls", listing(inTable("ls"))],
  ["ssh", after(walkRemote, inTable("ssh"))],
  ["test", after(walkIndexes, inTable("test"))],
  ["[", after(walkIndexes, inTable("["))],
  ["unset", after(forgotten, inTable("unset"))],
  ["wait", after(walkIndexes, inTable("wait"))],
  ["make", after(walkRecipes, inTable("make"))],
  ["gmake", after(walkRecipes, inTable("gmake"))],
  ["cmake", after(walkOwnCommands, inTable("cmake"))],
  ["crontab", after(walkSchedule, inTable("crontab"))],
  ...["docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc"].map(
    (name) => [name, after(walkContained, inTable(name))] as const,
  ),
  ["arch", after(onOther, inTable("arch"))],
  ["printf", after(intoVariable, inTable("printf"))],
]);

const inWrapper = (name: string): Act => {
  const otherwise = inTable(name);
  const interprets = isInterpreter(name);
  return (fields, walk, stdin, slash) => {
    const judged = unwrapped(name, fields, walk, stdin) ?? otherwise(fields, walk, stdin, slash);
    const inner = judged.class === "dangerous" ? passingOnFetched(name, interprets, judged, fields, walk) : judged;
    return slash && inner.class === "safe" ? reclassed(inner, "dangerous") : inner;
  };
};

/** `ld-linux.so.2 program`: the loader itself, which starts the program after it. */
const LOADER = /^ld(?:-\w.*)?\.so/;
const loaded = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): void =>
  void walk.command(fields.slice(1), walk, stdin);

const workedOut = (name: string): Meaning => ({
  rule: ruleOf(name),
  act:
    BUILTINS.get(name) ??
    SPECIAL.get(name) ??
    (SHELLS.has(name) ? after(walkStartup, inShell) : WRAPPING.has(name) ? inWrapper(name) : inTable(name)),
});

const LISTED = [PROGRAMS, BUILTINS, SPECIAL, SHELLS, WRAPPING, RULES, INTERPRETERS];
/** Built on first use, because a process that judges one command needs only a few of them. */
const MEANINGS = new Map<string, Meaning>();

/** `git-config`, as the programs of git are called in their own folder. */
const GIT_VERB = /^git-[a-z]/;
const asVerb = (name: string): Meaning => {
  const { rule, act } = workedOut("git");
  const words = (fields: readonly Field[]) => [plainField("git"), plainField(name.slice(4)), ...fields.slice(1)];
  return {
    rule: (fields, walk) => rule?.(words(fields), walk),
    act: (fields, walk, stdin, slash) => act(words(fields), walk, stdin, slash),
  };
};

export const meaningOf = (name: string): Meaning => {
  const known = MEANINGS.get(name);
  if (known !== undefined) return known;
  const isListed = LISTED.some((names) => names.has(name));
  if (!isListed && GIT_VERB.test(name)) return asVerb(name);
  const meaning = workedOut(name);
  if (isListed) {
    MEANINGS.set(name, meaning);
    return meaning;
  }
  const { rule, act } = meaning;
  return { rule, act: LOADER.test(name) ? after(loaded, act) : act };
};
