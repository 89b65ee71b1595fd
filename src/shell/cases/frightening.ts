import { lines } from "./lines.ts";

/** Harmless, however they look: safe. */
export const FRIGHTENING_SAFE: readonly string[] = lines(String.raw`
  echo 'rm -rf /'
  echo "rm -rf /"
  echo rm -rf /
  echo sudo rm -rf /
  echo "sudo reboot"
  echo 'curl http://x | bash'
  echo "chmod 777 x"
  echo 'dd if=/dev/zero of=/dev/sda'
  echo ':(){ :|:& };:'
  echo "mkfs.ext4 /dev/sda1"
  echo 'killall -9 node'
  echo "pkill -9 -f node"
  echo 'a > /dev/sda'
  echo "a; rm -rf /"
  echo 'a && sudo b'
  echo "a | sh"
  echo '$(rm -rf /)'
  echo '${"$"}{x@P}'
  echo \$\(rm -rf /\)
  echo "it's rm -rf /"
  echo -n 'sudo'
  echo -e 'rm -rf /\n'
  echo --no-preserve-root
  echo su
  echo "su - root"
  echo '>' /dev/sda
  echo "> /dev/sda"
  echo '#!/bin/bash' 'rm -rf /'
  printf '%s\n' 'rm -rf /'
  printf 'sudo %s\n' ls
  ls # rm -rf /
  ls # sudo
  ls #; curl x | bash
  # rm -rf /
  # sudo reboot
  grep -r "sudo" .
  grep -rn 'rm -rf /' src
  grep -rn "rm -rf" scripts/
  grep -E 'curl .*\| *bash' README.md
  grep -F ':(){ :|:& };:' notes.txt
  grep -e 'chmod 777' -r .
  grep "su " file.txt
  grep -c 'mkfs' docs/disk.md
  grep -l 'dd if=' -r docs
  grep -v sudo list.txt
  grep -w su words.txt
  grep 'kill -9' run.sh
  grep -rn --include='*.sh' 'rm -rf \$HOME' .
  grep -P 'rm\s+-rf' a.sh
  rg 'sudo' src
  rg -n "rm -rf /" .
  rg 'curl.*sh' --glob '*.md'
  rg -F '$(rm -rf /)' .
  rg -e sudo -e doas
  cat sudo.txt
  cat rm-rf.md
  cat docs/curl-bash.md
  cat ./sudo/README.md
  cat su
  ls sudo
  ls rm
  ls -la /usr/bin/sudo
  ls mkfs.ext4
  ls /dev
  ls -l /dev/sda
  ls /
  ls /etc
  head -5 sudoers.md
  tail -n 3 /var/log/sudo.log
  wc -l rm.txt
  which sudo
  which rm
  which -a bash
  type sudo
  type rm
  command -v sudo
  command -v mkfs
  command -V rm
  whereis sudo
  file /usr/bin/sudo
  stat /dev/null
  find . -name '*sudo*'
  find . -name 'rm'
  find . -name "*.sh" -newer rm
  find . -path '*/-exec/*'
  find . -iname 'delete*'
  find / -maxdepth 1
  find . -regex '.*rm -rf.*'
  git log --grep='rm -rf'
  git log --grep "sudo"
  git log --oneline -S 'chmod 777'
  git log --author="su"
  git show HEAD:scripts/sudo.sh
  git diff -- rm.sh
  git diff HEAD -- 'sudo.md'
  git grep 'rm -rf'
  git blame sudo.ts
  git branch --list '*sudo*'
  cat <<< 'rm -rf /'
  sort sudo.txt
  diff rm.txt sudo.txt
  basename /usr/bin/sudo
  dirname /dev/sda
  test -f /usr/bin/sudo
  [ -x /bin/rm ]
  [[ -e /dev/sda ]]
  [ "sudo" = "su" ]
  jq '.scripts.sudo' package.json
  sed -n '1,5p' sudo.sh
  awk '{print $1}' rm.log
  awk '/sudo/ {print}' log.txt
  tree sudo
  du -sh rm
  ps aux | grep sudo
  ps -ef | grep 'kill -9'
  ls | grep rm
  cat a.sh | grep 'curl | bash'
  env | grep SUDO
  echo a | grep -v 'rm -rf'
  cat x 2>/dev/null
  ls > /dev/null
  ls >/dev/null 2>&1
  ls &>/dev/null
  ls 2>&1 | grep su
  npm list rm
  npm ls sudo-prompt
  date '+%s # rm -rf /'
  seq 1 3
  tr 'a-z' 'A-Z' < sudo.txt
  echo 'x' | base64
  echo "Run 'sudo apt install' first"
  echo "rm is dangerous" && echo "so is dd"
  true || echo 'rm -rf /'
  md5sum sudo
  realpath ../sudo
  readlink /bin/sh
  echo "a\$(rm -rf /)b"
  echo "\x60rm -rf /\x60"
  cut -d: -f1 /etc/passwd
  pgrep -f sudo
  printenv SUDO_USER
  id root
  pwd # su
`);

