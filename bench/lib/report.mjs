import os from "node:os";

const digits = (figure) =>
  figure >= 100
    ? figure.toFixed(0)
    : figure >= 10
      ? figure.toFixed(1)
      : figure >= 0.1
        ? figure.toFixed(2)
        : figure.toPrecision(2);

const unitOf = (of, unit) => (of === "ratio" ? "×" : of === "median" || of === "min" ? ` ${unit}` : ` ${of}`);

function rowsOf({ unit, rows, base }) {
  const head = ["", `median ${unit}`, "min–max", "ratio"];
  const body = rows.map(({ name, median, min, max, ratio }) => [
    name,
    digits(median),
    `${digits(min)}–${digits(max)}`,
    name === base ? "1" : `${digits(ratio)}×`,
  ]);
  return [head, ...body];
}

function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join("  "),
  );
}

const verdict = ({ name, of, most, figure, met }, unit) => {
  const shown = unitOf(of, unit);
  return `${met ? "met    " : "NOT MET"}  ${name}: ${digits(figure)}${shown}, at most ${most}${shown}`;
};

export function textOf(table) {
  const { title, unit, rounds, noise, targets, notes } = table;
  const lines = [`## ${title}`, ""];
  if (table.rows.length > 0)
    lines.push(
      ...aligned(rowsOf(table)),
      "",
      `${rounds} rounds; the base differed from itself by ${digits(noise)}×${noise > 1.5 ? " (noisy: trust the ratios only)" : ""}`,
    );
  lines.push(...targets.map((target) => verdict(target, unit)), ...notes);
  return `${lines.join("\n")}\n`;
}

export const machine = () => ({
  node: process.version,
  cores: os.cpus().length,
  processor: os.cpus()[0]?.model ?? "unknown",
  load: os.loadavg()[0],
});

export const machineText = ({ node, cores, processor, load }) =>
  `Node ${node}, ${cores} cores (${processor}), load ${load.toFixed(1)}. Cases are interleaved; a ratio is the median over the rounds.\n`;
