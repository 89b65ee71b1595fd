import type { Step } from "./rule-globs.ts";

/** One rule of an ignore file. Later rules win. */
export type Rule = { steps: readonly Step[]; isNegated: boolean; onlyFolders: boolean };
export type Verdict = "ignored" | "wanted" | undefined;

type Node = { id: number; fits?: (byte: number) => boolean; to: Node[]; rule?: number };
type State = { nodes: readonly Node[]; next: State[]; file: Verdict; folder: Verdict };

const MOST_STATES = 1_000;

/** Matches all rules of a file at once, in time linear in the length of the path, however many stars the rules have. */
export class Automaton {
  readonly #rules: readonly Rule[];
  readonly #start: State;
  readonly #states = new Map<string, State>();
  #made = 0;
  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.#start = this.#state(rules.map(({ steps }, rule) => this.#graph(steps, this.#node({ to: [], rule }))));
  }

  /** `path` is a string of bytes. */
  verdict(path: string, isFolder: boolean): Verdict {
    let state = this.#start;
    for (let at = 0; at < path.length; at += 1) {
      const byte = path.charCodeAt(at);
      state = state.next[byte] ?? this.#follow(state, byte);
    }
    return isFolder ? state.folder : state.file;
  }

  #node(given: Omit<Node, "id">): Node {
    return { id: this.#made++, ...given };
  }

  #graph(steps: readonly Step[], end: Node): Node {
    return steps.reduceRight((after, step) => {
      if ("choice" in step) return this.#node({ to: step.choice.map((way) => this.#graph(way, after)) });
      if (!step.many) return this.#node({ fits: step.fits, to: [after] });
      const loop = this.#node({ to: [after] });
      loop.to.push(this.#node({ fits: step.fits, to: [loop] }));
      return loop;
    }, end);
  }

  #follow(state: State, byte: number): State {
    const next = this.#state(state.nodes.flatMap((node) => (node.fits?.(byte) ? node.to : [])));
    state.next[byte] = next;
    return next;
  }

  #state(given: readonly Node[]): State {
    const reached = new Set(given);
    for (const node of reached) if (!node.fits) for (const each of node.to) reached.add(each);
    const nodes = [...reached].filter(({ fits, rule }) => fits || rule !== undefined).sort((a, b) => a.id - b.id);
    const key = nodes.map(({ id }) => id).join();
    const known = this.#states.get(key);
    if (known) return known;
    const rules = nodes.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
    const state: State = {
      nodes,
      next: [],
      file: this.#last(rules.filter((rule) => !this.#rules[rule]?.onlyFolders)),
      folder: this.#last(rules),
    };
    if (this.#states.size >= MOST_STATES) this.#forget();
    this.#states.set(key, state);
    return state;
  }

  #last(rules: readonly number[]): Verdict {
    const rule = this.#rules[rules.at(-1) ?? -1];
    return rule && (rule.isNegated ? "wanted" : "ignored");
  }

  #forget(): void {
    for (const state of this.#states.values()) state.next = [];
    this.#states.clear();
  }
}
