import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChildOptions, Claim, Gate } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

/** A tool that touches whatever it is told to. */
let touching: Claim[] = [];
const tools = [
  plain("any", { permissions: { required: [] }, touches: () => touching }),
  plain("says_nothing", { permissions: { required: ["read"] }, touches: undefined as never }),
];
const read = (target: string): Claim => ({ action: "read", target });
const write = (target: string): Claim => ({ action: "write", target });
const list = (target: string): Claim => ({ action: "list", target, scope: "**" });
const fetch = (url: string): Claim => ({ action: "fetch", url });
const run = (command: string, kind: "safe" | "dev" | "dangerous", inner: Claim[] = []): Claim => ({
  ...{ action: "run", command, class: kind, inner },
});

const verdict = async (gate: Gate, ...claims: Claim[]) => {
  touching = claims;
  const { verdict: answer, by } = await gate.explain({ name: "any" });
  return by === "access" ? answer : "free";
};
const FILES = { "src/a.ts": "a", "src/deep/b.ts": "b", "docs/c.md": "c", "top.txt": "t" };

describe("a child that is held to", () => {
  const cases: [ceiling: ChildOptions, touch: Claim, answer: "free" | "deny"][] = [
    [{ paths: ["src/**"] }, read("src/a.ts"), "free"],
    [{ paths: ["src/**"] }, write("src/deep/new.ts"), "free"],
    [{ paths: ["src/**"] }, read("top.txt"), "deny"],
    [{ paths: ["src/**"] }, read("src/../top.txt"), "deny"],
    [{ paths: ["src/**"] }, list("src"), "free"],
    [{ paths: ["src/**"] }, list("."), "deny"],
    [{ paths: ["src/**", "docs/*"] }, write("docs/c.md"), "free"],
    [{ paths: ["docs/*"] }, read("docs/deep/c.md"), "deny"],
    [{ paths: ["docs/*"] }, list("docs"), "deny"],
    [{ paths: ["docs"] }, read("docs/deep/c.md"), "free"],
    [{ paths: ["./docs/"] }, list("docs"), "free"],
    [{ paths: ["docs"] }, read("src/docs/c.md"), "deny"],
    [{ paths: ["SRC/**"] }, read("src/a.ts"), "deny"],
    [{ paths: ["**"] }, list("."), "free"],
    [{ paths: ["**"] }, { action: "list", target: "." }, "free"],
    [{ paths: ["src/**"] }, { action: "list", target: "." }, "deny"],
    [{ paths: ["**/*.ts"] }, read("src/deep/b.ts"), "free"],
    [{ paths: ["*.txt"] }, read("docs/c.txt"), "deny"],
    [{ paths: ["!docs/**"] }, read("top.txt"), "deny"],
    [{ paths: [""] }, read("top.txt"), "deny"],
    [{ paths: ["{a*,b*}*{c*,d*}*{e*,f*}*{g*,h*}*"] }, read("top.txt"), "deny"],
    [{ paths: [] }, read("top.txt"), "deny"],
    [{ paths: ["src/**"] }, run("cat top.txt", "safe", [read("top.txt")]), "deny"],
    [{ paths: ["src/**"] }, run("cat src/a.ts", "safe", [read("src/a.ts")]), "free"],
    [{ paths: ["src/**"] }, run("make", "dev"), "deny"],
    [{ paths: ["src/**"] }, { action: "unknown", permissions: ["read"] }, "deny"],
    [{ paths: ["src/**"] }, { action: "use", source: "mcp", name: "x" }, "deny"],
    [{ paths: ["src/**"] }, fetch("http://example.com/"), "free"],
    [{ hosts: ["example.com"] }, fetch("http://example.com/a?b#c"), "free"],
    [{ hosts: ["example.com"] }, fetch("HTTPS://EXAMPLE.com:8443/"), "free"],
    [{ hosts: ["example.com"] }, fetch("http://me:word@example.com/"), "free"],
    [{ hosts: ["example.com"] }, fetch("http://evil.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("http://example.com.evil.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("http://evil.com/@example.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("http://example.com@evil.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("http://evil.com\\@example.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("http://a@example.com@evil.com/"), "deny"],
    [{ hosts: ["example.com"] }, fetch("example.com"), "deny"],
    [{ hosts: ["*.example.com"] }, fetch("http://api.example.com/"), "free"],
    [{ hosts: ["*.example.com"] }, fetch("http://example.com/"), "deny"],
    [{ hosts: ["127.0.0.1"] }, fetch("http://127.1/"), "free"],
    [{ hosts: ["[::1]"] }, fetch("http://[::1]:80/"), "free"],
    [{ hosts: ["example.com"] }, run("curl http://evil.com", "dev", [fetch("http://evil.com")]), "deny"],
    [{ hosts: ["example.com"] }, { action: "unknown", permissions: ["network"] }, "deny"],
    [{ hosts: ["example.com"] }, { action: "unknown", permissions: ["read"] }, "free"],
    [{ hosts: ["example.com"] }, write("top.txt"), "free"],
    [{ commands: ["safe"] }, run("ls", "safe"), "free"],
    [{ commands: ["safe"] }, run("make", "dev"), "deny"],
    [{ commands: ["safe", "dev"] }, run("make", "dev"), "free"],
    [{ commands: ["dev"] }, run("ls", "safe"), "deny"],
    [{ commands: [] }, run("ls", "safe"), "deny"],
    [{ commands: ["dev"] }, run("make", "dev", [run("rm -rf x", "dangerous")]), "deny"],
    [{ commands: ["safe", "dev"] }, run("make", "dev", [{ action: "unknown", permissions: ["execute"] }]), "free"],
    [{ commands: ["safe"] }, run("make", "dev", [{ action: "unknown", permissions: ["execute"] }]), "deny"],
    [{ commands: ["safe"] }, { action: "unknown", permissions: ["execute"] }, "deny"],
    [{ commands: ["safe"] }, { action: "unknown", permissions: [] }, "deny"],
    [{ commands: ["safe"] }, { action: "unknown", permissions: ["read"] }, "free"],
    [{ commands: ["safe"] }, write("top.txt"), "free"],
  ];
  test("what it may and may not", async () => {
    const { gate } = await bench(FILES, { store: "memory", tools });
    for (const [ceiling, touch, answer] of cases)
      expect(await verdict(gate.child(ceiling), touch), `${JSON.stringify(ceiling)} ${JSON.stringify(touch)}`).toBe(
        answer,
      );
  });

  test("a tool that does not say what it touches is not for those who are held to paths", async () => {
    const { gate } = await bench(FILES, { store: "memory", tools });
    expect(await gate.child({ paths: ["src/**"] }).explain({ name: "says_nothing" })).toMatchObject({ by: "access" });
    expect((await gate.call({ name: "says_nothing" })).status).toBe("done");
  });
});

test("no chain of children gets wider than any of its links", async () => {
  const { gate } = await bench(FILES, { store: "memory", tools });
  const some = <T>(values: T[]) => fc.option(fc.subarray(values), { nil: undefined });
  const link = fc.record({
    paths: some(["src/**", "docs/*", "top.txt", "**"]),
    hosts: some(["example.com", "*.example.com", "**"]),
    commands: some(["safe", "dev", "dangerous"] as const),
  });
  const given = (options: object) => Object.fromEntries(Object.entries(options).filter(([, value]) => value));
  const touches = [read("src/a.ts"), write("docs/c.md"), read("top.txt"), list("."), fetch("http://a.example.com")];
  const claims = [...touches, run("ls", "safe"), run("make", "dev"), run("ls src", "safe", [list("src")])];
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...claims),
      async (links, claim) => {
        const chain = links.reduce<Gate>((above, each) => above.child(given(each)), gate);
        const apart = [];
        for (const each of links) apart.push(await verdict(gate.child(given(each)), claim));
        const answer = await verdict(chain, claim);
        expect(answer).toBe(apart.includes("deny") ? "deny" : "free");
      },
    ),
    { numRuns: 60 },
  );
});

