import { describe, expect, test } from "vitest";
import { at, factsUnder, type Given, ready } from "../../test/judging.ts";
import type { Ceiling } from "../core/words/ceiling.ts";
import type { Permission, RunTouch, Touch } from "../core/words/touch.ts";
import { access } from "./access.ts";

const refusal = (given: Given, ceiling: Partial<Ceiling>): string | undefined => {
  const verdict = access.judge(ready(given), factsUnder({ mode: "yolo", ...ceiling }));
  if (verdict) expect(verdict).toMatchObject({ answer: "deny", by: "access" });
  return verdict?.reason;
};
const fetched = (url: string): Touch => ({ action: "fetch", url, method: "GET" });
const unknown = (...permissions: Permission[]): Touch => ({ action: "unknown", permissions });
const command = (kind: RunTouch["class"], more: Partial<RunTouch> = {}): Touch => ({
  ...{ action: "run", command: "x", class: kind, inner: [] },
  ...more,
});
const USES: Touch = { action: "use", source: "mcp", name: "x/y" };
const ASKS: Touch = { action: "ask", target: "person" };
const outside = at("read", "x", { place: { shown: "/o", real: "/o", root: "", exists: true } });
const tree = (folder: string, scope = "**") => at("read", folder, { scope });

type Row = [what: string, lists: Partial<Ceiling>, touch: Touch, refused: string | undefined];

describe("paths of an agent", () => {
  const src = { paths: [["src/**"]] };
  const NOT_HELD = "limited to some paths or hosts";
  test.each<Row>([
    ["below", src, at("read", "src/a.ts"), undefined],
    ["written below", src, at("write", "src/a/b.ts"), undefined],
    ["the folder", src, at("list", "src"), undefined],
    ["elsewhere", src, at("read", "docs/a.md"), "docs/a.md is not among the paths of this agent"],
    ["written elsewhere", src, at("write", "a.ts"), "not among the paths"],
    ["removed elsewhere", src, at("delete", "a.ts"), "not among the paths"],
    ["the root", src, at("list", "/ws"), "not among the paths"],
    ["the root, where all is open", { paths: [["**"]] }, at("list", "/ws"), undefined],
    ["the root, where all of its files are open", { paths: [["*"]] }, at("list", "/ws"), undefined],
    ["a search by globs that together mean all", { paths: [["*", "*/**"]] }, tree("/ws"), undefined],
    ["a folder of like name", src, at("read", "src2/a.ts"), "not among the paths"],
    ["two lists that both fit", { paths: [["src/**"], ["**/*.ts"]] }, at("read", "src/a.ts"), undefined],
    ["two lists, the second does not", { paths: [["src/**"], ["**/*.ts"]] }, at("read", "src/a.md"), "not among"],
    ["two lists, the first does not", { paths: [["src/**"], ["**/*.ts"]] }, at("read", "a.ts"), "not among"],
    ["outside of every root", { paths: [["**"]] }, outside, "/o is not among the paths"],
    ["a search below", src, tree("src"), undefined],
    ["a search further down", src, tree("src/a", "*.ts"), undefined],
    ["a search that starts above", src, tree("/ws"), "not among the paths"],
    ["a search of the root by a pattern for it", src, tree("/ws", "src/**"), "not among the paths"],
    ["a search, where all is open", { paths: [["**"]] }, tree("/ws"), undefined],
    ["a search that goes deeper than the glob", { paths: [["src/*"]] }, tree("src"), "not among the paths"],
    ["a search whose first names do not fit", { paths: [["*/*"]] }, tree("/ws"), "not among the paths"],
    ["a search of the root, whose own files do not fit", { paths: [["**/*/*"]] }, tree("/ws"), "not among the paths"],
    ["a file by a glob of what it is not", { paths: [["!(secret)"]] }, at("read", "a"), undefined],
    ["a search by a glob of what it is not", { paths: [["!(secret){,/**}"]] }, tree("/ws"), "not among the paths"],
    ["inside a command", src, command("safe", { inner: [at("read", "docs/a")] }), "not among the paths"],
    ["inside a command, below", src, command("safe", { inner: [at("read", "src/a")] }), undefined],
    ["a harmless command", src, command("safe"), undefined],
    ["a command that may reach anything", src, command("dev"), `${NOT_HELD}, and commands cannot be`],
    ["a command that a sandbox holds", src, command("dev", { contained: true }), undefined],
    ["a tool that reads anywhere", src, unknown("read"), `${NOT_HELD}, and the tool does not say`],
    ["a tool that says nothing", src, unknown(), "the tool does not say what it touches"],
    ["a tool of another server", src, USES, "the tool does not say what it touches"],
    ["a fetch", src, fetched("https://example.com/"), undefined],
  ])("%s", (_, lists, touch, refused) => {
    for (const touches of [[touch], [ASKS, touch]]) {
      if (refused === undefined) expect(refusal({ touches }, lists)).toBeUndefined();
      else expect(refusal({ touches }, lists)).toContain(refused);
      expect(refusal({ touches }, {}), "without a list").toBeUndefined();
    }
  });
});

