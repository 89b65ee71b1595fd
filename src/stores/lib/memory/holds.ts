import { randomUUID } from "node:crypto";
import type { Hold, HoldAnswer, Holds, Wanted } from "../../../core/contracts/store/holds.ts";
import { checkTime, holdInTheWay, mayLetGo, sameHold } from "../hold-conflicts.ts";
import type { Using } from "../usage.ts";

const copyOf = (hold: Hold): Hold => ({ ...hold, resources: [...hold.resources] });

export function memoryHolds(using: Using): Holds {
  let all: Hold[] = [];

  const living = (now: number): Hold[] => {
    all = all.filter(({ until }) => until > now);
    return all;
  };

  return {
    hold: (space, wanted, { session, agent, above = [] }, milliseconds) =>
      using(() => {
        checkTime(milliseconds);
        const now = Date.now();
        return wanted.map((each: Wanted): HoldAnswer => {
          const existing = living(now);
          const by = holdInTheWay(space, each, { session, agent, above }, existing);
          if (by) return { wanted: each, by: copyOf(by) };
          const before = sameHold(space, each, { session, agent }, existing);
          const { token, since } = before ?? { token: randomUUID(), since: now };
          const hold = { ...each, space, session, agent, token, since, until: now + milliseconds };
          if (before) all = all.map((other) => (other === before ? copyOf(hold) : other));
          else all.push(copyOf(hold));
          return { hold: copyOf(hold) };
        });
      }),
    letGo: (tokens, keeper) =>
      using(() => {
        const gone = living(Date.now()).filter((hold) => tokens.includes(hold.token) && mayLetGo(hold, keeper));
        all = all.filter((hold) => !gone.includes(hold));
        return gone.map(({ token }) => token);
      }),
    letGoOf: (session) =>
      using(() => {
        all = all.filter((hold) => hold.session !== session);
      }),
    holds: (space) =>
      using(() =>
        living(Date.now())
          .filter((hold) => space === undefined || hold.space === space)
          .map(copyOf),
      ),
    holdOver: (space, wanted, by) =>
      using(() => {
        const found = holdInTheWay(space, wanted, by, living(Date.now()));
        return found && copyOf(found);
      }),
  };
}
