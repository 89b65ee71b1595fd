import { createInterface } from "node:readline";
import type { Launch } from "../../src/core/contracts/process.ts";
import { localProcesses, type ProcessOptions } from "../../src/workspaces/processes.ts";

/** Runs commands for the tests as another person, or in a host that ends: `node process-driver.mjs OPTIONS`, a JSON line a command. */
const options = JSON.parse(process.argv[2] ?? "{}") as ProcessOptions;
const processes = localProcesses(options);
// one that was closed takes nothing of the others along
void localProcesses(options).close();
const root = options.roots[0] as string;

const answer = async (id: number, launch: Omit<Launch, "cwd">): Promise<unknown> => {
  try {
    const started = await processes.start({ ...launch, cwd: { shown: ".", real: root, root, exists: true } });
    process.stdout.write(`${JSON.stringify({ begun: id })}\n`);
    const exit = await started.exited;
    const { stdout, stderr } = started.captured();
    return { id, ...exit, stdout: stdout.text, stderr: stderr.text, enforcement: started.enforcement };
  } catch (error) {
    return { id, code: null, stdout: "", stderr: "", error: error instanceof Error ? error.message : String(error) };
  }
};

const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { id, end, forget, ...launch } = JSON.parse(line) as Launch & {
    id: number;
    end?: "exit" | "throw";
    forget?: string;
  };
  if (forget !== undefined) return processes.forget?.(forget);
  if (end === "exit") process.exit(0);
  if (end === "throw") throw new Error("the host fails");
  process.stdout.write(`${JSON.stringify(await answer(id, launch))}\n`);
});
lines.on("close", () => processes.close());
