import { open } from "../src/index.ts";

/** Two agents in one folder: what the first has locked, the second does not change. */
export async function lockedPaths(workspace: string): Promise<string[]> {
  await using gate = await open({ workspace, mode: "yolo", toolset: ["default", "together"] });
  const builder = gate.child({ agent: "builder" });
  const reviewer = gate.child({ agent: "reviewer" });

  const { metadata } = await builder.call({ name: "lock_paths", args: { globs: ["src/**"], ttl_ms: 60_000 } });
  const write = { name: "write_file", args: { path: "src/a.ts", content: "export {};\n" } };
  const refused = await reviewer.call(write);
  await builder.call({ name: "unlock_paths", args: { tokens: metadata.tokens } });
  const written = await reviewer.call(write);
  return [refused.error?.message ?? "", written.status];
}
