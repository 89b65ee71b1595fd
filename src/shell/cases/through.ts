import { lines } from "./lines.ts";

/** Ways to have something else run a command: `@` is its text, `%` its words, `#` its text in single quotes. */
export const THROUGH: readonly string[] = lines(String.raw`
  tini -- %
  tini -s -- %
  dumb-init %
  dumb-init -c -- %
  catatonit -- %
  setpriv --reuid=1000 %
  setpriv --no-new-privs %
  chrt -f 99 %
  unshare -r %
  unshare -r sh -c #
  unshare --map-root-user -- %
  nsenter -t 1 -m %
  nsenter -t 1 -m -- sh -c #
  firejail --noprofile %
  firejail -- %
  bwrap --ro-bind / / %
  script -c # x
  script -qc # /dev/null
  script --command=# x
  script -e -q -f -c # o
  expect -c 'spawn @'
  expect -c 'exec @'
  parallel % ::: x
  parallel -j 4 # ::: x
  entr %
  ls | entr -s #
  watch %
  watch -n 1 #
  watch -n1 -x %
  flock x %
  flock x -c #
  flock x sh -c #
  fd . -x %
  fd --exec=%
  git bisect run %
  git bisect run sh -c #
  git rebase --exec # main
  git rebase -x # main
  git rebase -i --exec=# main
  git submodule foreach #
  git submodule foreach --recursive %
  git submodule --quiet foreach #
  git filter-branch --tree-filter # HEAD
  git filter-branch --env-filter #
  git difftool -x # a
  git difftool --extcmd=# a
  git -c core.sshCommand=# fetch
  git -c alias.x='!@' x
  git clone -c core.sshCommand=# x
  git clone -u # x
  git fetch --upload-pack # x
  git push --receive-pack=# x
  git ls-remote --upload-pack=# x
  git archive --remote=x --exec=# HEAD
  git grep -O# x
  git config alias.x '!@'
  git config --global core.pager #
  git instaweb --browser=#
  git shell -c #
  ssh host #
  ssh host %
  ssh -t host %
  ssh -o ProxyCommand=# host
  ssh -oProxyCommand=# host
  ssh -o LocalCommand=# -o PermitLocalCommand=yes host
  ssh -o 'KnownHostsCommand @' host
  scp -o ProxyCommand=# a b:
  sftp -o ProxyCommand=# b
  rsync -e # a b:
  docker run alpine %
  docker run -it --rm alpine sh -c #
  docker exec -it c sh -c #
  docker compose run web %
  docker compose exec web %
  podman run --rm x %
  kubectl exec pod -- %
  kubectl exec -it pod -c c -- sh -c #
  kubectl run x --image=y -- %
  oc exec pod -- %
  make SHELL=#
  make CC=#
  make --eval='x:;@'
  make -f <(echo 'all:;@')
  busybox %
  busybox sh -c #
  busybox ash -c #
  toybox %
  chpst -u x %
  daemonize %
  systemd-run %
  systemd-run --user --scope sh -c #
  systemd-inhibit %
  machinectl shell x %
  lxc exec c -- %
  lxc-attach -n c -- %
  vagrant ssh -c #
  ansible all -m shell -a #
  pdsh -w x %
  mosh host -- %
  adb shell %
  wsl %
  heroku run #
  gcloud compute ssh x --command=#
  aws ssm send-command --parameters commands=#
  nix-shell --run #
  nix run x -- %
  nix develop -c %
  guix environment -- %
  direnv exec . %
  dotenvx run -- %
  op run -- %
  doppler run -- %
  aws-vault exec x -- %
  envdir x %
  hyperfine #
  nodemon --exec #
  npx concurrently #
  npx -c #
  npm exec -c #
  pnpm exec %
  yarn exec %
  uv run %
  bundle exec %
  cargo watch -s #
  watchexec -- %
  watchexec %
  watchexec -w src %
  tmux %
  nix run %
  xterm %
  newgrp - <<< #
  sed -n '$!d;e @' a
  sed '/x/e @' a
  sed 'p;2!e @' a
  watchexec #
  reflex -- %
  at now <<< #
  batch <<< #
  echo # | at now
  echo '* * * * * @' | crontab -
  (crontab -l; echo '* * * * * @') | crontab -
  tmux new -d #
  tmux send-keys # Enter
  screen -dm %
  screen -S x -X stuff '@\n'
  xterm -e %
  gnome-terminal -- %
  zellij run -- %
  vim -c ':!@' a
  vim +'!@' a
  nvim --cmd '!@' a
  emacs --batch --eval '(shell-command "@")'
  less +'!@' x
  man -P # ls
  gdb -ex '!@'
  gdb -batch -ex 'shell @'
  lldb -o 'platform shell @'
  tclsh <<< 'exec @'
  sqlite3 x '.shell @'
  psql -c '\! @'
  mysql -e 'system @'
  wget --use-askpass=# x
  tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=# x
  tar --to-command=# -xf x
  tar -I # -xf x
  tar xf x --use-compress-program=#
  zip x y -T -TT #
  find . -exec % \;
  find . -execdir % \;
  xargs -I{} sh -c # < x
  echo x | xargs -I{} %
  awk 'BEGIN{system("@")}'
  perl -e 'system("@")'
  ruby -e 'system("@")'
  python3 -c 'import os; os.system("@")'
  node -e 'require("child_process").execSync("@")'
  php -r 'system("@");'
  lua -e 'os.execute("@")'
  echo # > >(sh)
  { echo #; } > >(sh)
  (echo #) > >(bash -s)
  exec > >(sh); echo #
  exec 3> >(sh); echo # >&3
  echo # | tee >(sh)
  echo # &> >(bash)
  (cat x; echo #) | sh
  { cat x; echo #; } | bash
  mkfifo p; sh < p & echo # > p
  (sleep 1; sh x) & echo # > x
  trap # EXIT
  bash -c #
  bash -lc #
  eval #
  env -S #
  env bash -c #
  timeout 5 bash -c #
  nohup sh -c # &
  coproc bash -c #
  x=#; eval "$x"
  for c in #; do sh -c "$c"; done
  f() { @; }; f
  if true; then @; fi
  { @; }
  ( @ )
  ls && @
  ls | @
  ! @
  time @
  podman unshare %
  podman machine ssh %
  rustup run stable %
  go run x.go %
  coverage run x.py %
  nx exec -- %
  bazel run //x -- %
  gh codespace ssh -- %
  pnpm dlx %
  pnpm -r exec %
  yarn dlx %
  yarn workspace x exec %
  npm exec -- %
  npm explore x -- %
  bunx %
  npx cross-env A=b %
  npm config set script-shell #
  npm config set editor #
  rsync --rsync-path=# a b:
  bat --pager=# x
  mysql --pager=# -e x
  tar cf x y --rmt-command=#
  tar cf x y --new-volume-script #
  zip -r x . --unzip-command=#
  cpio --rsh-command=# -i
  cmake -E chdir x %
  cmake -DCMAKE_C_COMPILER_LAUNCHER=# .
  mvn exec:java -Dexec.args=#
  cargo --config 'target.x.runner="@"' run
  bazel run --run_under=# //x
  git -c gpg.program=# commit -m x
  svn --config-option config:tunnels:ssh=# x
  duplicity --ssh-options=-oProxyCommand=# x y
  make '$(shell @)'
  gmake MAKEFLAGS=--eval='$(shell @)'
  fzf --bind 'enter:execute(@)'
  vim -es -c 'silent !@' x
  more +'!@' x
  mail -S sendwait me <<< '~!@'
  psql -c "COPY t FROM PROGRAM '@'"
  perl -e 'open(F,"|@")'
  deno eval 'new Deno.Command("sh",{args:["-c","@"]})'
  nvm run 20 -e 'require("child_process").execSync("@")'
  awk 'BEGIN{cmd="@"; system(cmd)}'
  pwsh -c #
  fish -C #
  parallel bash -c ::: #
  entr -r sh -c #
  arch -x86_64 %
  echo # > x; cat x | sh
  echo # > x; cp x y; sh y
  echo # > x; mv x y; chmod +x y; ./y
  dd of=x.sh <<< #; sh x.sh
`);

/** They must never run, whoever runs them. */
export const NEVER: readonly string[] = ["rm -rf /", "sudo ls", "mkfs.ext4 /dev/sda1", "chmod -R 777 /"];

/** Through the same ways these are not blocked. */
export const HARMLESS: readonly string[] = ["ls -la", "rm -rf build"];
