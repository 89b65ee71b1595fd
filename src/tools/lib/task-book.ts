import type { Stored, Table } from "../../core/contracts/store/tables.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { counted } from "../../text/counted.ts";
import { redact, redactDeep } from "../../text/redact.ts";
import { addEdges, type Edges, type Links, openLinks } from "./task-order.ts";

export type TaskStatus = "pending" | "in_progress" | "completed";
export const TASK_STATUSES = ["pending", "in_progress", "completed"] as const satisfies readonly TaskStatus[];

/** The stored part of a task. Whether somebody really works on it is decided by its claim. */
export type TaskRow = {
  subject: string;
  description: string;
  status: TaskStatus;
  activeForm?: string;
  owner?: string;
  metadata?: Record<string, unknown>;
  /** Text from outside had entered the session of whoever wrote it. */
  outside?: true;
};
/** A task as people and models see it. `left` is who began it and is gone, so that it is free again. */
export type Task = TaskRow & {
  id: string;
  blockedBy: string[];
  blocks: string[];
  worker?: Worker;
  left?: string;
  updated: number;
};
export type Worker = { session: string; agent: string };
type Claim = Worker & { lease: number };
export type TaskTables = { table(name?: string): Table; now(): number };

const MOST_FINISHED = 1000;
export const MOST_OPEN = 5000;
const ATTEMPTS = 100;
const EDGES = "edges";
const NEXT = "next";

const keyOf = (id: string): string => id.padStart(10, "0");
const idOf = (key: string): string => String(Number(key));

