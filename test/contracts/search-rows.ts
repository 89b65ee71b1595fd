import type { TextQuery } from "../../src/core/contracts/search.ts";

export type LineRow = { place?: string; query: TextQuery; found: string[]; tookAsText?: boolean; excluded?: number };

const ALPHA = [
  "readme.md:4:alpha three",
  "src/a.ts:2:const alpha = 1;",
  "src/a.ts:4:export { alpha };",
  "src/b.tsx:1:const gamma = <a>alpha</a>;",
  "src/c.test.ts:1:test('alpha', () => {});",
  "src/sub/d.js:1:alpha();",
  "src/sub/d.js:2:-flag alpha",
  "src/sub/important.log:1:alpha kept",
  "src/gen/kept.js:1:alpha gen",
  "x/deep/shown/f.txt:1:alpha shown",
  "lib/build/out.js:1:alpha lib build",
  "keep.log:1:alpha keep",
  ".hidden/conf:1:alpha hidden",
  ".env:2:alpha=secret",
  "crlf.txt:1:alpha one",
  "crlf.txt:3:end alpha",
  "latin1.txt:1:\uFFFDalpha \uFFFD",
  "wide.txt:1:alpha wide",
  "bom.txt:1:alpha bom",
  "-dash.txt:1:alpha dash",
  "with space.txt:1:alpha space",
  "quote'd.txt:1:alpha quote",
  "weird[1].txt:1:alpha bracket",
  "(group)/page.txt:1:alpha group",
  "./~tilde.txt:1:alpha tilde",
  "line\nbreak.txt:1:alpha break",
  "Makefile:2:\talpha",
  "late.txt:1:alpha early",
];
const inSpecial = (pattern: string, ...found: string[]): LineRow => ({
  query: { pattern, globs: ["special.txt"] },
  found: found.map((each) => `special.txt:${each}`),
});
const literally = (row: LineRow): LineRow => ({ ...row, query: { ...row.query, literal: true } });

