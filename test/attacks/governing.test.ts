import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lines } from "../../src/shell/cases/lines.ts";
import { bench, folder } from "../journeys/harness.ts";

/** Each names a place that decides which code runs or what is judged, in a command that is not harmless. */
const ASKS = lines(String.raw`
  cp .git/config x
  cp x .git/config
  cp x sub/.git/hooks/y
  cp x .gi?/config
  cp x .git/conf*
  cp x .GIT/CONFIG
  cp x ./.git/./config
  cp x .git//config
  cp x sub/../.git/config
  cp toolgate.yaml old.yaml
  cp -r .git copy
  mv .git/hooks h
  mv h .git/hooks
  rsync -a h/ .git/hooks/
  ln -s x .git/hooks/pre-commit
  ln -sf ../x .git/hooks
  tee .git/hooks/pre-commit < x
  dd if=x of=.git/config
  install x .git/hooks/pre-commit
  sed -i s/a/b/ .git/config
  chmod +x .git/hooks/pre-commit
  touch .git/hooks/post-checkout
  truncate -s0 toolgate.yaml
  rm -rf .git
  rm sub/.git/config
  python3 x.py .git/config
  python3 -c 'open(".git/config","w")'
  node -e 'require("fs").writeFileSync(".git/hooks/x","")'
  node x --out=.git/hooks/pre-commit
  npx prettier --write toolgate.yaml
  npm run fmt -- toolgate.yaml
  make install DEST=.git/hooks
  perl -pi -e s/a/b/ .git/config
  sh x .git/config
  bash x.sh --target=toolgate.yaml
  bash -c 'cp x .git/config'
  ./x .git/hooks
  ./x --file .toolgate/state
  timeout 5 ./x .git/config
  xargs cp x .git/hooks < list
  ls .git/hooks | xargs -I{} cp x .git/hooks/{}
  echo .git/config | xargs cp x
  find .git -name config -exec cp x {} \;
  find . -name config -exec cp x {} \;
  find . -name 'conf*' -exec sed -i s/a/b/ {} +
  find .git/confi? -exec cp x {} \;
  find .git/con* sub -exec cp x {} +
  find toolgate.yam? -exec cp x {} \;
  find .g* -exec rm {} +
  cd .git; echo a > config
  cd .git && cp x hooks/y
  cd sub; cp x .git/hooks/y
  x=.git; echo a > $x/config
  for f in a .git/config; do cp x $f; done
  echo x > .git/hooks/pre-commit
  echo x >> toolgate.yaml
  cat x > sub/.git/config
  curl -o .git/hooks/pre-commit u
  wget -O toolgate.yaml u
  scp h:x .git/hooks/pre-commit
  docker cp c:/x .git/hooks
  docker run -v $PWD/.git:/g x
  tar xf x -C .git
  tar cf x .git
  zip -r x .git
  unzip x -d .git/hooks
  yq -i .a=1 toolgate.yaml
  sqlite3 .toolgate/toolgate.db 'delete from grants'
  vim .git/config
  git config core.pager x
  git config --add core.hooksPath x
  git config set core.editor x
  git config --edit
  git config --remove-section core
  git config include.path ../x
  git config filter.x.clean y
  git config diff.external x
  git config url.x.insteadOf y
  git config credential.helper x
  git -C sub config core.pager x
  git -c core.pager=x log
  git -c core.fsmonitor=x status
  git --git-dir=x log
  git --exec-path=x status
  git remote add o u
  git remote set-url origin u
  git init --template=x
  git clone --template=x u
  git clone -c core.hooksPath=x u
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=x git log
  GIT_CONFIG_GLOBAL=x git status
  GIT_DIR=x git status
  GIT_EXEC_PATH=x git status
  git -p config core.pager x
  git --bare config core.pager x
  git --attr-source=HEAD config core.pager x
  git --no-advice -C sub config core.pager x
  git --config-env=core.pager=X log
  git config --file .git/config a.b c
  git config -f.git/config a.b c
  git config "--fil" .git/config a.b c
  git-config core.pager x
  /usr/lib/git-core/git-config core.pager x
  /usr/lib/git-core/git-remote add o u
  git remote set-url --push origin u
  git remote set-url --add origin u
  git remote set-url --delete origin u
  git remote add -f -t main o u
  git submodule add u p
  git submodule init
  git submodule --quiet init
  git submodule update --init --recursive
  git submodule update --ini
  git submodule set-url p u
  git submodule sync --recursive
  git submodule deinit p
  git clone --conf core.pager=x u
  git clone --templ=x u
  git init --separate-git-dir=x
  git init --separate x
  git lfs install
  git-lfs install --local
  git flow init
  git maintenance start
  gh auth setup-git
  env GIT_CONFIG_GLOBAL=x git log
  env -i GIT_CONFIG_GLOBAL=x git log
  export GIT_CONFIG_GLOBAL=x; git log
  declare -x GIT_CONFIG_SYSTEM=x; git log
  set -a; GIT_CONFIG_GLOBAL=x; git log
  printf -v GIT_DIR x; export GIT_DIR; git log
  read GIT_DIR < a; git log
  for GIT_DIR in x; do git log; done
  export GIT_CONFIG_PARAMETERS="'core.pager=x'" && git log
  HOME=. git log
  HOME=$PWD git status
  XDG_CONFIG_HOME=. git log
  env HOME=. git log
  export HOME=.; git log
  GIT_INDEX_FILE=.git/config git add a
  GIT_OBJECT_DIRECTORY=.git/hooks git add a
  OUT=.git/hooks/pre-commit ./x
`);

