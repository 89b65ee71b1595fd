import { randomUUID } from "node:crypto";
import { globsOverlap, type Hold, type HoldAnswer, type HoldSpace, type Holds, type Keeper } from "../../src/index.ts";
import type { SharedLog, Use } from "./shared-log.ts";

/** The holds of a store of somebody's own. */
export function holdsIn(log: SharedLog, use: Use, isHere: (row: { owner: string }) => boolean): Holds {
  const rows = log.rows<Hold & { owner: string }>("holds");
  const living = () => rows.all().filter((row) => row.until > Date.now() && isHere(row));
  const shown = ({ owner: _, ...hold }: Hold & { owner: string }): Hold => hold;
  const isBy = (hold: Keeper, { session, agent }: Keeper) => hold.session === session && hold.agent === agent;
  const meets = (space: HoldSpace, a: readonly string[], b: readonly string[]) =>
    a.some((one) => b.some((other) => one === other || (space === "paths" && globsOverlap(one, other))));
  const over: (...question: Parameters<Holds["holdOver"]>) => Hold | undefined = (space, wanted, by) => {
    const found = living().find(
      (hold) =>
        hold.space === space &&
        (hold.mode === "exclusive" ||
          wanted.mode === "exclusive" ||
          (hold.mode === "write" && wanted.mode === "write")) &&
        ![by, ...(by.above ?? [])].some((keeper) => isBy(hold, keeper)) &&
        meets(space, hold.resources, wanted.resources),
    );
    return found && shown(found);
  };
  return {
    hold: (space, wanted, by, milliseconds) =>
      use(() => {
        if (!(milliseconds > 0)) throw new RangeError("A hold must last.");
        return wanted.map((each): HoldAnswer => {
          const other = over(space, each, by);
          if (other) return { wanted: each, by: other };
          const same = (hold: Hold) =>
            hold.space === space &&
            isBy(hold, by) &&
            String([...new Set(hold.resources)].sort()) === String([...new Set(each.resources)].sort());
          const { token, since } = living().find(same) ?? { token: randomUUID(), since: Date.now() };
          const { session, agent } = by;
          const hold = { ...each, space, session, agent, token, since, until: Date.now() + milliseconds };
          rows.put(token, { ...hold, owner: log.owner });
          return { hold };
        });
      }),
    letGo: (tokens, keeper) =>
      use(() => {
        const gone = living().filter((hold) => tokens.includes(hold.token) && (!keeper || isBy(hold, keeper)));
        for (const { token } of gone) rows.drop(token);
        return gone.map(({ token }) => token);
      }),
    letGoOf: (session) =>
      use(() => {
        for (const hold of rows.all()) if (hold.session === session && hold.owner === log.owner) rows.drop(hold.token);
      }),
    holds: (space) =>
      use(() =>
        living()
          .filter((hold) => space === undefined || hold.space === space)
          .map(shown),
      ),
    holdOver: (...question) => use(() => over(...question)),
  };
}
