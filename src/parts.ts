import { embeddingsAt } from "./agents/embeddings.ts";
import { realPlace } from "./config/files.ts";
import { ConfigError, OPTIONS } from "./config/problem.ts";
import type { Settings } from "./config/settings.ts";
import type { Hook } from "./core/contracts/hook.ts";
import type { Policy } from "./core/contracts/policy.ts";
import type { Finishing } from "./core/contracts/quality-gate.ts";
import type { StandingRules } from "./core/contracts/rules.ts";
import type { Onlooker, Step } from "./core/contracts/step.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import type { Registry } from "./core/registry.ts";
import { STATE_FOLDER } from "./core/words/governing.ts";
import { bareName } from "./core/words/route.ts";
import type { Skill } from "./core/words/skill.ts";
import { mayNeed, type PlainTool, type Tool } from "./core/words/tool.ts";
import { access } from "./policies/access.ts";
import { blockedCommands } from "./policies/blocked-commands.ts";
import { budget } from "./policies/budget.ts";
import { changeLimits } from "./policies/change-limits.ts";
import { changedTools } from "./policies/changed-tools.ts";
import { codeRules } from "./policies/code-rules.ts";
import { commands as commandRules } from "./policies/commands.ts";
import { guardedFiles } from "./policies/guarded-files.ts";
import { loops } from "./policies/loops.ts";
import { mode } from "./policies/mode.ts";
import { paths } from "./policies/paths.ts";
import { type ProtectionSettings, protection } from "./policies/protection.ts";
import { records } from "./policies/records.ts";
import { secretFiles } from "./policies/secret-files.ts";
import { testsAfterEdits, untested } from "./policies/tests-after-edits.ts";
import { trust } from "./policies/trust.ts";
import { writeSafety } from "./policies/write-safety.ts";
import { hookScripts, writtenHooks } from "./sources/hooks/written.ts";
import { codeOfServers } from "./sources/mcp/server-code.ts";
import { pageReaders } from "./sources/page-readers.ts";
import { ownSkillFiles } from "./sources/skills/own-files.ts";
import { syntaxCheckFor } from "./sources/syntax-checks.ts";
import { circuitBreaker } from "./steps/circuit-breaker.ts";
import { readCache } from "./steps/read-cache.ts";
import { retry } from "./steps/retry.ts";
import { syntaxCheck } from "./steps/syntax-check.ts";
import { timeLimit } from "./steps/time-limit.ts";
import { counted } from "./text/counted.ts";
import { nearest } from "./text/nearest.ts";
import { applyPatch } from "./tools/apply-patch.ts";
import { askUser } from "./tools/ask-user.ts";
import { boardClaim } from "./tools/board-claim.ts";
import { boardPost } from "./tools/board-post.ts";
import { boardRead } from "./tools/board-read.ts";
import { browser } from "./tools/browser.ts";
import { captureScreenshot } from "./tools/capture-screenshot.ts";
import { cronAdd } from "./tools/cron-add.ts";
import { cronList } from "./tools/cron-list.ts";
import { cronRemove } from "./tools/cron-remove.ts";
import { deleteFile } from "./tools/delete-file.ts";
import { editFile } from "./tools/edit-file.ts";
import { executeCode } from "./tools/execute-code.ts";
import { fileInfo } from "./tools/file-info.ts";
import { findFiles } from "./tools/find-files.ts";
import { grep } from "./tools/grep.ts";
import { httpRequest } from "./tools/http-request.ts";
import { routes } from "./tools/lib/clients/routes.ts";
import { dialectFor, dialects } from "./tools/lib/dialects.ts";
import { listFiles } from "./tools/list-files.ts";
import { lockPaths } from "./tools/lock-paths.ts";
import { memoryForget } from "./tools/memory-forget.ts";
import { memoryRecall } from "./tools/memory-recall.ts";
import { memoryStore } from "./tools/memory-store.ts";
import { processTool } from "./tools/process.ts";
import { readFile } from "./tools/read-file.ts";
import { readSkill } from "./tools/read-skill.ts";
import { runCommand } from "./tools/run-command.ts";
import { searchCode } from "./tools/search-code.ts";
import { spawnAgent } from "./tools/spawn-agent.ts";
import { taskCreate } from "./tools/task-create.ts";
import { taskGet } from "./tools/task-get.ts";
import { taskList } from "./tools/task-list.ts";
import { taskUpdate } from "./tools/task-update.ts";
import { todoRead } from "./tools/todo-read.ts";
import { todoWrite } from "./tools/todo-write.ts";
import { undoFile } from "./tools/undo-file.ts";
import { undoTurn } from "./tools/undo-turn.ts";
import { unlockPaths } from "./tools/unlock-paths.ts";
import { webFetch } from "./tools/web-fetch.ts";
import { webSearch } from "./tools/web-search.ts";
import { writeFile } from "./tools/write-file.ts";
import { boundedPatterns } from "./workspaces/bounded-patterns.ts";
import type { CodePrograms } from "./workspaces/languages.ts";
import { chance, home, machineClock, tempFolders } from "./workspaces/machine.ts";
import { localProcesses } from "./workspaces/processes.ts";

