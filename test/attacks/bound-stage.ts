import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { open, type Store, type Workspace } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { folder } from "../journeys/harness.ts";
import { noting } from "../journeys/noting.ts";

type Answer = "once" | "session" | "always";

/** A gate whose commands are noted and not run, with a person who may be slow. */
export async function stage(
  files: Record<string, string>,
  sandbox: "bubblewrap" | "none" = "none",
  { dir, store }: { dir: string; store: Store } = { dir: folder(files), store: memoryStore() },
) {
  const ran: string[] = [];
  const asked: { always: boolean }[] = [];
  const next: { answer: Answer; meanwhile?: (() => void) | undefined } = { answer: "once" };
  const workspace: Workspace = { ...localWorkspace({ root: dir }), processes: noting(ran, sandbox) };
  const gate = await open({
    workspace,
    store,
    mode: "confirm-sensitive",
    config: {},
    approve: (_, verdict) => {
      asked.push({ always: verdict.grantable === true });
      next.meanwhile?.();
      return next.answer;
    },
  });
  onTestFinished(() => gate.close());
  const run = (command: string, more: object = {}) =>
    gate.call({ name: "run_command", args: { command, ...more }, sessionID: "s" });
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  const chmod = (file: string, mode: number) => chmodSync(path.join(dir, file), mode);
  return { dir, ran, asked, next, run, put, chmod };
}
