import { describe, expect, expectTypeOf, test } from "vitest";
import type { Network } from "../../src/core/contracts/network.ts";
import type { Pages } from "../../src/core/contracts/pages.ts";
import type { Facts, Policy } from "../../src/core/contracts/policy.ts";
import type { Processes } from "../../src/core/contracts/process.ts";
import type { Search } from "../../src/core/contracts/search.ts";
import type { Running, Step } from "../../src/core/contracts/step.ts";
import type { ChangeRow, NewChange, Outcome } from "../../src/core/contracts/store/changes.ts";
import type { Holder } from "../../src/core/contracts/store/locks.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import type {
  Aftermath,
  Before,
  Bytes,
  Change,
  Entry,
  FileInfo,
  FileRead,
  Files,
  Found,
  Stamp,
  SystemPatch,
  Watch,
  Workspace,
} from "../../src/core/contracts/workspace.ts";
import type { Ready } from "../../src/core/words/ready.ts";
import type { Attachment, Failure, Metadata, Result, Status, Truncated } from "../../src/core/words/result.ts";
import { type Context, type Definition, type Look, type Proposal, Tool } from "../../src/core/words/tool.ts";
import type { Claim, PathTouch, Place, RunTouch, Touch } from "../../src/core/words/touch.ts";
import type { Condition, Verdict } from "../../src/core/words/verdict.ts";
import { type Gate, type IncomingCall, z } from "../../src/index.ts";
import type { memoryStore } from "../../src/stores/memory.ts";
import type { sqliteStore } from "../../src/stores/sqlite.ts";
import type { localWorkspace } from "../../src/workspaces/local.ts";
import type { overlay } from "../../src/workspaces/overlay.ts";

// these hold when they compile: whoever changes a contract has to change them here as well

describe("the contracts", () => {
  test("a store", () => {
    expectTypeOf<ReturnType<typeof memoryStore>>().toExtend<Store>();
    expectTypeOf<Awaited<ReturnType<typeof sqliteStore>>>().toExtend<Store>();
  });

  test("what a store keeps of a change", () => {
    expectTypeOf<Outcome>().toEqualTypeOf<{ after: string | null; modeAfter?: number }>();
    expectTypeOf<ChangeRow>().toEqualTypeOf<{
      id: number;
      record: string;
      call: string;
      session: string;
      message: string;
      tool: string;
      at: number;
      real: string;
      shown: string;
      before: string | null;
      after: string | null;
      modeBefore?: number;
      modeAfter?: number;
      state: "intended" | "done" | "void";
      undoes?: number[];
      redoes?: number[];
    }>();
    expectTypeOf<NewChange>().toEqualTypeOf<
      Omit<ChangeRow, "id" | "state"> & { content: Uint8Array | null; replaced?: boolean }
    >();
    expectTypeOf<Holder>().toEqualTypeOf<{ token: string; call: string; ancestors: readonly string[] }>();
  });

  test("a workspace and its files", () => {
    expectTypeOf<Workspace>().toEqualTypeOf<{
      readonly roots: readonly string[];
      locate(path: string, itself?: boolean): Place | Promise<Place>;
      trace(path: string, itself?: boolean): Place | Promise<Place>;
      digest?(
        path: string,
        part?: string,
        folders?: Map<string, boolean>,
      ): Promise<{ place: Place; hash: string } | undefined>;
      behind?(file: { readonly target: string; readonly part?: string }): {
        readonly files: readonly { readonly target: string; readonly part?: string }[];
        readonly open?: true;
      };
      tracked?(
        folder: Place,
      ): Promise<{ readonly names: readonly string[]; isChanged(name: string): boolean } | undefined>;
      namedByGit?(folder: Place, asked: readonly (readonly string[])[]): Promise<readonly string[] | undefined>;
      readonly files: Files;
      readonly search: Search;
      readonly processes?: Processes;
      readonly network?: Network;
      readonly pages?: Pages;
      watch?(touches: readonly PathTouch[], hash: (bytes: Bytes) => string): Promise<Watch>;
      rewatch?(picture: Bytes, hash: (bytes: Bytes) => string): Watch | undefined;
      rehearse?(
        run: RunTouch,
        above?: readonly Change[],
      ): Promise<{ readonly changes: readonly Change[]; readonly whole: boolean } | undefined> | undefined;
      readonly patch?: SystemPatch;
      close(): Promise<void>;
    }>();
    expectTypeOf<SystemPatch>().toEqualTypeOf<
      (content: Bytes, diff: Bytes, format: "context" | "normal") => Promise<{ content: Bytes } | { refusal: string }>
    >();
    expectTypeOf<Watch>().toEqualTypeOf<{
      readonly known: readonly Before[];
      picture?(): Bytes | undefined;
      end(): Promise<Aftermath>;
    }>();
    expectTypeOf<Aftermath>().toEqualTypeOf<{
      found: readonly Found[];
      lost: readonly string[];
      whole: boolean;
    }>();
    expectTypeOf<Files>().toEqualTypeOf<{
      stat(place: Place): FileInfo | undefined | Promise<FileInfo | undefined>;
      read(place: Place): Promise<FileRead>;
      chunks(place: Place, from?: number): AsyncIterable<Bytes>;
      list(place: Place): Promise<Entry[]>;
      near(place: Place): Promise<string[]>;
      commit(
        changes: readonly Change[],
        intend: () => Promise<void>,
      ): Promise<readonly (Stamp | undefined)[] | undefined>;
    }>();
    expectTypeOf<Change>().toEqualTypeOf<{
      place: Place;
      before: Uint8Array | null;
      after: Uint8Array | null;
      modeBefore?: number;
      mode?: number;
      stamp?: Stamp;
    }>();
    expectTypeOf<ReturnType<typeof localWorkspace>>().toExtend<Workspace>();
    expectTypeOf<ReturnType<typeof overlay>>().toExtend<Workspace>();
  });

  test("places and touches", () => {
    expectTypeOf<Place>().toEqualTypeOf<{ shown: string; real: string; root: string; exists: boolean; link?: true }>();
    expectTypeOf<Touch["action"]>().toEqualTypeOf<Claim["action"]>();
    expectTypeOf<PathTouch["action"]>().toEqualTypeOf<"read" | "list" | "write" | "delete">();
    expectTypeOf<Exclude<Touch["action"], PathTouch["action"]>>().toEqualTypeOf<
      "run" | "fetch" | "use" | "unknown" | "delegate" | "remember" | "schedule" | "ask" | "signal"
    >();
  });

  test("a policy is pure: a call and facts in, a verdict or nothing out, and no promise", () => {
    expectTypeOf<Policy["name"]>().toEqualTypeOf<string>();
    expectTypeOf<Policy["judge"]>().toEqualTypeOf<(ready: Ready, facts: Facts) => Verdict | Condition | undefined>();
    expectTypeOf<Verdict["answer"]>().toEqualTypeOf<"allow" | "ask" | "deny">();
  });

  test("a step can neither change the input nor skip the shape of the result", () => {
    expectTypeOf<Step>().toEqualTypeOf<{
      readonly name: string;
      applies(ready: Ready): boolean;
      around(running: Running, next: () => Promise<Result>): Promise<Result>;
    }>();
  });

  test("a result", () => {
    expectTypeOf<Result>().toEqualTypeOf<{
      success: boolean;
      status: Status;
      title: string;
      output: string;
      error?: Failure;
      metadata: Metadata;
      attachments?: Attachment[];
      truncated?: Truncated;
    }>();
    expectTypeOf<Status>().toEqualTypeOf<
      "done" | "planned" | "unknown" | "invalid" | "refused" | "cancelled" | "timed-out" | "failed"
    >();
    expectTypeOf<Failure["message" | "hint"]>().toEqualTypeOf<string>();
    expectTypeOf<Gate["call"]>().toBeCallableWith({ name: "read_file" }, { signal: new AbortController().signal });
    expectTypeOf<ReturnType<Gate["call"]>>().toEqualTypeOf<Promise<Result>>();
    expectTypeOf<Parameters<Gate["callAll"]>[0]>().toEqualTypeOf<readonly IncomingCall[]>();
    expectTypeOf<ReturnType<Gate["callAll"]>>().toEqualTypeOf<Promise<Result[]>>();
  });
});

