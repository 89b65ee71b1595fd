import type { Policy } from "../core/contracts/policy.ts";
import { changesSomething, eachTouch, PERMISSIONS, type Permission, type Touch } from "../core/words/touch.ts";

/** What stands under a ceiling stays under it: its tools, its permissions, and nothing but reading for `readonly`. */
export const access: Policy = {
  name: "access",
  judge({ tool, touches, danger }, { ceiling }) {
    const deny = (reason: string) => ({ answer: "deny" as const, by: "access", reason });
    if (ceiling.tools && !ceiling.tools.includes(tool.name))
      return deny(`${tool.name} is not among the tools of this agent`);
    if (ceiling.permissions) {
      const needed = new Set(tool.permissions?.required ?? PERMISSIONS);
      // what a tool touches counts, whatever it says that it needs
      for (const touch of eachTouch(touches)) for (const each of permissionsOf(touch)) needed.add(each);
      const missing = PERMISSIONS.filter((each) => needed.has(each) && !ceiling.permissions?.includes(each));
      if (missing.length > 0) return deny(`${tool.name} needs the permission to ${missing.join(" and ")}`);
    }
    if (ceiling.autonomy === "readonly") {
      const runs = touches.some((touch) => touch.action === "run");
      if (runs || danger !== "safe" || changesSomething(touches))
        return deny("readonly autonomy changes nothing and runs nothing");
    }
    return undefined;
  },
};

function permissionsOf(touch: Touch): readonly Permission[] {
  switch (touch.action) {
    case "read":
    case "list":
      return ["read"];
    case "write":
    case "delete":
      return ["write"];
    case "run":
      return ["execute"];
    case "fetch":
      return ["network"];
    case "unknown":
      return touch.permissions;
    default:
      return [];
  }
}
