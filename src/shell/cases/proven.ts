import { lines } from "./lines.ts";

export const SAFE: readonly string[] = lines(String.raw`
  ls
  ls -la
  ls -lah src
  ls -R
  ls --all --human
  ls --color=never src
  ls src/*.ts
  ls *.ts
  ls -- -x
  cat README.md
  cat -n a b
  cat 'a b.txt'
  cat "a b.txt"
  cat a\ b.txt
  cat src/*.md
  cat < a
  head a
  head -20 a
  head -n 20 a
  head -n20 a
  head --lines=20 a
  head --lin=20 a
  tail -5 a
  tail -n +5 a
  tail -f log
  wc -l a
  wc -lw a b
  grep foo a
  grep -rn foo src
  grep -rin "foo bar" src --include='*.ts'
  grep -A3 -B2 foo a
  grep -C 3 foo a
  grep -e foo -e bar a
  grep --recursive --line-number foo .
  grep --rec foo .
  egrep 'a|b' x
  rg foo
  rg -n foo src
  rg -l --hidden -g '!dist' foo
  rg --files src
  rg -tts foo
  tree
  tree -L 2 -a src
  file a
  which node
  which -a node npm
  echo
  echo hello world
  echo -n hi
  printf '%s\n' a b
  pwd
  env
  printenv PATH
  date
  date -u +%Y-%m-%d
  date '+%H:%M'
  whoami
  id
  id -u
  uname -a
  hostname
  uptime
  nproc
  python --version
  python3 --version
  python -V
  node --version
  node -v
  npm --version
  npm -v
  java -version
  docker --version
  git --version
  make --version
  tsc --version
  git status
  git status -s
  git status --porcelain=v1 -b
  git log
  git log --oneline -10
  git log -n 5 --stat
  git log --since='2 weeks ago' --author=me
  git log --graph --all --decorate --oneline
  git log main..HEAD
  git log -p -- src/a.ts
  git log --format='%h %s' -5
  git diff
  git diff HEAD~1
  git diff --cached
  git diff --staged --name-only
  git diff --stat main...HEAD
  git diff -U10 -- src
  git show
  git show HEAD
  git show HEAD:src/a.ts
  git show --stat HEAD~2
  git branch
  git branch -a
  git branch -vv
  git branch --show-current
  git branch --list 'x*'
  git --no-pager log -3
  git --no-pager diff
  git blame src/a.ts
  git rev-parse HEAD
  git rev-parse --abbrev-ref HEAD
  git ls-files
  git ls-files --others --exclude-standard
  git remote -v
  git tag
  git tag -l
  git stash list
  git describe --tags --always
  git shortlog -sn
  git config --get user.name
  npm list
  npm config get registry
  npm config list --json
  npm --help
  npm -h
  last -n 5
  echo '2 + 2' | bc -l
  npm ls --depth=0
  npm list --json
  cargo check
  cargo check --all-targets
  cargo check -p x --release
  pip list
  pip show requests
  pip freeze
  find .
  find . -name '*.ts'
  find src -type f -name "*.test.ts" -not -path '*/node_modules/*'
  find . -maxdepth 2 -type d
  find . \( -name a -o -name b \) -print
  find . -mtime -7 -size +1M
  find . -newer a
  sort a
  sort -rn -k2 a
  sort -u a | uniq -c
  sort -t, -k1,1 a.csv
  sort --reverse --uniq a
  uniq -c a
  cut -d, -f1 a.csv
  tr a-z A-Z
  tr -d '\n' < a
  comm -12 a b
  paste a b
  column -t a
  diff a b
  diff -u a b
  diff -r --no-dereference src lib
  cmp a b
  md5sum a
  sha256sum a b
  stat a
  du -sh .
  du -h --max-depth=1
  df -h
  free -m
  ps aux
  ps -ef
  basename a/b
  dirname a/b
  realpath a
  readlink -f a
  sed -n '1,20p' a
  sed -n 5p a
  sed -n '$p' a
  sed -n -e 1p -e 3p a
  sed -n '10,20p;25p' a
  sed 10q a
  awk '{print $1}' a
  awk -F: '{print $1, $3}' a
  awk '{print $NF}' a
  awk 'NR==5' a
  awk 'NR>=5 {print $2}' a
  awk '/foo/ {print $0}' a
  awk '{ print "x", $1 }' a
  jq . a.json
  jq -r '.a.b' a.json
  jq '.[] | select(.x == 1)' a.json
  xxd a
  od -c a
  hexdump -C a
  strings a
  base64 a
  base64 -d a
  nl a
  tac a
  rev a
  fold -w 80 a
  seq 5
  sleep 1
  true
  false
  :
  test -f a
  [ -d src ]
  [ "a" = "b" ]
  [[ -f a ]]
  [[ -f a && -d b ]]
  cd src
  cd src && ls
  cd ..; ls
  ls && pwd
  ls; pwd
  ls || echo no
  ls | head -5
  ls | grep foo | wc -l
  ls & wait
  ! ls
  (ls; pwd)
  { ls; pwd; }
  if [ -f a ]; then cat a; else echo no; fi
  while true; do ls; sleep 1; done
  for i in 1 2 3; do sleep 1 & done; wait
  cat a 2>/dev/null
  cat a 2>/dev/null || echo missing
  ls >/dev/null 2>&1 && echo ok
  ls 2>&1
  echo oops >&2
  time ls
  timeout 5 ls
  timeout --signal=KILL 5s ls
  nice ls
  nice -n 10 ls
  command ls
  command -v node
  type node
  stdbuf -oL grep foo a
  find . -name '*.ts' | xargs wc -l
  find . -name '*.ts' -print0 | xargs -0 grep -n foo
  git ls-files | xargs cat
  ls | xargs -n1 basename
  set -e; ls
  set -euo pipefail; ls
  pgrep node
  git config user.name
  npm root
  sed -n '/a/,/b/p' f
  sed -n '/^import/p' f
  awk 'NR>=5 && NR<=10' f
  awk '{s+=$1} END {print s}' f
  tar tf a.tar
  tar -tzf a.tgz
  tar tvf a.tar | head
  unzip -l a.zip
  gunzip -c a.gz | head
  nm a
  readelf -h a
  objdump -d a
  bat f
  eza -la
  tokei
  help cd
`);

export const SAFE_LONG: readonly string[] = [
  "",
  "   ",
  "\n",
  "# only a comment",
  "ls\n",
  "ls\npwd",
  "ls \\\n  -la",
  "cat <<EOF\nhello\nEOF",
  "cat <<'EOF'\n$x $(rm -rf /)\nEOF",
  "cat <<'EOF' | grep foo\nrm -rf /\nEOF",
  "if [ -f a ]\nthen\n  cat a\nfi",
  "ls # one\n# two\npwd",
  "grep -n 'a\nb' x",
];