describe("Tool.define", () => {
  const input = z.object({ path: z.string(), deep: z.boolean().default(false), limit: z.number().optional() });
  type Input = { path: string; deep: boolean; limit?: number | undefined };

  test("types the input by its schema, in every function of the tool", () => {
    const tool = Tool.define("typed", {
      description: "A tool of the tests whose input has a type.",
      input,
      touches(given, look) {
        expectTypeOf(given).toEqualTypeOf<Input>();
        expectTypeOf(look).toEqualTypeOf<Look>();
        return [];
      },
      async preview(given) {
        expectTypeOf(given).toEqualTypeOf<Input>();
        return [];
      },
      getDangerLevel(given) {
        expectTypeOf(given).toEqualTypeOf<Input>();
        return "safe";
      },
      async execute(given, context) {
        expectTypeOf(given).toEqualTypeOf<Input>();
        expectTypeOf(context).toEqualTypeOf<Context>();
        return "done";
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool>();
    expectTypeOf<NonNullable<Definition["preview"]>>().returns.toEqualTypeOf<Promise<readonly Proposal[]>>();
  });

  test("types the metadata that a tool streams and returns", () => {
    type Progress = { lines: number };
    Tool.define<typeof input, Progress>("streaming", {
      description: "A tool of the tests whose metadata has a type.",
      input,
      async execute(_, { metadata }) {
        expectTypeOf(metadata).parameter(0).toEqualTypeOf<{ title?: string; metadata?: Partial<Progress> }>();
        return { output: "done", metadata: { lines: 1 } };
      },
    });
    Tool.define<typeof input, Progress>("wrong", {
      description: "A tool of the tests whose metadata is of another type.",
      input,
      // @ts-expect-error its metadata must be what it says
      execute: async () => ({ output: "done", metadata: { lines: "one" } }),
    });
  });

  test("types the input of a tool that is made later, and leaves that of a JSON Schema open", () => {
    Tool.define("later", async () => ({
      description: "A tool of the tests that is made when it is needed.",
      input,
      execute: async (given: Input) => given.path,
    }));
    Tool.define("plain", {
      description: "A tool of the tests with a JSON Schema.",
      input: { type: "object", properties: { path: { type: "string" } } },
      execute(given) {
        expectTypeOf(given).toEqualTypeOf<Record<string, unknown>>();
        return "done";
      },
    });
  });

  test("refuses what is no tool", () => {
    // @ts-expect-error a tool has a description
    Tool.define("silent", { input, execute: async () => "done" });
    // @ts-expect-error a tool does something
    expect(() => Tool.define("idle", { description: "A tool of the tests that does nothing.", input })).toThrow(
      TypeError,
    );
    Tool.define("numb", {
      description: "A tool of the tests that touches things in an unknown way.",
      input,
      // @ts-expect-error nobody knows this action
      touches: () => [{ action: "sniff", target: "a" }],
      execute: async () => "done",
    });
  });
});
