/** Whether some tool has this name, whatever is configured here. */
export async function isTool(name: string): Promise<boolean> {
  const { open } = await import("../../../open.ts");
  const gate = await open({ toolset: "all", store: "memory", config: {} }).catch(() => undefined);
  if (!gate) return false;
  const known = gate.registry.has(name);
  await gate.close();
  return known;
}
