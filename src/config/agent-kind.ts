import type { AgentDefinition } from "../core/contracts/agents.ts";
import type { ActionGate } from "../core/words/ceiling.ts";
import type { Rule } from "./restrictions.ts";
import type { Kind } from "./value-kinds.ts";

const GATES: readonly [ActionGate, ...ActionGate[]] = ["Patch", "Finalize", "Delegate"];
const ACCEPTS = "agents by name, each with description, prompt, tools and policy";
const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

type WrittenAgent = {
  description?: string;
  prompt?: string;
  tools?: readonly string[];
  policy?: readonly ActionGate[];
};
export type WrittenAgents = Readonly<Record<string, WrittenAgent>>;
export type Agents = Readonly<Record<string, AgentDefinition>>;

/** Accepts the same fields as a file in `.toolgate/agents`. */
export const agents: Kind<WrittenAgents, Agents> = {
  accepts: ACCEPTS,
  schema: (z) => {
    const text = (error: string) => z.string({ error });
    const shape = {
      description: text("a text").optional(),
      prompt: text("a text: what the agent is told").optional(),
      tools: z.array(text("a list of names of tools").min(1), { error: "a list of names of tools" }).optional(),
      policy: z
        .array(z.enum(GATES, { error: `one of ${GATES.join(", ")}` }), { error: `a list of ${GATES.join(", ")}` })
        .optional(),
    };
    const name = z.string().regex(NAME, { error: "a name of letters, digits, _ and -" });
    return z.record(name, z.strictObject(shape, { error: ACCEPTS }), { error: ACCEPTS });
  },
  read: (written) =>
    Object.fromEntries(
      Object.entries(written).map(([name, { description = "", prompt = "", tools, policy }]) => [
        name,
        {
          ...{ name, description, prompt },
          ...(tools && !tools.includes("*") && { tools }),
          ...(policy && { gates: policy }),
        },
      ]),
    ),
  write: (all) =>
    Object.fromEntries(
      Object.values(all).map(({ name, gates, ...rest }) => [name, { ...rest, ...(gates && { policy: gates }) }]),
    ),
};

const isOther = (wish: Agents, now: Agents, name: string): boolean =>
  now[name] !== undefined && JSON.stringify(now[name]) !== JSON.stringify(wish[name]);

/** A new agent may do no more than its gate. Replacing one counts as loosening: it may have been held to less. */
export const addsAgents: Rule<Agents> = {
  looser: "another agent of the same name",
  loosens: (wish, now = {}) => Object.keys(wish).some((name) => isOther(wish, now, name)),
  join: (wish, now) => ({ ...now, ...wish }),
  narrow: (wish, now) => ({ ...wish, ...now }),
};
