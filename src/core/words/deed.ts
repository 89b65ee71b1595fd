import { type Danger, dangerOf, isPathTouch, type RunTouch, type Touch } from "./touch.ts";

/** Methods that change nothing, according to HTTP. */
const LOOKING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

const isLook = (method: string): boolean => LOOKING.includes(method.toUpperCase());

/** Why a call is not harmless, in words for people: the worst that it would do. */
export function deedOf(touches: readonly Touch[], danger: Danger): string {
  const equal = touches.filter((touch) => dangerOf([touch]) === danger && danger !== "safe");
  const worst = equal.find((touch) => touch.action === "fetch" && !isLook(touch.method)) ?? equal[0];
  // a tool may declare itself worse than its touches
  if (!worst) return danger === "safe" ? "it changes nothing" : `its tool says that it is ${danger}`;
  if (worst.action === "run") return runDeed(worst);
  if (isPathTouch(worst))
    return touches.some(({ action }) => action === "delete") ? "it deletes files" : "it changes files";
  switch (worst.action) {
    case "fetch":
      return isLook(worst.method) ? "it reaches the network" : "it sends something over the network";
    case "use":
      return `it uses a tool of ${worst.source === "mcp" ? "another server" : "a skill"}`;
    case "signal":
      return "it ends a running command";
    case "schedule":
      return "it plans something for later";
    case "unknown":
      return "it does not say what it touches";
    default:
      return `it would ${worst.action}`;
  }
}

const runDeed = ({ class: kind, reading }: RunTouch): string => {
  const why = reading ? ` (${reading.reason})` : "";
  return kind === "dev" ? `it runs a development tool${why}` : `it runs a command that may change things${why}`;
};
