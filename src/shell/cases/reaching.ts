import { lines } from "./lines.ts";

/** They reach files that their words do not name, or show what belongs to other processes. */
export const REACHING: readonly string[] = lines(`
  sort --files0-from=list
  sort --files0=list
  wc --files0-from=list
  wc -l --files0-from list
  du --files0-from=list
  sha256sum -c list
  sha256sum --check list
  md5sum --check sums
  b2sum -wc sums
  shasum -a 256 -c sums
  cksum --check sums
  file -f list
  file --files-from=list
  xargs -a list cat
  xargs --arg-file=list ls
  strings @list
  shellcheck -x a.sh
  shellcheck --external-sources a.sh
  ps e
  ps auxe
  ps ewww
  ps axe
  ps aux e
  ps -e e
  ps -auxe
  ps -u xe
  ps -o pid,environ
  git log --output=f
  git show --output f
  git diff --output=f
`);

export const REACHING_NOTHING: readonly string[] = lines(`
  sort a
  wc -l a
  du -sh src
  du -D src
  sha256sum a
  sha256sum -b a
  file a
  find . -name a | xargs cat
  strings -n 8 a
  shellcheck a.sh
  grep -r x src
  grep -rn x
  grep -L x a
  rg x
  rg -l x src
  fd x
  find . -name a
  find -P . -type l
  ls -L link
  ls -R src
  tree -L 2
  diff a b
  diff -r --no-dereference a b
  ps aux
  ps -ef
  ps axww
  ps -e
  ps -u steve
  ps axo etime
  ps -eo pid,etime,cmd
  git diff --no-index a b
  git grep --no-index x src
  echo src/*
  test -f a
  node --version
  python --version
  npm --version
`);

/** Which program answers is up to files of the project. */
export const CHOSEN: readonly string[] = lines(`
  cargo --version
  cargo -V
  rustc --version
  rustfmt --version
  rustdoc --version
  go version
  go env
  yarn --version
  pnpm -v
  mvn -v
  gradle --version
  sbt --version
  dotnet --version
  bazel --version
`);

/** A command that would speak for the person who is to be asked. */
export const SPEAKING: readonly string[] = lines(`
  toolgate config trust
  toolgate config trust --yes
  toolgate --workspace . config trust
  toolgate config --json trust
  toolgate config tr?st
  toolgate config $x
  toolgate approvals
  toolgate approvals list
  toolgate hook uninstall claude --yes
  toolgate mcp
  npx toolgate mcp --http 8080
  toolgate --mode yolo mcp
  toolgate mcp install codex --yes
  npx toolgate hook install claude --user
  toolgate hook claude
  toolgate undo --yes
  toolgate dead-letters retry --yes
  toolgate sessions remove last --yes
  toolgate sessions replay last --mode yolo
  toolgate sessions replay last --config loose.yaml
  toolgate locks release t1 --yes
  toolgate cron remove job_1 --yes
  toolgate redo a --mode yolo
  toolgate call write_file path=a content=b --mode=yolo
  toolgate --mode yolo call write_file path=a
  toolgate call run_command ls --allow-commands
  toolgate call read_file a --config b.yaml
  toolgate run 'do it' --mode yolo
  ./node_modules/.bin/toolgate config trust
  node_modules/.bin/toolgate undo --yes
  npx toolgate config trust
  npx -y toolgate@1 config trust
  npx --package=toolgate -- toolgate config trust
  npx -c 'toolgate config trust'
  npm exec -- toolgate config trust
  npm x toolgate config trust
  pnpm exec toolgate config trust
  pnpm dlx toolgate config trust
  yarn toolgate config trust
  bunx toolgate config trust
  node node_modules/toolgate/dist/cli/toolgate.js config trust
  node dist/cli/toolgate.js config trust
  node --no-warnings dist/cli/toolgate.js call x --mode yolo
  deno run npm:toolgate config trust
  sh node_modules/.bin/toolgate config trust
  env toolgate config trust
  timeout 5 toolgate config trust
  bash -c 'toolgate config trust'
  echo trust | xargs toolgate config
  x=trust; toolgate config $x
  toolg'a'te config trust
  ls && toolgate config trust
`);

export const NOT_SPEAKING: readonly string[] = lines(`
  toolgate tools --format mcp
  toolgate
  toolgate tools
  toolgate explain read_file a
  toolgate call read_file a
  toolgate undo
  toolgate config check
  toolgate log --json
  toolgate doctor
  npx toolgate tools
  node dist/cli/toolgate.js config check
  node toolgate-notes.js config trust
  node x.js config trust
  mytoolgate config trust
`);
