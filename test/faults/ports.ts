import type { Approver } from "../../src/core/contracts/approval.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import type { Workspace } from "../../src/core/contracts/workspace.ts";

type Port = "store" | "files" | "person";

/** One await of the journey: the start of a port's call, or its end. */
export type Moment = { port: Port; method: string; when: "before" | "after" };

/** Hears of every moment; if it throws, that call of the port fails there. */
export type Hear = (moment: Moment) => void;

type Ports = { store: Store; workspace: Workspace; approve: Approver };
type Method = (...values: unknown[]) => unknown;

/** May answer at once; the others always answer by a promise, and so they fail. */
const AT_ONCE = ["locate", "stat"];

/** The same ports, with somebody who listens at each of them. */
export function watched({ store, workspace, approve }: Ports, hear: Hear): Ports {
  const around = <T extends object>(port: Port, inner: T): T =>
    new Proxy(inner, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        // a table is given at once
        if (typeof member !== "function" || key === "close" || key === "table") return member;
        return listening(port, String(key), (...values) => member.apply(target, values), hear);
      },
    });
  const files = around("files", workspace.files);
  const place = around("files", { locate: (path: string, itself?: boolean) => workspace.locate(path, itself) });
  return {
    store: around("store", store),
    workspace: { ...workspace, locate: place.locate, files },
    approve: listening("person", "approve", approve as Method, hear) as Approver,
  };
}

function listening(port: Port, method: string, call: Method, hear: Hear): Method {
  const at = (when: Moment["when"]) => hear({ port, method, when });
  if (AT_ONCE.includes(method))
    return (...values) => {
      at("before");
      const answer = call(...values);
      at("after");
      return answer;
    };
  if (method === "chunks")
    return async function* (...values) {
      at("before");
      yield* call(...values) as AsyncIterable<unknown>;
      at("after");
    };
  return async (...values) => {
    at("before");
    const answer = await call(...values);
    at("after");
    return answer;
  };
}

/**
 * Does something at the n-th moment that fits, and counts them all. After an intent nothing is called before the
 * files change, so its end counts as well; every other end is followed by the start of the next call.
 */
export class Trigger {
  readonly seen: string[] = [];
  fired: string | undefined;
  armed = false;
  readonly #n: number;
  readonly #fits: (moment: Moment) => boolean;
  readonly #act: (moment: Moment) => void;
  constructor(n: number, fits: (moment: Moment) => boolean, act: (moment: Moment) => void) {
    this.#n = n;
    this.#fits = fits;
    this.#act = act;
  }

  readonly hear: Hear = (moment) => {
    if (!this.armed || !this.#fits(moment)) return;
    this.seen.push(`${moment.when} ${moment.port}.${moment.method}`);
    if (this.seen.length !== this.#n) return;
    this.fired = this.seen.at(-1);
    this.#act(moment);
  };
}

export const everyAwait = ({ method, when }: Moment): boolean => when === "before" || method === "intend";
