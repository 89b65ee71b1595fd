import { HOOK_EVENTS, type HookEventName, type ScriptHook } from "../../core/contracts/hook.ts";

type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
type Settings = { readonly [Event in HookEventName as Camel<Event>]: readonly ScriptHook[] };

export type ScriptHooks = Readonly<Record<HookEventName, readonly ScriptHook[]>>;

/** The enabled hooks, by event. */
export function writtenHooks(settings: Settings): ScriptHooks {
  const camel = (event: string) => event.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const all = HOOK_EVENTS.map((event) => [
    event,
    settings[camel(event) as keyof Settings].filter(({ enabled }) => enabled),
  ]);
  return Object.fromEntries(all) as ScriptHooks;
}

const each = (settings: Settings) =>
  Object.entries(writtenHooks(settings)).flatMap(([event, list]) => list.map((hook) => ({ event, hook })));

/** The workspace's files that hooks run, with their hashes. The shell parser is loaded for the first hook. */
export async function hookScripts(settings: Settings, root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { hook } of each(settings)) {
    const { codeFilesOf, hashesOf } = await import("./scripts.ts");
    Object.assign(found, hashesOf(await codeFilesOf(hook.command, root), root));
  }
  return found;
}

/** What keeps hooks from being started, for people. */
export async function hookNotes(settings: Settings, root: string): Promise<string[]> {
  const notes: string[] = [];
  for (const { event, hook } of each(settings)) {
    const { changedScript, codeFilesOf, hashesOf, notAccepted, whyNotStarted } = await import("./scripts.ts");
    const changed =
      hook.accepted && changedScript(hook.accepted, hashesOf(await codeFilesOf(hook.command, root), root));
    const why = changed === undefined ? await whyNotStarted(hook, root) : notAccepted(changed, root);
    if (why) notes.push(`The hook ${hook.name} (${event}) cannot be started: ${why}.`);
  }
  return notes;
}
