import type { Finding } from "../../../core/words/finding.ts";
import type { Command } from "../lib/command.ts";
import { columns } from "../lib/help.ts";
import { openingOf } from "../lib/opening.ts";
import { noWords } from "../lib/subcommand.ts";
import { colours, documentOf, lineWidth, print, visible } from "../lib/terminal.ts";

/** What is enforced on this machine, what is missing, and how to get it. */
export const run: Command = async (invocation) => {
  noWords(invocation);
  const { diagnose } = await import("../../../doctor.ts");
  const { hookFindings } = await import("../../hook/install/hook-findings.ts");
  const { installedFindings } = await import("../../mcp/install/server-findings.ts");
  const opening = openingOf(invocation);
  const { workspace } = opening;
  const findings = [...(await diagnose(opening)), ...hookFindings(workspace), ...installedFindings(workspace)];
  await print(invocation.json ? documentOf(findings) : page(findings));
  return findings.some(({ state }) => state === "missing") ? 1 : 0;
};

function page(findings: readonly Finding[]): string {
  const paint = colours();
  const marks = { holds: paint.green("ok     "), partly: paint.yellow("partly "), missing: paint.red("missing") };
  const rows = findings.map(({ what, state, says }) => [what, `${marks[state]}  ${visible(says)}`] as const);
  const todo = findings.flatMap(({ what, get }) => (get ? [[what, visible(get)] as const] : []));
  const parts = [
    columns(rows, lineWidth()),
    ...(todo.length > 0 ? [`${paint.bold("To get more")}\n${columns(todo, lineWidth())}`] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
