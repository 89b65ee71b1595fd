import fs from "node:fs";
import path from "node:path";

const FILES: Readonly<Record<string, string | Buffer>> = {
  ".gitignore": "*.log\n/build/\n/over/build/\nnode_modules\n!keep.log\n# comment\n/src/gen/*.ts\n**/deep/skipped\n",
  "readme.md": "# Title\nAlpha one\nbeta two\nalpha three\nlast without end",
  "src/a.ts": "import x from 'y';\nconst alpha = 1;\nconst beta = 2;\nexport { alpha };\n",
  "src/b.tsx": "const gamma = <a>alpha</a>;\n",
  "src/c.test.ts": "test('alpha', () => {});\n",
  "src/sub/.gitignore": "local.txt\n!important.log\n",
  "src/sub/d.js": "alpha();\n-flag alpha\n--long=1\n",
  "src/sub/local.txt": "alpha ignored\n",
  "src/sub/important.log": "alpha kept\n",
  "src/gen/made.ts": "alpha made\n",
  "src/gen/kept.js": "alpha gen\n",
  "x/deep/skipped/f.txt": "alpha skipped\n",
  "x/deep/shown/f.txt": "alpha shown\n",
  "build/out.js": "alpha built\n",
  "lib/build/out.js": "alpha lib build\n",
  "node_modules/m/index.js": "alpha module\n",
  "trace.log": "alpha log\n",
  "keep.log": "alpha keep\n",
  ".hidden/conf": "alpha hidden\n",
  ".env": "ALPHA=secret\nalpha=secret\n",
  ".git/config": "alpha git\n",
  ".toolgate/state": "alpha state\n",
  "crlf.txt": "alpha one\r\nbeta two\r\nend alpha\r\n",
  "empty.txt": "",
  "blank.txt": "\n\n\n",
  "unicode.txt": "grüße aus köln\nÜBER allem\n日本語 テキスト\nemoji 😀 here\n",
  "latin1.txt": Buffer.from([0xff, 0x61, 0x6c, 0x70, 0x68, 0x61, 0x20, 0xe9, 0x0a]),
  "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("alpha wide\nzwei\n", "utf16le")]),
  "bom.txt": Buffer.from("\uFEFFalpha bom\n"),
  "binary.dat": Buffer.from("alpha\n\0binary alpha\n"),
  "-dash.txt": "alpha dash\n",
  "with space.txt": "alpha space\n",
  "quote'd.txt": "alpha quote\n",
  "weird[1].txt": "alpha bracket\n",
  "(group)/page.txt": "alpha group\n",
  "~tilde.txt": "alpha tilde\n",
  "line\nbreak.txt": "alpha break\n",
  "special.txt": '$(touch pwned)\n`touch pwned`\na.b\naxb\n"quoted"\nfoo(bar\n[x]\nC:\\dir\n100%\na+b\ninterface{}\n',
  "context.txt": "1\n2\nhit 3\n4\nhit 5\n6\n7\n8\n9\nhit 10\n11\n",
  "huge.txt": `${"x".repeat(300_000)}needle${"y".repeat(300_000)}\nafter needle\n`,
  "nested/repo/.git/HEAD": "ref\n",
  "nested/repo/own.log": "alpha nested\n",
  "over/.gitignore": "!build/\n!*.log\nno.txt\n",
  "over/build/in.js": "rare over\n",
  "over/build/x.log": "rare log\n",
  "over/no.txt": "rare no\n",
  "over/node_modules/n.js": "rare module\n",
  Makefile: "all:\n\talpha\n",
};

/** A folder with one of everything that a search must get right. */
export function makeTree(root: string): void {
  for (const [name, content] of Object.entries(FILES)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  fs.symlinkSync("readme.md", path.join(root, "link.md"));
  fs.symlinkSync("src", path.join(root, "linked"));
  fs.symlinkSync("/etc", path.join(root, "outside"));
  // the NUL lies beyond what a buffer of ripgrep may have grown to by the huge line, which another run gives another file
  fs.writeFileSync(path.join(root, "late.txt"), `alpha early\n${"filling\n".repeat(300_000)}\0\nalpha late\n`);
}
