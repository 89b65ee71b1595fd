import { describe, expect, test } from "vitest";
import type { OpenOptions, Policy, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain } from "./harness.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (given: Uint8Array | null): string => (given ? new TextDecoder().decode(given) : "nothing");

/** Shows nothing beforehand: it writes while it runs, one file after the other. */
const writer = (...contents: string[]) =>
  plain("writer", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "sub", scope: "**" }],
    async execute(_, { files }) {
      for (const [index, content] of contents.entries()) await files.write(`sub/${index}.txt`, bytes(content));
      return "written";
    },
  });

type Judged = ReturnType<Policy["judge"]>;

/** Looks at what files become, and says something about those that hold this word. */
const about = (word: string, said: Judged | (() => Judged)): Policy => ({
  name: "content",
  content: true,
  judge: ({ changes }) => {
    if (!changes.some(({ after }) => textOf(after).includes(word))) return undefined;
    return typeof said === "function" ? said() : said;
  },
});

const deny = { answer: "deny", by: "content", reason: "that word" } as const;
const ask = { answer: "ask", by: "content", reason: "that word", grantable: true } as const;
const counted = { by: "content", reserve: [{ key: "words", limit: 1 }] } as const;

async function writing(contents: string[], policy: Policy, options: OpenOptions = {}) {
  const store: Store = memoryStore();
  const it = await bench({ "sub/keep": "" }, { store, tools: [writer(...contents)], policies: [policy], ...options });
  const written = () => contents.map((_, index) => it.text(`sub/${index}.txt`) ?? "-").join();
  return { ...it, store, written };
}

describe("a change that no preview showed is judged when it is made", () => {
  const person: OpenOptions = { mode: "confirm-sensitive", approve: () => "once" };
  const cases: [what: string, said: Judged | (() => Judged), options: OpenOptions, status: string, written: string][] =
    [
      ["denied", deny, {}, "refused", "good,-"],
      ["denied, whatever a person said to the call", deny, person, "refused", "good,-"],
      ["to be asked about, and nobody was asked", ask, {}, "refused", "good,-"],
      ["to be asked about, and a person agreed to the call", ask, person, "done", "good,bad"],
      ["allowed", { ...ask, answer: "allow" }, {}, "done", "good,bad"],
      ["not understood", { ...ask, answer: "maybe" } as never, {}, "refused", "good,-"],
      [
        "judged by a policy that throws",
        () => {
          throw new Error("broken");
        },
        {},
        "refused",
        "good,-",
      ],
    ];
  test.each(cases)("%s", async (_, said, options, status, expected) => {
    const { call, written, store } = await writing(["good", "bad"], about("bad", said), options);
    expect([(await call("writer")).status, written()]).toEqual([status, expected]);
    const made = (await store.changes({})).filter(({ state }) => state === "done");
    expect(made).toHaveLength(expected.includes("-") ? 1 : 2);
  });

  test("a standing yes for the call counts as agreement", async () => {
    const { call, written, gate } = await writing(["good", "bad"], about("bad", ask), {
      mode: "confirm-sensitive",
      approve: () => "session",
    });
    await call("writer");
    expect(await gate.grants.list()).toHaveLength(1);
    const { status } = await call("writer");
    expect([status, written()]).toEqual(["done", "good,bad"]);
  });

  test("by a policy that looks at content, and by no other", async () => {
    let asked = 0;
    const { call } = await writing(["good"], {
      name: "blind",
      judge: ({ changes }) => {
        asked += 1;
        return changes.length > 0 ? deny : undefined;
      },
    });
    expect((await call("writer")).status).toBe("done");
    expect(asked).toBeGreaterThan(0);
  });

  test("it counts against the limits, and what it says is told", async () => {
    const said = { ...counted, notes: ["one word fewer"] };
    const { call, written } = await writing(["bad", "bad"], about("bad", said));
    expect((await call("writer")).error?.code).toBe("RATE_LIMITED");
    expect(written()).toBe("bad,-");
    const other = await writing(["bad"], about("bad", said));
    expect((await other.call("writer")).output).toContain("one word fewer");
  });

  test("one that could not be made does not count", async () => {
    const dir = folder({ "sub/keep": "" });
    const local = localWorkspace({ root: dir });
    let broken = true;
    const commit: typeof local.files.commit = async (changes, intend) => {
      if (broken) throw new Error("the disk is full");
      return local.files.commit(changes, intend);
    };
    const workspace = { ...local, files: { ...local.files, commit } };
    const { call, text } = await writing(["bad"], about("bad", counted), { workspace, dir } as OpenOptions);
    expect((await call("writer")).status).toBe("failed");
    broken = false;
    expect((await call("writer")).status).toBe("done");
    expect(text("sub/0.txt")).toBe("bad");
    expect((await call("writer")).error?.code).toBe("RATE_LIMITED");
  });
});

test("what a command changed counts as soon as it is known, whatever the limits say", async () => {
  const limit = { key: "files", limit: 1 };
  const policy: Policy = {
    name: "files",
    judge: ({ touches }) => (touches.length > 0 ? { by: "files", reserve: [{ ...limit, amount: 0 }] } : undefined),
    found: (changes) => changes.map(() => limit),
  };
  const taken: number[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    reserve: (takes) => {
      taken.push(...takes.map(({ amount }) => amount));
      return inner.reserve(takes);
    },
  };
  const { call } = await bench({}, { store, policies: [policy], sandbox: "off" });
  expect((await call("run_command", { command: "echo 1 > a.txt; echo 2 > b.txt" })).status).toBe("done");
  expect(taken).toEqual([0, 1, 1]);
});
