import { forbids, forbidsAll, limit, opensAll, restriction } from "../restrictions.ts";
import { row } from "../row.ts";
import { codeRules, globs, most, qualityGates, regularExpressions, yesOrNo } from "../value-kinds.ts";

export const guardrails = {
  "guardrails.protected_files": row({
    says: "What no call may change, by a tool or by a command. A name without a slash is meant at any depth.",
    kind: globs,
    default: [],
    rule: forbids,
    to: "guardrails.protectedFiles",
  }),
  "guardrails.sensitive_files": row({
    says: "What no call may read or change. Searches and listings leave it out and count it.",
    kind: globs,
    default: [],
    rule: forbids,
    to: "guardrails.sensitiveFiles",
  }),
  "guardrails.blocked_commands": row({
    says: "Regular expressions, without regard to case; a command that matches, as it is written or as the shell reads it, is refused.",
    kind: regularExpressions,
    default: [],
    rule: forbids,
    to: "guardrails.blockedCommands",
  }),
  "guardrails.max_files_modified": row({
    says: "Files that one session may change; a file counts once. `0` allows none.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "guardrails.maxFilesModified",
  }),
  "guardrails.max_lines_changed": row({
    says: "Lines that one session may add and remove. `0` allows none.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "guardrails.maxLinesChanged",
  }),
  "guardrails.max_commands_executed": row({
    says: "Commands that one session may run. `0` allows none.",
    kind: most,
    default: undefined,
    rule: limit,
    to: "guardrails.maxCommandsExecuted",
  }),
  "guardrails.require_test_after_edit": row({
    says: "Changes must be tested: after 5 changes without a test run the model is reminded, after 20 further changes are refused.",
    kind: yesOrNo,
    default: false,
    rule: restriction,
    to: "guardrails.requireTestAfterEdit",
  }),
  "guardrails.code_rules": row({
    says: "What may not be written: see [Policies](policies.md#code-rules).",
    kind: codeRules,
    default: [],
    rule: forbidsAll,
    to: "guardrails.codeRules",
  }),
  "guardrails.quality_gates": row({
    says: "Commands that have to pass before an agent may finish: see [Policies](policies.md#quality-gates).",
    kind: qualityGates,
    default: [],
    rule: opensAll,
    to: "guardrails.qualityGates",
  }),
};
