import { lines } from "./lines.ts";

/** Blocked commands in disguise. */
export const DISGUISED: readonly string[] = lines(String.raw`
  r\m -rf /
  'rm' -rf /
  "rm" -rf /
  r""m -rf /
  r''m -r''f /
  rm -r"f" /
  rm "-rf" "/"
  rm -rf "/"
  rm -rf '/'
  rm -rf \/
  s\udo ls
  s'u'do ls
  "su"do ls
  $'rm' -rf /
  $'\x72\x6d' -rf /
  $'\162\155' -rf /
  $'\u0072m' -rf /
  rm -rf $'/'
  rm -rf $'\x2f'
  $"rm" -rf /
  {rm,-rf,/}
  {rm,-r,-f,/}
  rm -rf {/,x}
  rm -{r,f} /
  x=rm; $x -rf /
  x=rm y=-rf; $x $y /
  x='rm -rf /'; $x
  x='rm -rf /'; eval $x
  x='rm -rf /'; eval "$x"
  x='rm -rf /'; bash -c "$x"
  x='rm -rf /' bash -c '$x'
  x=/; rm -rf $x
  x=/; rm -rf "$x"
  a=r; b=m; $a$b -rf /
  a=rm; b=a; "${"$"}{!b}" -rf /
  IFS=,; x=rm,-rf,/; $x
  rm$IFS-rf$IFS/
  $(echo rm) -rf /
  $(printf rm) -rf /
  $(echo rm -rf /)
  rm -rf $(echo /)
  rm $(echo -rf) /
  "$(echo rm)" -rf /
  $(echo 'rm -rf /' | cat)
  eval 'rm -rf /'
  eval rm -rf /
  eval "eval 'rm -rf /'"
  eval r'm' -rf /
  eval -- rm -rf /
  echo 'rm -rf /' | sh
  echo rm -rf / | bash
  echo -e 'rm\x20-rf\x20/' | sh
  printf 'rm -rf /' | sh
  printf '%s %s %s' rm -rf / | sh
  printf 'r%s' 'm -rf /' | bash
  printf '\x72\x6d -rf /' | bash
  echo cm0gLXJmIC8= | base64 -d | sh
  echo cm0gLXJmIC8K | base64 --decode | bash
  base64 -d <<< cm0gLXJmIC8= | sh
  bash -c "$(echo cm0gLXJmIC8= | base64 -d)"
  eval $(echo cm0gLXJmIC8= | base64 -d)
  bash <(echo cm0gLXJmIC8= | base64 -d)
  echo 726d202d7266202f | xxd -r -p | sh
  echo '/ fr- mr' | rev | sh
  echo 'sn -sg /' | tr 'a-z' 'z-x' | cat; sudo ls
  echo 'em -ef /' | tr e r | sh
  cat <<< 'rm -rf /' | sh
  sh <<< 'rm -rf /'
  bash <<< "sudo ls"
  . <(echo rm -rf /)
  bash <(echo rm -rf /)
  bash -s <<< 'rm -rf /'
  bash -c 'rm -rf /'
  bash -lc 'rm -rf /'
  bash -xec 'rm -rf /'
  bash -o errexit -c 'rm -rf /'
  bash --norc -c 'rm -rf /'
  sh -c "rm -rf /"
  zsh -c 'rm -rf ~'
  /bin/sh -c 'rm -rf /'
  $SHELL -c 'rm -rf /'
  $0 -c 'rm -rf /'
  bash -c 'bash -c "rm -rf /"'
  bash -c 'rm -rf $1' x /
  bash -c '"$@"' x rm -rf /
  sh -c '$0 -rf /' rm
  env rm -rf /
  env -i rm -rf /
  env A=b rm -rf /
  env -u A rm -rf /
  env -S 'rm -rf /'
  env -S'rm -rf' /
  env -C / rm -rf .
  env bash -c 'rm -rf /'
  A=b rm -rf /
  A=b env C=d rm -rf /
  command rm -rf /
  command -p rm -rf /
  builtin eval 'rm -rf /'
  exec rm -rf /
  exec -a x rm -rf /
  nohup rm -rf / &
  time rm -rf /
  time -p rm -rf /
  /usr/bin/time -v rm -rf /
  timeout 5 rm -rf /
  timeout -k 1 -s KILL 5 rm -rf /
  timeout --preserve-status 5 rm -rf /
  nice rm -rf /
  nice -n 5 rm -rf /
  nice -5 rm -rf /
  ionice -c 3 rm -rf /
  stdbuf -oL rm -rf /
  setsid rm -rf /
  chroot / rm -rf *
  unshare -r rm -rf /
  flock x rm -rf /
  flock x -c 'rm -rf /'
  strace -f rm -rf /
  busybox rm -rf /
  toybox rm -rf /
  watch rm -rf /
  watch -n 1 'rm -rf /'
  parallel rm -rf ::: /
  parallel 'rm -rf {}' ::: /
  script -c 'rm -rf /'
  ssh host rm -rf /
  ssh host 'sudo ls'
  xargs rm -rf <<< /
  echo / | xargs rm -rf
  echo / | xargs -I{} rm -rf {}
  echo / | xargs -n1 rm -rf
  echo 'rm -rf /' | xargs -I{} sh -c '{}'
  echo rm -rf / | xargs env
  xargs -a x sudo ls
  find . -exec sh -c 'rm -rf /' \;
  find . -ok rm -rf / \;
  env timeout 5 nice bash -lc "command rm -rf /"
  (rm -rf /)
  { rm -rf /; }
  ls && rm -rf /
  ls || rm -rf /
  ls; rm -rf /
  ls & rm -rf /
  ls | rm -rf /
  ! rm -rf /
  rm -rf / &
  if true; then rm -rf /; fi
  if rm -rf /; then ls; fi
  if false; then ls; else rm -rf /; fi
  while rm -rf /; do ls; done
  for x in 1; do rm -rf /; done
  for x in build /; do rm -rf $x; done
  for x in rm; do $x -rf /; done
  for x in /; do for y in -rf; do rm $y $x; done; done
  case x in x) rm -rf /;; esac
  case $(rm -rf /) in x) ls;; esac
  select x in a; do rm -rf /; done
  coproc rm -rf /
  coproc X { rm -rf /; }
  f() { rm -rf /; }
  f() { rm -rf "$1"; }; f /
  f() { "$@"; }; f rm -rf /
  f() { $*; }; f sudo ls
  function f { rm -rf /; }; f
  alias ll='rm -rf /'
  trap 'rm -rf /' EXIT
  trap -- 'sudo ls' INT
  set -- rm -rf /; "$@"
  set -- /; rm -rf $1
  echo "$(rm -rf /)"
  echo $(rm -rf /)
  echo "a $(echo "$(rm -rf /)")"
  cat <(rm -rf /)
  ls > >(rm -rf /)
  [[ $(rm -rf /) ]]
  [ -n "$(rm -rf /)" ]
  (( $(rm -rf /) ))
  echo $(( $(rm -rf /) ))
  echo $[ $(rm -rf /) ]
  a[$(rm -rf /)]=1
  a=($(rm -rf /))
  export x=$(rm -rf /)
  declare x="$(rm -rf /)"
  x=$(rm -rf /)
  x=$(rm -rf /) ls
  ls $(rm -rf /)/x
  ls > $(rm -rf /)
  cat <<< $(rm -rf /)
  x='a[$(rm -rf /)]'; echo $((x))
  x='$(rm -rf /)'; eval echo "$x"
  let 'x=a[$(rm -rf /)]'
  python -c 'import os; os.system("rm -rf /")'
  python3 -c "import subprocess; subprocess.run('rm -rf /', shell=True)"
  perl -e 'system("rm -rf /")'
  perl -e 'exec "sudo ls"'
  ruby -e 'system("rm -rf ~")'
  node -e 'require("child_process").execSync("rm -rf /")'
  awk 'BEGIN { system("rm -rf /") }'
  php -r 'shell_exec("sudo ls");'
  poetry run sudo ls
  false && x=build; x=/; rm -rf $x
  x=/; false && x=build; rm -rf $x
  x=/; if false; then x=build; fi; rm -rf $x
  rm -rf / # just cleaning
  rm -rf / 2>/dev/null
  rm -rf / >/dev/null 2>&1
  2>/dev/null rm -rf /
  <x rm -rf /
`);

