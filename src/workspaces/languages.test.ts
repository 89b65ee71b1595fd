import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codePrograms } from "./languages.ts";

const ECHO = "#!/bin/sh\necho\n";
const node = (features: string) => `#!/bin/sh\n[ "$1 $2" = "-p process.features.typescript" ] && echo ${features}\n`;
const off = { passEnv: [], sandbox: "off", network: false } as const;

/** A folder on the PATH, alone, that holds these programs. */
function onPath(programs: Record<string, string>, mode = 0o755): string {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-lang-")));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true });
  });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(dir, name), text);
    chmodSync(path.join(dir, name), mode);
  }
  vi.stubEnv("PATH", dir);
  return dir;
}

describe("what runs code here", () => {
  const TS = "node --input-type=module-typescript -e";
  test.each([
    ["nothing", {}, {}],
    ["python", { python3: ECHO }, { python: "python3 -c" }],
    ["python of another name", { python: ECHO }, {}],
    ["a node that strips types", { node: node("strip") }, { javascript: "node -e", typescript: TS }],
    ["a node that transforms", { node: node("transform") }, { javascript: "node -e", typescript: TS }],
    ["a node that does neither", { node: node("false") }, { javascript: "node -e" }],
    ["a node that says more", { node: node("stripped") }, { javascript: "node -e" }],
    ["a node that says nothing", { node: "#!/bin/sh\nexit 1\n" }, { javascript: "node -e" }],
    ["the first of several", { deno: ECHO, bun: ECHO, tsx: ECHO }, { typescript: "tsx --input-type=module -e" }],
  ])("%s", (_, programs, expected) => {
    onPath(programs as Record<string, string>);
    expect(codePrograms(["/ws"], off)).toEqual(expected);
  });

  test("what cannot be run, or is a folder, is none", () => {
    onPath({ bun: ECHO }, 0o644);
    expect(codePrograms(["/ws"], off)).toEqual({});
    const dir = onPath({});
    mkdirSync(path.join(dir, "bun"));
    expect(codePrograms(["/ws"], off)).toEqual({});
  });

  test("this very node answers for itself, by any name", () => {
    const dir = onPath({});
    symlinkSync(process.execPath, path.join(dir, "node"));
    const strips = Boolean((process.features as { typescript?: unknown }).typescript);
    expect(codePrograms(["/ws"], off).typescript !== undefined).toBe(strips);
  });

  test("is looked for once for the same surroundings, and anew for others", () => {
    const dir = onPath({ bun: ECHO });
    expect(codePrograms(["/ws"], off)).toEqual({ typescript: "bun -e" });
    rmSync(path.join(dir, "bun"));
    expect(codePrograms(["/ws"], off)).toEqual({ typescript: "bun -e" });
    expect(codePrograms(["/other"], off)).toEqual({});
    writeFileSync(path.join(dir, "bun"), ECHO, { mode: 0o755 });
    for (const sandbox of ["auto", "required"] as const)
      expect(codePrograms(["/ws"], { ...off, sandbox }), "a sandbox hides the temporary folder").toEqual({});
  });

  test("in a sandbox: what the system has and what a root holds, not what a link leads to that is hidden", () => {
    const dir = onPath({ bun: ECHO });
    const bin = path.join(dir, "bin");
    mkdirSync(bin);
    symlinkSync("../bun", path.join(bin, "deno"));
    symlinkSync("/usr/bin/env", path.join(bin, "tsx"));
    const inside = { passEnv: ["PATH"], sandbox: "required", network: false } as const;
    expect(codePrograms([dir], inside), "inside the root").toEqual({ typescript: "bun -e" });
    vi.stubEnv("PATH", bin);
    expect(codePrograms([bin], inside), "deno leads out of the root, tsx to the system").toEqual({
      typescript: "tsx --input-type=module -e",
    });
  });
});