export { unheld } from "./policies/unheld.ts";
export { toolSearch } from "./tools/tool-search.ts";
export { dialectFor, dialects, routes };

const files: readonly Tool[] = [
  ...[readFile, writeFile, editFile, applyPatch, deleteFile],
  ...[listFiles, findFiles, grep, searchCode, fileInfo],
  ...[undoFile, undoTurn],
];

const tasks: readonly Tool[] = [taskCreate, taskUpdate, taskGet, taskList, todoWrite, todoRead];
/** For several agents in one workspace. */
const together: readonly Tool[] = [lockPaths, unlockPaths, boardPost, boardRead, boardClaim];

const cron: readonly Tool[] = [cronAdd, cronList, cronRemove];

const commandTools = ({ commands: settings }: Settings, programs: CodePrograms | undefined): readonly Tool[] =>
  settings.enabled
    ? [runCommand({ ...settings, home }), processTool, executeCode({ ...settings, home, programs })]
    : [];

/** Tools that would always be refused or have nothing to show, so models are not told of them. */
export const unshown = (
  { workspace }: Settings,
  has: { model: boolean; person: boolean; skills: boolean },
): readonly string[] => [
  ...(workspace.allowDelete ? [] : [deleteFile.name]),
  ...(has.model ? [] : [spawnAgent.name]),
  ...(has.person ? [] : [askUser.name]),
  ...(has.skills ? [] : ["skill"]),
];

/** What `toolset` chooses from. */
export function toolsets(
  settings: Settings,
  programs: CodePrograms | undefined,
  skills: readonly Skill[] = [],
): Readonly<Record<string, readonly Tool[]>> {
  const commands = commandTools(settings, programs);
  const agents = [spawnAgent, askUser, readSkill({ skills, files: ownSkillFiles })];
  const web = [webFetch(pageReaders), httpRequest, webSearch(settings.web.search), captureScreenshot, browser];
  const embeddings = settings.memory.embeddings && embeddingsAt(settings.memory.embeddings);
  const memory = [memoryStore(embeddings), memoryRecall(embeddings), memoryForget];
  const usual = [...files, ...commands, ...tasks, ...agents];
  return {
    files,
    commands,
    tasks,
    agents,
    together,
    memory,
    cron,
    web,
    default: usual,
    all: [...usual, ...together, ...memory, ...cron, ...web],
  };
}

type Toolsets = ReturnType<typeof toolsets>;

/** Resolves names of toolsets and of tools, by any alias. */
export function toolsOf(wanted: string | readonly string[], sets: Toolsets): Tool[] {
  const [problem] = unknownIn(wanted, sets);
  if (problem) throw new ConfigError([{ source: OPTIONS, message: problem }]);
  return [...new Set([wanted].flat().flatMap((name) => named(name, sets)))];
}

const named = (name: string, sets: Toolsets): readonly Tool[] =>
  Object.hasOwn(sets, name) ? (sets[name] ?? []) : (sets.all ?? []).filter((tool) => answersTo(tool, name));

function unknownIn(wanted: string | readonly string[], sets: Toolsets): string[] {
  const known = [...Object.keys(sets), ...(sets.all ?? []).map((tool) => tool.name)];
  const unknown = [wanted].flat().filter((name) => !Object.hasOwn(sets, name) && named(name, sets).length === 0);
  return unknown.map((name) => {
    const near = nearest(name, known);
    const instead =
      near.length > 0 ? `did you mean ${near.join(" or ")}?` : `the toolsets are ${Object.keys(sets).join(", ")}`;
    return `toolset: there is no toolset and no tool named ${name}; ${instead}`;
  });
}

/** What is wrong with the tool names of a configuration. */
export const unknownTools = (settings: Settings): string[] =>
  unknownIn(settings.toolset, toolsets(settings, undefined));

/** The tool's own name and all of its aliases. */
export const namesOf = ({ name, definition }: Tool): string[] => [
  name,
  ...(typeof definition === "object" ? (definition.aliases?.names ?? []) : []).map((alias) =>
    typeof alias === "string" ? alias : alias.name,
  ),
];

const answersTo = (tool: Tool, wanted: string): boolean => namesOf(tool).includes(wanted);

/** Whether a name, in any spelling, means a toolset or a built-in tool, registered here or not. */
export const isTaken = (name: string, sets: Toolsets): boolean => {
  const known = [...Object.keys(sets), ...LATE, ...(sets.all ?? []).flatMap(namesOf), ...Object.keys(routes)];
  return known.some((each) => bareName(each) === bareName(name));
};

