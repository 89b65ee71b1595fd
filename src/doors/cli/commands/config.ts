import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { visibleLine } from "../../../core/words/visible.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { importSettings } from "../lib/config-import.ts";
import { init } from "../lib/config-init.ts";
import { rules } from "../lib/config-rules.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { readKey } from "../lib/key-presses.ts";
import { workspaceOf } from "../lib/opening.ts";
import { meetPerson } from "../lib/person.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { colours, documentOf, print, toJson, visible } from "../lib/terminal.ts";
import { aPerson } from "../lib/workspace-store.ts";

const parts: Readonly<Record<string, Command>> = { init, check, schema, trust, import: importSettings, rules };
const FORMS = { init: "", check: "", schema: "", trust: "", import: "CLIENT", rules: "" };
/** Subcommands that take further words. */
const TAKES_WORDS: readonly string[] = ["import", "rules"];

/** Everything about the configuration: writing, checking and trusting it, and its rules. */
export const run: Command = async (invocation) => {
  const [part = "", ...more] = invocation.words;
  const command = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (command && (more.length === 0 || TAKES_WORDS.includes(part))) return command(invocation);
  throw wrongWords("config", invocation.words, FORMS);
};

const where = (invocation: Invocation) => {
  const { config } = invocation.values;
  return { workspace: workspaceOf(invocation), ...(config && { config }) };
};

async function check(invocation: Invocation): Promise<number> {
  const { checkConfig } = await import("../../../doctor.ts");
  const { sources, notes, settings, holds } = await checkConfig(where(invocation));
  if (invocation.json) {
    const keys = Object.fromEntries(holds.map(({ key, value }) => [key, value]));
    await print(documentOf({ valid: true, settings, sources, notes, keys }));
    return 0;
  }
  const files = sources.map(({ file, kind, trusted }) => `${file} (${kind}${trusted ? "" : ", not trusted"})`);
  const heading =
    files.length > 0
      ? `No mistakes found in ${files.join(", ")}`
      : "There is no configuration file; the defaults apply.";
  const rows = holds.map(
    ({ key, value, isDefault }) => [`${key}:`, `${shown(value)}${isDefault ? "" : "  (set)"}`] as const,
  );
  await print(`${[heading, ...notes.map(visible)].join("\n\n")}\n\nSettings in effect\n${columns(rows)}\n`);
  return 0;
}

const shown = (value: unknown): string => visibleLine(typeof value === "string" ? value : toJson(value));

async function schema(): Promise<number> {
  const { configSchema } = await import("../../../doctor.ts");
  await print(documentOf(await configSchema()));
  return 0;
}

async function trust(invocation: Invocation): Promise<number> {
  const { readConfig, scriptsToTrust, trustConfig } = await import("../../../doctor.ts");
  const { sources, notes } = await readConfig(where(invocation));
  const own = sources.filter(({ kind }) => kind === "workspace" || kind === "servers");
  if (own.length === 0)
    throw new UsageFailure(
      "This workspace has no toolgate.yaml or .mcp.json of its own to trust.",
      "Your own configuration and a file given with --config need no trust.",
    );
  const files = await Promise.all(own.map(async ({ file }) => ({ file, bytes: await readFile(file) })));
  const { scripts, changed } = await scriptsToTrust(where(invocation));
  const { json, flags } = invocation;
  if (own.some(({ trusted }) => !trusted) || changed.length > 0) {
    if (json && !flags.has("yes"))
      throw new UsageFailure("With --json nobody is asked.", "Pass --yes to trust the file as it is.");
    aPerson(invocation, "trust a configuration");
    if (!flags.has("yes") && !(await accepts(files, [...notes, ...changed.map(runNote)]))) return 2;
  }
  const accepted: { file: string; hash: string }[] = [];
  for (const { file, bytes } of files) accepted.push(await trustConfig(file, { bytes, scripts }));
  const names = accepted.map(({ file }) => shortName(file)).join(" and ");
  await print(
    json
      ? documentOf({ trusted: true, ...accepted[0], files: accepted, scripts })
      : `Trusted ${names}${scriptNames(scripts)} as it is now. Once it changes, it has to be trusted again.\n`,
  );
  return 0;
}

const runNote = (script: string): string => `A hook or a server runs ${shortName(script)}: look at it, too.`;

const scriptNames = (scripts: Readonly<Record<string, string>>): string => {
  const names = Object.keys(scripts).map(shortName);
  return names.length > 0 ? ` with what it runs (${names.join(", ")})` : "";
};

const shortName = (file: string): string => relative(process.cwd(), file) || file;

/** Shows the person exactly the bytes that would be trusted. */
async function accepts(
  files: readonly { file: string; bytes: Uint8Array }[],
  notes: readonly string[],
): Promise<boolean> {
  const paint = colours();
  for (const { file, bytes } of files)
    await print(`${paint.bold(file)}\n\n${visible(new TextDecoder().decode(bytes)).trimEnd()}\n\n`);
  await print(`${notes.map((note) => `${visible(note)}\n`).join("")}\n`);
  const person = meetPerson();
  const prompt = `Trust ${files.length > 1 ? "these files as they are" : "this file as it is"}?  ${paint.bold("y")} yes${paint.dim("  ·  ")}${paint.bold("n")} no\n`;
  const yes = (await readKey(person, prompt, "yn")) === "y";
  person.leave();
  await print(`${paint.dim(yes ? "> yes" : "> no")}\n`);
  return yes;
}
