import type { Policy } from "../core/judge.ts";
import { changesSomething, PERMISSIONS } from "../core/touch.ts";

/** What stands under a ceiling stays under it: its tools, its permissions, and nothing but reading for `readonly`. */
export const access: Policy = {
  name: "access",
  judge({ tool, touches, danger }, { ceiling }) {
    const deny = (reason: string) => ({ answer: "deny" as const, by: "access", reason });
    if (ceiling.tools && !ceiling.tools.includes(tool.name))
      return deny(`${tool.name} is not among the tools of this agent`);
    if (ceiling.permissions) {
      const missing = (tool.permissions?.required ?? PERMISSIONS).filter(
        (each) => !ceiling.permissions?.includes(each),
      );
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
