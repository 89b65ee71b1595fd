import { ToolFailure } from "../../core/words/result.ts";

/** For each task, the tasks that must be finished before it. */
export type Edges = Readonly<Record<string, readonly string[]>>;

/** For each task, the open tasks that it waits for, and those that wait for it. */
export type Links = { blockedBy: ReadonlyMap<string, string[]>; blocks: ReadonlyMap<string, string[]> };

/** Only links between open tasks: a finished one blocks nothing and waits for nothing. */
export function openLinks(edges: Edges, open: ReadonlySet<string>): Links {
  const blockedBy = new Map<string, string[]>();
  const blocks = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, id: string, other: string) => map.set(id, [...(map.get(id) ?? []), other]);
  for (const [id, blockers] of Object.entries(edges))
    for (const blocker of blockers)
      if (open.has(id) && open.has(blocker)) {
        add(blockedBy, id, blocker);
        add(blocks, blocker, id);
      }
  return { blockedBy, blocks };
}

/** Adds [task, blocker] pairs. Refuses a cycle, in which no task could begin. Forgets removed tasks. */
export function addEdges(
  edges: Edges,
  added: readonly (readonly [task: string, blocker: string])[],
  known: ReadonlySet<string>,
): Edges {
  const result: Record<string, string[]> = {};
  for (const [id, blockers] of Object.entries(edges))
    if (known.has(id)) result[id] = blockers.filter((each) => known.has(each));
  for (const [id, blocker] of added) {
    if (id === blocker || leadsTo(result, blocker, id))
      throw new ToolFailure(
        "VALIDATION_ERROR",
        id === blocker
          ? `Task ${id} cannot block itself.`
          : `Task ${id} cannot wait for task ${blocker}: ${blocker} already waits for ${id}.`,
        "Tasks that wait for each other would never begin.",
      );
    const blockers = result[id] ?? [];
    result[id] = blockers.includes(blocker) ? blockers : [...blockers, blocker];
  }
  return result;
}

function leadsTo(edges: Edges, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(edges[id] ?? []));
  }
  return false;
}