/** "3", 3, "#3" and "task-3" all mean the same task. */
export const taskID = (written: string): string => {
  const [, digits] = /^(?:#|task[-_ ]?)?0*(\d{1,10})$/i.exec(written.trim()) ?? [];
  if (digits === undefined) throw unknownTask(written);
  return digits;
};

const unknownTask = (id: string): ToolFailure =>
  new ToolFailure("NOT_FOUND", `There is no task ${id.slice(0, 40)}.`, "task_list shows all tasks with their ids.");

/** Long values are only cut where there is a secret. */
function cleaned(metadata: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(metadata);
  return redact(text) === text ? metadata : (redactDeep(metadata) as Record<string, unknown>);
}

function withoutSecrets({ subject, description, activeForm, metadata, ...task }: TaskRow): TaskRow {
  return {
    ...task,
    subject: redact(subject),
    description: redact(description),
    ...(activeForm !== undefined && { activeForm: redact(activeForm) }),
    ...(metadata !== undefined && { metadata: cleaned(metadata) }),
  };
}

/** Tasks that all agents of a workspace share. Every change is a compare-and-set, so none is lost. */
export function taskBook({ table, now }: TaskTables) {
  const rows = table();
  const claims = table("claims");
  const shared = table("shared");

  async function change<T>(of: Table, key: string, make: (before: T | undefined) => T): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await of.get<T>(key);
      const after = make(before?.value);
      if (await of.put(key, after, { ifVersion: before?.version ?? 0 })) return after;
    }
    throw new ToolFailure("IO_ERROR", "Many agents are changing the tasks at once.", "Try again in a moment.");
  }

  const isLive = (claim: Stored<Claim> | undefined): claim is Stored<Claim> =>
    claim !== undefined && !claim.orphaned && now() - claim.at <= claim.value.lease;

  const edges = async (): Promise<Edges> => (await shared.get<Edges>(EDGES))?.value ?? {};

  function shown({ key, value, at }: Stored<TaskRow>, { blockedBy, blocks }: Links, claim?: Stored<Claim>): Task {
    const id = idOf(key);
    const isBegun = value.status === "in_progress";
    const task: Task = {
      ...value,
      id,
      status: isBegun && !isLive(claim) ? "pending" : value.status,
      blockedBy: blockedBy.get(id) ?? [],
      blocks: blocks.get(id) ?? [],
      updated: at,
    };
    if (isBegun && isLive(claim)) task.worker = { session: claim.value.session, agent: claim.value.agent };
    else if (isBegun) task.left = claim?.value.agent ?? value.owner ?? "its agent";
    return task;
  }

  async function all(): Promise<Task[]> {
    const [tasks, order, held] = await Promise.all([rows.list<TaskRow>(), edges(), claims.list<Claim>()]);
    const claimOf = new Map(held.map((row) => [row.key, row]));
    const open = new Set(tasks.filter(({ value }) => value.status !== "completed").map(({ key }) => idOf(key)));
    const links = openLinks(order, open);
    return tasks.map((row) => shown(row, links, claimOf.get(row.key)));
  }

  async function get(id: string): Promise<Task> {
    const found = (await all()).find((task) => task.id === id);
    if (!found) throw unknownTask(id);
    return found;
  }

  async function order(id: string, blockers: readonly string[], blocked: readonly string[]): Promise<void> {
    if (blockers.length + blocked.length === 0) return;
    const known = new Set((await rows.list<TaskRow>()).map(({ key }) => idOf(key)));
    for (const each of [...blockers, ...blocked]) if (!known.has(each)) throw unknownTask(each);
    const added = [...blockers.map((other) => [id, other] as const), ...blocked.map((other) => [other, id] as const)];
    await change<Edges>(shared, EDGES, (before = {}) => addEdges(before, added, known));
  }

  /** Starts a task, or renews the claim on it. */
  async function claim(id: string, { session, agent }: Worker, lease: number): Promise<void> {
    const key = keyOf(id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const held = await claims.get<Claim>(key);
      if (isLive(held) && (held.value.session !== session || held.value.agent !== agent))
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `Task ${id} is being worked on by ${held.value.agent} (session ${held.value.session}).`,
          `Choose another task. This one becomes free in ${inWords(held.at + held.value.lease - now())} unless its agent updates it before.`,
        );
      const options = { ifVersion: held?.version ?? 0, bound: true };
      if (await claims.put<Claim>(key, { session, agent, lease }, options)) return;
    }
    throw new ToolFailure("IO_ERROR", `Many agents want task ${id} at once.`, "Choose another task.");
  }

  async function create(task: TaskRow, blockedBy: readonly string[] = []): Promise<string> {
    await keepRoom();
    const id = String(await change<number>(shared, NEXT, (last = 0) => last + 1));
    await rows.put<TaskRow>(keyOf(id), withoutSecrets(task));
    try {
      await order(id, blockedBy, []);
    } catch (error) {
      await remove(id);
      throw error;
    }
    await tidy();
    return id;
  }

  async function update(
    id: string,
    edit: (task: TaskRow) => TaskRow,
    links: { blockedBy: readonly string[]; blocks: readonly string[] },
  ): Promise<void> {
    await order(id, links.blockedBy, links.blocks);
    const { status } = await change<TaskRow>(rows, keyOf(id), (before) => {
      if (!before) throw unknownTask(id);
      return withoutSecrets(edit(before));
    });
    if (status !== "in_progress") await claims.remove(keyOf(id));
  }

  async function remove(id: string): Promise<void> {
    if (!(await rows.remove(keyOf(id)))) throw unknownTask(id);
    await claims.remove(keyOf(id));
  }

  async function keepRoom(): Promise<void> {
    const open = (await rows.list<TaskRow>()).filter(({ value }) => value.status !== "completed").length;
    if (open >= MOST_OPEN)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `There are ${open} open tasks already, and no more are kept.`,
        "Finish or delete some with task_update.",
      );
  }

  /** Removes the oldest finished tasks if there are too many; open ones stay. */
  async function tidy(): Promise<void> {
    const finished = (await rows.list<TaskRow>()).filter(({ value }) => value.status === "completed");
    for (const { key, version } of finished.slice(0, Math.max(0, finished.length - MOST_FINISHED)))
      await rows.remove(key, { ifVersion: version });
  }

  return { all, get, create, update, claim, remove };
}

const inWords = (ms: number): string => counted(Math.max(1, Math.ceil(ms / 60_000)), "minute");
