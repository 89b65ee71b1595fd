import { lines } from "./lines.ts";

/** What people type all day to look at a project, as READMEs and guides have it. None of it may ask. */
export const EVERYDAY: readonly string[] = lines(String.raw`
  ls
  ls -la
  ls -lah src
  ls -1 | wc -l
  ls -lt | head -5
  ls *.md
  ls -d */
  ls src test docs
  ls {src,test}
  ls -R src | head -40
  ls -la | grep -v node_modules
  ls 2>/dev/null
  ls no-such-file || echo missing
  pwd
  cd src && ls
  cd src; pwd; ls
  (cd src && ls -la)
  cat README.md
  cat package.json | head -20
  cat src/*.ts | wc -l
  cat -n src/index.ts
  cat a b c
  cat README.md LICENSE
  cat < README.md
  cat src/{a,b}.ts
  cat "file with blanks.txt"
  head README.md
  head -n 50 src/index.ts
  head -c 100 a.bin
  tail -n 20 log.txt
  tail -50 log.txt
  tail -n +10 README.md
  sed -n '1,40p' src/index.ts
  sed -n '/start/,/end/p' a.txt
  sed 's/foo/bar/g' a.txt
  sed -e 's/^#.*//' -e '/^$/d' config.ini
  sed '1,10d' a.txt
  sed -E 's/([0-9]+)/<\1>/' a.txt
  sed -n '$p' a.txt
  nl -ba src/index.ts | sed -n '5,10p'
  wc -l src/*.ts
  wc -l README.md package.json
  wc -c < README.md
  find . -name '*.ts'
  find . -type f -name '*.md' -not -path './node_modules/*'
  find src -maxdepth 2 -type d
  find . -size +1M -type f
  find . -mtime -7 -name '*.js'
  find . -name node_modules -prune -o -name '*.ts' -print
  find . -empty
  find . -type f | wc -l
  find . -type f -name '*.py' | xargs wc -l
  find . -name '*.ts' -print0 | xargs -0 grep -l foo
  find . -name '*.ts' -exec grep -n foo {} +
  find src -type f -exec wc -l {} \;
  find . -iname '*readme*' | sort
  find . -newer package.json -type f | head
  grep foo README.md
  grep -n foo src/index.ts
  grep -rn foo src
  grep -rn "foo bar" --include='*.ts' .
  grep -R foo src
  grep -ril todo .
  grep -c import src/index.ts
  grep -v '^#' config.ini
  grep -E 'foo|bar' a.txt
  grep -A3 -B3 foo a.txt
  grep -o '[0-9]*' a.txt | sort | uniq -c
  grep -rL copyright src
  grep -w foo a.txt | head -3
  grep -rn --exclude-dir=node_modules foo .
  grep -q foo a.txt && echo yes
  egrep -i 'error|warn' log.txt
  fgrep foo a.txt
  rg foo
  rg -n foo src
  rg -l foo -g '*.ts'
  rg --files
  rg --files | wc -l
  rg -i -t ts foo
  rg -C 3 foo src
  rg foo --stats
  rg -c foo
  fd README
  fd -e ts
  fd -t d src
`);
