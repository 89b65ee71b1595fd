// node bench/run.mjs [name…] [--quick] [--json]
import { parseArgs } from "node:util";
import { machine, machineText, textOf } from "./lib/report.mjs";

const COMPARISONS = [
  "calls",
  "edits",
  "startup",
  "pages",
  "diffs",
  "search",
  "shell",
  "commands",
  "syntax",
  "rules",
  "together",
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});
const unknown = positionals.filter((name) => !COMPARISONS.includes(name));
if (unknown.length > 0) {
  console.error(`There is no comparison ${unknown.join(", ")}; there are ${COMPARISONS.join(", ")}.`);
  process.exit(2);
}

const report = { machine: machine(), tables: [] };
if (!values.json) console.log(machineText(report.machine));
for (const name of positionals.length > 0 ? positionals : COMPARISONS) {
  const { tables } = await import(`./${name}.mjs`);
  for (const table of await tables({ quick: values.quick })) {
    report.tables.push({ comparison: name, ...table });
    if (!values.json) console.log(textOf(table));
  }
}
const missed = report.tables.flatMap(({ targets }) => targets.filter(({ met }) => !met));
if (values.json) console.log(JSON.stringify(report, null, 2));
else console.log(missed.length === 0 ? "All targets are met." : `${missed.length} targets are not met.`);
process.exitCode = missed.length === 0 ? 0 : 1;