/** Tools that are registered only if there is something for them to do. */
const LATE = ["tool_search", "ToolSearch"];

/** `commandsOffline`: no command has a network here. `storeFiles`: a record that is kept outside the state folder. */
type Surroundings = ProtectionSettings & { commandsOffline: boolean; storeFiles: readonly string[] };

export const policies = (all: Settings, surroundings: Surroundings): Policy[] => {
  const { workspace, commands: settings, guardrails } = all;
  const { userFolders, storeFiles } = surroundings;
  return [
    mode,
    access,
    protection({ ...surroundings, userFolders: [...userFolders, ...storeFiles] }),
    paths({ allowDelete: workspace.allowDelete, forbidden: workspace.forbiddenPaths }),
    guardedFiles(guardrails),
    secretFiles(),
    records(storeFiles),
    commandRules({ ...settings, tempFolders: tempFolders(), tryPatterns: boundedPatterns }),
    blockedCommands({ ...guardrails, tryPatterns: boundedPatterns }),
    codeRules(guardrails.codeRules),
    changeLimits(guardrails),
    testsAfterEdits(guardrails.requireTestAfterEdit),
    writeSafety(workspace.writeSafety, fileInfo.name),
    loops(all.loops),
    trust({ ...all.trust, ...surroundings }),
    changedTools,
    budget,
  ];
};

/** What has to hold before an agent may finish. */
export const finishing = ({ guardrails: { qualityGates, requireTestAfterEdit } }: Settings): Finishing => ({
  checks: qualityGates,
  call: ({ command, timeout }) => ({ name: "run_command", args: { command, timeout } }),
  unfinished(facts) {
    const changes = requireTestAfterEdit ? untested(facts) : 0;
    return changes > 0 ? `The tests have not been run since ${counted(changes, "change")}.` : undefined;
  },
});

/** Rules have to understand shell, which is a large part, so they are imported only if there are any. */
export async function rulePolicies(
  { rules: { allow, ask, deny } }: Settings,
  roots: readonly string[],
): Promise<Policy[]> {
  const all = [...allow, ...ask, ...deny];
  if (all.length === 0) return [];
  const { rules } = await import("./policies/rules.ts");
  return [rules({ rules: all, home, roots, now: machineClock.now })];
}

/** Reading addresses is a part of its own, imported only if a tool may reach the network or hosts are configured. */
export async function webPolicies(
  { web: settings }: Settings,
  tools: readonly (Tool | PlainTool)[],
): Promise<Policy[]> {
  if (settings.deny.length === 0 && !settings.allow && !tools.some((tool) => mayNeed(tool, "network"))) return [];
  const { web } = await import("./policies/web.ts");
  return [web(settings)];
}

/** Files that hooks and servers run outside the sandbox, so no command may change them. Parts of files are left out. */
export async function ownCode({ hooks, servers }: Settings, folder: string): Promise<string[]> {
  const root = realPlace(folder);
  const found = { ...(await hookScripts(hooks, root)), ...(await codeOfServers(servers, root)) };
  return Object.keys(found).filter((name) => !name.includes("#"));
}

const NO_SCRIPTS = { hooks: [] as readonly Hook[], close: async () => {} };

/** Scripts belong to the person and run outside the sandbox; where nothing may be changed, they run inside it. */
export async function scriptsIn(settings: Settings, workspace: Workspace, registry: Registry) {
  const written = writtenHooks(settings.hooks);
  if (Object.values(written).every((list) => list.length === 0)) return NO_SCRIPTS;
  const { scriptHooks } = await import("./sources/hooks/script-hooks.ts");
  const root = await workspace.locate(".");
  const keepOutput = { headBytes: 512 * 1024, tailBytes: 512 * 1024, fileBytes: 0 };
  const state = `${root.real}/${STATE_FOLDER}`;
  const open = localProcesses({ ...settings.commands, sandbox: "off", roots: [root.real], state, keepOutput });
  const readOnly = async () => {
    const { processes } = workspace;
    return (await processes?.enforcement())?.sandbox === "none" ? undefined : processes;
  };
  const grounds = { root, open, readOnly };
  const made = await scriptHooks(written, { registry, dialects, grounds, inDryRun: settings.hooks.inDryRun });
  const close = async () => {
    await made.ended();
    await open.close();
  };
  return { hooks: made.hooks, close };
}

/** The first is the outermost. */
export const steps = (): (Step | Onlooker)[] => [
  timeLimit(),
  circuitBreaker(),
  retry(chance),
  readCache(),
  syntaxCheck(syntaxCheckFor),
];

/** Understanding shell is a large part, so it is imported for the first question. */
export const standingRules = (roots: readonly string[]): StandingRules => ({
  propose: async (about, tool, known) => (await import("./rules/proposal.ts")).propose(about, tool, known, { roots }),
  covers: async (rules, about, tool) => (await import("./rules/proposal.ts")).covers(rules, about, tool, { roots }),
});
