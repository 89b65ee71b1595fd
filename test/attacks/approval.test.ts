import { renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { coveredBy } from "../../src/core/journey/fingerprints.ts";
import type { LoadedEntry } from "../../src/core/registry.ts";
import type { Claim, OpenOptions, Proposal, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { sha256 } from "../../src/workspaces/machine.ts";
import { bench, plain } from "../journeys/harness.ts";

const files = ["a.txt", "b.txt", "sub/a.txt", "other/a.txt", ".toolgate/a.txt"];
const FILES = Object.fromEntries(files.map((file) => [file, "one\n"]));
const bytes = (text: string) => new TextEncoder().encode(text);
const write = (target: string, more: object = {}): Claim => ({ action: "write", target, ...more });
const run = (command: string, more: object = {}): Claim => ({ action: "run", command, class: "dev", ...more });

const linkFile = (to: string) => (dir: string) => {
  rmSync(path.join(dir, "sub/a.txt"));
  symlinkSync(`../${to}/a.txt`, path.join(dir, "sub/a.txt"));
};
const linkFolder = (to: string) => (dir: string) => {
  renameSync(path.join(dir, "sub"), path.join(dir, "was"));
  symlinkSync(to, path.join(dir, "sub"));
};

type When = "while the person thinks" | "before the first lock";

/** A gate whose world changes once, at that moment. */
async function meanwhile(when: When, change: (dir: string) => void, options: OpenOptions = {}) {
  let dir = "";
  let asked = 0;
  let due = true;
  const at = (moment: When) => {
    if (moment !== when || !due) return;
    due = false;
    change(dir);
  };
  const inner = memoryStore();
  const locked: (readonly string[])[] = [];
  const store: Store = {
    ...inner,
    lock(paths, holder) {
      locked.push(paths);
      at("before the first lock");
      return inner.lock(paths, holder);
    },
  };
  const approve = () => {
    asked += 1;
    at("while the person thinks");
    return "once";
  };
  const it = await bench(FILES, { ...options, store, approve });
  dir = it.dir;
  return { ...it, store, locked, asked: () => asked };
}

describe("a yes holds for what the call declared when it was given", () => {
  const before: Claim[] = [write("a.txt")];
  const shifts: [what: string, before: Claim[], after: Claim[]][] = [
    ["another file", before, [write("b.txt")]],
    ["one more file", before, [write("a.txt"), write("b.txt")]],
    ["one file fewer", [write("a.txt"), write("b.txt")], before],
    ["removing in place of writing", before, [{ action: "delete", target: "a.txt" }]],
    ["reading in addition", before, [...before, { action: "read", target: "b.txt" }]],
    ["everything below the folder", [write("sub")], [write("sub", { scope: "**" })]],
    ["another pattern", [write("sub", { scope: "*.md" })], [write("sub", { scope: "*.txt" })]],
    ["what the journal holds", before, [write("a.txt", { restores: true })]],
    ["a command", before, [run("make")]],
    ["another command", [run("make")], [run("make all")]],
    ["another class of command", [run("make")], [run("make", { class: "dangerous" })]],
    ["another setting of the command", [run("make", { setting: "." })], [run("make", { setting: "sub" })]],
    ["a command that touches more", [run("make")], [run("make", { inner: [write("a.txt")] })]],
    ["an address", before, [...before, { action: "fetch", url: "http://example.com:8001/" }]],
    [
      "another address",
      [...before, { action: "fetch", url: "http://example.com:8001/" }],
      [...before, { action: "fetch", url: "http://example.com:8002/" }],
    ],
    ["more permissions", [...before, unknown("read")], [...before, unknown("read", "execute")]],
    ["nothing any more", before, []],
  ];
  test.each(shifts)("%s", async (_, first, then) => {
    let claims = first;
    let ran = 0;
    const shifting = plain("shifting", {
      touches: (_, look) => look.files && claims,
      execute: async () => String(++ran),
    });
    const config = { workspace: { allow_delete: true } };
    const shift = () => {
      claims = then;
    };
    const it = await meanwhile("while the person thinks", shift, { mode: "confirm-all", tools: [shifting], config });
    expect(await it.call("shifting")).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(ran).toBe(0);
    expect(await it.store.locks()).toEqual([]);
    claims = first;
    expect(await it.call("shifting"), "unchanged it runs").toMatchObject({ status: "done" });
  });

  function unknown(...permissions: ("read" | "execute")[]): Claim {
    return { action: "unknown", permissions };
  }
});

test("a yes does not hold for more files, though the preview still shows the same", async () => {
  let more: Claim[] = [];
  const greedy = plain("greedy", {
    permissions: { required: ["write"] },
    touches: (_, look) => look.files && [write("a.txt"), ...more],
    preview: async () => [{ path: "a.txt", after: bytes("two\n") }],
  });
  const shift = () => {
    more = [write("b.txt")];
  };
  const it = await meanwhile("while the person thinks", shift, { mode: "confirm-sensitive", tools: [greedy] });
  expect(await it.call("greedy")).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
  expect(it.text("a.txt")).toBe("one\n");
});

test("a file that a preview read and that is a link to an undeclared one now is not passed off as the same", async () => {
  const copying = plain("copying", {
    permissions: { required: ["read", "write"] },
    touches: () => [write("b.txt"), { action: "read", target: "sub", scope: "**" }],
    preview: async (_, { files: seen }) => [{ path: "b.txt", after: (await seen.read("sub/a.txt")).bytes }],
  });
  const it = await meanwhile("before the first lock", linkFile("other"), { tools: [copying] });
  it.put("sub/a.txt", "secret\n");
  it.put("other/a.txt", "secret\n");
  expect(await it.call("copying")).toMatchObject({ success: false, error: { code: "PERMISSION_DENIED" } });
  expect(it.text("b.txt")).toBe("one\n");
});

describe("a yes holds for the changes that were shown", () => {
  const a: Proposal = { path: "a.txt", after: bytes("two\n"), mode: 0o600 };
  const shifts: [what: string, after: Proposal[]][] = [
    ["other content", [{ ...a, after: bytes("three\n") }]],
    ["another mode", [{ ...a, mode: 0o777 }]],
    ["no mode any more", [{ path: "a.txt", after: bytes("two\n") }]],
    ["another file", [{ ...a, path: "b.txt" }]],
    ["one more file", [a, { ...a, path: "b.txt" }]],
    ["a removal", [{ ...a, after: null }]],
    ["nothing", []],
  ];
  const fickle = (proposals: () => Proposal[]) =>
    plain("fickle", {
      permissions: { required: ["write"] },
      touches: () => ["a.txt", "b.txt"].flatMap((target) => [write(target), { action: "delete", target } as const]),
      // whoever reads the journal is asked again under the locks
      preview: async (_, { journal }) => {
        await journal.changes({});
        return proposals();
      },
    });

  test.each(shifts)("%s", async (_, then) => {
    let proposals = [a];
    const config = { workspace: { allow_delete: true } };
    const shift = () => {
      proposals = then;
    };
    const options = { mode: "confirm-sensitive", config, tools: [fickle(() => proposals)] } as const;
    const it = await meanwhile("while the person thinks", shift, options);
    const mode = statSync(path.join(it.dir, "a.txt")).mode;
    expect(await it.call("fickle")).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect([it.text("a.txt"), it.text("b.txt")]).toEqual(["one\n", "one\n"]);
    expect(statSync(path.join(it.dir, "a.txt")).mode).toBe(mode);
    expect(await it.store.changes({})).toEqual([]);
  });

  test.each(shifts)("where nobody was asked, the later one is made: %s", async (_, then) => {
    let proposals = [a];
    const config = { workspace: { allow_delete: true } };
    const shift = () => {
      proposals = then;
    };
    const it = await meanwhile("before the first lock", shift, { config, tools: [fickle(() => proposals)] });
    expect((await it.call("fickle")).status).toBe("done");
    for (const file of ["a.txt", "b.txt"] as const) {
      const made = then.find((each) => each.path === file);
      const now = made ? (made.after ? new TextDecoder().decode(made.after) : undefined) : "one\n";
      expect(it.text(file)).toBe(now);
      if (made?.after && made.mode) expect(statSync(path.join(it.dir, file)).mode & 0o777).toBe(made.mode);
    }
  });
});

type Case = { what: string; name: string; args: Record<string, unknown>; swap: typeof linkFile };
const command = { name: "run_command", swap: linkFile };
const patch = "--- a/sub/a.txt\n+++ b/sub/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const cases: Case[] = [
  { what: "writing", name: "write_file", args: { path: "sub/a.txt", content: "two\n" }, swap: linkFile },
  { what: "writing below", name: "write_file", args: { path: "sub/a.txt", content: "two\n" }, swap: linkFolder },
  { what: "editing", name: "edit_file", args: { path: "sub/a.txt", old_str: "one", new_str: "two" }, swap: linkFile },
  { what: "removing", name: "delete_file", args: { path: "sub/a.txt" }, swap: linkFolder },
  { what: "a patch", name: "apply_patch", args: { patch }, swap: linkFile },
  { what: "a command that writes", args: { command: "echo two > sub/a.txt" }, ...command },
  { what: "a command that removes", args: { command: "rm sub/a.txt" }, ...command, swap: linkFolder },
  { what: "a command in the folder", args: { command: "echo two > a.txt", cwd: "sub" }, ...command, swap: linkFolder },
];
const config = { workspace: { allow_delete: true } };

describe("a link that comes between the judgement and the locks", () => {
  test.each(cases)("asked: $what", async ({ name, args, swap }) => {
    const it = await meanwhile("while the person thinks", swap("other"), { mode: "confirm-sensitive", config });
    expect(await it.call(name, args)).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(it.text("other/a.txt")).toBe("one\n");
    expect([it.asked(), await it.store.locks()]).toEqual([1, []]);
  });

  test.each(cases)("a standing yes: $what", async ({ name, args, swap }) => {
    const it = await meanwhile("before the first lock", swap("other"), { mode: "confirm-sensitive", config });
    const tool = it.gate.registry.loaded(name) as LoadedEntry;
    const { touches } = await it.gate.explain({ name, args });
    const grant = { tool: name, shown: [], session: null, workspace: it.dir, at: 0 };
    const covered = coveredBy({ tool, input: args, touches }, sha256);
    await it.store.grant(covered.map(({ covers }) => ({ ...grant, id: covers, covers })));
    expect(await it.call(name, args)).toMatchObject({ status: "refused", error: { code: "CONFLICT" } });
    expect(it.text("other/a.txt")).toBe("one\n");
    expect([it.asked(), await it.store.locks()]).toEqual([0, []]);
  });

  test.each(cases)("allowed, and to be asked about where it leads now: $what", async (each) => {
    const it = await meanwhile("before the first lock", each.swap(".toolgate"), { mode: "yolo", config });
    expect((await it.call(each.name, each.args)).status).toBe("refused");
    expect(it.text(".toolgate/a.txt")).toBe("one\n");
    expect([it.asked(), await it.store.locks()]).toEqual([0, []]);
  });

  test.each(cases)("allowed, and forbidden where it leads now: $what", async (each) => {
    const forbidden = { workspace: { ...config.workspace, forbidden_paths: ["other/**"] } };
    const it = await meanwhile("before the first lock", each.swap("other"), { mode: "yolo", config: forbidden });
    const result = await it.call(each.name, each.args);
    expect(result).toMatchObject({ status: "refused", error: { code: "PERMISSION_DENIED" } });
    expect(it.text("other/a.txt")).toBe("one\n");
    expect([it.asked(), await it.store.locks()]).toEqual([0, []]);
  });

  test.each(cases)("allowed there as here, it goes on where it leads now: $what", async (each) => {
    const it = await meanwhile("before the first lock", each.swap("other"), { mode: "yolo", config });
    expect((await it.call(each.name, each.args)).status).toBe("done");
    expect(it.asked()).toBe(0);
    const command = each.name === "run_command";
    expect(it.locked.at(-1), "it holds what it really changes").toEqual([
      path.join(it.dir, command ? "**" : "other/a.txt"),
    ]);
  });
});
