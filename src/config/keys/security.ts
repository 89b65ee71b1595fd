import { allowsOnly, limit, restriction } from "../restrictions.ts";
import { row } from "../row.ts";
import { mostOrZero, names, yesOrNo } from "../value-kinds.ts";
import { general } from "./general.ts";
import { workspace } from "./workspace.ts";

/** Alternative keys for people who know these names from elsewhere. Two keys may mean the same setting. */
export const security = {
  "security.autonomy": { ...general.autonomy, says: "The same as `autonomy`; the stricter of the two counts." },
  "security.workspace_only": row({
    says: "Refuses commands that read outside the workspace.",
    kind: yesOrNo,
    default: false,
    rule: restriction,
    to: "commands.workspaceOnly",
  }),
  "security.forbidden_paths": {
    ...workspace["workspace.forbidden_paths"],
    says: "Added to `workspace.forbidden_paths`.",
  },
  "security.allowed_commands": row({
    says: "Only these programs; `*` means all.",
    kind: names("names of programs"),
    default: undefined,
    rule: allowsOnly,
    to: "commands.allowedCommands",
  }),
  "security.block_high_risk_commands": row({
    says: "Refuses commands of high risk.",
    kind: yesOrNo,
    default: false,
    rule: restriction,
    to: "commands.blockHighRisk",
  }),
  "security.require_approval_for_medium_risk": row({
    says: "For `supervised`; `false` asks for high risk only.",
    kind: yesOrNo,
    default: true,
    rule: restriction,
    to: "commands.approveMediumRisk",
  }),
  "security.max_actions_per_hour": row({
    says: "Calls that change something, of one gate, within the last hour.",
    kind: mostOrZero,
    default: undefined,
    rule: limit,
    to: "budget.maxActionsPerHour",
  }),
};
