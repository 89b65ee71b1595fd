import { describe, expect, test } from "vitest";
import type { Place } from "../../../core/words/touch.ts";
import { fileFilter } from "./globs.ts";

const folder = (below = ""): Place => ({
  ...{ shown: below || ".", real: below ? `/ws/${below}` : "/ws", root: "/ws", exists: true },
});
const accepted = (globs: string[], paths: string, from = "") => {
  const { accepts } = fileFilter({ globs }, folder(from));
  return paths.split(" ").filter(accepts).join(" ");
};

describe("which files globs want, as seen from the searched folder", () => {
  const ALL = "a.ts b.js src/a.ts src/deep/c.ts lib/d.ts";
  test.each<[globs: string[], wanted: string]>([
    [[], ALL],
    [["*.ts"], "a.ts src/a.ts src/deep/c.ts lib/d.ts"],
    [["**/*.ts"], "a.ts src/a.ts src/deep/c.ts lib/d.ts"],
    [["**/a.ts"], "a.ts src/a.ts"],
    [["/a.ts"], "a.ts"],
    [["./a.ts"], "a.ts src/a.ts"],
    [["./src/a.ts"], "src/a.ts"],
    [["src/*.ts"], "src/a.ts"],
    [["src//a.ts"], "src/a.ts"],
    [["src/./a.ts"], "src/a.ts"],
    [["src/**"], "src/a.ts src/deep/c.ts"],
    [["src/"], "src/a.ts src/deep/c.ts"],
    [["deep/"], "src/deep/c.ts"],
    [["/ws/src/*.ts"], "src/a.ts"],
    [["/ws/lib/"], "lib/d.ts"],
    [["*.js", "lib/*"], "b.js lib/d.ts"],
    [["{a,b}.*"], "a.ts b.js src/a.ts"],
    [["[ab].*"], "a.ts b.js src/a.ts"],
    [["nothing"], ""],
    [["!*.ts"], "b.js"],
    [["!src"], "a.ts b.js lib/d.ts"],
    [["!src/"], "a.ts b.js lib/d.ts"],
    [["!src/deep"], "a.ts b.js src/a.ts lib/d.ts"],
    [["!src/**"], "a.ts b.js lib/d.ts"],
    [["*.ts", "!src"], "a.ts lib/d.ts"],
    [["*.ts", "!a.ts", "!**/d.ts"], "src/deep/c.ts"],
  ])("%j", (globs, wanted) => expect(accepted(globs, ALL)).toBe(wanted));

  test.each<[globs: string[], wanted: string]>([
    [["*.ts"], "a.ts deep/c.ts"],
    [["deep/*"], "deep/c.ts"],
    [["/ws/src/*.ts"], "a.ts"],
    [["/ws/*/a.ts"], "a.ts"],
    [["/ws/**/c.ts"], "deep/c.ts"],
    [["/ws/lib/*"], ""],
    [["src/*.ts"], ""],
  ])("from src: %j", (globs, wanted) => expect(accepted(globs, "a.ts deep/c.ts", "src")).toBe(wanted));

  test("what is left out names no file that is wanted", () =>
    expect(accepted(["*.ts", "!a"], "x.ts !a a a/x.ts")).toBe("x.ts"));

  test("a folder is what it is called, whatever its name would mean as a glob", () =>
    expect(accepted(["/ws/[x]/*.ts"], "a.ts b.js", "[x]")).toBe("a.ts"));

  test("parentheses and bars are parts of names", () =>
    expect(accepted(["app/(site)/*", "a|b"], "app/(site)/x app/site/x a|b a")).toBe("app/(site)/x a|b"));
});

