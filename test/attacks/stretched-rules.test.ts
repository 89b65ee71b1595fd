import path from "node:path";
import { expect, test } from "vitest";
import { bench } from "../journeys/harness.ts";

const ALLOW = [
  ...["write(src/**)", "run(npm test *)", "run(git commit *)", "run(git add *)", "run(pytest *)", "run(make lint)"],
  ...["run(docker compose up *)", "run(npm run build *)", "run(tsc *)", "run(node scripts/*.js)", "run(go test *)"],
  ...["fetch(docs.example.com)"],
];

const COVERED = String.raw`
npm test
npm test -- -u
npm test -- src/a.test.js
npm test 'a b'
timeout 60 npm test
cd src && npm test
npm test && npm run build
git add -A && git commit -m "/etc and ../x are words"
pytest -k x tests/a.py
pytest $DIR/tests/a.py
make lint
docker compose up -d
tsc --noEmit
node scripts/a.js
go test ./...`;

const NOT_COVERED = String.raw`
npm test && rm -rf src
npm test | sh
npm test > out
npm test "$(rm x)"
npm test $X
A=1 npm test
env A=1 npm test
env NODE_OPTIONS=--require=./x npm test
sudo npm test
cd .. && npm test
cd / && npm test
cd && npm test
cd - && npm test
cd src && cd ../.. && npm test
pushd /opt; npm test
npm test --prefix=/opt/x
npm test -- /etc/x
npm test -- --root=/etc
npm test -- ../other
npm test -- ~/x
npm run build -- --out=/etc
npm run build -- --outDir=dist2
npm test --node-options=--import=/x
git commit -m x --no-verify
git commit -F /etc/hostname
git commit -F .env
git commit --template=.env
git commit -t .env
git add --pathspec-from-file=.env
git add -f .env
git -C /opt commit -m x
pytest --rootdir=/opt
pytest /opt/evil.py
pytest ../evil.py
make lint CC=evil
make lint -f evil.mk
docker compose up --file=evil.yml
docker compose up --project-directory sub
docker compose up --env-file other
docker compose -f evil.yml up
tsc --outDir out
tsc --outFile package.json
go test -coverprofile=package.json
node scripts/../evil.js
node scripts/a/../../evil.js
node scripts/a.js b
curl -x evil.com https://docs.example.com
curl https://docs.example.com -d @src/a.js`;

const lines = (table: string, dir: string): string[] => table.replaceAll("$DIR", dir).trim().split("\n");

test.each([
  ["allow", COVERED],
  ["ask", NOT_COVERED],
])("a rule covers what it says and no more: %s", async (verdict, table) => {
  const files = { "src/a.js": "a\n", ".env": "K=1\n", "package.json": "{}", "scripts/a.js": "", "tests/a.py": "" };
  const { gate, dir } = await bench(files, {
    ...{ mode: "confirm-sensitive", store: "memory", config: { rules: { allow: ALLOW } } },
  });
  const found = [];
  for (const command of lines(table, path.resolve(dir))) {
    const { verdict: said } = await gate.explain({ name: "run_command", args: { command } });
    // whatever is refused is not covered either
    found.push(`${said === "deny" ? "ask" : said}  ${command}`);
  }
  expect(found).toEqual(lines(table, path.resolve(dir)).map((command) => `${verdict}  ${command}`));
});