describe("hosts of an agent", () => {
  const hosts = { hosts: [["*.example.com", "Docs.test"]] };
  test.each<Row>([
    ["named", hosts, fetched("https://api.example.com/x"), undefined],
    ["named in capitals", hosts, fetched("https://DOCS.TEST/"), undefined],
    ["not named", hosts, fetched("https://evil.test/"), "https://evil.test/ is not among the hosts of this agent"],
    ["as the user of another", hosts, fetched("https://api.example.com@evil.test/"), "not among the hosts"],
    ["in the path of another", hosts, fetched("https://evil.test/api.example.com"), "not among the hosts"],
    ["as a part of another", hosts, fetched("https://api.example.com.evil.test/"), "not among the hosts"],
    ["no URL", { hosts: [["**"]] }, fetched("not a url"), "not among the hosts"],
    ["no host", { hosts: [["**"]] }, fetched("file:///etc/passwd"), "not among the hosts"],
    ["two lists", { hosts: [["*.test"], ["a.*"]] }, fetched("http://a.test/"), undefined],
    ["two lists, one does not name it", { hosts: [["*.test"], ["a.*"]] }, fetched("http://b.test/"), "not among"],
    ["inside a command", hosts, command("safe", { inner: [fetched("http://evil.test/")] }), "not among the hosts"],
    ["a file", hosts, at("write", "a"), undefined],
    ["a command that may reach anything", hosts, command("dangerous"), "commands cannot be"],
    ["a command that a sandbox holds", hosts, command("dangerous", { contained: true }), undefined],
    ["a tool that only reads", hosts, unknown("read"), undefined],
    ["a tool with a network", hosts, unknown("read", "network"), "the tool does not say what it touches"],
    ["a tool that says nothing", hosts, unknown(), "the tool does not say what it touches"],
    ["a tool of another server", hosts, USES, "the tool does not say what it touches"],
  ])("%s", (_, lists, touch, refused) => {
    for (const touches of [[touch], [ASKS, touch]]) {
      if (refused === undefined) expect(refusal({ touches }, lists)).toBeUndefined();
      else expect(refusal({ touches }, lists)).toContain(refused);
      expect(refusal({ touches }, {}), "without a list").toBeUndefined();
    }
  });
});

