import { lines } from "./lines.ts";

/** Programs that run the words after them, known or not: what they print is what the command prints. */
export const LAUNCHERS: readonly string[] = lines(`
  tini --
  dumb-init
  catatonit --
  chpst -e d
  ccache
  distcc
  systemd-cat
  setarch -R
  setarch x86_64 -R
  ip netns exec x
  systemd-inhibit
  docker exec c
  docker run --rm -v a:b img
  docker compose run web
  podman unshare
  kubectl exec p --
  kubectl run x --image=y --command --
  nerdctl exec c
  lxc exec x --
  npm exec --
  npm explore x --
  pnpm dlx
  yarn exec --
  bunx
  bun x
  uvx
  pipx run
  conda run -n x
  tox exec --
  mise x --
  asdf exec
  nix develop -c
  guix shell --
  cmake -E env
  cmake -E time
  cmake -E chdir d
  just --command
  jobs -x
  fdfind -x
  perf stat
  gdb --args
  xterm -e
  tmux new-session -d
  bwrap --bind / /
  ssh-agent
  op run --
  direnv exec .
  sbase-box
  unknowntool
  unknowntool exec -t 5 --
  machinectl shell me@ /usr/bin/env
`);

/** Something that prints what came over the network. */
export const NETWORK: readonly string[] = lines(`
  curl x
  curl.exe x
  /usr/bin/curl -fsSL https://x
  c?rl x
  wget -qO- x
  tini -- sh -c 'curl x'
  docker exec c sh -c "curl -s x"
  find . -maxdepth 0 -exec curl x \\;
  find . -exec wget -qO- x {} +
  dig txt x +short
  host -t txt x
  nslookup -q=txt x
  gh gist view x
  gh api repos/x/y/contents/z
  aws s3 cp s3://x/y -
  gcloud storage cat gs://x
  svn cat http://x
  ipfs cat x
  s3cmd get x -
  curlie x
  openssl s_client -connect h:1
`);

/** These print nothing from there, whatever they mention. */
export const LOCAL: readonly string[] = lines(`
  echo curl
  printf '%s' wget
  cat curl
  which curl
  gh completion -s bash
  kubectl completion bash
  aws configure export-credentials --format env
  tini -- ls
  docker exec c ls
  apt-get install curl
  npm install curl
  unknowntool --with curling
  find . -name curl
  grep -h curl install.md
`);

/** Code of other languages with a place for a command. */
export const CODE: readonly string[] = lines(String.raw`
  python3 -c 'import os; c="@"; os.system(c)'
  python3 -c 'import os; c=["@"]; os.system(c[0])'
  python3 -c 'from os import system as s; s("@")'
  python3 -c 'import subprocess as b; b.Popen("@",shell=1)'
  python3 -c 'import os; os.system(f"@")'
  python3 -c 'import os; os.system("""@""")'
  python3 -c "import os; os.execvp('sh',['sh','-c','@'])"
  python3 -c 'import asyncio; asyncio.run(asyncio.create_subprocess_shell("@"))'
  perl -e 'exec qq(@)'
  perl -e 'open F,"|@"'
  perl -e 'open(F,"-|","@")'
  perl -Mv5.10 -e 'system q(@)'
  ruby -e '%x(@)'
  ruby -e 'Process.spawn "@"'
  ruby -ropen3 -e 'Open3.capture2("@")'
  node -e 'const {execSync:e}=require("child_process"); e("@")'
  bun -e 'await Bun.$${"`@`"}'
  deno eval 'new Deno.Command("sh",{args:["-c","@"]}).spawn()'
  php -r 'popen("@","r");'
  php -r 'proc_open("@",[],$p);'
  luajit -e 'os.execute[[@]]'
  emacs --batch --eval '(shell-command "@")'
  emacs -batch -eval '(call-process-shell-command "@")'
  vim -es '+call job_start("@")'
  vim -c 'r !@'
  ed a.txt <<< 'w !@'
  m4 <<< 'syscmd(@)'
  psql -c "copy t from program '@'"
  psql -c '\o |@'
  mariadb -e '\! @'
  duckdb -c '.shell @'
  sqlite3 x '.output "|@"'
  gnuplot -e 'plot "< @"'
  Rscript -e 'system2("sh",c("-c","@"))'
  ghc -e ':!@'
  ocaml <<< 'Sys.command "@";;'
  groovy -e '"@".execute()'
  scala -e 'import sys.process._; "@".!'
  erl -eval 'os:cmd("@").'
  elixir -e 'System.cmd("sh",["-c","@"])'
  pdflatex -shell-escape '\immediate\write18{@}'
  rpm -E '%(@)'
  gs -q -c '(%pipe%@) (w) file'
  convert '|@' x.png
  nim --eval:'discard execShellCmd("@")'
`);

/** Texts that only mention such a command, for people, searches and documents. */
export const MENTIONED: readonly string[] = lines(String.raw`
  echo "curl x | sh"
  git commit -m "curl x | sh"
  git commit -m 'Refuse curl x | sh and rm -rf / inside system("…")'
  grep 'rm -rf /' f
  rg "curl .* \| sh"
  rg 'system\("rm -rf /"\)' src
  gh pr create --title x --body 'Run curl x | sh to install'
  gh issue create --body "The command rm -rf / must be refused"
  jq '.command == "rm -rf /"' f
  python3 -c 'print("curl x | sh")'
  python3 -c "print('run rm -rf / now')"
  python3 -c 'import re; print(re.sub("curl x | sh", "", "a"))'
  node -e 'console.log("| rm -rf / | blocked |")'
  cat > x.md <<< 'Install: curl x | sh'
  tee x.md <<< 'os.system("rm -rf /")'
  sed -i 's/curl x | sh/npm install/' README.md
  mytool --text 'curl x | sh'
  mail me <<< 'never run curl x | sh'
  logger 'curl x | sh'
  notify-send 'curl x | sh'
`);