export const LINE_ROWS: [string, LineRow][] = [
  ["a word everywhere: ignored, binary and linked files left out", { query: { pattern: "alpha" }, found: ALPHA }],
  ["the same as text", { query: { pattern: "alpha", literal: true }, found: ALPHA }],
  ["nothing", { query: { pattern: "nowhere at all" }, found: [] }],
  [
    "a folder",
    {
      place: "src/sub",
      query: { pattern: "^alpha" },
      found: ["src/sub/d.js:1:alpha();", "src/sub/important.log:1:alpha kept"],
    },
  ],
  [
    "a folder knows the rules above it",
    { place: "src/gen", query: { pattern: "alpha" }, found: ["src/gen/kept.js:1:alpha gen"] },
  ],
  [
    "a folder below a rule with stars",
    { place: "x/deep", query: { pattern: "alpha" }, found: ["x/deep/shown/f.txt:1:alpha shown"] },
  ],
  [
    "an ignored folder that is named is meant",
    { place: "node_modules/m", query: { pattern: "alpha" }, found: ["node_modules/m/index.js:1:alpha module"] },
  ],
  [
    "an ignored folder by its rule is meant",
    { place: "build", query: { pattern: "alpha" }, found: ["build/out.js:1:alpha built"] },
  ],
  [
    "a file in place of a folder",
    { place: "readme.md", query: { pattern: "alpha" }, found: ["readme.md:4:alpha three"] },
  ],
  [
    "an ignored file that is named is meant",
    { place: "trace.log", query: { pattern: "alpha" }, found: ["trace.log:1:alpha log"] },
  ],
  ["a binary file that is named", { place: "binary.dat", query: { pattern: "alpha" }, found: [] }],
  [
    "a file whose name has brackets",
    { place: "weird[1].txt", query: { pattern: "alpha" }, found: ["weird[1].txt:1:alpha bracket"] },
  ],
  [
    "a file whose name begins with a dash",
    { place: "-dash.txt", query: { pattern: "alpha" }, found: ["-dash.txt:1:alpha dash"] },
  ],
  [
    "a file that the globs do not want",
    { place: "readme.md", query: { pattern: "alpha", globs: ["*.ts"] }, found: [] },
  ],
  [
    "a file by a link is the file",
    { place: "link.md", query: { pattern: "alpha" }, found: ["readme.md:4:alpha three"] },
  ],
  ["an empty file", { place: "empty.txt", query: { pattern: "" }, found: [] }],
  [
    "blank lines",
    { query: { pattern: "^$", globs: ["blank.txt"] }, found: ["blank.txt:1:", "blank.txt:2:", "blank.txt:3:"] },
  ],
  ["everything", { query: { pattern: "", globs: ["Makefile"] }, found: ["Makefile:1:all:", "Makefile:2:\talpha"] }],
  ["no final line break", { query: { pattern: "without end$" }, found: ["readme.md:5:last without end"] }],
  ["an anchor before CRLF", { query: { pattern: "alpha$", globs: ["crlf.txt"] }, found: ["crlf.txt:3:end alpha"] }],
  ["both anchors", { query: { pattern: "^beta two$" }, found: ["crlf.txt:2:beta two", "readme.md:3:beta two"] }],
  [
    "a class",
    {
      query: { pattern: "[Aa]lpha (one|three)", globs: ["*.md"] },
      found: ["readme.md:2:Alpha one", "readme.md:4:alpha three"],
    },
  ],
  [
    "case ignored",
    {
      query: { pattern: "ALPHA", ignoreCase: true, globs: ["*.md", ".env"] },
      found: [".env:1:ALPHA=secret", ".env:2:alpha=secret", "readme.md:2:Alpha one", "readme.md:4:alpha three"],
    },
  ],
  [
    "case ignored, as text",
    {
      query: { pattern: "ALPHA ONE", ignoreCase: true, literal: true, globs: ["*.md"] },
      found: ["readme.md:2:Alpha one"],
    },
  ],
  ["case ignored beyond ASCII", { query: { pattern: "über", ignoreCase: true }, found: ["unicode.txt:2:ÜBER allem"] }],
  [
    "case ignored by the pattern itself",
    { query: { pattern: "(?i)alpha one", globs: ["*.md"] }, found: ["readme.md:2:Alpha one"] },
  ],
  ["letters beyond ASCII", { query: { pattern: "köln" }, found: ["unicode.txt:1:grüße aus köln"] }],
  [
    "a word of such letters",
    { query: { pattern: "^\\w+ aus", globs: ["unicode.txt"] }, found: ["unicode.txt:1:grüße aus köln"] },
  ],
  ["the border of such a word", { query: { pattern: "\\bköln\\b" }, found: ["unicode.txt:1:grüße aus köln"] }],
  ["another script", { query: { pattern: "日本語" }, found: ["unicode.txt:3:日本語 テキスト"] }],
  ["a dot is one character", { query: { pattern: "emoji . here" }, found: ["unicode.txt:4:emoji 😀 here"] }],
  ["a property", { query: { pattern: "^\\p{Han}+ " }, found: ["unicode.txt:3:日本語 テキスト"] }],
  ["a pattern that begins with a dash", { query: { pattern: "-flag" }, found: ["src/sub/d.js:2:-flag alpha"] }],
  ["a pattern like an option", { query: { pattern: "--long=1" }, found: ["src/sub/d.js:3:--long=1"] }],
  ["a pattern like an option, as text", { query: { pattern: "--files", literal: true }, found: [] }],
  ["a dot", inSpecial("a.b", "3:a.b", "4:axb", "10:a+b")],
  ["a dot as text", literally(inSpecial("a.b", "3:a.b"))],
  ["an escaped dot", inSpecial("a\\.b", "3:a.b")],
  ["quotes", inSpecial('"quoted"', '5:"quoted"')],
  ["a command in parentheses", literally(inSpecial("$(touch pwned)", "1:$(touch pwned)"))],
  ["a command in backquotes", inSpecial("`touch pwned`", "2:`touch pwned`")],
  ["escaped punctuation", inSpecial("\\$\\(touch", "1:$(touch pwned)")],
  ["an open group is text", { ...inSpecial("foo(", "6:foo(bar"), tookAsText: true }],
  ["an open class is text", { ...inSpecial("[x", "7:[x]"), tookAsText: true }],
  ["a star in front is text", { ...inSpecial("*x"), tookAsText: true }],
  ["empty braces are text", inSpecial("interface{}", "11:interface{}")],
  ["a backslash as text", literally(inSpecial("C:\\dir", "8:C:\\dir"))],
  ["a backslash escaped", inSpecial("C:\\\\dir", "8:C:\\dir")],
  ["a plus", inSpecial("a+b")],
  ["a plus as text", literally(inSpecial("a+b", "10:a+b"))],
  ["an alternative", inSpecial("100%|axb", "4:axb", "9:100%")],
  ["repetitions", inSpecial("^.{3}$", "3:a.b", "4:axb", "7:[x]", "10:a+b")],
  ["looking ahead", inSpecial("a(?=\\+b)", "10:a+b")],
  ["looking ahead in vain", inSpecial("^a(?!x).b", "3:a.b", "10:a+b")],
  ["a reference back", { query: { pattern: "(l)(p)ha.*\\1\\2ha", globs: ["src/**"] }, found: [] }],
  ["named classes", inSpecial("^[[:digit:]]+", "9:100%")],
  [
    "context",
    {
      query: { pattern: "hit 10", context: 1 },
      found: ["context.txt-9-9", "context.txt:10:hit 10", "context.txt-11-11"],
    },
  ],
  [
    "context that overlaps comes once",
    {
      query: { pattern: "hit [35]", context: 1 },
      found: ["context.txt-2-2", "context.txt:3:hit 3", "context.txt-4-4", "context.txt:5:hit 5", "context.txt-6-6"],
    },
  ],
  [
    "context at the edges",
    { place: "src/b.tsx", query: { pattern: "gamma", context: 3 }, found: ["src/b.tsx:1:const gamma = <a>alpha</a>;"] },
  ],
  [
    "context without the CR",
    {
      query: { pattern: "beta", context: 1, globs: ["crlf.txt"] },
      found: ["crlf.txt-1-alpha one", "crlf.txt:2:beta two", "crlf.txt-3-end alpha"],
    },
  ],
  [
    "a name at any depth",
    { query: { pattern: "alpha", globs: ["out.js"] }, found: ["lib/build/out.js:1:alpha lib build"] },
  ],
  [
    "a glob with stars",
    {
      query: { pattern: "alpha", globs: ["**/*.js"] },
      found: [
        "lib/build/out.js:1:alpha lib build",
        "src/gen/kept.js:1:alpha gen",
        "src/sub/d.js:1:alpha();",
        "src/sub/d.js:2:-flag alpha",
      ],
    },
  ],
  [
    "braces",
    {
      query: { pattern: "alpha", globs: ["src/*.{ts,tsx}"] },
      found: [
        "src/a.ts:2:const alpha = 1;",
        "src/a.ts:4:export { alpha };",
        "src/b.tsx:1:const gamma = <a>alpha</a>;",
        "src/c.test.ts:1:test('alpha', () => {});",
      ],
    },
  ],
  [
    "a negated glob wins, wherever it stands",
    {
      query: { pattern: "alpha", globs: ["!*.test.ts", "src/*.ts"] },
      found: ["src/a.ts:2:const alpha = 1;", "src/a.ts:4:export { alpha };"],
    },
  ],
  [
    "only negated globs",
    {
      place: "src",
      query: { pattern: "alpha", globs: ["!sub", "!gen/"] },
      found: [
        "src/a.ts:2:const alpha = 1;",
        "src/a.ts:4:export { alpha };",
        "src/b.tsx:1:const gamma = <a>alpha</a>;",
        "src/c.test.ts:1:test('alpha', () => {});",
      ],
    },
  ],
  [
    "globs bring back nothing that is ignored",
    {
      query: { pattern: "alpha", globs: ["*.log"] },
      found: ["keep.log:1:alpha keep", "src/sub/important.log:1:alpha kept"],
    },
  ],
  [
    "globs are meant from the searched folder",
    {
      place: "src",
      query: { pattern: "alpha", globs: ["sub/*.js"] },
      found: ["src/sub/d.js:1:alpha();", "src/sub/d.js:2:-flag alpha"],
    },
  ],
  ["a glob that fits nothing", { query: { pattern: "alpha", globs: ["*.rs"] }, found: [] }],
  [
    "not below",
    { query: { pattern: "alpha", recursive: false, globs: ["*.md", "*.ts"] }, found: ["readme.md:4:alpha three"] },
  ],
  [
    "what is excluded is counted, with a hit or without",
    { query: { pattern: "alpha", globs: ["*.md", ".env"], exclude: [".env", "readme.md"] }, found: [], excluded: 2 },
  ],
  [
    "excluding knows no case",
    {
      query: { pattern: "const", exclude: ["SRC/A.TS"] },
      found: ["src/b.tsx:1:const gamma = <a>alpha</a>;"],
      excluded: 1,
    },
  ],
  [
    "an excluded folder",
    {
      query: { pattern: "gamma|-flag", exclude: ["src/sub"] },
      found: ["src/b.tsx:1:const gamma = <a>alpha</a>;"],
      excluded: 3,
    },
  ],
  [
    "excluding is meant from the root",
    {
      place: "src",
      query: { pattern: "gamma|-flag", exclude: ["src/sub/**", "sub"] },
      found: ["src/b.tsx:1:const gamma = <a>alpha</a>;"],
      excluded: 3,
    },
  ],
  [
    "an excluded file that is named",
    { place: ".env", query: { pattern: "alpha", exclude: [".env*"] }, found: [], excluded: 1 },
  ],
  [
    "what is ignored anyway is not counted",
    { query: { pattern: "log$", globs: ["/*.log"], exclude: ["trace.log"] }, found: [] },
  ],
];
