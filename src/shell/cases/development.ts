import { lines } from "./lines.ts";

export const DEV: readonly string[] = lines(`
  pytest
  pytest -x
  pytest -xvs tests
  pytest tests/test_a.py::test_b -v
  pytest -k 'a and not b' --tb=short
  pytest --cov=src --cov-report=term
  pytest --cov-report=html:coverage
  sbt compile
  sbt test 'testOnly a.b.C'
  sbt core/test
  dotnet test src/a.csproj
  kubectl get pods
  kubectl get pod/secretary
  cargo build --target wasm32-unknown-unknown
  deno test src
  tox -e py312
  pytest -n 4 -q
  pytest tests/test_*.py
  python -m pytest
  python3 -m pytest -q tests
  python -m unittest discover -s tests
  python -m mypy src
  python -m black --check .
  node --test
  node --test test src/a.test.js
  node --test --watch --test-reporter=spec --test-name-pattern='a b' test
  node --import tsx --test 'test/*.test.ts'
  node -r dotenv/config --test
  node --check src/a.js
  node -c src/a.js
  node --run test
  nodejs --test
  tsx --test src/a.test.ts
  timeout 60 node --test
  ruby -wc lib/a.rb
  perl -Ilib -c lib/a.pl
  php -l src/a.php
  bash -n scripts/a.sh
  sh -n a.sh
  python3 -m py_compile a.py
  python3 -m compileall -q src
  python3 -m doctest a.py
  mypy .
  mypy --strict src
  ruff check .
  ruff check --fix src
  ruff format --check .
  black .
  black --check --diff src
  isort --check .
  flake8 src
  pylint src
  pyright
  eslint .
  eslint src --ext .ts,.tsx --fix
  eslint --max-warnings=0 src
  prettier --check .
  prettier --write src
  tsc
  tsc --noEmit
  tsc -p tsconfig.json
  tsc -b
  jest
  jest --coverage src
  jest -t 'a b'
  vitest run
  vitest run src/a.test.ts
  mocha --timeout 5000
  biome check .
  biome check --write src
  make
  make test
  make -j4
  make -j 4 build
  make -C sub test
  make clean all
  make test V=1
  ninja -C out
  cmake --build build
  cargo build
  cargo build --release
  cargo test
  cargo test --workspace -- --nocapture
  cargo clippy -- -D warnings
  cargo fmt --check
  cargo run
  cargo doc --no-deps
  go version
  cargo --version
  rustc --version
  go build
  go build ./...
  go test ./...
  go test -v -run TestX ./pkg
  go vet ./...
  go fmt ./...
  gofmt -l .
  mvn test
  mvn clean install
  mvn -q -DskipTests package
  gradle build
  gradle test --tests 'a.*'
  gradle build -x test
  npm test
  npm t
  npm run build
  npm run test -- --watch
  npm run build --silent
  npm run lint --workspace=a
  npm start
  pnpm run build
  pnpm test
  yarn run build
  yarn test
  yarn build
  bun test
  bun run build
  npx tsc --noEmit
  npx eslint .
  npx vitest run
  npx prettier --check .
  docker ps
  docker ps -a
  docker images
  docker logs x
  docker logs --tail 50 x
  docker inspect x
  docker compose ps
  kubectl get pods
  kubectl get pods -n x -o wide
  kubectl get all -A
  kubectl describe pod x
  kubectl logs x --tail=50
  tox
  rspec
  rubocop
  phpunit
  dotnet build
  dotnet test
  poetry run pytest
  poetry run ls
  uv run pytest -q
  bundle exec rspec
  pre-commit run --all-files
  cd sub && npm test
  npm test 2>&1 | tail -20
  npm run build && npm test
  make test 2>/dev/null
  cargo build 2>&1 | grep error
  timeout 60 pytest
  time make
  pytest || echo failed
  ls && make
  cargo test | head
  pnpm -r build
  pnpm --filter foo test
  webpack
  vite build
  next build
  turbo run build
  nx test foo
  npx vite build
  flutter test
  terraform validate
  terraform fmt -check
  helm lint chart
`);
