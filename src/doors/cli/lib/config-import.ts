import { homedir } from "node:os";
import { visibleLine } from "../../../core/words/visible.ts";
import { oneClient } from "./client-settings.ts";
import type { Command } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { workspaceOf } from "./opening.ts";
import { suggestion } from "./suggestion.ts";
import { colours, documentOf, print } from "./terminal.ts";

/** Converts the permission settings of another client to rules, and lists what could not be converted. */
export const importSettings: Command = async (invocation) => {
  const { clients, importedRules } = await import("../../../rule-book.ts");
  const [, client = "", ...more] = invocation.words;
  if (!clients.includes(client))
    throw new UsageFailure(
      client === "" ? "toolgate config import needs a client." : `There is no client ${client}.`,
      suggestion(client, clients) ?? `The clients are ${clients.join(", ")}.`,
    );
  if (more.length > 0) throw oneClient("config import", client);
  const { text, ...imported } = await importedRules(client, workspaceOf(invocation), homedir());
  if (invocation.json) {
    await print(documentOf(imported));
    return 0;
  }
  if (imported.files.length === 0) {
    await print(`No settings of ${client} were found, neither yours nor this project's.\n`);
    return 0;
  }
  const paint = colours();
  const left = imported.leftOver.map(({ setting, why }) => `  ${visibleLine(setting)}: ${visibleLine(why)}`);
  process.stderr.write(
    `${paint.dim(`Read ${imported.files.map((file) => visibleLine(file)).join(", ")}.`)}\n${
      left.length > 0 ? `Not carried over:\n${left.join("\n")}\n` : ""
    }`,
  );
  await print(text);
  return 0;
};
