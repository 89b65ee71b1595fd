import type { Grant } from "../../../core/contracts/store/grants.ts";
import { listed, visibleLine } from "../../../core/words/visible.ts";
import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { colours, documentOf, lineWidth, print } from "../lib/terminal.ts";
import { withStore } from "../lib/workspace-store.ts";

/** Lists and revokes grants. */
export const run: Command = async (invocation) => {
  const [part = "list", id, ...more] = invocation.words;
  if (part === "list" && id === undefined) {
    const grants = await withStore(
      invocation,
      async () => [],
      (store) => store.grants({}),
    );
    if (invocation.json) await print(documentOf(grants));
    else await print(grants.length > 0 ? `${grants.map(line).join("\n")}\n` : "There are no grants.\n");
    return 0;
  }
  if (part !== "revoke" || id === undefined || more.length > 0)
    throw wrongWords("grants", invocation.words, { list: "", revoke: "ID" });
  const revoked = await withStore(
    invocation,
    async () => false,
    (store) => store.revoke(id),
  );
  if (!revoked) throw new UsageFailure(`There is no grant ${id}.`, "`toolgate grants` lists them with their ids.");
  await print(invocation.json ? documentOf({ revoked: true, id }) : "Revoked. The next such call asks again.\n");
  return 0;
};

const line = ({ id, tool, shown, session, at }: Grant): string => {
  const how = session === null ? "always" : `session ${visibleLine(session)}`;
  const what = `${visibleLine(tool)}: ${shown.map((each) => visibleLine(each)).join("; ")}`;
  const since = new Date(at).toISOString().slice(0, 10);
  const text = listed(`${visibleLine(id)}  ${what}  ${how}, since ${since}`, lineWidth(), "    ");
  return colours().bold(visibleLine(id)) + text.slice(visibleLine(id).length);
};
