import type { Hold } from "../../../core/contracts/store/holds.ts";
import { keeperName, timeLeft } from "../../../core/words/hold-view.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { colours, documentOf, print } from "../lib/terminal.ts";
import { aPerson, withStore } from "../lib/workspace-store.ts";

const LISTED = "`toolgate locks` lists them with their tokens.";

/** Lists what agents have locked, and releases it. */
export const run: Command = async (invocation) => {
  const [part = "list", ...tokens] = invocation.words;
  if (part === "list" && tokens.length === 0) {
    const locks = await withStore(
      invocation,
      async () => [],
      (store) => store.holds("paths"),
    );
    if (invocation.json) await print(documentOf(locks.map(row)));
    else await print(locks.length > 0 ? `${locks.map(line).join("\n")}\n` : "Nothing is locked.\n");
    return 0;
  }
  if (part !== "release" || tokens.length === 0)
    throw wrongWords("locks", invocation.words, { list: "", release: "TOKEN …" });
  aPerson(invocation, "release another's lock");
  const released = await withStore(
    invocation,
    async () => [],
    (store) => store.letGo(tokens),
  );
  const unknown = tokens.filter((token) => !released.includes(token));
  if (unknown.length > 0) throw new UsageFailure(`There is no lock ${unknown.join(", ")}.`, LISTED);
  await print(invocation.json ? documentOf({ released }) : "Released. Other agents may change these files again.\n");
  return 0;
};

const row = ({ shown, token, session, agent, since, until }: Hold) => ({
  glob: shown,
  token,
  session,
  agent,
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
});

function line(hold: Hold): string {
  const paint = colours();
  const who = paint.dim(`${visibleLine(keeperName(hold))}, for another ${timeLeft(hold, Date.now())}`);
  return `${paint.bold(visibleLine(hold.token))}  ${visibleLine(hold.shown)}  ${who}`;
}
