import { readSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { MODES, type Mode } from "../../core/words/ceiling.ts";
import { clients } from "./clients.ts";
import { answer, crashed } from "./hook.ts";
import type { Opening } from "./hook-judgement.ts";
import { type Client, type Said, type Told, Unreadable } from "./lib/client.ts";

const PIECE = 64 * 1024;

/**
 * The hook of a client, from its command line to its exit status. It loads nothing else of the command line, and no
 * streams, which take longer than the judgement.
 */
export async function main([name = "", ...options]: readonly string[]): Promise<void> {
  let client: Client | undefined;
  let said: Said;
  try {
    const known = await clientNamed(name);
    client = known;
    const given = read(options);
    said = await answer(known, standardInput(), (event) => openingFor(known, event, given));
  } catch (error) {
    said = crashed(client ?? {}, error);
  }
  if (said.stderr) write(2, `${said.stderr}\n`);
  if (said.stdout) write(1, `${said.stdout}\n`);
  process.exit(said.status);
}

async function clientNamed(name: string): Promise<Client> {
  const load = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (!load) throw new Unreadable(`there is no client ${name}; the clients are ${Object.keys(clients).join(", ")}`);
  return load();
}

type Given = { workspace?: string; config?: string; mode?: string };
const OPTIONS = ["workspace", "config", "mode"] as const;

/** Anything that is not understood is refused, because it may have been meant to restrict. */
function read(options: readonly string[]): Given {
  const given: Given = {};
  for (let index = 0; index < options.length; index++) {
    const [, option, value = options[++index]] = /^--([^=]+)(?:=(.*))?$/s.exec(options[index] ?? "") ?? [];
    const name = OPTIONS.find((each) => each === option);
    if (!name || !value) throw new Unreadable(`toolgate hook CLIENT has no option ${options[index] ?? option}`);
    given[name] = value;
  }
  if (given.mode !== undefined && !MODES.includes(given.mode as Mode))
    throw new Unreadable(`--mode ${given.mode} is not one of ${MODES.join(", ")}`);
  return given;
}

/** The workspace is the folder that the client works in, wherever its commands have moved to. */
function openingFor(client: Client, { root }: Told, { workspace, config, mode }: Given): Opening {
  return {
    workspace: resolve(workspace ?? root ?? client.root?.(process.env) ?? "."),
    ...(config && { config }),
    ...(mode && { mode: mode as Mode }),
  };
}

async function* standardInput(): AsyncIterable<Uint8Array> {
  for (;;) {
    const piece = new Uint8Array(PIECE);
    let bytes: number;
    try {
      bytes = readSync(0, piece);
    } catch (error) {
      if ((error as { code?: string }).code === "EOF") return;
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
      // standard input may be a non-blocking socket, on which a synchronous read fails
      yield* process.stdin;
      return;
    }
    if (bytes === 0) return;
    yield piece.subarray(0, bytes);
  }
}

function write(to: number, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(to, rest));
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") return;
    }
  }
}
