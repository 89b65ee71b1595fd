/** Where the agents of a workspace are defined. Of two with the same name the later one wins. */
export const AGENT_FOLDERS: readonly string[] = [".claude/agents", ".toolgate/agents"];
