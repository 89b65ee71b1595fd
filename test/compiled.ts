import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";

/** What was compiled of the command line is kept for all tests together, as it is kept for all calls of a person. */
export function shareCompiled(config: string): void {
  const { XDG_CONFIG_HOME } = process.env;
  if (!XDG_CONFIG_HOME) throw new Error("The tests have no configuration folder of their own.");
  const shared = path.join(XDG_CONFIG_HOME, "toolgate", "compiled");
  for (const folder of [shared, path.join(config, "toolgate")]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  symlinkSync(shared, path.join(config, "toolgate", "compiled"));
}
