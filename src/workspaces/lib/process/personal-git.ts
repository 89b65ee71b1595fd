import { homedir } from "node:os";
import path from "node:path";

/** A person's own configuration of git, which commands cannot change. */
export function personalConfigurations(): string[] {
  const home = homedir();
  return [path.join(home, ".gitconfig"), path.join(home, ".config", "git", "config"), "/etc/gitconfig"];
}

/** As git reads a path in a configuration. */
export const atHome = (name: string): string => (name.startsWith("~/") ? path.join(homedir(), name.slice(2)) : name);
