import { checkOptions } from "./config/options.ts";
import type { Gate } from "./core/gate.ts";
import type { Crew } from "./crew.ts";
import { folderOf, type OpenOptions, opened, settingsFor } from "./open.ts";

export * from "./crew.ts";

/** A gate with a model in front of it. Closing the gate ends the agents. */
export async function openAgent(
  options: OpenOptions & Required<Pick<OpenOptions, "model">>,
): Promise<{ gate: Gate; crew: Crew }> {
  checkOptions(options);
  const { gate, crew } = await opened(options, await settingsFor(folderOf(options), options));
  if (!crew) throw new TypeError("model is required: a model of the AI SDK, or an object with a turn function.");
  return { gate, crew };
}
