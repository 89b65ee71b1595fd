import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Gate } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";
import { dressed, safeCommands } from "./generated-lines.ts";
import { alone, eachAlone, MODES, picture, trapped, unheld, wronglySafe } from "./trapped.ts";

const SEED = 11;
const TRIES = 12;
/** How many lines of each safe class are looked for: more of them find more, and take longer. */
const ROUNDS = Number(process.env.TOOLGATE_GENERATED_LINES ?? 1);
const COMMANDS = safeCommands();
const OTHERS = fc.oneof(...COMMANDS.map(([, line]) => line));

/** Lines of some of the classes that the gate judges safe and asks nobody about. */
async function judgedSafe(gate: Gate, takes: (index: number) => boolean): Promise<string[]> {
  const kept: string[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, command]] of COMMANDS.entries()) {
      if (!takes(index)) continue;
      const tries = fc.sample(dressed(command, OTHERS), { seed: SEED + index + round * 10_000, numRuns: TRIES });
      for (const line of tries) {
        const { class: kind, verdict } = await gate.explain({ name: "run_command", args: { command: line } });
        if (kind !== "safe" || verdict !== "allow") continue;
        kept.push(line);
        break;
      }
    }
  return kept;
}

/** A trap that runs where nothing can be written says so, unless its output is thrown away. */
const SPRUNG = /TRAPPED.*Read-only file system|EROFS|cannot be preloaded/;

describe("a generated line that is judged safe", needs("bubblewrap"), () => {
  test.each(MODES)(
    "runs among traps and springs none: %s",
    async (name, options) => {
      const { base, dir } = trapped();
      const { call, gate } = await bench({}, { dir, ...options, tools: [wronglySafe] });
      const turn = MODES.findIndex(([mode]) => mode === name);
      const lines = await judgedSafe(gate, (index) => index % MODES.length === turn);
      expect(lines.length).toBeGreaterThan(40 * ROUNDS);
      const before = picture(base);
      for (const command of lines) {
        const { status, output, metadata } = await call("run_command", { command, timeout: 30 });
        expect([command, status]).toEqual([command, expect.stringMatching(/^(?:done|failed)$/)]);
        expect([command, metadata]).toEqual([
          command,
          expect.objectContaining({ workspace: "read-only", undo: "full" }),
        ]);
        // what the repository has git run is held by the sandbox like git itself
        if (!/\bgit\b/.test(command)) expect([command, output]).toEqual([command, expect.not.stringMatching(SPRUNG)]);
      }
      expect(picture(base)).toEqual(before);
      expect((await call("wrongly_safe", { command: "./ls < /dev/null" })).output).toMatch(SPRUNG);
    },
    120_000,
  );

  test("changes nothing where it could, with no sandbox to judge it milder", async () => {
    const { base, dir } = trapped();
    const { gate } = await bench({}, { dir, mode: "confirm-sensitive", sandbox: "off" });
    const lines = await judgedSafe(gate, () => true);
    expect(lines.length).toBeGreaterThan(120 * ROUNDS);
    const { call } = await bench({}, { dir, mode: "yolo", tools: [unheld] });
    const before = picture(base);
    for (let at = 0; at < lines.length; at += 250) {
      const some = lines.slice(at, at + 250);
      expect((await call("unheld", { command: eachAlone(some) })).output).toMatch(/^END$/m);
      expect(picture(base), some.join("\n")).toEqual(before);
    }
  }, 120_000);
});

/** What springs the traps: were such a line judged safe, it would be seen. */
const SPRINGING = [
  "./ls",
  "PATH=.:$PATH ls",
  "env PATH=.:$PATH git log",
  "for PATH in .; do ls; done",
  "git diff",
  "git log -p --ext-diff",
  "git show --textconv",
  "GIT_EXTERNAL_DIFF=./trap git diff",
  "git status",
  "git st",
  "git -c user.name=n -c user.email=e@example.com commit -qam x",
  "HOME=. git ll",
  "BASH_ENV=./.bashrc bash -c :",
  ". ./.envrc",
  "npm run ls",
  "make",
  "NODE_OPTIONS=--require=./trap.cjs node -e 0",
  "PYTHONPATH=. python3 -c 0",
  "awk 'BEGIN { system(\"./trap\") }'",
  "sed '1e ./trap' a",
];

test("the traps spring, and a change is seen", needs("bubblewrap"), async () => {
  const { base, dir } = trapped();
  const { call } = await bench({}, { dir, mode: "yolo", tools: [unheld] });
  const before = picture(base);
  const tries = SPRINGING.map(
    (line, index) => `${alone(line, 20)}; ls | grep -q ^TRAPPED && echo "sprung ${index}"; rm -f TRAPPED*`,
  );
  const { output } = await call("unheld", { command: tries.join("\n") });
  expect(SPRINGING.filter((_, index) => !output.split("\n").includes(`sprung ${index}`))).toEqual([]);
  expect(picture(base)).not.toEqual(before);
});
