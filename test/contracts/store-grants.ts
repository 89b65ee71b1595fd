import { expect, test } from "vitest";
import type { GrantQuery } from "../../src/core/contracts/store/grants.ts";
import { grantOf } from "./store-samples.ts";
import { type Opened, withStore } from "./store-suite.ts";

/** What people have allowed until further notice. */
export function grantContract(name: string, make: () => Promise<Opened>): void {
  withStore(`grants of the store: ${name}`, make, (at) => {
    const given = [
      grantOf("one", { session: "s1" }),
      grantOf("other", { session: "s2" }),
      grantOf("always"),
      grantOf("command", { session: "s1", tool: "run_command" }),
      grantOf("elsewhere", { workspace: "/elsewhere" }),
    ];
    const ids = async (query: GrantQuery): Promise<string[]> => (await at.store.grants(query)).map(({ id }) => id);

    const questions: [GrantQuery, string[]][] = [
      [{}, ["one", "other", "always", "command", "elsewhere"]],
      [{ session: "s1" }, ["one", "always", "command", "elsewhere"]],
      [{ session: "s3" }, ["always", "elsewhere"]],
      [{ tool: "edit_file", session: "s1", workspace: "/w" }, ["one", "always"]],
      [{ tool: "run_command" }, ["command"]],
      [{ workspace: "/elsewhere" }, ["elsewhere"]],
      [{ tool: "read_file" }, []],
      [{ workspace: "/nowhere" }, []],
    ];
    test.each(questions)("%j finds %j, oldest first", async (query, found) => {
      await at.store.grant(given);
      expect(await ids(query)).toEqual(found);
    });
    test("come back whole", async () => {
      await at.store.grant(given);
      expect(await at.store.grants({})).toEqual(given);
    });
    test("one that covers the same takes the other's place; anything else that differs is another", async () => {
      const base = { covers: "the same" };
      await at.store.grant([
        grantOf("1", base),
        grantOf("2", { ...base, session: "s1" }),
        grantOf("3", { ...base, workspace: "/elsewhere" }),
        grantOf("4", { ...base, tool: "run_command" }),
        grantOf("5"),
      ]);
      await at.store.grant([grantOf("6", { ...base, at: 2000, shown: ["in other words"] })]);
      expect(await ids({})).toEqual(["2", "3", "4", "5", "6"]);
      expect(await at.store.grants({ tool: "edit_file", session: "s9", workspace: "/w" })).toEqual([
        grantOf("5"),
        grantOf("6", { ...base, at: 2000, shown: ["in other words"] }),
      ]);
    });
    test("an id is one grant's alone", async () => {
      await at.store.grant([grantOf("1"), grantOf("1", { covers: "something else" })]);
      expect(await at.store.grants({})).toEqual([grantOf("1", { covers: "something else" })]);
    });
    test("a revoked one is gone, the others stay", async () => {
      await at.store.grant(given);
      expect(await at.store.revoke("always")).toBe(true);
      expect(await at.store.revoke("always")).toBe(false);
      expect(await at.store.revoke("nobody's")).toBe(false);
      expect(await ids({})).toEqual(["one", "other", "command", "elsewhere"]);
    });
  });
}
