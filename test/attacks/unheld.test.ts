import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Tool, z } from "../../src/index.ts";
import { EVERYDAY } from "../../src/shell/cases/everyday.ts";
import { EVERYDAY_MORE } from "../../src/shell/cases/everyday-more.ts";
import { FRICTION } from "../../src/shell/cases/friction.ts";
import { FRICTION_INSPECTING } from "../../src/shell/cases/friction-inspecting.ts";
import { FRICTION_PROGRAMS } from "../../src/shell/cases/friction-programs.ts";
import { FRICTION_WORDS } from "../../src/shell/cases/friction-words.ts";
import { READINGS } from "../../src/shell/cases/reading.ts";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";
import { picture, trapped } from "./trapped.ts";

const PLAIN = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";

/** A tool that runs a line with a writable workspace, whatever its class. */
const unheld = Tool.define("unheld", {
  description: "Runs a command that may write to the workspace, as one would that was taken for harmful.",
  permissions: { required: ["execute"] },
  input: z.object({ command: z.string() }),
  touches: ({ command }) => [{ action: "run", command, class: "dangerous" }],
  timeLimit: () => 120_000,
  async execute({ command }, { commands }) {
    const running = await commands.start({ command, cwd: "." });
    await running.exited;
    return { title: "ran", output: running.captured().stdout.text };
  },
});

const tables = { ...READINGS, ...FRICTION, ...FRICTION_WORDS, ...FRICTION_PROGRAMS, ...FRICTION_INSPECTING };
const ALL = [...EVERYDAY, ...EVERYDAY_MORE, ...Object.values(tables).flatMap(({ safe }) => safe)];
/** They wait for what never comes, look at the whole machine, or check a build, which makes its folder. */
const LEFT_OUT =
  /\btail -[fF]|--follow\b|\bsleep\b|\bwait\b|\bcargo\b|(?:find|du|ls -\w*R\w*|tree|rg|grep -\w*r\w* \S+) \/(?:\s|$)/;

const quoted = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`;

describe("lines that are called safe", needs("bubblewrap"), () => {
  test("change nothing where they could", async () => {
    const { base, dir } = trapped();
    // what a repository makes git run is told by its configuration, and held elsewhere
    writeFileSync(path.join(dir, ".git/config"), PLAIN);
    rmSync(path.join(dir, ".gitattributes"));
    const { call } = await bench(
      {},
      { dir, mode: "yolo", tools: [unheld], config: { commands: { default_timeout: 120 } } },
    );
    const lines = [...new Set(ALL)].filter((line) => !LEFT_OUT.test(line));
    expect(lines.length).toBeGreaterThan(250);
    const run = (each: readonly string[]): string =>
      [
        "export GIT_OPTIONAL_LOCKS=0",
        ...each.map((line) => `timeout 1 bash -c ${quoted(line)} < /dev/null > /dev/null 2>&1`),
        "echo END",
      ].join("\n");
    const before = picture(base);
    for (let at = 0; at < lines.length; at += 250) {
      const some = lines.slice(at, at + 250);
      expect((await call("unheld", { command: run(some) })).output).toMatch(/END/);
      expect(picture(base), some.join("\n")).toEqual(before);
    }
    expect((await call("unheld", { command: "touch x" })).status).toBe("done");
    expect(picture(base)).not.toEqual(before);
  }, 120_000);
});
