import { describe, expect, test } from "vitest";
import { namesOf, ownSpelling, prefixOf, spellingsOf } from "./served-names.ts";

type Row = [server: string, tool: string];
const namesFor = (all: readonly Row[], servers = all.map(([server]) => server)) =>
  namesOf(
    all.map(([server, tool]) => ({ server, tool })),
    [...new Set(servers)],
  );
const named = (...all: Row[]) => [...namesFor(all)].map(([name, { server, tool }]) => `${name} = ${server}/${tool}`);

describe("names of tools of other servers", () => {
  test.each<[what: string, served: [string, string], name: RegExp]>([
    ["plain", ["github", "create_issue"], /^mcp_github_create_issue$/],
    ["other characters", ["my server", "a.b/c"], /^mcp_my_server_a_b_c$/],
    ["wide letters", ["ａ", "ｂ"], /^mcp_a_b$/],
    ["nothing left of the tool", ["a", "日本"], /^mcp_a__[0-9a-f]{6}$/],
    ["nothing left of the server", ["日本", "a"], /^mcp__a_[0-9a-f]{6}$/],
    ["as long as can be", ["s", "x".repeat(58)], /^mcp_s_x{58}$/],
    ["too long", ["s", "x".repeat(59)], /^mcp_s_x{51}_[0-9a-f]{6}$/],
  ])("%s", (_, served, name) => {
    const [only = ""] = named(served);
    expect(only.split(" = ")[0]).toMatch(name);
    expect((only.split(" = ")[0] ?? "").length).toBeLessThanOrEqual(64);
  });

  test.each<[what: string, ...served: [string, string][]]>([
    ["capitals", ["a", "Read"], ["a", "read"]],
    ["characters that become the same", ["a", "b.c"], ["a", "b/c"]],
    ["long ones with one beginning", ["s", `${"x".repeat(60)}1`], ["s", `${"x".repeat(60)}2`]],
  ])("that could be taken for each other are all marked: %s", (_, ...served) => {
    const names = [...namesFor(served).keys()];
    expect(names).toHaveLength(served.length);
    for (const name of names) expect(name).toMatch(/_[0-9a-f]{6}$/);
  });

  test.each<[what: string, all: Row[], servers: string[], marked: string[]]>([
    [
      "a border that moves",
      [
        ["a", "b_c"],
        ["a_b", "c"],
      ],
      ["a", "a_b"],
      ["a/b_c"],
    ],
    ["also while the other server is down", [["a", "b_c"]], ["a", "a_b"], ["a/b_c"]],
    ["in other capitals", [["a", "B_c"]], ["a", "a_b"], ["a/B_c"]],
    ["not where nobody else is named so", [["a", "b_c"]], ["a", "a_bd", "b"], []],
    ["of two that sound the same neither", [["a", "c"]], ["a", "A"], ["a/c"]],
  ])("a name belongs to the server that it begins with: %s", (_, all, servers, marked) => {
    const found = [...namesFor(all, servers)].filter(([name]) => /_[0-9a-f]{6}$/.test(name));
    expect(found.map(([, { server, tool }]) => `${server}/${tool}`)).toEqual(marked);
  });

  test("come in one order, however they were listed", () => {
    const rows: [string, string][] = [
      ["b", "x"],
      ["a", "z"],
      ["a", "y"],
    ];
    expect(named(...rows)).toEqual(["mcp_a_y = a/y", "mcp_a_z = a/z", "mcp_b_x = b/x"]);
    expect(named(...rows.toReversed())).toEqual(named(...rows));
  });

  test("can be forbidden by every spelling", () => {
    expect(spellingsOf({ server: "my server", tool: "a.b" })).toEqual([
      "mcp_my_server_a_b",
      "mcp__my server__a.b",
      "mcp__my_server__a_b",
    ]);
    expect(prefixOf("my server")).toBe("mcp_my_server_");
  });

  test.each([
    ["mcp__github__create_issue", "mcp_github_create_issue"],
    [" mcp_github_create_issue ", "mcp_github_create_issue"],
    ["read_file", "read_file"],
  ])("%s is understood", (given, own) => expect(ownSpelling(given)).toBe(own));
});
