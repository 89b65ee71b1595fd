import { visibleLine } from "../../../core/words/visible.ts";
import type { Command, Invocation } from "./command.ts";
import { columns } from "./help.ts";
import { callFromWords } from "./incoming.ts";
import { openingOf, storeForLooking, withGate, workspaceOf } from "./opening.ts";
import { wrongWords } from "./subcommand.ts";
import { colours, documentOf, print } from "./terminal.ts";
import { withStore } from "./workspace-store.ts";

const parts: Readonly<Record<string, Command>> = { list, explain, test, minimise };

/** The rules in force here: which one decides a call, whether their examples hold, which are redundant. */
export const rules: Command = async (invocation) => {
  const [, part = "list", ...words] = invocation.words;
  const command = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (command && (words.length === 0 || part === "explain")) return command({ ...invocation, words });
  throw wrongWords("config rules", [part], { list: "", explain: "TOOL …", test: "", minimise: "" });
};

async function bookOf(invocation: Invocation) {
  const { ruleBook } = await import("../../../rule-book.ts");
  const { config } = invocation.values;
  return ruleBook({ workspace: workspaceOf(invocation), ...(config && { config }) });
}

async function list(invocation: Invocation): Promise<number> {
  const { shown } = await bookOf(invocation);
  if (invocation.json) await print(documentOf(shown));
  else if (shown.length === 0) await print("There are no rules. `toolgate config init` writes some to start from.\n");
  else
    await print(
      `${columns(shown.map(({ kind, rule, reason, expires, expired }) => [`${kind}: ${visibleLine(rule)}`, [reason && visibleLine(reason), expires && `${expired ? "expired" : "until"} ${expires}`].filter(Boolean).join(", ")]))}\n`,
    );
  return 0;
}

async function explain(invocation: Invocation): Promise<number> {
  const call = await callFromWords({ ...invocation, command: "config rules explain" });
  const { about } = await bookOf(invocation);
  const opening = openingOf(invocation);
  return withGate({ toolset: "all", ...storeForLooking(opening.workspace), ...opening }, async (gate) => {
    const { verdict, by, reason, tool, touches } = await gate.explain(call(gate));
    const speaking = about({ tool, touches });
    if (invocation.json) {
      await print(documentOf({ verdict, by, reason, tool, rules: speaking }));
      return verdict === "deny" ? 2 : 0;
    }
    const paint = colours();
    const tint = { allow: paint.green, ask: paint.yellow, deny: paint.red }[verdict];
    const lines = speaking.map(
      ({ kind, rule, reason: why }) =>
        `  ${kind}: ${visibleLine(rule)}${why ? `  ${paint.dim(visibleLine(why))}` : ""}`,
    );
    const told = lines.length > 0 ? `Rules that speak of it:\n${lines.join("\n")}` : "No rule speaks of it.";
    await print(`${tint(paint.bold(verdict))}  ${visibleLine(reason)} ${paint.dim(`(${by})`)}\n\n${told}\n`);
    return verdict === "deny" ? 2 : 0;
  });
}

/** Examples are checked on loading, so at this point they all hold. */
async function test(invocation: Invocation): Promise<number> {
  const { shown, examples } = await bookOf(invocation);
  if (invocation.json) await print(documentOf({ rules: shown.length, examples, failed: 0 }));
  else await print(`${counted(shown.length, "rule")}, ${counted(examples, "example")}: all hold.\n`);
  return 0;
}

async function minimise(invocation: Invocation): Promise<number> {
  const { smaller } = await bookOf(invocation);
  const records = await withStore(
    invocation,
    async () => [],
    (store) => store.records({ limit: 10_000 }),
  );
  const { kept, dropped, text } = smaller(records);
  if (invocation.json) {
    await print(documentOf({ calls: records.length, kept, dropped }));
    return 0;
  }
  if (dropped.length === 0) {
    await print(`${counted(kept.length, "rule")}, and none could go (${counted(records.length, "recorded call")}).\n`);
    return 0;
  }
  const paint = colours();
  const lines = dropped.map(({ kind, rule, why }) => `  ${kind}: ${visibleLine(rule)}  ${paint.dim(why)}`);
  process.stderr.write(
    `${counted(records.length, "recorded call")}. ${counted(dropped.length, "rule")} could go:\n${lines.join("\n")}\n`,
  );
  await print(text);
  return 0;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