/** A pattern, a search or the running shell decides where they write, and it may be such a place. */
const MAY_ASK = lines(String.raw`
  cp x .g*/h*/pre-commit
  cp x .g*/con*
  cp x .git/h*/y
  cp x sub/.g*/hooks/y
  cd .g* && cp x hooks/pre-commit
  cd "$D" && echo x > config
  cd "$D" && tee hooks/pre-commit < x
  cd "$D" && rm pre-push
  find . -name hooks -exec cp x {}/pre-commit \;
  find . -name hooks -exec touch {}/y \;
  find . -name 'hook*' -exec cp x {}/pre-commit \;
  find . -iname HOOKS -exec cp x {}/pre-commit \;
  find . -newer a -name hooks -exec cp x {}/pre-commit \;
  find . -name hooks -execdir ln -s /y {}/pre-commit \;
  find . -name hooks -exec sh -c 'cp x $1/pre-commit' _ {} \;
  find . -maxdepth 1 -name '.g*' -exec cp x {}/hooks/y \;
  find . -type d -exec cp x {}/pre-commit \;
  find . \( -name hooks -o -name info \) -exec cp x {} \;
  find . \( -name hooks -o -name info \) -exec cp x {}/y \;
  find . \( -name a -o -name toolgate.yaml \) -exec sed -i s/a/b/ {} +
  find . \( -name a -o -name toolgate.yaml \) -exec rm {} +
  find . -name hooks -o -name info -exec cp x {}/pre-commit \;
  find . -name 'pre-commit*' -exec cp x {} \;
  find . -name post-merge -exec sed -i s/a/b/ {} +
  find . -path '*hooks*' -exec cp x {} \;
  find . -path './.git/hooks/y' -exec cp x {} \;
  find . -regex '.*/hooks' -exec cp x {}/y \;
  find . -wholename '*/conf*' -exec cp x {} \;
  find . -path '*/toolgate.*' -exec cp x {} \;
  find . -ipath '*/.MCP*' -exec cp x {} \;
  find . -name hooks | xargs -I{} cp x {}/pre-commit
  find . -name hooks -print0 | xargs -0 -I% install x %/pre-push
  find . -name hooks | while read d; do cp x $d/pre-commit; done
  for d in $(find . -name hooks); do cp x $d/pre-commit; done
  fd -H hooks -x cp x {}/pre-commit
  cp pre-commit $D
  cp -t "$D" commit-msg
  cp -r hooks $D
  cp config $D/
  echo x > $D/config
  rm $D/config
  mv x "$D/config.worktree"
  install -m755 x $D/PRE-PUSH
  tee $D/./hooks/y < x
  cp x $D/modules/m/config
  mytool --out $D/post-checkout
  find . -name config -printf '%p\n' | xargs cp x
  find . -name HEAD -printf '%h/config\n' | xargs cp x
  find . -type d -printf '%p/pre-commit\0' | xargs -0 cp x
  find . -maxdepth 1 -name '.g*' -printf '%f/hooks\n' | xargs cp -r x
  find . -name 'toolgate*' -fprint list; xargs -a list cp x
  find . -name config -fprintf list '%p\n'; xargs -a list cp x
  find . -path '*hooks*' | xargs cp x
  find . -name config | while read -r f; do cp x "$f"; done
  find . -name config | while read -r f; do echo x > "$f"; done
  find . -name config | sort | head -1 | xargs cp x
  while read -r f; do cp x "$f"; done < <(find . -name toolgate.yaml)
  mapfile -t all < <(find . -name toolgate.yaml); cp x "$all"
  for f in $(find . -name config); do cp x $f; done
  f=$(find . -name config | head -1); cp x "$f"
  cp x $(find . -name config)
  cp x $(fd -H '^config$')
  fd -H hooks | while read -r d; do cp -r x "$d"; done
  for f in $(rg --files --hidden -g '.git/conf*'); do cp x $f; done
  for f in $(ls -d .g*); do cp -r hooks $f; done
  cp x $(git ls-files 'toolgate*')
  echo "$D/config" | xargs cp x
  printf '%s/pre-commit\n' $D | xargs cp x
  git rev-parse --git-path config | xargs cp x
  cp x "$(git rev-parse --git-path hooks/pre-commit)"
  git rev-parse --git-dir | xargs cp -r x
  cp -r x "$(git rev-parse --absolute-git-dir)"
  ./x .git/confi?
  ./x .git/confi[g]
  mytool .gi?/hooks/pre-commit
  node x.js toolgat*.yaml
  cd .git && ./x config
  cd .git/hooks && mytool pre-commit
  cd .git && mytool --fast conf*
  ./x .l/config
  mytool --out=.l/config
  cd .git && mytool --out=config
  mytool .l/hooks/pre-commit
  tar xf x -C "$D"
  tar -xf x --directory=$D
  tar xf x -C "$D/.git"
  bsdtar -xf x -C $D
  unzip x -d "$D"
  7z x a.7z -o$D
  cd "$D" && tar xf x
  cd .g*/ && tar xf ../x
  cd "$(git rev-parse --show-toplevel)" && unzip x
  patch -d "$D" -p1 < x
  cd "$D" && patch -p1 < x
  cp -r y/. "$D"
  cp -r y/* "$D"
  rsync -a y/ "$D"
  rm -rf "$(pwd)"
  rm -rf "$(git rev-parse --show-toplevel)"
  ls -A | xargs rm -rf
  ls -A | while read -r f; do rm -rf "$f"; done
  rm -rf $(ls -A)
  find . | xargs rm -rf
  find . -type f -print0 | xargs -0 rm
  fd -H | xargs rm
  fd -H -x rm
  find . -mindepth 1 -maxdepth 1 | xargs -I{} mv {} /tmp/x
`);

