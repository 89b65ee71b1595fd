import { existsSync } from "node:fs";
import { access, constants, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import type { Gate } from "../../../core/gate.ts";
import type { Failure } from "../../../core/words/result.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { exitStatus, resultOf } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { hasStore, openingOf, withGate, workspaceOf } from "../lib/opening.ts";
import { colours, documentOf, lineWidth, print, visible } from "../lib/terminal.ts";

const NEXT: readonly (readonly [string, string])[] = [
  ["toolgate tools", "list the tools"],
  ["toolgate call write_file hello.txt content=hello", "write a file, after asking"],
  ["toolgate undo", "undo that"],
];

/** What this is, what works on this machine, what to do next. */
export const run: Command = async (invocation) => {
  const workspace = workspaceOf(invocation);
  const { tools, problem } = await toolsHere(invocation);
  const configuration = problem ? undefined : await configurationHere(invocation, workspace);
  const store = await storeHere(workspace);
  const { version, json } = invocation;
  const facts = {
    version,
    node: process.version,
    workspace,
    config: configuration?.files ?? [],
    mode: configuration?.mode,
    tools,
    store,
  };
  if (json)
    await print(documentOf({ ...facts, next: NEXT.map(([command]) => command), ...(problem && { error: problem }) }));
  else await print(page(facts, configuration?.notes ?? [], problem));
  return problem ? exitStatus("invalid") : store.works ? 0 : 1;
};

type Facts = {
  version: string;
  node: string;
  workspace: string;
  config: string[];
  mode: string | undefined;
  tools: string[];
  store: StoreHere;
};
type StoreHere = { works: boolean; says: string };

async function toolsHere(invocation: Invocation): Promise<{ tools: string[]; problem?: Failure }> {
  const tools: string[] = [];
  try {
    const look = async (gate: Gate) => {
      tools.push(...gate.registry.list().map(({ name }) => name));
      return 0;
    };
    // the page shows the notes itself
    await withGate({ ...openingOf(invocation), store: "memory" }, look, { tellsNotes: false });
    return { tools };
  } catch (error) {
    const { error: problem } = resultOf(error);
    return problem ? { tools, problem } : { tools };
  }
}

async function configurationHere({ values }: Invocation, workspace: string) {
  const { readConfig } = await import("../../../doctor.ts");
  const { sources, notes, settings } = await readConfig({
    workspace,
    ...(values.config && { config: values.config }),
  });
  const files = sources.map(({ file, trusted }) => (trusted ? file : `${file} (not trusted)`));
  return { files, notes, mode: values.mode ?? settings.mode };
}

/** Tests the store for real: in the workspace if it has one, else in a temporary folder. */
async function storeHere(workspace: string): Promise<StoreHere> {
  const known = hasStore(workspace);
  const folder = known ? workspace : await mkdtemp(join(tmpdir(), "toolgate-"));
  try {
    const { openStore } = await import("../../../storing.ts");
    const store = await openStore(folder);
    const [last] = await store.records({ limit: 1 });
    await store.close();
    if (!known && !(await isWritable(workspace)))
      return {
        works: false,
        says: "this folder is not writable, so no record can be kept; set store: memory to make calls anyway",
      };
    if (!known) return { works: true, says: "SQLite works; the first call creates .toolgate/store.db" };
    const when = last
      ? `; last call ${new Date(last.at).toISOString().slice(0, 16).replace("T", " ")} UTC, ${last.tool}`
      : "";
    return { works: true, says: `.toolgate/store.db${when}` };
  } catch (error) {
    return { works: false, says: `SQLite does not work here: ${resultOf(error).error?.message}` };
  } finally {
    if (!known) await rm(folder, { recursive: true, force: true });
  }
}

const isOnPath = (): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "toolgate")));

const thisProgram = (): string => relative(process.cwd(), process.argv[1] ?? "");

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

function page(
  { version, node, workspace, config, mode, tools, store }: Facts,
  notes: readonly string[],
  problem: Failure | undefined,
): string {
  const paint = colours();
  const here: (readonly [string, string])[] = [
    ["workspace", workspace],
    ["config", problem ? "has a problem, see below" : config.join(", ") || "no toolgate.yaml; using the defaults"],
    ...(mode ? [["mode", mode] as const] : []),
    ...(tools.length > 0 ? [["tools", `${tools.length}: ${tools.join(", ")}`] as const] : []),
    ["store", store.says],
    ["node", node],
  ];
  const parts = [
    `${paint.bold(`toolgate ${version}`)}, the layer between a language model and a machine.\nIt judges every tool call, runs it in a workspace, records it, and can undo it.`,
    `${paint.bold("Here")}\n${visible(columns(here, lineWidth()))}`,
    ...notes.map(visible),
    problem ? `${paint.red(`Error (${problem.code}):`)} ${visible(problem.message)}` : "",
    `${paint.bold("Try")}\n${columns(NEXT, lineWidth())}`,
    isOnPath()
      ? ""
      : `\`toolgate\` is not on your PATH: use \`node ${visible(thisProgram())}\` instead, or run \`npm link\` in its folder.`,
    "`toolgate --help` lists every command.",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
