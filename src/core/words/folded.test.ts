import { expect, test } from "vitest";
import { folded, isShortFor } from "./folded.ts";

test.each<[path: string, read: string]>([
  ["src/Main.ts", "src/main.ts"],
  [".git./config", ".git/config"],
  [".git . ./config", ".git/config"],
  [".git::$INDEX_ALLOCATION/config", ".git/config"],
  ["toolgate.yaml:stream", "toolgate.yaml"],
  [":a", ":a"],
  [".g\u200cit/hooks", ".git/hooks"],
  ["\ufeff.git", ".git"],
  [".git/hoo\u212as", ".git/hooks"],
  ["re\u0301sume\u0301", "r\u00e9sum\u00e9"],
  [".git\\config", ".git/config"],
  ["a/.../b", "a/.../b"],
  ["GIT~1/x", "git~1/x"],
  ["", ""],
])("%j is read as %j", (path, read) => expect(folded(path)).toBe(read));

test.each<[name: string, long: string, isShort: boolean]>([
  ["git~1", ".git", true],
  ["git~9", ".git", true],
  ["git~10", ".git", false],
  ["gi~1", ".git", false],
  ["toolga~1", ".toolgate", true],
  ["toolga~1.yam", "toolgate.yaml", true],
  ["toolga~1.yml", "toolgate.yaml", false],
  ["mcp~1.jso", ".mcp.json", true],
  ["worktr~1", "worktrees", true],
  ["hooks~1", "modules", false],
  ["abc~1", ".git", false],
  ["git", ".git", false],
  ["git~", ".git", false],
])("%s is short for %s: %s", (name, long, isShort) => expect(isShortFor(name, long)).toBe(isShort));
