import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { SystemPatch } from "../../core/contracts/workspace.ts";
import { trustedProgram } from "./process/trusted-program.ts";

const PATIENCE_MS = 10_000;
const MOST_OUTPUT = 1 << 16;
const [INPUT, DIFF, OUTPUT] = ["content", "diff", "patched"];

/** The format is passed explicitly: patch would run what looks like an ed script with ed. */
const OPTIONS = [
  "--binary",
  "--fuzz=0",
  "--force",
  "--get=0",
  "--no-backup-if-mismatch",
  "--reject-file=-",
  `--input=${DIFF}`,
  `--output=${OUTPUT}`,
];

/** Any further line reports an offset, fuzz or doubt. */
const CERTAIN = `patching file ${OUTPUT} (read from ${INPUT})`;

type Ended = { code: number | null; output: string };

/** Runs GNU patch in a temporary folder. Messages of another `patch` are not understood, which counts as a refusal. */
export function systemPatch(program: string | undefined = trustedProgram("patch")): SystemPatch | undefined {
  if (program === undefined) return undefined;
  return async (content, diff, format) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "toolgate-patch-"));
    try {
      await fs.writeFile(path.join(folder, INPUT), content, { flag: "wx", mode: 0o600 });
      await fs.writeFile(path.join(folder, DIFF), diff, { flag: "wx", mode: 0o600 });
      const { code, output } = await run(program, [`--${format}`, ...OPTIONS, "--", INPUT], folder);
      const said = output.trim();
      if (code !== 0 || said !== CERTAIN) return { refusal: tellingLines(said) || "it did not end normally" };
      return { content: new Uint8Array(await fs.readFile(path.join(folder, OUTPUT))) };
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  };
}

function tellingLines(said: string): string {
  const lines = said.split("\n").filter((line) => line !== "" && line !== CERTAIN);
  return lines.slice(0, 3).join("; ");
}

function run(program: string, args: readonly string[], folder: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TMPDIR: folder, HOME: folder },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    let stopped: string | undefined;
    const stop = (why: string) => {
      stopped ??= why;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    };
    const timer = setTimeout(() => stop("it took too long"), PATIENCE_MS);
    const keep = (piece: string) => {
      output += piece;
      if (output.length > MOST_OUTPUT) stop("it printed too much");
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const end = (code: number | null, why = stopped) => {
      clearTimeout(timer);
      resolve(why === undefined ? { code, output } : { code: null, output: why });
    };
    child.once("error", (error) => end(null, error.message));
    child.once("close", (code) => end(code));
  });
}