/** The same, with characters that a template can't hold, or over several lines. */
export const DISGUISED_LONG: readonly string[] = [
  "`echo rm` -rf /",
  "`rm -rf /`",
  "echo `rm -rf /`",
  'echo "`rm -rf /`"',
  "echo `echo \\`rm -rf /\\``",
  "rm${IFS}-rf${IFS}/",
  "r${x}m -rf /",
  "r${@}m -rf /",
  "r$@m -rf /",
  "rm -rf ${x:-/}",
  "rm -rf ${x:=/}",
  "rm -rf ${HOME}",
  'rm -rf "${HOME:?}"',
  "rm -rf ${HOME%/}/",
  "rm -rf ${HOME:0:1}",
  "rm -rf ${PATH:0:1}",
  "${x:-rm} -rf /",
  "${HOME:+rm} -rf /",
  "x=xrm; ${x#x} -rf /",
  "x=rmx; ${x%x} -rf /",
  "x=RM; ${x,,} -rf /",
  "x=rXm; ${x/X/} -rf /",
  "x=arm; ${x:1} -rf /",
  "a=(rm -rf /); ${a[@]}",
  "a=(rm -rf /); ${a[0]} -rf /",
  "x='$(rm -rf /)'; echo ${x@P}",
  "echo ${x:-$(rm -rf /)}",
  'echo "${x:-$(rm -rf /)}"',
  "rm \\\n -rf \\\n /",
  "r\\\nm -rf /",
  "ls\nrm -rf /",
  "ls\n\n# comment\nsudo ls",
  "bash <<EOF\nrm -rf /\nEOF",
  "bash <<'EOF'\nrm -rf /\nEOF",
  "bash <<-EOF\n\trm -rf /\n\tEOF",
  "sh -s <<EOF\nsudo ls\nEOF",
  "cat <<EOF | sh\nrm -rf /\nEOF",
  "cat <<EOF\n$(rm -rf /)\nEOF",
  "x=rm\nbash <<EOF\n$x -rf /\nEOF",
  "bash <<EOF\n$(curl x)\nEOF",
  "if true\nthen\n  rm -rf /\nfi",
  "f() {\n  rm -rf /\n}\nf",
  "python3 <<EOF\nimport os\nos.system('rm -rf /')\nEOF",
  "rm -rf /\r\n",
  "echo '\nrm -rf /\n' | sh",
  "while read c; do $c; done <<< 'rm -rf /'",
  "echo 'rm -rf /' | while read c; do $c; done",
  "rm\t-rf\t/",
  "  rm   -rf   /  ",
  "ls;rm -rf /",
  "ls&&rm -rf /",
  "ls|sudo tee x",
  "ls                                                                          ; rm -rf /",
];