describe("globs that are too complicated", () => {
  test.each([
    "x".repeat(1001),
    "a\0b",
    "*a*a*a*a*a*a*a*a*",
    "{a,b}".repeat(20),
    "src/*a*a*a*a*a*a*a*a*/x",
    "{ok,*a*a*a*a*a*a*a*a*}",
    "*[ab]*[ab]*x",
  ])("%.40s is refused", (glob) => {
    for (const globs of [[glob], [`!${glob}`], ["ok", glob]])
      expect(() => fileFilter({ globs }, folder())).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  test.each(["x".repeat(1000), "*a*a*a*a*a*a*a*", "**/**/**/**/**/**/**/**/**/a"])("%.40s is not", (glob) =>
    expect(() => fileFilter({ globs: [glob] }, folder())).not.toThrow(),
  );

  test("a long one is told shortly", () => {
    const told = (glob: string) => {
      try {
        fileFilter({ globs: [glob] }, folder());
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(told(`${"y".repeat(1001)}`)).toBe(`The glob ${"y".repeat(80)}… is too complicated.`);
    expect(told("*a".repeat(40))).toBe(`The glob ${"*a".repeat(40)} is too complicated.`);
    expect(told("*a*a*a*a*a*a*a*a*")).toBe("The glob *a*a*a*a*a*a*a*a* is too complicated.");
  });
});

describe("what must not be shown", () => {
  const hidden = (exclude: string[], paths: string, from = "") => {
    const { isExcluded } = fileFilter({ exclude }, folder(from));
    return paths.split(" ").filter(isExcluded).join(" ");
  };
  test.each<[exclude: string[], from: string, paths: string, hidden: string]>([
    [[], "", "a .env", ""],
    [[".env"], "", "a .env d/.env", ".env d/.env"],
    [["secret/**"], "", "secret/a d/secret/a a", "secret/a"],
    [["secret/**"], "secret", "a", "a"],
    [["src/*.key"], "src", "a.key b.ts", "a.key"],
    [["/ws/a"], "", "a b", "a"],
    [["/ws/src/a"], "src", "a b", "a"],
    [["/etc/**", "b"], "", "a b", "b"],
    [["/ws/a", "b"], "", "a b c", "a b"],
    [["ws"], "", "a ws/b", "ws/b"],
  ])("%j from %j", (exclude, from, paths, expected) => expect(hidden(exclude, paths, from)).toBe(expected));
});

describe("what a search program is told, so that it need not look", () => {
  const told = (query: Parameters<typeof fileFilter>[0], from = "") => {
    const { names, folders, unwanted, excluded } = fileFilter(query, folder(from));
    return { names, folders: folders?.map((parts) => parts.join("/")), unwanted, excluded };
  };

  test.each<[globs: string[], names: string[] | undefined, folders: string[] | undefined]>([
    [[], undefined, undefined],
    [["!a"], undefined, undefined],
    [["*.ts"], ["*.ts"], undefined],
    [["src/*.ts"], ["*.ts"], ["src"]],
    [
      ["src/deep/*.ts", "lib/x"],
      ["*.ts", "x"],
      ["src/deep", "lib"],
    ],
    [["src/*/x.ts"], ["x.ts"], ["src"]],
    [["*/x.ts"], ["x.ts"], undefined],
    [["src/**"], undefined, ["src"]],
    [["src/*"], undefined, ["src"]],
    [["a?.ts"], ["a*.ts"], undefined],
    [["[ab].ts"], undefined, undefined],
    [["src/a.ts", "b.ts"], ["a.ts", "b.ts"], undefined],
    [["*.ts", "[ab]"], undefined, undefined],
    [["/x.ts"], ["x.ts"], undefined],
  ])("%j", (globs, names, folders) => expect(told({ globs })).toMatchObject({ names, folders }));

  test("at most a hundred of them", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `d/f${n}`);
    expect(told({ globs: many(100) }).names).toHaveLength(100);
    expect(told({ globs: many(100) }).folders).toHaveLength(100);
    expect(told({ globs: many(101) })).toMatchObject({ names: undefined, folders: undefined });
    expect(told({ exclude: many(101) }).excluded).toHaveLength(100);
    expect(told({ globs: many(101).map((glob) => `!${glob}`) }).unwanted).toHaveLength(100);
  });

  test("only what every program reads alike", () => {
    const globs = ["!a", "!src/b", "!x?", "![ab]", "!c/**", "!a**b", "!**/d", "!e ", "!{f,g}", "!ü"];
    expect(told({ globs }).unwanted).toEqual(["a", "/src/b", "/c/**", "/**/d", "f", "g"]);
    const exclude = ["a", "./b/c", "d/", "/ws/e", "/etc/f", "x?", "**/g"];
    expect(told({ exclude }).excluded).toEqual(["a", "/b/c", "d", "/e", "/**/g"]);
    expect(told({ exclude: ["src/x", "lib/y", "/ws/src/z", "**/g"] }, "src").excluded).toEqual([
      ...["/x", "/z", "/**/g"],
    ]);
  });
});