describe("a child's tools", () => {
  test("names that nobody knows are a mistake, aliases and * are not", async () => {
    const { gate } = await bench(FILES, { store: "memory" });
    expect(() => gate.child({ tools: ["read_file", "reed_file"] })).toThrow(/do not exist: reed_file.*read_file/s);
    expect((await gate.child({ tools: ["Read"] }).call({ name: "read_file", args: { path: "top.txt" } })).status).toBe(
      "done",
    );
    expect((await gate.child({ tools: ["Read"] }).call({ name: "list_files" })).status).toBe("refused");
    expect((await gate.child({ tools: ["*"] }).call({ name: "list_files" })).status).toBe("done");
    expect(
      (
        await gate
          .child({ tools: ["Read"] })
          .child({ tools: ["*"] })
          .call({ name: "list_files" })
      ).status,
    ).toBe("refused");
  });

  test("where tools are loaded on demand, a name may still come", async () => {
    const { gate } = await bench(
      {},
      { store: "memory", resolve: async (name) => (name === "later" ? plain("later") : null) },
    );
    const child = gate.child({ tools: ["later"] });
    expect((await child.call({ name: "later" })).status).toBe("done");
    expect((await child.call({ name: "list_files" })).status).toBe("refused");
  });
});

describe("a tool of one's own in the place of one that is built in", () => {
  const mine = plain("list_files", { execute: async () => "mine" });
  test("has to say so", async () => {
    await expect(bench({}, { store: "memory", tools: [mine] })).rejects.toThrow(/already/);
    const { call } = await bench({}, { store: "memory", tools: [{ ...mine, override: true }] });
    expect((await call("list_files")).output).toBe("mine");
  });
});

test("a standing yes covers what the scope says, and the whole input where there is none", async () => {
  const asked: string[] = [];
  const send = (name: string, scope?: (input: never) => unknown) =>
    plain(name, {
      permissions: { required: ["network"] },
      input: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } } },
      touches: () => [],
      dangerLevel: "dangerous",
      ...(scope && { scope }),
    });
  const { call } = await bench(
    {},
    {
      ...{ mode: "confirm-all", store: "memory" },
      tools: [send("whole"), send("scoped", ({ to }: { to: string }) => to)],
      approve: ({ tool, input }) => {
        asked.push(`${tool} ${Object.values(input as object).join(" ")}`);
        return "always";
      },
    },
  );
  for (const name of ["whole", "scoped"])
    for (const [to, text] of ["a 1", "a 1", "a 2", "b 1"].map((line) => line.split(" ")))
      expect((await call(name, { to, text })).status).toBe("done");
  expect(asked).toEqual(["whole a 1", "whole a 2", "whole b 1", "scoped a 1", "scoped b 1"]);
});
