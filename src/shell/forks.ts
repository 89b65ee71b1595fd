import { type ArithmeticFor, type Function as FunctionNode, forEachChild, type SyntaxNode, type While } from "unbash";

type Call = { name: string; forks: boolean };

const MOST_NODES = 2_000;

/** Every command below a node by its name, and whether it is started beside others. */
const callsIn = (root: SyntaxNode): Call[] => {
  const calls: Call[] = [];
  let nodes = 0;
  const visit = (node: SyntaxNode, forks: boolean): void => {
    if (++nodes > MOST_NODES) return;
    if (node.type === "Command" && node.name) calls.push({ name: node.name.value, forks });
    const beside =
      forks ||
      (node.type === "Statement" && node.background === true) ||
      (node.type === "Pipeline" && node.commands.length > 1) ||
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "Coproc";
    forEachChild(node, (child) => visit(child, beside));
  };
  visit(root, false);
  return calls;
};

/** Whether a function calls itself, directly or through others, and starts another process on the way. */
export const isForkBomb = (name: string, functions: ReadonlyMap<string, FunctionNode>): boolean => {
  const open: Call[] = [{ name, forks: false }];
  const seen = new Set<string>();
  for (let call = open.pop(); call !== undefined; call = open.pop()) {
    const key = `${call.name} ${call.forks}`;
    const body = functions.get(call.name);
    if (body === undefined || seen.has(key) || seen.size > 64) continue;
    seen.add(key);
    for (const next of callsIn(body.body)) {
      const forks = call.forks || next.forks;
      if (next.name === name && forks) return true;
      open.push({ name: next.name, forks });
    }
  }
  return false;
};

const PAUSES: ReadonlySet<string> = new Set([
  "sleep",
  "wait",
  "read",
  "break",
  "exit",
  "return",
  "inotifywait",
  "usleep",
]);

/** A loop without end whose body puts processes in the background and never waits. */
export const isEndless = (loop: While | ArithmeticFor): boolean => {
  if (loop.type === "While") {
    const first = loop.clause.commands[0]?.command;
    const name = first?.type === "Command" ? first.name?.value : undefined;
    const endless = loop.kind === "until" ? ["false"] : ["true", ":", "[", "yes"];
    if (first?.type !== "ArithmeticCommand" && (name === undefined || !endless.includes(name))) return false;
    if (first?.type === "Command" && name === "[" && first.suffix.length > 2) return false;
  } else if (loop.test) return false;
  const found = startedIn(loop.body, { background: false, pauses: false });
  return found.background && !(loop.type === "While" ? startedIn(loop.clause, found) : found).pauses;
};

type Started = { background: boolean; pauses: boolean };

/** Whether anything below a node is left running, at whatever depth, and whether something pauses that is waited for. */
const startedIn = (root: SyntaxNode, before: Started): Started => {
  const found = { ...before };
  let nodes = 0;
  const visit = (node: SyntaxNode, beside: boolean): void => {
    if (++nodes > MOST_NODES || node.type === "Function") return;
    const left = (node.type === "Statement" && node.background === true) || node.type === "Coproc";
    if (left) found.background = true;
    const apart = beside || left || node.type === "ProcessSubstitution";
    if (!apart && node.type === "Command" && PAUSES.has(node.name?.value ?? "")) found.pauses = true;
    forEachChild(node, (child) => visit(child, apart));
  };
  visit(root, false);
  return found;
};
