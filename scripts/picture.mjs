// Draws docs/session.svg from a real session: an agent with a scripted model fixes examples/failing-test in a terminal.
// `npm run build` first; --print writes to standard output instead.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const COMMANDS = [
  'toolgate run "fix the failing test" --model script:session.jsonl --mode yolo',
  "toolgate undo --yes",
];
const [WIDTH, SIZE, LEADING, LEFT, TOP] = [8.4, 14, 20, 20, 48];
const INK = "#d7dae0";
const COLOURS = { 31: "#f07178", 32: "#a6d189", 33: "#e5c890", 34: "#8caaee", 35: "#ca9ee6", 36: "#81c8be" };

/** What the command prints to a terminal. */
function played(command, dir, env) {
  const args = ["-qec", command, "/dev/null"];
  return execFileSync("script", args, { cwd: dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** Pieces of one line, each with the style that the terminal was told. */
function pieces(line) {
  let style = {};
  return line.split(/(\x1b\[[\d;]*m)/).flatMap((part) => {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) return part === "" ? [] : [{ text: part, ...style }];
    for (const code of codes.split(";").map(Number)) {
      if (code === 0) style = {};
      else if (code === 1) style = { ...style, bold: true };
      else if (code === 2) style = { ...style, dim: true };
      else if (code === 22) style = { ...style, bold: false, dim: false };
      else if (code === 39) style = { ...style, colour: undefined };
      else if (COLOURS[code]) style = { ...style, colour: COLOURS[code] };
    }
    return [];
  });
}

/** Spaces that no viewer may drop. */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00a0");

function span({ text, bold, dim, colour }) {
  const style = `${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}${colour ? ` fill="${colour}"` : ""}`;
  return style ? `<tspan${style}>${escaped(text)}</tspan>` : escaped(text);
}

function drawn(lines) {
  const columns = Math.max(...lines.map((line) => pieces(line).reduce((sum, { text }) => sum + text.length, 0)));
  const [width, height] = [Math.ceil(columns * WIDTH + 2 * LEFT), TOP + lines.length * LEADING + 8];
  const rows = lines.map((line, index) =>
    line === "" ? "" : `<text x="${LEFT}" y="${TOP + index * LEADING}">${pieces(line).map(span).join("")}</text>\n`,
  );
  const dots = ["#f07178", "#e5c890", "#a6d189"].map(
    (fill, at) => `<circle cx="${22 + at * 18}" cy="18" r="5" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A session in a terminal: an agent fixes a failing test, and its last turn is undone">
<rect width="100%" height="100%" rx="8" fill="#232634"/>
${dots.join("")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${SIZE}" fill="${INK}">
${rows.join("")}</g>
</svg>
`;
}

const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-picture-")));
try {
  const [dir, bin, home] = ["cart", "bin", "home"].map((name) => join(base, name));
  for (const folder of [bin, home]) mkdirSync(folder);
  cpSync("examples/failing-test", dir, { recursive: true });
  writeFileSync(
    join(bin, "toolgate"),
    `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/toolgate.js")}" "$@"\n`,
  );
  chmodSync(join(bin, "toolgate"), 0o755);
  const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${bin}:${process.env.PATH}`, HOME: home, XDG_CONFIG_HOME: home, TERM: "xterm" };
  // a person has looked at the example's configuration
  played("toolgate config trust --yes", dir, env);
  const lines = COMMANDS.flatMap((command) => [
    `\x1b[1m$ ${command}\x1b[22m`,
    ...played(command, dir, env).replaceAll("\r", "").trimEnd().split("\n"),
    "",
  ]);
  const picture = drawn(lines.slice(0, -1));
  if (process.argv.includes("--print")) process.stdout.write(picture);
  else writeFileSync("docs/session.svg", picture);
} finally {
  rmSync(base, { recursive: true, force: true });
}
