import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Context, Tool } from "../core/words/tool.ts";

export const spawnAgent = Tool.define("spawn_agent", {
  description:
    "Hand a task to another agent with a context of its own, and read its report. Say all that it needs to know.",
  permissions: { required: ["execute"] },
  aliases: {
    names: ["dispatch_subagent", "delegate_to_agent", "delegate", "task", "Task", "Agent", "invoke_agent"],
    args: {
      agent: ["agent_type", "target_agent_id", "subagent_type", "agent_name", "agent_id"],
      task: ["prompt", "instructions"],
      resume: ["session", "session_id", "task_id"],
    },
  },
  rare: ["context", "resume", "description"],
  get input() {
    return z.object({
      agent: z.string().min(1).max(100),
      task: z.string().trim().min(1),
      context: z.string().optional(),
      resume: z.string().min(1).max(200).optional(),
      description: z.string().optional(),
    });
  },
  touches: ({ agent }) => [{ action: "delegate", target: agent }],
  async execute({ agent, task, context: about, resume }, context) {
    const report = await agentsOf(context).run({
      ...{ agent, task, from: context.sessionID, ...(about && { context: about }), ...(resume && { resume }) },
      heard: (title) => context.metadata({ title: `${agent}: ${title}`, metadata: { agent } }),
    });
    const { output, finished, stopped, session, turns, parts, changed = [] } = report;
    const notes = [
      ...(changed.length > 0 ? [`It changed ${named(changed)}.`] : []),
      ...(finished ? [] : [`${agent} did not finish${stopped ? `: ${stopped}` : ""}.`]),
      ...(session ? [`To continue it: resume ${session}`] : []),
    ];
    return {
      title: `${agent}: ${task.slice(0, 60)}`,
      output: [output || "It said nothing.", ...notes.map((note) => `[${note}]`)].join("\n\n"),
      metadata: {
        ...{ agent, finished, changed },
        ...(stopped && { stopped }),
        ...(session && { id: session }),
        ...(turns !== undefined && { turns }),
        ...(parts && { report: parts }),
      },
    };
  },
});

const SHOWN = 20;
const named = (files: readonly string[]): string =>
  files.length > SHOWN ? `${files.slice(0, SHOWN).join(", ")} and ${files.length - SHOWN} more` : files.join(", ");

function agentsOf(context: Pick<Context, "agents">): Context["agents"] {
  try {
    return context.agents;
  } catch {
    throw new ToolFailure(
      "CONFIG_ERROR",
      "There is no model that another agent could run on.",
      "Do the work here. A person can give one: `toolgate run --model …`, or open({ model }).",
      { metadata: { error: "LLM_ASSIST_REQUIRED" } },
    );
  }
}
