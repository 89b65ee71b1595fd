import { setImmediate as turn } from "node:timers/promises";
import type { Workspace } from "../../src/core/contracts/workspace.ts";

/** The same workspace as if it were far away: every answer comes later. */
export const lateWorkspace = (base: Workspace): Workspace => ({
  roots: base.roots,
  async locate(path, itself) {
    await turn();
    return base.locate(path, itself);
  },
  async trace(path, itself) {
    await turn();
    return base.trace(path, itself);
  },
  files: {
    ...base.files,
    async stat(place) {
      await turn();
      return base.files.stat(place);
    },
  },
  search: base.search,
  close: () => base.close(),
});
