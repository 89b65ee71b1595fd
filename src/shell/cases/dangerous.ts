import { lines } from "./lines.ts";

/** Not proven harmless, each for a reason of its own. */
export const DANGEROUS: readonly string[] = lines(String.raw`
  unknown-program
  ./ls
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
  ls $(pwd)
  ls "$(pwd)"
  cat $(echo x)
  cat "$x"
  x=ls; $x
  PATH=/tmp/x
  PATH=/tmp/x ls
  GIT_PAGER=x git log
  EDITOR='code --wait' git commit
  pushd src && ls
  pushd +1; rm -rf *
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
  sh
  nohup ls
  setsid ls
  env -i ls
  env -S 'ls'
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
  find . -exec touch {} \;
  find . -ok ls {} \;
  find . -okdir ls {} \;
  find . '-exec' touch {} \;
  find . -e"xec" touch {} \;
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
  awk 'BEGIN { system("id") }'
  awk '{ print > "out" }' x
  awk '{ print | "sh" }' x
  awk '{ "id" | getline; print }' x
  awk -f prog.awk x
  awk -v 'x=$(id)' '{print}' a
  awk '{print}' -F /etc/passwd
  awk '{print}' -f prog.awk x
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
