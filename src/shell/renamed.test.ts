import { describe, expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { lines } from "./cases/lines.ts";

/** `¤` stands for a command, `⏎` for the end of a line. */
const given = (line: string, command: string): string => line.replaceAll("¤", command).replaceAll("⏎", "\n");
const judged = (table: readonly string[], command: string): [string, boolean][] =>
  table.map((line) => [line, analyse(given(line, command)).class === "blocked"]);

const SPOKEN = lines(String.raw`
  awk 'BEGIN { print "¤" }' | sh
  gawk 'BEGIN { printf "%s", "¤" }' | bash -s
  python3 -c 'print("¤")' | sh
  perl -e 'print "¤"' | sh
  ruby -e 'puts "¤"' | bash
  node -p '"¤"' | sh
  php -r 'echo "¤";' | sh
  jq -nr '"¤"' | sh
  sed -n '1c ¤' a | sh
  seq -f '¤' 1 | sh
  date +'¤' | sh
  stat -c '¤' a | sh
  find . -maxdepth 0 -printf '¤\n' | sh
  git log -1 --format='¤' | sh
  git log -1 --pretty=format:'¤' | sh
  date +'¤' | tee x | sh
  date +'¤' | head -1 | sh
  bash -c "$(awk 'BEGIN { print "¤" }')"
  eval "$(python3 -c 'print("¤")')"
  date +'¤' > s; sh s
  cat <(echo '¤') | sh
  sort <(echo '¤') - | sh
  bash <(head -1 <(echo '¤'))
  join <(echo '¤') <(echo) | sh
  paste <(echo '¤') | sh
`);

const WRITTEN = lines(String.raw`
  printf 'all:\n\t¤\n' > Makefile; make
  printf 'all:\n\t¤\n' > x.mk && make -f x.mk
  printf 'x:\n  ¤\n' > justfile; just x
  echo '{"scripts":{"x":"¤"}}' > package.json; npm run x
  echo '{"scripts":{"x":"¤"}}' | tee package.json; yarn x
  echo '¤' > rc; bash --rcfile rc -i -c true
  echo '¤' > rc; bash --init-file=rc -ic true
  npm pkg set scripts.x='¤' && npm run x
  CC='¤' make
  export CC='¤'; make
  RUSTC_WRAPPER='¤' cargo build
  npm_config_script_shell='¤' npm test
`);

const RENAMED = lines(`
  hash -p /bin/rm x; x -rf /
  hash -p /bin/echo rm; rm -rf /
  alias x=rm; x -rf /
  alias x='rm -rf'⏎x /
  alias rm=echo; rm -rf /
  BASH_ALIASES[x]=rm; x -rf /
  BASH_ALIASES[x]='rm -rf'; eval 'x /'
  BASH_ALIASES=([y]=ls [x]=rm); x -rf /
  declare -A BASH_ALIASES=([x]=rm); x -rf /
  printf -v 'BASH_ALIASES[x]' rm; x -rf /
  BASH_CMDS[x]=/bin/rm; x -rf /
  read -r 'BASH_ALIASES[x]' <<< rm; x -rf /
  paste <(echo rm) <(echo -rf /) | sh
  paste -d' ' <(echo rm) <(echo '-rf /') | sh
  paste --delimiters=' ' <(echo rm) <(echo '-rf /') | sh
  paste -d ' ' <(echo ls; echo rm) <(echo; echo '-rf /') | sh
  cat <(printf su) <(echo 'do ls') | sh
  join <(echo rm -rf) <(echo /) | sh
  ln -s /bin/rm x; ./x -rf /
  ln -s /usr/bin/sudo x; ./x ls
  cp /bin/rm x && ./x -rf /
  cp "$(which rm)" x; ./x -rf /
  install /bin/rm x; ./x -rf /
  cat > s <<'E'⏎rm -rf "$1"⏎E⏎chmod +x s; ./s /
  cat > s <<'E'⏎rm -rf "$@"⏎E⏎bash s /
`);
const HARMLESS = lines(String.raw`
  hash -p /bin/rm x; x -rf build
  alias ll='ls -la'; ll /
  BASH_ALIASES[x]=rm; x -rf build
  BASH_ALIASES[x]=rm; y -rf /
  BASH_CMDS[x]=/bin/ls; x -la /
  paste <(echo rm) <(echo -rf build) | sh
  paste -d, <(echo rm) <(echo -rf /) | sort
  cat <(echo rm) <(echo -rf build) | sh
  wc <(echo rm -rf /) | sh
  alias x='rm -rf'⏎x build
  ln -s /bin/ls x; ./x -la /
  cp /bin/rm x && ./x -rf build
  cat > s <<'E'⏎rm -rf "$1"⏎E⏎bash s build
  printf '# needs sudo make install\nall:\n\tgcc x.c\n' > Makefile; make
  CC=clang make
  CC='ccache gcc' make
  grep 'rm -rf /' a.sh
  git log --grep='rm -rf /' | head
  awk '/sudo/ { print $1 }' log | sort
  git commit -m 'never run rm -rf /'
  perl -ne 'print "mv $_ x\n"' list | sh
`);

describe("what never runs", () => {
  test.each(["rm -rf /", "sudo ls", "dd if=a of=/dev/sda"])("printed by a program for a shell: %s", (command) =>
    expect(judged(SPOKEN, command)).toEqual(SPOKEN.map((line) => [line, true])),
  );
  test.each(["rm -rf /", "sudo ls", "dd if=a of=/dev/sda"])("in what the line itself has built: %s", (command) =>
    expect(judged(WRITTEN, command)).toEqual(WRITTEN.map((line) => [line, true])),
  );
  test("by another name", () => expect(judged(RENAMED, "")).toEqual(RENAMED.map((line) => [line, true])));
});

test("the same with what is harmless, and what only looks alike", () => {
  for (const command of ["rm -rf build", "ls -la", "npm test"])
    expect(judged([...SPOKEN, ...WRITTEN], command)).toEqual([...SPOKEN, ...WRITTEN].map((line) => [line, false]));
  expect(judged(HARMLESS, "")).toEqual(HARMLESS.map((line) => [line, false]));
});
