import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { tableAt, withoutTable, withTable } from "./toml.ts";

const WAY = ["mcp_servers", "toolgate"];
const TABLE = { command: "toolgate", args: ["mcp", "--tools", "files"] };

describe("a table", () => {
  test.each<[string, string]>([
    ["nothing", ""],
    ["other settings", 'model = "x"\n# why\n\n[tui]\ntheme = "dark" # mine\n'],
    ["other servers", '[mcp_servers.other]\ncommand = "x"\n'],
    ["lists of tables", '[[profiles]]\nname = "a"\n\n[[profiles]]\nname = "b"\n'],
    ["a text that looks like a header", 'note = """\n[mcp_servers.toolgate]\n"""\n'],
  ])("is added and taken out again: %s", (_, text) => {
    if (text.includes('"""')) {
      // a line of a text is not told from a header, so nothing is done that would change the text
      expect(withTable(text, WAY, TABLE)).toContain(text.trimEnd());
      return;
    }
    const more = withTable(text, WAY, TABLE);
    expect(tableAt(more, WAY)).toEqual(TABLE);
    expect(more).toContain(text.trimEnd());
    expect(withoutTable(more, WAY).trim()).toBe(text.trim());
  });

  test("takes the place of the one that is there, with the tables below it", () => {
    const text =
      'a = 1\n\n[mcp_servers.toolgate]\ncommand = "old"\n\n[mcp_servers.toolgate.env]\nA = "1"\n\n[tui]\nb = 2\n';
    const more = withTable(text, WAY, TABLE);
    expect(parse(more)).toEqual({ a: 1, tui: { b: 2 }, mcp_servers: { toolgate: TABLE } });
    expect(parse(withoutTable(text, WAY))).toEqual({ a: 1, tui: { b: 2 } });
  });

  test.each<[string, string]>([
    ["a table on one line", 'mcp_servers = { toolgate = { command = "x" } }\n'],
    ["names with dots", 'mcp_servers.toolgate.command = "x"\n'],
    ["a header in a text", '[mcp_servers.toolgate]\ncommand = """\n[other]\n"""\n'],
    ["no TOML", "a = \n"],
  ])("is left alone, and said, where it is written as %s", (_, text) => {
    expect(() => withTable(text, WAY, TABLE)).toThrow(SyntaxError);
  });
});
