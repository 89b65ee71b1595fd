import { open } from "../src/index.ts";

/** Lets `work` plan its changes, shows them to somebody, and makes them if they are wanted. */
export async function planned(
  folder: string,
  work: (call: (name: string, args: object) => Promise<unknown>) => Promise<void>,
  wanted: (diff: string) => boolean,
): Promise<string[]> {
  await using gate = await open({ workspace: folder });
  const planning = gate.child({ plan: true });
  await work((name, args) => planning.call({ name, args }));
  const session = planning.sessionID;
  const { diff, conflicts } = await gate.plans.show({ session });
  if (conflicts.length > 0 || !wanted(diff)) {
    await gate.plans.drop({ session });
    return [];
  }
  await gate.plans.approve({ session });
  const outcomes = await gate.plans.run({ session });
  return outcomes.map(({ call, result }) => `${call.tool}: ${result.status}`);
}
