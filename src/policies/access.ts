import type { Policy } from "../core/contracts/policy.ts";
import type { ActionGate, Ceiling } from "../core/words/ceiling.ts";
import {
  belowRoot,
  changesSomething,
  eachTouch,
  isPathTouch,
  type PathTouch,
  PERMISSIONS,
  type Permission,
  runsReadOnly,
  type Touch,
} from "../core/words/touch.ts";
import { allowedBy, hasNegation } from "../text/glob.ts";

/** Keeps calls under their ceiling: tools, permissions, gates, paths, hosts, commands; for `readonly`, only reading. */
export const access: Policy = {
  name: "access",
  judge({ tool, touches, danger }, { ceiling }) {
    const deny = (reason: string) => ({ answer: "deny" as const, by: "access", reason });
    if (ceiling.tools && !ceiling.tools.includes(tool.name))
      return deny(`${tool.name} is not among the tools of this agent`);
    if (ceiling.permissions) {
      const needed = new Set(tool.permissions?.required ?? PERMISSIONS);
      // touches count, whatever the tool says that it needs
      for (const touch of eachTouch(touches)) for (const each of permissionsOf(touch)) needed.add(each);
      const missing = PERMISSIONS.filter((each) => needed.has(each) && !ceiling.permissions?.includes(each));
      if (missing.length > 0) return deny(`${tool.name} needs the permission to ${missing.join(" and ")}`);
    }
    const closed = (ceiling.gates && closedGate(touches, ceiling.gates)) ?? beyond(touches, ceiling);
    if (closed) return deny(closed);
    if (ceiling.autonomy === "readonly") {
      const runs = touches.some((touch) => touch.action === "run");
      if (runs || danger !== "safe" || changesSomething(touches))
        return deny("readonly autonomy changes nothing and runs nothing");
    }
    return undefined;
  },
};

/** Why these touches need an action that is not open to this agent, if they do. */
function closedGate(touches: readonly Touch[], open: readonly ActionGate[]): string | undefined {
  if (!open.includes("Delegate") && eachTouch(touches).some(({ action }) => action === "delegate"))
    return "this agent may not hand work to others (Delegate is not among its gates)";
  if (!open.includes("Patch") && touches.some(mayPatch))
    return "this agent may not change files (Patch is not among its gates)";
  return undefined;
}

/** In doubt, files are changed. */
function mayPatch(touch: Touch): boolean {
  if (touch.action === "run") return !runsReadOnly(touch);
  if (isPathTouch(touch)) return touch.action === "write" || touch.action === "delete";
  const unsaid = unsaidReach(touch);
  return unsaid.includes("write") || unsaid.includes("execute");
}

/** Why these touches go beyond the paths, hosts or classes of commands of the ceiling, if they do. */
function beyond(touches: readonly Touch[], { paths, hosts, commands }: Ceiling): string | undefined {
  if (!paths && !hosts && !commands) return undefined;
  // what a command may do beyond its words is covered by its class
  const ofCommands = new Set(touches.flatMap((touch) => (touch.action === "run" ? [...eachTouch(touch.inner)] : [])));
  for (const touch of eachTouch(touches)) {
    if (touch.action === "run") {
      if (commands && !commands.includes(touch.class)) return `this agent may not run ${touch.class} commands`;
      // what a command does besides its known touches cannot be limited to paths or hosts
      if ((paths || hosts) && touch.class !== "safe" && !touch.contained)
        return "this agent is limited to some paths or hosts, and commands cannot be";
    }
    const unsaid = unsaidReach(touch);
    if (commands && unsaid.includes("execute") && !ofCommands.has(touch))
      return "this agent may run only some commands, and the tool does not say what it runs";
    if ((paths && unsaid.length > 0) || (hosts && unsaid.some((each) => each !== "read")))
      return "this agent is limited to some paths or hosts, and the tool does not say what it touches";
    if (paths && isPathTouch(touch) && !paths.every((globs) => isWithin(touch, globs)))
      return `${touch.place.shown} is not among the paths of this agent`;
    if (hosts && touch.action === "fetch" && !hosts.every((globs) => reaches(touch.url, globs)))
      return `${touch.url} is not among the hosts of this agent`;
  }
  return undefined;
}

/** Stands for any name in a folder. */
const ANY = "\u{fffd}";

function isWithin({ place: { real, root }, scope }: PathTouch, globs: readonly string[]): boolean {
  if (root === "") return false;
  const below = belowRoot({ real, root });
  const { file, search } = testsOf(globs);
  if (scope === undefined) return file(below || ANY);
  // a search must stay inside at every depth
  const inside = below === "" ? ANY : `${below}/${ANY}`;
  return search(inside) && search(`${inside}/${ANY}`);
}

type Tests = { file(path: string): boolean; search(path: string): boolean };
const compiled = new WeakMap<readonly string[], Tests>();

/** Compiles a ceiling's list once, not for every call under it. */
function testsOf(globs: readonly string[]): Tests {
  let tests = compiled.get(globs);
  if (!tests) {
    tests = { file: allowedBy(globs), search: allowedBy(globs.filter((glob) => !hasNegation(glob))) };
    compiled.set(globs, tests);
  }
  return tests;
}

/** Parses the address as the client that fetches it will, so that both agree on the host. */
function reaches(url: string, globs: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname !== "" && allowedBy(globs, true)(hostname);
}

/** What a touch may do without saying where. A tool of another server or of a skill may do anything. */
function unsaidReach(touch: Touch): readonly Permission[] {
  if (touch.action === "use") return PERMISSIONS;
  if (touch.action !== "unknown") return [];
  return touch.permissions.length > 0 ? touch.permissions : PERMISSIONS;
}

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
