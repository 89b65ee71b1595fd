import * as z from "zod";
import { argumentsWith } from "../src/arguments/arguments.ts";
import type { Policy } from "../src/core/contracts/policy.ts";
import type { Workspace } from "../src/core/contracts/workspace.ts";
import { Gate, type GateSettings } from "../src/core/gate.ts";
import { GateFacts, Sessions } from "../src/core/journey/facts.ts";
import type { Parts, Station } from "../src/core/journey/journey-parts.ts";
import type { Life } from "../src/core/journey/life.ts";
import { Recorder } from "../src/core/journey/recorder.ts";
import { Roster } from "../src/core/journey/roster.ts";
import { type RegisterOptions, Registry } from "../src/core/registry.ts";
import type { Ceiling } from "../src/core/words/ceiling.ts";
import { type Definition, Tool } from "../src/core/words/tool.ts";
import { compileJsonSchema } from "../src/sources/schema-compiler.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { type FileMap, tripIn } from "./tripping.ts";

/** A tool that touches nothing unless told. */
export const tool = (name: string, more: Partial<Definition> = {}): Tool =>
  Tool.define(name, {
    description: `About ${name}.`,
    permissions: { required: ["read"] },
    input: z.object({ path: z.string().optional() }),
    touches: () => [],
    execute: () => name,
    ...more,
  } as Definition);

const ALLOWS: Policy = { name: "mode", judge: () => ({ answer: "allow", by: "mode", reason: "so" }) };

type Given = {
  tools?: (Tool | [Tool, RegisterOptions])[];
  policies?: Policy[];
  ceiling?: Partial<Ceiling>;
  budgets?: GateFacts["budgets"];
  files?: FileMap;
  parts?: Partial<Parts>;
  workspace?: Partial<Workspace>;
  station?: Partial<Station>;
  settings?: Partial<GateSettings>;
};

/** A gate that has nothing but memory. */
export function gateIn(given: Given = {}) {
  const { tools = [], policies = [ALLOWS], ceiling = {}, budgets = [], files, parts = {}, workspace = {} } = given;
  const store = parts.store ?? memoryStore();
  const registry = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    ...{ readDescription: () => "", fillIn: (text: string) => text, emit: () => {} },
  });
  for (const each of tools) void (Array.isArray(each) ? registry.register(...each) : registry.register(each));
  const lost: string[] = [];
  const clock = {
    ...{ now: () => Date.now(), ticks: () => performance.now() },
    after: (_: number, callback: () => void) => {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  const sessions = new Sessions(store);
  const recorder = new Recorder(
    store,
    clock,
    (record) => record,
    (message) => void lost.push(message),
  );
  const facts = new GateFacts({ mode: "yolo", ...ceiling }, sessions.fresh("session"), budgets);
  const all: Partial<Parts> = {
    ...{ store, registry, sessions, recorder, clock, policies, steps: [], trim: (text: string) => ({ text }) },
    ...{ suggest: () => [], anomalies: { look: () => [], lookLater: () => [] } as never },
    globs: { ofPath: (path: string) => path, withBelow: (glob: string) => glob, fits: () => false } as never,
    guard: () => ({ close: () => {}, sights: [] }) as never,
    ...parts,
  };
  const lives = new Roster<Life>();
  const gates = [{}];
  const { station } = tripIn({
    ...{ parts: { ...all, lives }, workspace, station: { facts, gates, ...given.station } },
    ...(files && { files }),
  });
  const shut: string[] = [];
  const gate = new Gate(station, {
    listeners: { on: () => () => {} } as never,
    ...{ dialects: { plain: {} }, dialect: "plain", toolsets: {}, notes: [] },
    shut: async () => void shut.push("shut"),
    ...given.settings,
  });
  return { gate, station, store, registry, lost, shut, lives };
}