/** The same ways of writing, to what cannot be such a place or is not spelled like one. */
const MAY_NOT = lines(String.raw`
  cp x */hooks/y
  cp x src/con*
  cd "$D" && echo x > config.json
  cd "$D" && npm config get x
  cd "$D" && sed -i s/a/b/ hooks/useThis.ts
  cd "$D" && npx eslint --fix hooks/useThis.ts
  find . -name '*.ts' -exec sed -i s/a/b/ {} +
  find . -name '*.ts' -exec cp {} {}.bak \;
  find . -type d -exec touch {}/.gitkeep \;
  find . -type f -exec chmod 644 {} +
  find . \( -name '*.ts' -o -name '*.js' \) -exec sed -i s/a/b/ {} +
  find . -name 'pre*' -exec sed -i s/a/b/ {} +
  find . -path './src/*' -exec sed -i s/a/b/ {} +
  find . -type f -not -path './.git/*' -exec sed -i s/a/b/ {} +
  find . -path ./.git -prune -o -type f -exec sed -i s/a/b/ {} +
  find . -path '*/src/*.ts' ! -path '*/hooks/*' -exec sed -i s/a/b/ {} +
  find . -path '*hooks*' -exec cat {} +
  find . -name hooks -exec ls {} +
  find . -name '*.md' | xargs -I{} cp {} docs/{}
  cp x $D
  cp x $D/config.json
  cp x $D/hooks.md
  cp x $D/pre-commit.md
  cp config.json $D
  echo x > $D/update
  mytool --out $D/useThis
  find . -name '*.ts' -printf '%p\n' | xargs sed -i s/a/b/
  find src -name '*.js' -printf '%p %s\n' | xargs -n2 ./x
  find . -name '*.orig' | while read -r f; do mv "$f" old; done
  find . -name 'tsconfig*.json' | while read -r f; do sed -i s/a/b/ "$f"; done
  find . -name config | while read -r f; do echo "$f"; done
  find . -name config | head; cp x y
  for f in $(git ls-files '*.ts'); do npx eslint --fix "$f"; done
  git ls-files | xargs sed -i s/a/b/
  fd -e ts | xargs npx prettier --write
  rg -l foo -g '*.ts' | while read -r f; do sed -i s/foo/bar/ "$f"; done
  ls src | while read -r f; do cp "src/$f" "dist/$f"; done
  echo "$D/config.json" | xargs cp x
  rm -f "$(git rev-parse --git-dir)/index.lock"
  cp x "$(git rev-parse --git-path COMMIT_EDITMSG)"
  cp x "$(pwd)/y"
  cd "$(git rev-parse --show-toplevel)" && npm test
  ./x *.yaml
  ./x *
  ./x src/config
  mytool src/hooks/pre-commit
  npx eslint --fix src/hooks/*.ts
  cd .git && mytool HEAD
  tar xf x -C "$D/build"
  d=$(mktemp -d); tar xf x -C "$d"
  d=$(mktemp -d) && cd "$d" && tar xf x
  cd "$(mktemp -d)" && unzip x
  d=$(mktemp -d); cp -r src/. "$d"
  cd build-*/ && patch -p1 < x
  cd "$D/build" && patch -p1 < x
  tar cf "$D" src
  tar tf "$D"
  cp -r src "$D"
  rsync -a src "$D"
  ls dist | xargs rm
  find . -name '*.pyc' | xargs rm
  find . -type d -empty | xargs rmdir
  find . -newer a -type f | xargs rm
  find dist -type f | xargs rm
`);

