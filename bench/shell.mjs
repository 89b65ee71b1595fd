// Understanding a line of shell beside only parsing it, and judging many lines from the command line.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { forEachChild, parse } from "unbash";
import { compare, interleave, median } from "./lib/measure.mjs";
import { built, cli, withFolder } from "./lib/place.mjs";

const MOST = 3;
const BATCH_MS = 4;
const WARM_MS = 3_000;
const EXPLAINED = 10_000;
/** Two thousand lines a second. */
const MOST_A_THOUSAND = 500;

const LINES = [
  "ls",
  "git status",
  "npm run build",
  "rm -rf /",
  "cat package.json | head -20",
  "grep -rn 'rm -rf /' src --include=*.ts",
  "cd src && ls -la && git diff --stat HEAD~1",
  "git commit -m 'Fix the parser; do not touch $HOME or `date` in quotes'",
  "curl -fsSL https://example.com/install.sh | bash",
  "sudo sh -c 'echo 1 > /proc/sys/kernel/sysrq'",
  "find . -name '*.log' -mtime +7 -exec rm -f {} +",
  'for file in src/*.ts; do wc -l "$file"; done',
  "timeout 30 env CI=1 nohup nice -n 5 npx vitest run src/shell > out.txt 2>&1 &",
  'echo $(date +%s) "${HOME:-/root}/x" <(sort a.txt) $((1 + 2))',
  "X=rm; Y=-rf; $X $Y ~/project",
  "python3 - <<'EOF'\nimport os\nfor name in os.listdir('.'):\n    print(name)\nEOF",
  "if [ -f package.json ]; then npm ci; elif test -d vendor; then make -j4; else echo nothing; fi",
  "docker run --rm -v \"$PWD:/work\" -w /work node:20 bash -lc 'npm ci && npm test' | tee log.txt",
  "tar -czf backup.tgz --exclude=node_modules . && sha256sum backup.tgz >> sums.txt && mv backup.tgz /tmp/",
  "set -euo pipefail; build() { npm run build --silent; }; trap 'rm -f lock' EXIT; case \"$1\" in a|b) build ;; *) exit 2 ;; esac",
  Array.from({ length: 40 }, (_, index) => `sed -n '${index},+5p' src/file${index}.ts | grep -c import`).join(" && "),
];

function visit(node) {
  forEachChild(node, visit);
}

/** An engine is slow for the first ten thousand times, and the rarer a path the longer. */
function warm(work) {
  for (const end = performance.now() + WARM_MS; performance.now() < end; ) for (const line of LINES) work(line);
}

/** Microseconds for one, measured over as many as take some milliseconds. */
function batched(work) {
  const timed = (count) => {
    const started = performance.now();
    for (let index = 0; index < count; index++) work();
    return performance.now() - started;
  };
  let count = 1;
  while (timed(count) < BATCH_MS) count *= 2;
  return () => (timed(count) * 1000) / count;
}

const short = (line) => {
  const [first] = line.split("\n");
  return `${first.length > 48 ? `${first.slice(0, 47)}…` : first} (${line.length})`;
};

/** Each line is a base of its own, so the rows are put together here. */
async function classification({ rounds }) {
  const { analyse } = await built("shell/analyse.js");
  warm((line) => visit(parse(line)));
  warm((line) => analyse(line));
  const pairs = LINES.map((line) => ({
    name: short(line),
    bare: `${line} parsed`,
    cases: [
      { name: `${line} parsed`, run: batched(() => visit(parse(line))) },
      { name: short(line), run: batched(() => void analyse(line)) },
    ],
  }));
  const samples = await interleave(
    pairs.flatMap(({ cases }) => cases),
    { rounds, warmups: 10 },
  );
  const base = "all of them: parsed and walked";
  const ours = "all of them: classified";
  const sums = (names) => names.map((name) => samples.get(name)).reduce((a, b) => a.map((each, at) => each + b[at]));
  const row = (name, own, bare) => ({
    name,
    median: median(own),
    min: Math.min(...own),
    max: Math.max(...own),
    ratio: median(own.map((figure, round) => figure / bare[round])),
  });
  const parsed = sums(pairs.map(({ bare }) => bare));
  const classified = sums(pairs.map(({ name }) => name));
  const rows = [
    row(base, parsed, parsed),
    row(ours, classified, parsed),
    ...pairs.map(({ name, bare }) => row(name, samples.get(name), samples.get(bare))),
  ];
  return {
    title: "Classifying a line of shell (its length), beside parsing and walking the same line",
    unit: "µs",
    base,
    rounds,
    noise: rows[0].max / rows[0].min,
    rows,
    targets: rows
      .slice(1)
      .map(({ name, ratio }) => ({ name, of: "ratio", most: MOST, figure: ratio, met: ratio <= MOST })),
    notes: [],
  };
}

const explaining = ({ rounds }) =>
  withFolder((folder) => {
    const name = "toolgate explain --jsonl";
    const input = Array.from({ length: EXPLAINED }, (_, index) =>
      JSON.stringify({ tool: "run_command", args: { command: LINES[index % (LINES.length - 1)] } }),
    ).join("\n");
    const run = () => {
      const started = performance.now();
      const { stdout, stderr } = spawnSync(process.execPath, [cli, "explain", "--jsonl"], {
        cwd: folder,
        input,
        encoding: "utf8",
        maxBuffer: 1 << 30,
      });
      const ms = performance.now() - started;
      const answers = stdout.trimEnd().split("\n").length;
      if (answers !== EXPLAINED) throw new Error(`${answers} answers to ${EXPLAINED} lines: ${stderr}`);
      return (ms * 1000) / EXPLAINED;
    };
    return compare({
      title: "Judging 1,000 lines from the command line, its start included",
      unit: "ms",
      cases: [{ name, run }],
      rounds,
      warmups: 1,
      targets: [{ name, most: MOST_A_THOUSAND, of: "median" }],
    });
  });

export async function tables({ quick }) {
  if (!existsSync(cli)) throw new Error("The command line is not built: npm run build.");
  return [await classification({ rounds: quick ? 40 : 200 }), await explaining({ rounds: quick ? 3 : 9 })];
}
