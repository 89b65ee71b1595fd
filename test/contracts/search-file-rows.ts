import type { FileQuery } from "../../src/core/contracts/search.ts";

type FileRow = { place?: string; query: FileQuery; found: string[]; excluded?: number };

export const FILE_ROWS: [string, FileRow][] = [
  [
    "a folder with what is hidden and without what is ignored",
    {
      place: "src",
      query: {},
      found: [
        "src/a.ts",
        "src/b.tsx",
        "src/c.test.ts",
        "src/sub/.gitignore",
        "src/sub/d.js",
        "src/sub/important.log",
        "src/gen/kept.js",
      ],
    },
  ],
  ["a name", { query: { globs: ["Makefile"] }, found: ["Makefile"] }],
  ["hidden by name", { query: { globs: [".env", "conf"] }, found: [".env", ".hidden/conf"] }],
  ["stars", { query: { globs: ["**/*.ts"] }, found: ["src/a.ts", "src/c.test.ts"] }],
  ["a folder's own", { query: { globs: ["src/*"] }, found: ["src/a.ts", "src/b.tsx", "src/c.test.ts"] }],
  [
    "all of a folder",
    { query: { globs: ["src/sub/"] }, found: ["src/sub/.gitignore", "src/sub/d.js", "src/sub/important.log"] },
  ],
  ["all of folders of a name", { query: { globs: ["shown/"] }, found: ["x/deep/shown/f.txt"] }],
  ["stars in the middle", { query: { globs: ["x/**/f.txt"] }, found: ["x/deep/shown/f.txt"] }],
  ["braces at the beginning", { query: { globs: ["{x,lib}/**"] }, found: ["lib/build/out.js", "x/deep/shown/f.txt"] }],
  ["a question mark", { query: { globs: ["src/?.ts"] }, found: ["src/a.ts"] }],
  ["a class", { query: { globs: ["src/[ab].ts*"] }, found: ["src/a.ts", "src/b.tsx"] }],
  ["a negated class", { query: { globs: ["src/[!a].ts*"] }, found: ["src/b.tsx"] }],
  ["escaped brackets", { query: { globs: ["weird\\[1\\].txt"] }, found: ["weird[1].txt"] }],
  ["parentheses are parts of names", { query: { globs: ["(group)/*.txt"] }, found: ["(group)/page.txt"] }],
  ["a blank", { query: { globs: ["with *.txt"] }, found: ["with space.txt"] }],
  ["a dash in front", { query: { globs: ["-dash*"] }, found: ["-dash.txt"] }],
  ["a dot and a slash in front", { query: { globs: ["./src/a.ts"] }, found: ["src/a.ts"] }],
  ["a slash in front is the searched folder", { query: { globs: ["/out.js", "/Makefile"] }, found: ["Makefile"] }],
  ["links are not followed", { query: { globs: ["link*", "linked/**", "outside/**"] }, found: [] }],
  ["not below", { place: "src", query: { recursive: false }, found: ["src/a.ts", "src/b.tsx", "src/c.test.ts"] }],
  ["a single file", { place: "trace.log", query: {}, found: ["trace.log"] }],
  ["binary files are files", { query: { globs: ["*.dat"] }, found: ["binary.dat"] }],
  [
    "excluded ones are counted",
    { query: { globs: ["*.ts", "*.tsx"], exclude: ["*.test.ts"] }, found: ["src/a.ts", "src/b.tsx"], excluded: 1 },
  ],
  ["nothing that is never shown", { query: { globs: ["config", "HEAD", "state"] }, found: [] }],
];