/** They only look at such a place, speak of it, or are about something else. */
const SILENT = lines(`
  find src/*.ts -exec sed -i s/a/b/ {} +
  find sub/* -exec cp x {} +
  find logs? -exec rm {} +
  cat .git/config
  ls .git/hooks
  grep -rn hook .git
  cat toolgate.yaml
  find .git -name config -exec cat {} +
  git log -- toolgate.yaml
  git diff toolgate.yaml
  git config --get core.pager
  git config user.name me
  git config color.ui never
  git -c color.ui=never log
  git commit -m 'Say what .git/config and toolgate.yaml are for'
  git push
  git add src
  git branch -d x
  echo .git/config
  echo 'see .git/config' > notes.md
  cp a b
  cp .gitignore x
  cp .github/x y
  rm -rf build
  mv a.git b
  touch .gitkeep
  npm test
  GIT_EDITOR=true git rebase --continue
  GIT_AUTHOR_NAME=me git commit -m x
  git remote -v
  git remote get-url --push origin
  git remote show origin
  git submodule update
  git submodule update --recursive
  git submodule status
  git lfs track x
  git lfs pull
  git maintenance run
  git --no-pager log
  git -p log
  git init new
  git clone u
  git clone --no-checkout u
  git sparse-checkout set x
  gh pr list
  gh auth status
  git-lfs pull
  HOME=. npm test
  env HOME=. make
  export HOME=.; npm test
  DEST=.github ./x
`);

const project = () => {
  const dir = folder({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n",
    "sub/.git/HEAD": "ref: refs/heads/main\n",
    "sub/.git/config": "[core]\n",
    a: "a\n",
  });
  symlinkSync(".git", join(dir, ".l"));
  return dir;
};

describe("places that govern, in yolo and without a sandbox", () => {
  test("ask in whatever command names them", async () => {
    const { gate } = await bench({}, { dir: project(), mode: "yolo", sandbox: "off" });
    for (const command of [...ASKS, ...MAY_ASK]) {
      const { verdict, by } = await gate.explain({ name: "run_command", args: { command } });
      expect([command, verdict, by]).toEqual([command, "ask", "protection"]);
    }
  });

  test("ask where a call's own variables set git's configuration", async () => {
    const { gate } = await bench({}, { dir: project(), mode: "yolo", sandbox: "off" });
    const asked = async (env: Record<string, string>, command = "git log") => {
      const { verdict, by } = await gate.explain({ name: "run_command", args: { command, env } });
      return [verdict, by];
    };
    for (const env of [{ GIT_CONFIG_GLOBAL: "x" }, { GIT_CONFIG_COUNT: "1" }, { GIT_DIR: "x" }, { HOME: "." }])
      expect([env, await asked(env)]).toEqual([env, ["ask", "protection"]]);
    expect((await asked({ HOME: "." }, "npm test"))[0]).toBe("allow");
    expect((await asked({ GIT_AUTHOR_NAME: "me" }))[0]).toBe("allow");
  });

  test("do not ask where they are only looked at or spoken of", async () => {
    const { gate } = await bench({}, { dir: project(), mode: "yolo", sandbox: "off" });
    for (const command of [...SILENT, ...MAY_NOT]) {
      const { verdict, reason } = await gate.explain({ name: "run_command", args: { command } });
      expect([command, verdict, reason]).toEqual([command, "allow", reason]);
    }
  });
});
