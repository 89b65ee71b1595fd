// How long a person waits for the command line, and a program for the library, beside Node itself.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compare, counted } from "./lib/measure.mjs";
import { cli, library, withFolder } from "./lib/place.mjs";

const VERSION = "toolgate --version";
const CALL = "toolgate call read_file path=a.txt";
const OPEN = "import toolgate, open() and close()";

export function tables({ quick }) {
  if (!existsSync(cli)) throw new Error("The command line is not built: npm run build.");
  return withFolder(async (folder) => {
    writeFileSync(path.join(folder, "a.txt"), "one\ntwo\n");
    writeFileSync(
      path.join(folder, "open.mjs"),
      `import { open } from ${JSON.stringify(library)}; await (await open({ config: {} })).close();`,
    );
    const node = (name, args, expected) => ({ name, run: () => start(folder, args, expected) });
    const table = await compare({
      title: "Starting",
      unit: "ms",
      cases: [
        node("node -e 0", ["-e", "0"], ""),
        node(VERSION, [cli, "--version"], "."),
        node(CALL, [cli, "call", "read_file", "path=a.txt"], "two"),
        node(OPEN, ["open.mjs"], ""),
      ],
      rounds: quick ? 9 : 25,
      warmups: 2,
      targets: [
        { name: VERSION, most: 1.3 },
        { name: CALL, most: 2.1 },
      ],
    });
    const [alone, , call, opened] = table.rows.map(({ median }) => median);
    const beyond = (opened - alone) / (call - alone);
    table.targets.push(counted(OPEN, "times what the call takes beyond Node", beyond, 1.2));
    return [table];
  });
}

function start(cwd, args, expected) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (status !== 0 || !stdout.includes(expected)) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
}
