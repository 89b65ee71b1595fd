import { lines } from "./lines.ts";

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
  perl -e 'fork while fork'
  perl -e 'while(1){fork;}'
  python -c 'import os; [os.fork() for _ in iter(int, 1)]'
  python3 -c "while True: __import__('os').fork()"
  ruby -e 'loop { fork() }'
  bash -c ':(){ :|:& };:'
  eval ':(){ :|:& };:'
`);
