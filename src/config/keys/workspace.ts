import { forbids, ladder, opens, permission } from "../restrictions.ts";
import { row } from "../row.ts";
import { folders, globs, oneOf, yesOrNo } from "../value-kinds.ts";

const WRITE_SAFETY = ["strict", "warn", "off"] as const;

export const workspace = {
  "workspace.allow_delete": row({
    says: "Whether tools may delete files.",
    kind: yesOrNo,
    default: false,
    rule: permission,
    to: "workspace.allowDelete",
  }),
  "workspace.allowed_paths": row({
    says: "More root folders besides the workspace; relative paths start there.",
    kind: folders,
    default: [],
    rule: opens,
    to: "workspace.allowedPaths",
  }),
  "workspace.forbidden_paths": row({
    says: "Paths that no call may read or write. A name without a slash matches at any depth.",
    kind: globs,
    default: [],
    rule: forbids,
    to: "workspace.forbiddenPaths",
  }),
  "workspace.write_safety": row({
    says: "A file has to be read, and be unchanged since, before it is changed: `warn` says so in the result, `strict` refuses.",
    kind: oneOf(WRITE_SAFETY),
    default: "warn",
    rule: ladder(WRITE_SAFETY),
    to: "workspace.writeSafety",
  }),
};
