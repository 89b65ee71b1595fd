import { lines } from "./lines.ts";

/** The same for git, for texts and for the shell itself. */
export const EVERYDAY_MORE: readonly string[] = lines(String.raw`
  git status
  git status -s
  git status --short --branch
  git log
  git log --oneline
  git log --oneline -10
  git log -p -1
  git log --stat -3
  git log --graph --oneline --all
  git log --pretty=format:'%h %an %s' -5
  git log --since='2 weeks ago'
  git log --author=me
  git log -S foo
  git log -- src/index.ts
  git log main..HEAD
  git log --follow README.md
  git --no-pager log -3
  git -C sub status
  git -C sub log --oneline
  git diff
  git diff --stat
  git diff --cached
  git diff HEAD~1
  git diff HEAD~1 -- src
  git diff main...HEAD --name-only
  git diff --name-status
  git diff a.txt b.txt
  git show
  git show HEAD
  git show HEAD:README.md
  git show --stat HEAD~2
  git branch
  git branch -a
  git branch -vv
  git branch --show-current
  git tag
  git tag -l 'v1.*'
  git describe --tags
  git remote -v
  git remote get-url origin
  git stash list
  git blame README.md
  git blame -L 1,20 src/index.ts
  git shortlog -sn
  git rev-parse HEAD
  git rev-parse --abbrev-ref HEAD
  git rev-parse --show-toplevel
  git ls-files
  git ls-files | wc -l
  git ls-files '*.ts' | xargs wc -l
  git ls-tree -r HEAD --name-only
  git config --list
  git config user.name
  git reflog
  git grep foo
  git grep -n foo -- '*.ts'
  git cat-file -p HEAD
  git merge-base main HEAD
  git rev-list --count HEAD
  git worktree list
  git check-ignore -v a.log
  git log --oneline | head -5
  git status && git diff --stat
  git diff | head -100
  git log --format=%s | sort | uniq -c | sort -rn | head
  GIT_PAGER=cat git log -3
  echo hello
  echo "hello world"
  echo $HOME
  echo "$HOME"
  echo $PATH
  echo $PATH | tr ':' '\n'
  echo "$USER@$HOSTNAME"
  echo $?
  echo $((1+2))
  echo $SHELL
  echo "today is $(date)"
  echo "on $(git branch --show-current)"
  echo {1..5}
  echo a b | tr a-z A-Z
  printf '%s\n' a b c
  printf 'total: %d\n' 3
  printf '%s\n' "$PATH"
  env
  env | sort
  env | grep -i node
  printenv
  printenv PATH
  FOO=bar ls
  LC_ALL=C sort a.txt
  TZ=UTC date
  LANG=C ls -l
  date
  date +%Y-%m-%d
  date -u
  whoami
  id
  hostname
  uname -a
  uname -s -m
  uptime
  nproc
  free -h
  df -h
  df -h .
  du -sh .
  du -sh *
  du -sh node_modules
  du -a src | sort -n | tail -5
  du -h --max-depth=1
  ps aux
  ps aux | grep node
  ps -ef | head
  pgrep -l node
  top -b -n 1 | head -20
  lsof -i :3000
  ss -tlnp
  netstat -tln
  ip addr
  which node
  which -a python3
  type ls
  command -v git
  whereis bash
  file README.md
  file a.bin
  stat README.md
  stat -c %s README.md
  realpath README.md
  readlink -f README.md
  basename src/index.ts
  basename src/index.ts .ts
  dirname src/index.ts
  sort a.txt
  sort -u a.txt
  sort -k2 -n a.txt
  sort a.txt | uniq
  sort a.txt | uniq -c | sort -rn
  uniq a.txt
  cut -d: -f1 a.txt
  cut -d, -f2,3 a.csv | head
  tr -d '\r' < a.txt
  rev a.txt
  tac a.txt
  comm -12 a.txt b.txt
  diff a.txt b.txt
  diff -u a.txt b.txt
  diff -r src lib
  diff <(ls) <(ls -a)
  diff <(sort a.txt) <(sort b.txt)
  cmp a.bin b.bin
  column -t -s, a.csv
  paste a.txt b.txt
  join a.txt b.txt
  fold -w 80 README.md
  awk '{print $1}' a.txt
  awk -F: '{print $1, $3}' a.txt
  awk 'NR==5' a.txt
  awk 'NR>1 && NR<10' a.txt
  awk '/foo/ {print $2}' a.txt
  awk '{sum += $1} END {print sum}' a.txt
  awk '{print NR": "$0}' a.txt
  awk 'length > 80' a.txt
  awk '!seen[$0]++' a.txt
  awk -F, '{c[$1]++} END {for (k in c) print k, c[k]}' a.csv
  jq . package.json
  jq .version package.json
  jq -r '.scripts | keys[]' package.json
  jq '.dependencies | length' package.json
  jq -r '.name + "@" + .version' package.json
  cat package.json | jq .devDependencies
  md5sum a.bin
  sha256sum a.bin
  base64 a.bin | head -1
  xxd a.bin | head
  hexdump -C a.bin | head -5
  od -c a.bin | head
  strings a.bin | head
  tar tf a.tar
  tar tzf a.tgz | head
  tar -tvf a.tar
  unzip -l a.zip
  zcat a.gz | head
  tree
  tree -L 2
  tree -L 2 -I node_modules
  node --version
  node -v
  npm --version
  npm ls
  npm ls --depth=0
  npm config list
  python3 --version
  pip list
  pip show requests
  gcc --version
  git --version
  bash --version
  docker --version
  test -f README.md
  test -d src && echo yes
  [ -f README.md ] && cat README.md
  [ -d src ] || echo no
  [ -n "$CI" ] && echo ci
  [[ -f README.md ]] && echo yes
  if [ -f README.md ]; then head -5 README.md; fi
  if grep -q foo a.txt; then echo found; else echo none; fi
  for f in *.md; do echo "$f"; done
  for f in src/*.ts; do wc -l "$f"; done
  for d in src test; do ls $d; done
  for i in 1 2 3; do echo $i; done
  for i in $(seq 1 3); do echo $i; done
  while read -r line; do echo "$line"; done < a.txt
  git ls-files | while read -r f; do echo "$f"; done
  case "$OSTYPE" in linux*) echo linux;; *) echo other;; esac
  version=$(jq -r .version package.json); echo "v$version"
  x=5; echo $((x * 2))
  bash -c 'ls -la'
  bash -lc 'git status'
  sh -c 'ls | wc -l'
  /bin/ls -la
  /usr/bin/git log --oneline
  time ls
  timeout 10 git status
  nice ls
  seq 1 10
  seq 1 10 | paste -sd+
  expr 1 + 2
  yes | head -3
  sleep 1
  true
  ls | xargs -n1 basename
  ls > /dev/null
  ls > /dev/null 2>&1
  ls -la 2>&1 | head
  cat <<< hello
  less README.md
  more README.md
  shellcheck a.sh
  git shortlog -sn --no-merges HEAD~50..HEAD
  git ls-files --others --exclude-standard
  git for-each-ref --sort=-committerdate refs/heads --format='%(refname:short)' | head
  git show HEAD:package.json | jq .version
  git tag --list 'v*' --sort=-v:refname | head -5
  git check-ignore -v dist/out.js
  du -sh node_modules/* 2>/dev/null | sort -rh | head -10
  find src -type f -exec wc -l {} +
  find . -name '*.test.ts' | xargs grep -l "describe(" | sort
  grep -rn "import .* from" src --include='*.ts' | cut -d: -f1 | sort | uniq -c | sort -rn
  rg --files | rg '\.md$'
  awk 'NR>=10 && NR<=20' README.md
  awk '{sum += $1} END {print sum}' nums.txt
  head -c 200 README.md | xxd | head
  tr -d '\r' < crlf.txt | wc -c
  openssl version
  yq '.services' docker-compose.yml
  man -k json | head
  curl --version
  npm run
  npm pkg get scripts
  npm explain lodash
  while read -r line; do echo "$line"; done < README.md
  if grep -q foo README.md; then echo found; fi
  test -z "$(git status --porcelain)" && echo clean
  [ "$(uname)" = Linux ] && echo linux
  printf '%-10s %s\n' "$(whoami)" "$(pwd)"
  x=$(git rev-parse HEAD); echo "$x"
  cat README.md 2>&1 | tee /dev/null | head
  ls nope 2>/dev/null || true
`);