/** Harmless or ordinary, only not proven: dangerous, never blocked. */
export const FRIGHTENING_UNPROVEN: readonly string[] = lines(`
  rm -rf build
  rm -rf ./build
  rm -rf build/
  rm -rf build/*
  rm -rf ./*
  rm -rf *
  rm -rf .
  rm -rf node_modules dist
  rm -rf /workspace/build
  rm -rf /tmp/x
  rm -rf /tmp/*
  rm -rf /home/me/project/build
  rm -rf ~/project/build
  rm -rf ~/.cache/x
  rm -rf $HOME/project/dist
  rm -rf "$BUILD_DIR"
  rm -rf "$BUILD_DIR/"
  rm -rf "$TMPDIR"/x
  rm -rf /usr/src/app/build
  rm -rf /var/tmp/x
  rm -rf /opt/app/cache
  rm -rf /dev/shm/x
  rm -rf "~"
  rm -rf -- -rf
  rm -f /tmp/rm
  rm sudo
  rm file.txt
  rm -i a b
  rm -r src/old
  cd build && rm -rf *
  cd /tmp/x && rm -rf *
  cd ~/project && rm -rf dist
  find . -name '*.pyc' -delete
  find /tmp -name 'x*' -delete
  find . -type d -name node_modules -exec rm -rf {} +
  find / -name '*.tmp' -delete
  mv a b
  mv ~/a ~/b
  mv /tmp/a .
  chmod +x run.sh
  chmod 755 run.sh
  chmod 644 a
  chmod 770 a
  chmod 077 a
  chmod u+rwx a
  chmod go-rwx a
  chmod a+r a
  chmod a+x a
  chmod -R u+rwX dir
  chmod 777x
  chown me file
  dd if=a of=b
  dd if=/dev/zero of=disk.img bs=1M count=1
  dd if=/dev/sda of=/dev/null
  dd if=x of=/dev/stdout
  echo x > a
  echo x > dev/sda
  echo x > ./sudo
  echo 'rm -rf /' > a.sh
  echo 'sudo ls' >> notes.md
  cat > a.sh <<< 'rm -rf /'
  printf 'sudo' > x
  curl http://x
  curl http://x | jq .
  curl http://x | grep sh
  curl http://x -o bash
  curl http://x > sh
  curl http://x | tee bash
  curl http://x | tar xz
  curl http://x | node -e 'process.stdin.resume()'
  curl http://x | python3 -m json.tool
  curl http://x | python -c 'import sys, json; print(json.load(sys.stdin))'
  curl -d 'a | sh' http://x
  python3 report.py "$(curl http://x)"
  curl http://x/bash
  wget http://x/install.sh
  wget http://x/install.sh; cat install.sh
  wget http://x | true
  echo 'curl x | sh' | cat > notes
  bash script.sh
  sh ./configure
  eval 'echo sudo'
  echo hi | sh
  pkill node
  pkill -9 node
  pkill -f node
  pkill -TERM -f node
  killall node
  killall -TERM node
  kill 1234
  kill -9 1234
  kill -9 %1
  kill -0 1
  kill $(pgrep node)
  kill -15 $(pgrep -f node)
  git commit -m "fix su bug"
  git commit -m 'rm -rf / is blocked now'
  git commit -am "sudo: curl | bash"
  git commit -m "chmod 777 & :(){ :|:& };:"
  git checkout -b rm-rf
  git push origin sudo
  git rm -rf src
  git rm --cached sudo
  npm install sudo
  npm uninstall rm
  pip install su
  docker rm -f x
  docker run --rm x
  docker exec x ls
  kubectl delete pod x
  ssh host ls
  mkdir sudo
  mkdir -p rm/rf
  touch mkfs
  touch /tmp/sudo
  cp rm.txt su.txt
  ln -s /bin/rm x
  mktemp -d
  tar czf rm.tgz src
  sed -i 's/sudo/doas/' a.sh
  awk '{print > "sudo"}' a
  python -c 'print("rm -rf /")'
  python3 -c 'print("sudo")'
  node -e 'console.log("rm -rf /")'
  perl -ne 'print if /sudo/' a
  f() { f; }; f
  f() { ls | cat; }; f
  for x in a b; do rm -rf build/$x; done
  sudoku
  rmdir build
  dd
  for d in a b c d e f g h i j k l m n o p q r s t u v w x y z; do mkdir -p $d; done
  supervisorctl status
  reboot
  echo x | tee /dev/null a
  echo x > /dev/tty
`);
