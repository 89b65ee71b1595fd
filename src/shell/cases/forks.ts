import { lines } from "./lines.ts";

/** More processes at a time than a machine has room for, or a number of them that is not known. */
export const FLOODS: readonly string[] = lines(String.raw`
  for i in {1..1000}; do sleep 1000 & done
  for i in {1..65}; do sleep 1000 & done
  for i in $(seq 1000); do sleep 1000 & done
  for i in "$(seq 2 2 1000)"; do sleep 1000 & done
  for i in ${"`"}seq 1 1000${"`"}; do sleep 1000 & done
  for i in $(cat list); do sleep 1000 & done
  for ((i=0;i<1000;i++)); do sleep 1000 & done
  for ((i=1000;i>0;i-=2)); do sleep 1000 & done
  for ((i=0;i!=999;i+=3)); do sleep 1000 & done
  for a in {1..30}; do for b in {1..30}; do sleep 100 & done; done
  for i in {1..1000}; do (sleep 1000 &); done
  for i in {1..1000}; do { ls | cat & }; done
  for i in {1..1000}; do if ls; then sleep 1000 & fi; done
  for i in {1..1000}; do sh -c 'sleep 1000 &'; done
  for i in {1..1000}; do : <(sleep 1000); done
  for i in {1..1000}; do sleep 1000 & sleep 0; done
  for i in {1..1000}; do sleep 1000 & sleep 0.001; done
  for i in {1..1000}; do sleep 1000 & false && wait; done
  for i in {1..1000}; do sleep 1000 & wait %2; done
  for i in {1..1000}; do sleep 1000 & wait & done
  for i in {1..1000}; do sleep 1000 & (wait); done
  bash -c 'for i in {1..1000}; do sleep 1000 & done'
  while ls; do sleep 100 & done
  until ls x; do sleep 100 & done
  while [ -f x ]; do sleep 100 & done
  while read x; do sleep 1000 & done < /dev/zero
  seq 10000 | while read x; do sleep 1000 & done
  while true; do read x; sleep 1000 & done
  seq 100000 | xargs -P0 -n1 sleep
  seq 100000 | xargs -P 0 -I{} sleep 100
  seq 100000 | xargs --max-procs=0 -I{} sleep 100
  seq 100000 | xargs -P 00 -n1 sleep
  seq 100000 | xargs -P 1000 -n1 sleep
  seq 100000 | sort -R | xargs -P0 -n1 sleep
  seq 100000 | xargs -n1 sh -c 'sleep 1000 &'
  yes | head -1000 | xargs -P0 -n1 sleep 100
  yes | head -n 1000 | xargs -P0 -n1 sleep 100
  echo {1..1000} | xargs -P0 -n1 sleep
  xargs -P0 -n1 sleep < /dev/urandom
  cat /dev/urandom | xargs -P0 -n1 sleep
  xargs -P0 -n1 sleep <<< "$(seq 1000)"
  for i in {1..1000}; do echo a; done | xargs -P0 -n1 sleep 100
  for i in 1 2 3; do seq 100; done | xargs -P0 -n1 sleep
  git ls-files | xargs -P0 -I{} sleep 1000
  git ls-files | xargs -n1 sh -c 'sleep 1000 &'
  find . -name '*.ts' -exec sh -c 'sleep 1000 &' {} \;
  ls | xargs -P$(nproc) -I{} sleep 1000
`);

/** A few at a time, or one after the other. */
export const FEW: readonly string[] = lines(`
  for i in 1 2 3; do sleep 1 & done; wait
  for i in {1..64}; do ls & done; wait
  for i in $(seq 3); do ls & done; wait
  for i in $(seq 1 2 99); do ls & done; wait
  for ((i=0;i<10;i++)); do ls & done
  for ((i=10;i>0;--i)); do ls & done
  for f in *.txt; do wc -l "$f" & done; wait
  for i in {1..200}; do ls & wait; done
  for i in {1..200}; do ls & { sleep 1; }; done
  for i in {1..200}; do ls & sleep 1; done
  for i in {1..200}; do ls; done
  while true; do ls; sleep 5; done
  while true; do sleep 5; date & done
  while sleep 1; do ls & done
  until ls x; do sleep 1; done
  sleep 1 & sleep 1 & ls
  git ls-files | xargs -P8 -n1 wc -l
  git ls-files | xargs -P$(nproc) -n1 wc -l
  git ls-files | xargs -P0 -n1 wc -l
  find . -type f -print0 | xargs -0 -P 4 grep x
  find . -type f -print0 | xargs -0 -P 0 grep x
  seq 10 | xargs -P0 -n1 sleep
  seq 10 | sort | head -5 | xargs -P0 -n1 sleep
  seq 100000 | xargs -n1 echo
  seq 100000 | xargs -P 64 -n1 echo
  echo 1 2 3 | xargs -P0 -n1 sleep
  yes | head -5 | xargs -P0 -n1 sleep
  yes | head | xargs -P0 -n1 sleep
  for i in 1 2 3; do echo 1; done | xargs -P0 -n1 sleep
  yes | xargs -P4 -n1 sleep 1
`);

/** Processes without end, in several spellings. */
export const BLOCKED_FORKS: readonly string[] = lines(`
  :(){ :|:& };:
  :(){ :|: & };:
  : () { : | : & } ; :
  bomb(){ bomb|bomb& };bomb
  function bomb { bomb | bomb & }; bomb
  function f() { f & f; }; f
  f(){ f& f& };f
  f(){ (f)& f; }; f
  f(){ g; }; g(){ f | f & }; f
  f(){ echo $(f); }; f
  f(){ f | f; }; f
  while true; do ls & done
  while :; do sh -c ls & done
  until false; do ls & done
  while { true; }; do ls & done
  while (ls; true); do ls & done
  while ! false; do ls & done
  while ! ! true; do ls & done
  until ! true; do ls & done
  while true && :; do ls & done
  while false || true; do ls & done
  while ls || true; do ls & done
  until true && false; do ls & done
  until ls && false; do ls & done
  while ls; echo; do ls & done
  while ls & do ls & done
  while true > a; do ls & done
  while x=1; do ls & done
  while test 1; do ls & done
  while false | true; do ls & done
  while [ 1 ]; do { ls & }; done
  for ((;;)); do ls & done
  for ((i=0;i>=0;i++)); do ls & done
  for ((i=0;i<10;i--)); do ls & done
  for ((i=0;i!=10;i+=3)); do ls & done
  for ((i=0;i<10;i+=0)); do ls & done
  while true; do sh -c 'sleep 100 &'; done
  while true; do for i in 1 2; do ls & done; done
  yes | xargs -P0 -n1 sleep 1000
  yes | xargs -P0 -I{} sh -c 'sleep 100'
  yes | xargs -P10000 -n1 sleep 1000
  yes | tr y z | xargs -P0 -n1 sleep 1000
  yes | cat | sort | xargs -P0 -n1 ls
  yes | xargs -n1 sh -c 'sleep 1000 &'
  yes | while read x; do sleep 1000 & done
  { echo a; yes; } | xargs -P0 -n1 sleep 100
  while true; do echo 1; done | xargs -P0 -n1 sleep 100
  seq 1 0 2 | xargs -P0 -n1 sleep
  perl -e 'fork while fork'
  perl -e 'while(1){fork;}'
  python -c 'import os; [os.fork() for _ in iter(int, 1)]'
  python3 -c "while True: __import__('os').fork()"
  ruby -e 'loop { fork() }'
  bash -c ':(){ :|:& };:'
  eval ':(){ :|:& };:'
`);
