import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readToolArguments } from "./tool-arguments.ts";

describe("the arguments of a tool as typed", () => {
  test.each<[string[], unknown]>([
    [[], {}],
    [["README.md"], "README.md"],
    [["a b c"], "a b c"],
    [["https://example.com/?a=b"], "https://example.com/?a=b"],
    [["./a=b.txt"], "./a=b.txt"],
    [["[1]"], "[1]"],
    [['{"path": "a"}'], { path: "a" }],
    [[' {"path": "a"}'], { path: "a" }],
    [["path=a"], { path: "a" }],
    [["path="], { path: "" }],
    [["path=a=b"], { path: "a=b" }],
    [["path=a:=b"], { path: "a:=b" }],
    [["text=one\ntwo"], { text: "one\ntwo" }],
    [["limit:=5"], { limit: 5 }],
    [['tags:=["a", "b"]', "deep:=false"], { tags: ["a", "b"], deep: false }],
    [["limit=5"], { limit: "5" }],
    [["path=a", "limit:=null"], { path: "a", limit: null }],
    [["__proto__=x"], JSON.parse('{"__proto__": "x"}')],
  ])("%j", (words, args) => {
    expect(readToolArguments(words)).toStrictEqual(
      typeof args === "string" ? { first: args, named: {} } : { named: args },
    );
  });

  test.each<[string[], string, object]>([
    [["README.md", "limit=5"], "README.md", { limit: "5" }],
    [["a b", "limit:=5", "c=d"], "a b", { limit: 5, c: "d" }],
  ])("%j: the first word needs no name", (words, first, named) => {
    expect(readToolArguments(words)).toStrictEqual({ first, named });
  });

  test("key=@FILE takes the text from a file, and @@ stands for @", async () => {
    const dir = await mkdtemp(join(tmpdir(), "toolgate-arguments-"));
    const file = join(dir, "text.txt");
    await writeFile(file, "one\ntwo \u00fc\n");
    await writeFile(join(dir, "bytes"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(readToolArguments([`content=@${file}`])).toStrictEqual({ named: { content: "one\ntwo \u00fc\n" } });
    expect(readToolArguments(["query=@@app", "b=a@b"])).toStrictEqual({ named: { query: "@app", b: "a@b" } });
    expect(() => readToolArguments([`content=@${dir}/none`])).toThrow(/content=@.*none does not exist/);
    expect(() => readToolArguments([`content=@${dir}/bytes`])).toThrow(/is not UTF-8 text/);
    expect(() => readToolArguments([`content=@${dir}`])).toThrow(/cannot be read \(EISDIR\)/);
    await rm(dir, { recursive: true });
  });

  test.each<[string[], RegExp]>([
    [["{bad"], /cannot be read as JSON/],
    [["limit:=five"], /value of limit cannot be read as JSON/],
    [["a", "b"], /b is not key=value/],
    [["path=a", "b"], /b is not key=value/],
    [["path=a", "path=b"], /path is given twice/],
    [["path=a", "path:=1"], /path is given twice/],
    [['{"path": "a"}', "limit=1"], /not key=value/],
  ])("%j is refused", (words, complaint) => {
    expect(() => readToolArguments(words)).toThrow(complaint);
  });
});
