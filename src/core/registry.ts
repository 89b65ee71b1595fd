import type { Arguments, Parsed } from "./contracts/arguments.ts";
import type { RegisterEvent } from "./words/event.ts";
import { checkInputSchema } from "./words/input-schema.ts";
import type { Format, ToolSchema } from "./words/json-schema.ts";
import { bareName, isRecord, type Meant, meantBy, type Route, spellingsOf, withoutNamespace } from "./words/route.ts";
import { type Definition, type Permissions, type PlainTool, Tool } from "./words/tool.ts";
import { PERMISSIONS, type Permission } from "./words/touch.ts";

/** A tool in the registry. `definition` is there from the start, or once `load` has been awaited. */
export type Entry = {
  readonly name: string;
  readonly description: string;
  /** Undefined if the tool does not say, so it needs all of them. */
  readonly permissions: Permissions | undefined;
  readonly definition: Definition | undefined;
  readonly loaded: boolean;
  readonly hidden: boolean;
  load(): Promise<LoadedEntry>;
  parse(args: unknown, calledAs: string): Parsed;
};

export type LoadedEntry = Entry & { readonly definition: Definition };

const isLoaded = (entry: Entry): entry is LoadedEntry => entry.loaded;

/** The names that a model is shown for a tool and its arguments. */
export type Dialect = Readonly<Record<string, { name: string; args?: Readonly<Record<string, string>> }>>;

export type RegisterOptions = {
  permissions?: Permissions;
  descriptionPath?: string;
  override?: boolean;
  allowOverride?: boolean;
  /** It can be called, but models are not told of it. */
  hidden?: boolean;
};
export type SchemaOptions<F extends Format = Format> = { format?: F; dialect?: Dialect };

/** What the registry needs from others: reading arguments, writing schemas, and reading and filling in descriptions. */
export type RegistryPorts = {
  arguments: Arguments;
  readDescription(path: string): string;
  fillIn(text: string): string;
  emit(event: RegisterEvent): void;
  routes?: Readonly<Record<string, Route>>;
};

export class DuplicateToolError extends Error {
  override name = "DuplicateToolError";
}

function normalise(tool: Tool | PlainTool): Tool {
  return "definition" in tool ? tool : Tool.define(tool.name, tool as unknown as Definition);
}

function entryOf(tool: Tool, options: RegisterOptions, ports: RegistryPorts): Entry {
  const given = tool.definition;
  let definition = typeof given === "function" ? undefined : given;
  let loading: Promise<LoadedEntry> | undefined;
  let parse: ReturnType<Arguments["parser"]> | undefined;
  const external = options.descriptionPath === undefined ? undefined : ports.readDescription(options.descriptionPath);
  const entry: Entry = {
    name: tool.name,
    hidden: options.hidden === true,
    get description() {
      return ports.fillIn(external ?? definition?.description ?? "");
    },
    get permissions() {
      return options.permissions ?? definition?.permissions;
    },
    get definition() {
      return definition;
    },
    get loaded() {
      return definition !== undefined;
    },
    load() {
      if (typeof given !== "function") return Promise.resolve(entry as LoadedEntry);
      loading ??= (async () => {
        const made = await given();
        checkInputSchema(tool.name, made.input ?? made.parameters);
        definition = made;
        return entry as LoadedEntry;
      })();
      return loading;
    },
    parse(args, calledAs) {
      const input = definition?.input ?? definition?.parameters;
      parse ??= ports.arguments.parser({
        name: tool.name,
        ...(input && { input }),
        ...(definition?.aliases && { aliases: definition.aliases }),
      });
      return parse(args, calledAs);
    },
  };
  return entry;
}

/** Replaces names of tools and arguments by those that the model is shown. A single word counts only in backticks. */
export const translated = (text: string, dialect: Dialect, args: Readonly<Record<string, string>> = {}): string =>
  text.replace(/\b[a-z]+(?:_[a-z]+)+\b|(?<=`)[a-z]+(?=`)/g, (word) => dialect[word]?.name ?? args[word] ?? word);

const aliasNames = (definition: Definition | undefined): string[] =>
  (definition?.aliases?.names ?? []).map((alias) => (typeof alias === "string" ? alias : alias.name));

/** Name or alias -> tool. A tool's own name takes precedence over another's alias. */
export class Registry {
  readonly #entries = new Map<string, Entry>();
  readonly #aliases = new Map<string, Entry>();
  /** All names by their `bareName`. */
  #spellings: Map<string, string[]> | undefined;
  readonly #ports: RegistryPorts;
  constructor(ports: RegistryPorts) {
    this.#ports = ports;
  }

