import { spawn } from "node:child_process";
import type { Bytes } from "../../../core/contracts/workspace.ts";
import { trustedProgram } from "../process/trusted-program.ts";
import type { Repository } from "./git-index.ts";

/** Only the repository's own configuration, no hooks, and nothing that would be fetched. */
export const GIT_ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};
export const GIT_SETTINGS = ["core.fsmonitor=", "core.hooksPath=/dev/null", "protocol.allow=never"];
const PATIENCE_MS = 5_000;
const MOST_OUTPUT = 256 << 20;
/** Attributes with which a file differs from its object. */
const CONVERTING = ["filter", "ident", "working-tree-encoding"];

/** The contents of these files by object id. Files that git would convert on checkout are left out. */
export async function objectsOf(
  { tree, folder }: Repository,
  wanted: ReadonlyMap<string, string>,
): Promise<Map<string, Bytes>> {
  const found = new Map<string, Bytes>();
  const git = trustedProgram("git");
  if (!git) return found;
  const options = [...GIT_SETTINGS.flatMap((each) => ["-c", each]), `--git-dir=${folder}`, `--work-tree=${tree}`];
  const run = (args: readonly string[], input: string) => answerOf(git, [...options, ...args], tree, input);
  try {
    const files = [...wanted.keys()];
    const names = files.map((file) => `${file.slice(tree.length + 1)}\0`).join("");
    const converted = convertedOf(await run(["check-attr", "--stdin", "-z", ...CONVERTING], names));
    const plain = files.filter((file) => !converted.has(file.slice(tree.length + 1)));
    const ids = plain.map((file) => wanted.get(file) as string);
    const objects = blobsOf(await run(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join("")));
    for (const [index, file] of plain.entries()) {
      const bytes = objects.get(ids[index] as string);
      if (bytes) found.set(file, bytes);
    }
  } catch {
    // what git cannot answer stays unknown
  }
  return found;
}

/** Parses triples of path, attribute and value. */
function convertedOf(answer: Buffer): Set<string> {
  const converted = new Set<string>();
  const parts = answer.toString("utf8").split("\0");
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (parts[at + 2] !== "unspecified" && parts[at + 2] !== "unset") converted.add(parts[at] as string);
  return converted;
}

/** Parses the output of `cat-file --batch`: a line with id, kind and length each, then that many bytes. */
function blobsOf(answer: Buffer): Map<string, Bytes> {
  const blobs = new Map<string, Bytes>();
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(10, at);
    if (end === -1) break;
    const [id = "", kind, size] = answer.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === undefined) continue;
    if (kind === "blob") blobs.set(id, new Uint8Array(answer.subarray(at, at + Number(size))));
    at += Number(size) + 1;
  }
  return blobs;
}

function answerOf(program: string, args: readonly string[], cwd: string, input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: GIT_ENVIRONMENT,
      stdio: ["pipe", "pipe", "ignore"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MOST_OUTPUT) child.kill("SIGKILL");
      else pieces.push(piece);
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(Buffer.concat(pieces)) : reject(new Error(`git: ${code}`))));
    // it may end before it has read everything
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
