import type { Grant, GrantQuery, Grants } from "../../../core/contracts/store/grants.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";

const sameGrant = (a: Grant, b: Grant): boolean =>
  a.id === b.id ||
  (a.tool === b.tool && a.covers === b.covers && a.session === b.session && a.workspace === b.workspace);

const meets = (grant: Grant, { tool, session, workspace }: GrantQuery): boolean =>
  (tool === undefined || grant.tool === tool) &&
  (workspace === undefined || grant.workspace === workspace) &&
  (session === undefined || grant.session === session || grant.session === null);

export function memoryGrants(using: Using): Grants {
  let grants: Grant[] = [];
  return {
    grant: (added) =>
      using(() => {
        for (const grant of added.map(copy)) grants = [...grants.filter((known) => !sameGrant(known, grant)), grant];
      }),
    grants: (query) => using(() => grants.filter((grant) => meets(grant, query)).map(copy)),
    revoke: (id) =>
      using(() => {
        const left = grants.filter((grant) => grant.id !== id);
        const wasThere = left.length < grants.length;
        grants = left;
        return wasThere;
      }),
  };
}
