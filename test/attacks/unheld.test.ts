import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { EVERYDAY } from "../../src/shell/cases/everyday.ts";
import { EVERYDAY_MORE } from "../../src/shell/cases/everyday-more.ts";
import { FRICTION } from "../../src/shell/cases/friction.ts";
import { FRICTION_INSPECTING } from "../../src/shell/cases/friction-inspecting.ts";
import { FRICTION_PROGRAMS } from "../../src/shell/cases/friction-programs.ts";
import { FRICTION_WORDS } from "../../src/shell/cases/friction-words.ts";
import { READINGS } from "../../src/shell/cases/reading.ts";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";
import { eachAlone, picture, trapped, unheld } from "./trapped.ts";

const PLAIN = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";

const tables = { ...READINGS, ...FRICTION, ...FRICTION_WORDS, ...FRICTION_PROGRAMS, ...FRICTION_INSPECTING };
const ALL = [...EVERYDAY, ...EVERYDAY_MORE, ...Object.values(tables).flatMap(({ safe }) => safe)];
/** They wait for what never comes, look at the whole machine, or check a build, which makes its folder. */
const LEFT_OUT =
  /\btail -[fF]|--follow\b|\bsleep\b|\bwait\b|\bcargo\b|(?:find|du|ls -\w*R\w*|tree|rg|grep -\w*r\w* \S+) \/(?:\s|$)/;

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
    const before = picture(base);
    for (let at = 0; at < lines.length; at += 250) {
      const some = lines.slice(at, at + 250);
      expect((await call("unheld", { command: eachAlone(some) })).output).toMatch(/END/);
      expect(picture(base), some.join("\n")).toEqual(before);
    }
    expect((await call("unheld", { command: "touch x" })).status).toBe("done");
    expect(picture(base)).not.toEqual(before);
  }, 120_000);
});
