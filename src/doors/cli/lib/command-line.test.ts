import { describe, expect, test } from "vitest";
import { readCommandLine, wantedShape } from "./command-line.ts";

describe("a command line", () => {
  test.each<[string[], object]>([
    [[], { command: "home", words: [] }],
    [["--json"], { command: "home", flags: ["json"] }],
    [["call", "read_file", "a"], { command: "call", words: ["read_file", "a"] }],
    [["--workspace", "w", "call", "x"], { command: "call", words: ["x"], values: { workspace: "w" } }],
    [["call", "--workspace=a=b", "x"], { words: ["x"], values: { workspace: "a=b" } }],
    [["call", "x", "--mode", "yolo", "--mode", "confirm-all"], { values: { mode: "confirm-all" } }],
    [["call", "x", "-"], { words: ["x", "-"] }],
    [["call", "x", "--", "--json", "-y"], { words: ["x", "--json", "-y"], flags: [] }],
    [["call", "x", "--session", "-1"], { values: { session: "-1" } }],
    [["-h"], { command: "home", flags: ["help"] }],
    [["help", "log"], { command: "log", flags: ["help"] }],
    [["log", "-h"], { command: "log", flags: ["help"] }],
  ])("%j", (argv, shape) => {
    const { flags, ...line } = readCommandLine(argv);
    expect({ ...line, flags: [...flags] }).toMatchObject(shape);
  });

  test.each<[string[], RegExp]>([
    [["cal"], /no command cal/],
    [["constructor"], /no command constructor/],
    [["tools", "--jsn"], /no option --jsn/],
    [["tools", "--dry-run"], /toolgate tools has no option --dry-run/],
    [["tools", "-x"], /no option -x/],
    [["tools", "--json=yes"], /takes no value/],
    [["tools", "--workspace"], /needs a value/],
    [["tools", "--workspace", "--json"], /needs a value/],
    [["tools", "--workspace="], /needs a value/],
    [["tools", "--format", "xml"], /not one of openai/],
  ])("%j is refused", (argv, complaint) => {
    expect(() => readCommandLine(argv)).toThrow(complaint);
  });

  test.each<[string[], string]>([
    [["call", "--json"], "document"],
    [["call", "--jsonl"], "line"],
    [["call", "--json", "--jsonl"], "line"],
    [["call", "x", "--", "--json"], "text"],
    [[], "text"],
  ])("%j is answered as %s", (argv, shape) => {
    expect(wantedShape(argv)).toBe(shape);
  });
});