  /** Can be called at once, and shown when this resolves. A duplicate throws unless it may override. */
  register(tool: Tool | PlainTool, options: RegisterOptions = {}): Promise<void> {
    const { name } = tool;
    const normal = normalise(tool);
    if (this.#entries.has(name)) {
      if (!options.override && !options.allowOverride)
        throw new DuplicateToolError(
          `There is already a tool named ${name}. Unregister it first, or pass { override: true }.`,
        );
      this.#remove(name);
    }
    const entry = entryOf(normal, options, this.#ports);
    this.#entries.set(name, entry);
    this.#nameAliases(entry);
    this.#shareAliases();
    this.#ports.emit({ type: "register", tool: name });
    if (entry.loaded) return Promise.resolve();
    // a definition that fails to load is reported when the tool is called
    return entry.load().then(
      () => void (this.#entries.get(name) === entry && this.#nameAliases(entry)),
      () => {},
    );
  }

  unregister(name: string): boolean {
    if (!this.#remove(name)) return false;
    this.#shareAliases();
    this.#ports.emit({ type: "unregister", tool: name });
    return true;
  }

  /** Finds a tool by any of its names, in any spelling. */
  get(given: string): Entry | undefined {
    const name = this.spelled(given);
    return this.#exact(this.#routed(name)?.tool ?? name);
  }

  /** The name as it is known here: ReadFile, read-file and functions.read_file are the same. */
  spelled(name: string): string {
    if (this.#knows(name)) return name;
    const plain = withoutNamespace(name);
    if (this.#knows(plain)) return plain;
    this.#spellings ??= spellingsOf(this.names());
    const alike = this.#spellings.get(bareName(plain)) ?? [];
    const meant = new Set(alike.map((each) => this.#exact(this.#routed(each)?.tool ?? each)));
    return meant.size === 1 ? alike[0]! : name;
  }

  /** Which tool a call means, and with which arguments: some names stand for several tools. A string is a refusal. */
  meaning(given: string, args: unknown): Meant | string {
    const name = this.spelled(given);
    const route = this.#routed(name);
    if (route) return meantBy(route, args);
    const instead = this.#exact(name)?.definition?.aliases?.instead;
    const meant = instead && isRecord(args) ? instead(args) : undefined;
    return meant && this.#knows(meant.name) ? meant : { name, args };
  }

  #exact(name: string): Entry | undefined {
    return this.#entries.get(name) ?? this.#aliases.get(name);
  }

  /** A tool of that name takes precedence, and so does an alias, unless the alias belongs to the route's own tool. */
  #routed(name: string): Route | undefined {
    const { routes = {} } = this.#ports;
    if (this.#entries.has(name) || !Object.hasOwn(routes, name)) return undefined;
    const route = routes[name]!;
    const tool = this.#exact(route.tool);
    return tool && (this.#aliases.get(name) ?? tool) === tool ? route : undefined;
  }

  #knows(name: string): boolean {
    return this.#exact(name) !== undefined || this.#routed(name) !== undefined;
  }

  /** By name or alias, if its definition is already there. */
  loaded(name: string): LoadedEntry | undefined {
    const entry = this.get(name);
    return entry && isLoaded(entry) ? entry : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Sorted by name. */
  list(): Entry[] {
    return [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Every name that is understood, including aliases. */
  names(): string[] {
    const routed = Object.keys(this.#ports.routes ?? {}).filter((name) => this.#routed(name));
    return [...new Set([...this.#entries.keys(), ...this.#aliases.keys(), ...routed])];
  }

  count(): number {
    return this.#entries.size;
  }

  clear(): void {
    for (const name of [...this.#entries.keys()]) this.unregister(name);
  }

  /** Unknown names are skipped. */
  filter(names: readonly string[]): Entry[] {
    const wanted = new Set(names.map((name) => this.get(name)));
    return this.list().filter((entry) => wanted.has(entry));
  }

  /** The tools that work with these permissions. A tool that does not say what it needs, needs all. */
  enabled(permissions: readonly Permission[]): Entry[] {
    return this.list().filter((entry) =>
      (entry.permissions?.required ?? PERMISSIONS).every((each) => permissions.includes(each)),
    );
  }

  schemas<F extends Format = "openai">(names?: readonly string[], options: SchemaOptions<F> = {}): ToolSchema<F>[] {
    const { format = "openai" as F, dialect = {} } = options;
    const shownOnes = names ? this.filter(names) : this.list().filter((entry) => !entry.hidden);
    const entries = shownOnes.filter((entry) => entry.loaded);
    return entries.map((entry) => {
      const { input, parameters, rare = [] } = entry.definition ?? {};
      const shown = dialect[entry.name];
      const rename = shown?.args ?? {};
      return this.#ports.arguments.schema(format, {
        name: shown?.name ?? entry.name,
        description: translated(entry.description, dialect, rename),
        input: input ?? parameters,
        rare,
        rename,
      });
    });
  }

  #remove(name: string): boolean {
    const entry = this.#entries.get(name);
    if (!entry) return false;
    this.#spellings = undefined;
    this.#entries.delete(name);
    for (const [alias, target] of this.#aliases) if (target === entry) this.#aliases.delete(alias);
    return true;
  }

  /** An alias that a removed tool had may belong to another one, too. */
  #shareAliases(): void {
    for (const entry of this.#entries.values()) this.#nameAliases(entry);
  }

  #nameAliases(entry: Entry): void {
    this.#spellings = undefined;
    for (const alias of aliasNames(entry.definition)) if (!this.#aliases.has(alias)) this.#aliases.set(alias, entry);
  }
}
