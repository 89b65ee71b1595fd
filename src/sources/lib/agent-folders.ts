/** Where the agents of a workspace are written down; of two with one name the later one counts. */
export const AGENT_FOLDERS: readonly string[] = [".claude/agents", ".toolgate/agents"];
