import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A command by which a project tests, builds or checks itself, and the file that says so. */
export type ProjectCommand = { readonly command: string; readonly from: string };

/** Scripts that check or build and change nothing else. */
const SCRIPTS: ReadonlySet<string> = new Set(
  "test build lint typecheck type-check check format fmt compile unit e2e coverage tsc vet".split(" "),
);
const MOST_SCRIPTS = 12;

type Look = (read: (file: string) => Promise<string | undefined>) => Promise<ProjectCommand[]>;

const looks: readonly Look[] = [
  async (read) => {
    const text = await read("package.json");
    if (text === undefined) return [];
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    const runner = (await read("pnpm-lock.yaml"))
      ? "pnpm"
      : (await read("yarn.lock"))
        ? "yarn"
        : (await read("bun.lock"))
          ? "bun"
          : "npm";
    return Object.keys(scripts ?? {})
      .filter((name) => /^[\w:.-]+$/.test(name) && SCRIPTS.has(name.split(":")[0] as string))
      .slice(0, MOST_SCRIPTS)
      .map((name) => ({ command: name === "test" ? `${runner} test` : `${runner} run ${name}`, from: "package.json" }));
  },
  async (read) =>
    (await read("Cargo.toml")) === undefined
      ? []
      : ["cargo build", "cargo test", "cargo check", "cargo clippy"].map((command) => ({
          command,
          from: "Cargo.toml",
        })),
  async (read) =>
    (await read("go.mod")) === undefined
      ? []
      : ["go build", "go test", "go vet"].map((command) => ({ command, from: "go.mod" })),
  async (read) => {
    const file = "pyproject.toml";
    const text = (await read(file)) ?? (await read("pytest.ini")) ?? (await read("setup.cfg"));
    if (text === undefined) return [];
    const tools = { pytest: "pytest", ruff: "ruff check", mypy: "mypy" };
    return Object.entries(tools)
      .filter(([name]) => text.includes(name))
      .map(([, command]) => ({ command, from: file }));
  },
  async (read) => {
    const text = (await read("Makefile")) ?? (await read("makefile"));
    const targets = Array.from((text ?? "").matchAll(/^([a-z][\w-]*):(?!=)/gm), ([, name = ""]) => name);
    return [...new Set(targets)]
      .filter((name) => SCRIPTS.has(name))
      .slice(0, MOST_SCRIPTS)
      .map((name) => ({ command: `make ${name}`, from: "Makefile" }));
  },
];

/** How a project tests and builds itself, according to its own files. Unreadable files are ignored. */
export async function commandsOfProject(folder: string): Promise<ProjectCommand[]> {
  const read = (file: string) => textOf(join(folder, file)).catch(() => undefined);
  const found = await Promise.all(looks.map((look) => look(read).catch(() => [])));
  return found.flat();
}

const MOST_BYTES = 1_000_000;

/** Reading a pipe would block, and a very large file is not a project's manifest. */
async function textOf(file: string): Promise<string | undefined> {
  const info = await stat(file);
  return info.isFile() && info.size <= MOST_BYTES ? readFile(file, "utf8") : undefined;
}
