import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/failure.ts";
import { readKey } from "../lib/keys.ts";
import { workspaceOf } from "../lib/opening.ts";
import { meetPerson } from "../lib/person.ts";
import { aPerson } from "../lib/store.ts";
import { suggestion } from "../lib/suggestion.ts";
import { colours, documentOf, print, visible } from "../lib/terminal.ts";

const parts: Readonly<Record<string, Command>> = { check, schema, trust };

/** Checks the configuration, prints its schema, or accepts a workspace's own file. */
export const run: Command = async (invocation) => {
  const [part = "", ...more] = invocation.words;
  const command = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (command && more.length === 0) return command(invocation);
  const names = Object.keys(parts);
  throw new UsageFailure(
    command ? `toolgate config ${part} takes no more words.` : `toolgate config needs one of ${names.join(", ")}.`,
    suggestion(part, names) ?? "`toolgate config --help` tells more.",
  );
};

async function load(invocation: Invocation) {
  const { checkConfig } = await import("../../../doctor.ts");
  const { config } = invocation.values;
  return checkConfig({ workspace: workspaceOf(invocation), ...(config && { config }) });
}

async function check(invocation: Invocation): Promise<number> {
  const loaded = await load(invocation);
  if (invocation.json) {
    await print(documentOf({ valid: true, ...loaded }));
    return 0;
  }
  const { sources, notes, settings } = loaded;
  const files = sources.map(({ file, kind, trusted }) => `${file} (${kind}${trusted ? "" : ", not trusted"})`);
  const heading =
    files.length > 0 ? `Correct: ${files.join(", ")}` : "There is no configuration file; the defaults hold.";
  await print(`${[heading, ...notes.map(visible)].join("\n\n")}\n\n${documentOf(settings)}`);
  return 0;
}

async function schema(): Promise<number> {
  const { configSchema } = await import("../../../doctor.ts");
  await print(documentOf(await configSchema()));
  return 0;
}

async function trust(invocation: Invocation): Promise<number> {
  const { sources, notes } = await load(invocation);
  const source = sources.find(({ kind }) => kind === "workspace");
  if (!source)
    throw new UsageFailure(
      "This workspace has no toolgate.yaml of its own to trust.",
      "A file given by --config and your own file are trusted as they are.",
    );
  const bytes = await readFile(source.file);
  const { json, flags } = invocation;
  if (!source.trusted) {
    if (json && !flags.has("yes"))
      throw new UsageFailure("With --json nobody is asked.", "Pass --yes to trust the file as it is.");
    aPerson(invocation, "trust a configuration");
    if (!flags.has("yes") && !(await accepts(source.file, bytes, notes))) return 2;
  }
  const { trustConfig } = await import("../../../doctor.ts");
  const accepted = await trustConfig(source.file, { bytes });
  const name = relative(process.cwd(), accepted.file) || accepted.file;
  await print(
    json
      ? documentOf({ trusted: true, ...accepted })
      : `Trusted ${name} as it is now. Once it changes, it has to be trusted again.\n`,
  );
  return 0;
}

/** The person sees the very bytes that are trusted. */
async function accepts(file: string, bytes: Uint8Array, notes: readonly string[]): Promise<boolean> {
  const paint = colours();
  const text = visible(new TextDecoder().decode(bytes)).trimEnd();
  await print(`${paint.bold(file)}\n\n${text}\n\n${notes.map((note) => `${visible(note)}\n`).join("")}\n`);
  const person = meetPerson();
  const prompt = `Trust this file as it is?  ${paint.bold("y")} yes${paint.dim("  ·  ")}${paint.bold("n")} no\n`;
  const yes = (await readKey(person, prompt, "yn")) === "y";
  person.leave();
  await print(`${paint.dim(yes ? "> yes" : "> no")}\n`);
  return yes;
}
