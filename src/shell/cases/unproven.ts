import { lines } from "./lines.ts";

export const DANGEROUS_MORE: readonly string[] = lines(`
  node a.js --test
  node -e x --test
  node --eval=x --check a.js
  node --test --test-reporter=./a.js
  node --import data:text/javascript,x --test
  node -r ./a.js --check b.js
  node --test $x
  ./node --test
  NODE_OPTIONS=--require=./a.js node --test
  ruby a.rb -c
  ruby -ra -c b.rb
  perl -MA -c b.pl
  php -r x -l
  bash a.sh -n
  bash -n $x
  bash -n +n a.sh
  bash --rcfile a -n b.sh
  zsh -n a.sh
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
  npm config edit
  npm config delete x
  npm -h install x
  cargo --help x
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
  kubectl get secrets
  kubectl get secret/a -o yaml
  kubectl get pods,secrets
  kubectl describe secret a
  pytest @args
  tsc @args
  mypy @args
  dotnet build @args.rsp
  dotnet build /p:PostBuildEvent=ls
  deno test https://x/y.ts
  deno check npm:x
  cargo check --target=x.json
  cargo build --target ./x
  gradle --scan build
  sbt publish
  sbt 'set x := 1'
  sbt '~test'
  tox exec -- ls
  vite build --outDir=src --emptyOutDir
  git log --pretty=format:%GG
  git show --format='%h %G?'
  git for-each-ref --format='%(signature)'
  git branch --list --format='%(signature:grade)'
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
  select x in a; do ls; done
  tar cf a.tar b
  tar tf a.tar -C d
  tar tf a.tar -I x
  tar tf host:a
  tar -tf a --to-command=x
  tar txf a
  tar tf a --checkpoint-action=exec=x
  unzip a.zip
  unzip -l a.zip -d x
  unzip -lo a.zip
  unzip -q a.zip
  gunzip a.gz
  gunzip -cf a.gz
  gunzip -k a.gz
  sed -n '/a/w x' f
  sed -n '/a/e' f
  sed -n '/a/,/b/w x' f
  sed -n '/[/]w x/p' f
  sed -n '/a/w x/p;w y' f
  sed -n '/a/p /b/w x' f
  sed -n '/a/pw x' f
  awk '{s=$1; system(s)}' f
  awk '{print s | "sh"}' f
  awk '{print > "x"}' f
  awk 'NR>1 {print} END {print > "x"}' f
  awk '{x="ls"; x | getline}' f
  awk 'BEGIN {s="sh"} {print $1 | s}' f
  awk 'NR==1 || system("x")' f
  awk '{print $1 > s}' f
  awk '/a/ {print} {print >> $1}' f
  git config a.b c
  git config edit
  git config unset a.b
  git config --unset a.b
  git config -e
  git config set a.b c
  git config --add a.b c
  git config rename-section a b
  pnpm -C d test
  pnpm --filter foo add x
  pnpm -r publish
  vite
  next start
  turbo login
  bat --pager=x f
  bat --paging=always f
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
  "ls\nunknown",
  "ls `pwd`",
  "cat <<EOF > a\nx\nEOF",
];
