import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { TASK_STATUSES, type TaskRow, taskBook, taskID } from "./lib/task-book.ts";
import { mergedMetadata, taskMetadata } from "./lib/task-metadata.ts";
import { taskLine } from "./lib/task-shown.ts";

const LEASE_SECONDS = 30 * 60;

const input = () =>
  z.object({
    taskId: z.string(),
    status: z.enum([...TASK_STATUSES, "deleted"]).optional(),
    subject: z.string().trim().min(1).max(500).optional(),
    description: z.string().max(20_000).optional(),
    activeForm: z.string().max(500).optional(),
    owner: z.string().max(200).optional(),
    addBlocks: z.array(z.string()).optional(),
    addBlockedBy: z.array(z.string()).optional(),
    metadata: taskMetadata().optional(),
    lease: z.number().positive().max(86_400).optional(),
  });
type Update = z.output<ReturnType<typeof input>>;

export const taskUpdate = Tool.define("task_update", {
  description:
    "Change a task: in_progress takes it for you until you finish or stop giving signs of life; then completed.",
  permissions: { required: ["read"] },
  aliases: { names: ["TaskUpdate"], args: { taskId: ["task_id", "id"] } },
  rare: ["subject", "description", "activeForm", "owner", "addBlocks", "metadata", "lease"],
  tables: "tasks",
  get input() {
    return input();
  },
  touches: () => [{ action: "remember", target: "tasks" }],
  async execute(update, context) {
    const book = taskBook(context);
    const id = taskID(update.taskId);
    const before = await book.get(id);
    if (update.status === "deleted") {
      await book.remove(id);
      return { title: `Task ${id}`, output: `Task #${id} is gone.`, metadata: { id } };
    }
    const worker = { session: context.sessionID, agent: context.agent };
    const isMine = before.worker?.session === worker.session && before.worker.agent === worker.agent;
    // any update by its worker renews the claim on a task
    if (update.status === "in_progress" || (isMine && update.status === undefined))
      await book.claim(id, worker, (update.lease ?? LEASE_SECONDS) * 1000);
    await book.update(id, (task) => changed(task, update, context.outside), {
      blockedBy: (update.addBlockedBy ?? []).map(taskID),
      blocks: (update.addBlocks ?? []).map(taskID),
    });
    const task = await book.get(id);
    if (task.outside) context.noteOutside();
    return { title: `Task ${id}`, output: taskLine(task), metadata: { id, task } };
  },
});

function changed(task: TaskRow, update: Update, outside: boolean): TaskRow {
  const { status, subject, description, activeForm, owner, metadata } = update;
  const isWritten = [subject, description, activeForm, owner, metadata].some((each) => each !== undefined);
  return {
    ...task,
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description }),
    ...(activeForm !== undefined && { activeForm }),
    ...(owner !== undefined && { owner }),
    ...(status !== undefined && status !== "deleted" && { status }),
    ...(metadata && { metadata: mergedMetadata(task.metadata ?? {}, metadata) }),
    ...(outside && isWritten && { outside: true }),
  };
}
