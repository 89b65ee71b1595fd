import { forbids, opens, permission } from "../restrictions.ts";
import { row } from "../row.ts";
import { folders, names, yesOrNo } from "../value-kinds.ts";

export const skills = {
  "skills.enabled": row({
    says: "Whether agents see [skills](skills.md) and their tools.",
    kind: yesOrNo,
    default: true,
    rule: permission,
    to: "skills.enabled",
  }),
  "skills.folders": row({
    says: "More folders with skills, beside those of the workspace and your own.",
    kind: folders,
    default: [],
    rule: opens,
    to: "skills.folders",
  }),
  "skills.disabled": row({
    says: "Skills that are left out, by name.",
    kind: names("names of skills"),
    default: [],
    rule: forbids,
    to: "skills.disabled",
  }),
};
