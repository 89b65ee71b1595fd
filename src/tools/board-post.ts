import * as z from "zod";
import { FINDING_TYPES, findings } from "../core/board-findings.ts";
import { Tool } from "../core/words/tool.ts";
import { redact } from "../text/redact.ts";

const names = () => z.array(z.string().min(1).max(500)).max(50).optional();

export const boardPost = Tool.define("board_post", {
  description: "Tell the other agents of this workspace what you found. What says nearly the same is merged.",
  permissions: { required: ["read"] },
  aliases: { args: { content: ["finding", "text"], files: ["relatedFiles", "related_files"] } },
  tables: "board",
  get input() {
    return z.object({
      content: z.string().trim().min(1).max(20_000),
      type: z.enum(FINDING_TYPES).optional(),
      topic: z.string().max(200).optional(),
      confidence: z.number().min(0).max(1).optional(),
      tags: names(),
      files: names(),
    });
  },
  touches: () => [{ action: "remember", target: "board" }],
  async execute({ content, type = "discovery", topic = "", confidence = 0.5, tags = [], files = [] }, context) {
    const { sessionID: session, agent, now, outside } = context;
    const at = now();
    const given = { type, topic, content, confidence, tags, files };
    const posted = { ...given, session, agent, at, ...(outside && { outside }) };
    const { finding, merged } = await findings(context, redact).post(posted);
    const said = merged ? `It says the same as #${finding.id}, and was merged with it.` : `Posted as #${finding.id}.`;
    return { title: `Finding ${finding.id}`, output: said, metadata: { id: finding.id, merged, times: finding.times } };
  },
});
