import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { CONFIG_FILE } from "../../../core/words/governing.ts";
import type { Command } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { workspaceOf } from "./opening.ts";
import { suggestion } from "./suggestion.ts";
import { documentOf, print } from "./terminal.ts";

/** Writes a commented toolgate.yaml for this project; never overwrites an existing one. */
export const init: Command = async (invocation) => {
  const { firstConfig, presets } = await import("../../../rule-book.ts");
  const preset = invocation.values.preset ?? "balanced";
  if (!presets.includes(preset))
    throw new UsageFailure(
      `There is no preset ${preset}.`,
      suggestion(preset, presets) ?? `The presets are ${presets.join(", ")}.`,
    );
  const workspace = workspaceOf(invocation);
  const { text, commands } = await firstConfig(preset, workspace);
  const file = join(workspace, CONFIG_FILE);
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new UsageFailure(
      exists ? `${CONFIG_FILE} already exists.` : `${CONFIG_FILE} cannot be written: ${(error as Error).message}`,
      exists ? "Edit it, then run `toolgate config check`." : "Choose another folder with --workspace.",
    );
  }
  if (invocation.json) await print(documentOf({ written: file, preset, commands }));
  else {
    const found = commands.map(({ command, from }) => `  ${command}  (${from})`);
    const told = found.length > 0 ? `\n\nThe project's own commands, found in its files:\n${found.join("\n")}` : "";
    await print(
      `Wrote ${relative(process.cwd(), file) || file} with the preset ${preset}.${told}\n\nReview it, then accept it with: toolgate config trust\n`,
    );
  }
  return 0;
};
