import { resolve } from "node:path";
import type { Mode } from "../../../core/words/ceiling.ts";
import { clients } from "../../hook/clients.ts";
import { answer } from "../../hook/hook.ts";
import type { Opening } from "../../hook/judging.ts";
import type { Client, Said } from "../../hook/lib/client.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { suggestion } from "../lib/suggestion.ts";
import { print } from "../lib/terminal.ts";

/** Another agent asks before it calls a tool, and tells afterwards. */
export const run: Command = async (invocation) => {
  const [client, ...more] = invocation.words;
  if (client === "install" || client === "uninstall") {
    const { setUp } = await import("../lib/hook-setup.ts");
    return setUp(invocation, client);
  }
  if (more.length > 0) throw new UsageFailure("toolgate hook takes one client.", HOW);
  if (process.stdin.isTTY) throw new UsageFailure("toolgate hook reads an event of the client on standard input.", HOW);
  const known = await clientNamed(client);
  return say(await answer(known, process.stdin, () => openingFor(invocation, known)));
};

const HOW = "A person sets it up once: toolgate hook install CLIENT.";

async function clientNamed(name: string | undefined): Promise<Client> {
  const load = name !== undefined && Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (load) return load();
  const names = Object.keys(clients);
  throw new UsageFailure(
    name === undefined ? "toolgate hook needs a client." : `There is no client ${name}.`,
    suggestion(name ?? "", names) ?? `The clients are ${names.join(", ")}.`,
  );
}

/** The folder that the client works in is the workspace, wherever one of its commands has gone. */
function openingFor({ values }: Invocation, client: Client): Opening {
  const { config, mode, workspace } = values;
  return {
    workspace: resolve(workspace ?? client.root?.(process.env) ?? "."),
    ...(config && { config }),
    ...(mode && { mode: mode as Mode }),
  };
}

async function say({ status, stdout, stderr }: Said): Promise<number> {
  if (stderr) process.stderr.write(`${stderr}\n`);
  if (stdout) await print(`${stdout}\n`);
  return status;
}
