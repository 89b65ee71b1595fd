import {
  type FoundTool,
  type LateTools,
  type Offer,
  type ServerSetting,
  type ServerSettings,
  type ServerState,
  whereIs,
} from "../../core/contracts/servers.ts";
import type { Registry } from "../../core/registry.ts";
import { bareName } from "../../core/words/route.ts";
import type { Tool } from "../../core/words/tool.ts";
import { rank } from "../../text/ranking.ts";
import { ManifestCache } from "./cache.ts";
import type { Manifest, ServedTool } from "./manifest.ts";
import { offerOf } from "./offer.ts";
import { namesOf, ownSpelling, prefixOf } from "./served-names.ts";
import { toolOf } from "./served-tool.ts";
import { Connection } from "./server-connection.ts";
import type { Ground } from "./transports.ts";

/** A server that takes longer to start is found later. */
const MOST_WAIT_MS = 15_000;

export type ServersOptions = Omit<Ground, "env"> & {
  readonly settings: ServerSettings;
  /** Where manifests are kept. */
  readonly folder: string;
  readonly registry: Pick<Registry, "get" | "has" | "register" | "unregister">;
};

type Server = {
  readonly name: string;
  readonly setting: ServerSetting;
  readonly connection: Connection;
  readonly approved: Map<string, ServedTool>;
  manifest?: Manifest;
};
type Known = { readonly server: string; readonly tool: string; readonly served: ServedTool; readonly by: Server };