describe("commands of an agent", () => {
  const some = { commands: ["safe", "dev"] as const };
  const RUNS_UNSAID = "may run only some commands, and the tool does not say what it runs";
  test.each<Row>([
    ["of its classes", some, command("dev"), undefined],
    ["of another class", some, command("dangerous"), "this agent may not run dangerous commands"],
    ["of another class, inside", some, command("safe", { inner: [command("dangerous")] }), "dangerous commands"],
    ["none at all", { commands: [] }, command("safe"), "this agent may not run safe commands"],
    ["what a command may do beyond its words", some, command("dev", { inner: [unknown("execute")] }), undefined],
    ["a tool that runs things", some, unknown("execute"), RUNS_UNSAID],
    ["a tool that says nothing", some, unknown(), RUNS_UNSAID],
    ["a tool of another server", some, USES, RUNS_UNSAID],
    ["a tool that reads and writes", some, unknown("read", "write"), undefined],
    ["a file", some, at("write", "a"), undefined],
    ["a fetch", some, fetched("http://x.test/"), undefined],
  ])("%s", (_, lists, touch, refused) => {
    for (const touches of [[touch], [at("read", "a"), touch]]) {
      if (refused === undefined) expect(refusal({ touches }, lists)).toBeUndefined();
      else expect(refusal({ touches }, lists)).toContain(refused);
    }
  });
});

describe("gates of an agent", () => {
  const closed = { gates: ["Finalize"] as const };
  const PATCH = "this agent may not change files (Patch is not among its gates)";
  const DELEGATE = "this agent may not hand work to others (Delegate is not among its gates)";
  test.each<[what: string, touch: Touch, refused: string | undefined]>([
    ["a write", at("write", "a"), PATCH],
    ["a removal", at("delete", "a"), PATCH],
    ["a command that may change files", command("dev"), PATCH],
    ["a command called safe that nothing holds", command("safe", { exposed: "it runs a helper" }), PATCH],
    ["a tool that writes", unknown("write"), PATCH],
    ["a tool that runs things", unknown("execute"), PATCH],
    ["a tool with a network", unknown("network"), undefined],
    ["work for another", { action: "delegate", target: "other" }, DELEGATE],
    ["work for another, by a command", command("safe", { inner: [{ action: "delegate", target: "x" }] }), DELEGATE],
    ["a look", at("list", "a"), undefined],
    ["a command that only looks", command("safe", { inner: [at("read", "a")] }), undefined],
  ])("%s", (_, touch, refused) => {
    for (const touches of [[touch], [at("read", "a"), touch]]) {
      expect(refusal({ touches }, closed)).toBe(refused);
      expect(refusal({ touches }, { gates: ["Patch", "Delegate"] })).toBeUndefined();
    }
  });
});

describe("permissions and tools of an agent", () => {
  test.each<[touch: Touch, needs: Permission]>([
    [at("read", "a"), "read"],
    [at("list", "a"), "read"],
    [at("write", "a"), "write"],
    [at("delete", "a"), "write"],
    [command("safe"), "execute"],
    [fetched("http://x.test/"), "network"],
    [unknown("network"), "network"],
  ])("%j needs the permission to %s", (touch, needs) => {
    const all: Permission[] = ["read", "write", "execute", "network"];
    const but = (...left: Permission[]) => all.filter((each) => !left.includes(each));
    expect(refusal({ touches: [touch] }, { permissions: but(needs) })).toBe(`thing needs the permission to ${needs}`);
    expect(refusal({ touches: [touch] }, { permissions: [needs] })).toBeUndefined();
    expect(refusal({ needs: ["read", "network"], touches: [touch] }, { permissions: but("read", "network") })).toBe(
      "thing needs the permission to read and network",
    );
  });

  test("what another agent is handed, and what is remembered, needs none", () => {
    const touches: Touch[] = [
      { action: "delegate", target: "x" },
      { action: "remember", target: "x" },
    ];
    expect(refusal({ touches }, { permissions: [] })).toBeUndefined();
  });

  test("says which tool is missing, and what readonly means", () => {
    expect(refusal({ tool: "c" }, { tools: ["a"] })).toBe("c is not among the tools of this agent");
    const readonly = { autonomy: "readonly" } as const;
    expect(refusal({ touches: [command("safe")] }, readonly)).toBe(
      "readonly autonomy changes nothing and runs nothing",
    );
    expect(refusal({ touches: [at("read", "a"), command("safe")] }, readonly)).toContain("runs nothing");
  });
});
