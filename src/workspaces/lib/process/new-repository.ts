import fs from "node:fs";
import path from "node:path";
import { namesThat, OBEYED_BY_GIT } from "../../../core/words/governing.ts";

/** Configuration keys of a new repository that cannot start a program, by section. */
const HARMLESS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
    user: /^(?:name|email)$/,
    init: /^defaultbranch$/,
    branch: /^(?:remote|merge|rebase)$/,
    remote: /^(?:url|fetch)$/,
    extensions: /^(?:objectformat|refstorage)$/,
  }),
);
const SECTION = /^\s*\[([A-Za-z]+)(?:\s+"[^"\\]*")?\]\s*$/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.*)$/;
const STARTS_PROGRAM = /^\s*["']?(?:ext::|-)/;

/** Keeps only the lines that are known to start no program. */
export function harmlessConfig(text: string): string {
  let section = "";
  const kept = text.split("\n").filter((line) => {
    const opened = SECTION.exec(line)?.[1];
    if (opened !== undefined) section = opened.toLowerCase();
    if (opened !== undefined) return HARMLESS.has(section);
    const [, name = "", value = ""] = SETTING.exec(line) ?? [];
    if (value.endsWith("\\") || STARTS_PROGRAM.test(value)) return false;
    return HARMLESS.get(section)?.test(name.toLowerCase()) ?? false;
  });
  return `${kept.join("\n")}\n`;
}

function readRegular(file: string): string {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(file, "utf8") : "";
}

const REMOVED = ["config", ...namesThat(OBEYED_BY_GIT, "removed")];

/** Makes a repository that a command created safe: no hooks, and only configuration that starts nothing. */
export function disarm(git: string): void {
  const hooks = path.join(git, "hooks");
  const config = harmlessConfig(readRegular(path.join(git, "config")));
  const samples = fs.lstatSync(hooks, { throwIfNoEntry: false })?.isDirectory()
    ? fs.readdirSync(hooks, { withFileTypes: true })
    : [];
  for (const entry of samples)
    if (!entry.isFile() || !entry.name.endsWith(".sample"))
      fs.rmSync(path.join(hooks, entry.name), { recursive: true, force: true });
  if (samples.length === 0) fs.rmSync(hooks, { recursive: true, force: true });
  for (const name of REMOVED) fs.rmSync(path.join(git, name), { recursive: true, force: true });
  fs.writeFileSync(path.join(git, "config"), config, { flag: "wx" });
}