/** The tools of all configured servers. A server is started when one of its tools is called. */
export class Servers implements LateTools {
  readonly #options: ServersOptions;
  readonly #cache: ManifestCache;
  readonly #servers = new Map<string, Server>();
  #names = new Map<string, Known>();
  /** Our tools that are in the registry, by name. */
  readonly #loaded = new Map<string, Known>();
  #reading: Promise<void> | undefined;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#cache = new ManifestCache(options.folder, options.root);
  }

  /** Reads what is cached, once. */
  #read(): Promise<void> {
    this.#reading ??= (async () => {
      const names = Object.keys(this.#options.settings).sort();
      const known = await Promise.all(
        names.map((name) => this.#readOne(name, this.#options.settings[name] as ServerSetting)),
      );
      for (const server of known) if (server) this.#servers.set(server.name, server);
      this.#rename();
    })();
    return this.#reading;
  }

  async #readOne(name: string, setting: ServerSetting): Promise<Server | undefined> {
    if (!setting.enabled) return undefined;
    const manifest = await this.#cache.read(name, setting);
    const approved = await this.#cache.readApproved(name);
    const ground: Ground = { ...this.#options, env: process.env };
    const connection = new Connection(name, setting, ground, {
      known: manifest,
      listed: (listed) => this.#learn(server, listed),
    });
    const server: Server = { name, setting, connection, approved, ...(manifest && { manifest }) };
    return server;
  }

  #learn(server: Server, manifest: Manifest): void {
    const isNew = JSON.stringify(server.manifest?.tools) !== JSON.stringify(manifest.tools);
    server.manifest = manifest;
    this.#cache.write(server.name, server.setting, manifest);
    if (isNew) this.#rename();
  }

  /** Reassigns names and updates the registry: changed tools are registered anew, removed ones unregistered. */
  #rename(): void {
    const all = [...this.#servers.values()].flatMap((by) =>
      (by.manifest?.tools ?? []).map((served): Known => ({ server: by.name, tool: served.name, served, by })),
    );
    this.#names = namesOf(all, Object.keys(this.#options.settings));
    const { registry } = this.#options;
    for (const [name, before] of [...this.#loaded]) {
      const now = this.#names.get(name);
      if (now && now.by === before.by && JSON.stringify(now.served) === JSON.stringify(before.served)) continue;
      this.#loaded.delete(name);
      registry.unregister(name);
      if (now) this.#load(name, now);
    }
  }

  #load(name: string, known: Known): void {
    const { registry } = this.#options;
    // a tool from elsewhere already has that name
    if (this.#loaded.has(name) || registry.has(name)) return;
    this.#loaded.set(name, known);
    void registry.register(this.#toolOf(name, known));
  }

  #toolOf(name: string, { served, by }: Known): Tool {
    const { name: server, setting, connection, approved } = by;
    return toolOf(name, served, {
      ...{ server, timeout: setting.timeout, connection },
      current: () => by.manifest?.tools.find((tool) => tool.name === served.name),
      approved: () => approved.get(served.name),
      approve: (tool) => {
        if (JSON.stringify(approved.get(tool.name)) === JSON.stringify(tool)) return;
        approved.set(tool.name, tool);
        this.#cache.writeApproved(server, approved.values());
      },
    });
  }

  /** Asks all servers of which nothing is known, in parallel. */
  async #learnFrom(servers: readonly Server[]): Promise<void> {
    const asked = servers
      .filter(({ manifest }) => !manifest)
      .map(({ connection }) => connection.list().catch(() => {}));
    if (asked.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MOST_WAIT_MS);
    });
    await Promise.race([Promise.all(asked), late]);
    clearTimeout(timer);
  }

  async offer(): Promise<Offer> {
    await this.#read();
    await this.#learnFrom([...this.#servers.values()]);
    return offerOf(
      [...this.#names].map(([name, { server, served }]) => ({ name, server, description: served.description })),
    );
  }

  async load(given: string): Promise<void> {
    await this.#read();
    if (this.#loadByName(given)) return;
    const sound = bareName(ownSpelling(given));
    const near = [...this.#servers.values()].filter(({ name }) => sound.startsWith(bareName(prefixOf(name))));
    await this.#learnFrom(near);
    if (this.#loadByName(given)) return;
    const failure = near.find(({ manifest }) => !manifest)?.connection.failure;
    if (failure) throw failure;
  }

  #loadByName(given: string): boolean {
    const sound = bareName(ownSpelling(given));
    const name = this.#names.has(given) ? given : [...this.#names.keys()].find((each) => bareName(each) === sound);
    const known = name === undefined ? undefined : this.#names.get(name);
    if (name === undefined || !known) return false;
    this.#load(name, known);
    return true;
  }

  async search(query: string, most: number, only?: readonly string[]): Promise<readonly FoundTool[]> {
    await this.#read();
    await this.#learnFrom([...this.#servers.values()]);
    const all = [...this.#names].filter(([name]) => !only || only.includes(name));
    const wanted = bareName(ownSpelling(query));
    const exact = all.filter(([name, { tool }]) => bareName(name) === wanted || bareName(tool) === wanted);
    const fits = rank(
      query,
      all.map(([name, { server, tool, served }]) => [
        { name: "name", text: `${tool} ${server} ${name}`, weight: 3 },
        { name: "description", text: served.description, weight: 1 },
        { name: "parameters", text: parametersOf(served).join(" "), weight: 0.5 },
      ]),
    );
    const ranked = fits.map(({ index }) => all[index] as (typeof all)[number]);
    const found = [...new Set([...exact, ...ranked])].slice(0, most);
    for (const [name, known] of found) this.#load(name, known);
    return found.map(
      ([
        name,
        {
          served: { description, schema },
        },
      ]) => ({ name, description, parameters: schema }),
    );
  }

  async states(): Promise<readonly ServerState[]> {
    await this.#read();
    return Object.entries(this.#options.settings)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, setting]) => this.#stateOf(name, setting));
  }

  #stateOf(name: string, setting: ServerSetting): ServerState {
    const { connection, manifest } = this.#servers.get(name) ?? {};
    const tools = [...this.#names].filter(([, { server }]) => server === name).map(([each]) => each);
    const trouble = connection?.trouble;
    const state = !connection
      ? "off"
      : connection.isConnected
        ? "connected"
        : trouble !== undefined
          ? "failed"
          : manifest
            ? "known"
            : "unknown";
    return {
      name,
      where: whereIs(setting),
      state,
      tools,
      notes: [...(trouble === undefined ? [] : [trouble]), ...(manifest?.notes ?? [])],
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ connection }) => connection.close()));
    await this.#cache.written;
    await this.#options.processes.close();
  }
}

const parametersOf = ({ schema }: ServedTool): string[] =>
  Object.entries((schema.properties ?? {}) as Record<string, { description?: unknown }>).flatMap(([name, inner]) => [
    name,
    typeof inner?.description === "string" ? inner.description : "",
  ]);
