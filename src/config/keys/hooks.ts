import { hookList } from "../hook-kind.ts";
import { opensAll, permission } from "../restrictions.ts";
import { row } from "../row.ts";
import { yesOrNo } from "../value-kinds.ts";

const EDITS = "edit_file|write_file|apply_patch";

export const hooks = {
  "hooks.pre_tool_use": row({
    says: "Before a call is made: may refuse it, have a person asked, or change its arguments. See [Hooks](hooks.md).",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.preToolUse",
  }),
  "hooks.post_tool_use": row({
    says: "After a call: what it prints, and how it failed, is added to the result.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.postToolUse",
  }),
  "hooks.post_edit": row({
    says: "The same for edits alone: hooks of `post_tool_use` with the matcher `edit_file|write_file|apply_patch`.",
    kind: hookList(EDITS),
    default: [],
    rule: opensAll,
    to: "hooks.postToolUse",
  }),
  "hooks.pre_llm_call": row({
    says: "Before a model is called: may refuse that.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.preLlmCall",
  }),
  "hooks.post_llm_call": row({
    says: "After a model answered.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.postLlmCall",
  }),
  "hooks.session_start": row({
    says: "Before the first call of a session, or of the model.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.sessionStart",
  }),
  "hooks.session_end": row({
    says: "When the gate is closed, if its session has started.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.sessionEnd",
  }),
  "hooks.on_error": row({
    says: "After a call that failed or timed out.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.onError",
  }),
  "hooks.budget_warning": row({
    says: "When four fifths of a budget of tokens or cost are used.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.budgetWarning",
  }),
  "hooks.context_compress": row({
    says: "Before an agent's context is made shorter.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.contextCompress",
  }),
  "hooks.agent_complete": row({
    says: "When an agent has finished its work.",
    kind: hookList(),
    default: [],
    rule: opensAll,
    to: "hooks.agentComplete",
  }),
  "hooks.in_dry_run": row({
    says: "Whether hooks run in plan mode and dry run: in the sandbox, where they can change nothing, or not at all.",
    kind: yesOrNo,
    default: false,
    rule: permission,
    to: "hooks.inDryRun",
  }),
};
