import { describe, expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Mode } from "../core/words/ceiling.ts";
import type { RunTouch, Touch } from "../core/words/touch.ts";
import { guardedFiles } from "./guarded-files.ts";

const policy = guardedFiles({
  protectedFiles: ["migrations/**", "package-lock.json", "config/prod.yaml", "*.lock"],
  sensitiveFiles: [".env", "*.pem", "keys/private.txt"],
});
const judge = (touch: Touch, mode: Mode = "yolo") => policy.judge(ready({ touches: [touch] }), factsUnder({ mode }));
const elsewhere = (shown: string, real: string) => ({ place: { shown, real, root: "/ws", exists: true } });
const git = (...words: (string | null)[]): RunTouch => command("git", ...words);
const command = (program: string, ...words: (string | null)[]): RunTouch => ({
  ...(run() as RunTouch),
  reading: {
    ...{ risk: "low", reason: "", parsed: true, uses: { newline: false, backticks: false, substitution: false } },
    segments: [{ text: "", program, class: "safe", risk: "low", rule: "", words: [program, ...words] }],
  },
});

describe("what a call may touch", () => {
  test.each<[what: string, touch: Touch, answer: "deny" | undefined]>([
    ["a protected file is read", at("read", "migrations/1.sql"), undefined],
    ["a protected file is written", at("write", "migrations/1.sql"), "deny"],
    ["a protected file is deleted", at("delete", "migrations/1.sql"), "deny"],
    ["in other capitals", at("write", "Migrations/1.SQL"), "deny"],
    ["a name at any depth", at("write", "app/package-lock.json"), "deny"],
    ["a neighbour of like name", at("write", "package-lock.json.bak"), undefined],
    ["by a link that leads there", at("write", "x", elsewhere("ok", "/ws/migrations/1.sql")), "deny"],
    ["by a command", run(at("write", "migrations/1.sql")), "deny"],
    ["by a command of a command", run(run(at("delete", "migrations/1.sql"))), "deny"],
    ["by a command's pattern", run(at("delete", "migrations", { scope: "*.sql" })), "deny"],
    ["by a pattern that reaches a plain name", run(at("delete", "config", { scope: "*.yaml" })), "deny"],
    ["by a pattern that reaches a folder above it", run(at("delete", "/ws", { scope: "conf*" })), "deny"],
    ["written by a pattern that reaches a folder above it", run(at("write", "/ws", { scope: "conf*" })), "deny"],
    ["by a pattern that reaches a name in its folder", run(at("write", "app", { scope: "*.json" })), "deny"],
    ["by a pattern that does not", run(at("delete", "config", { scope: "*.yml" })), undefined],
    ["read with a pattern that reaches it", run(at("read", "config", { scope: "*.yaml" })), undefined],
    ["by a pattern that goes further down", run(at("delete", "config", { scope: "*.yaml/x" })), undefined],
    ["by a pattern for a tree that holds it", run(at("delete", "config", { scope: "**" })), undefined],
    ["a folder whose name begins so", run(at("delete", "conf")), undefined],
    ["by a pattern deeper down", run(at("delete", "config/x", { scope: "*.yaml" })), undefined],
    ["with the folder it is in", run(at("delete", "config")), "deny"],
    ["with the folder it is in, by a tool", at("delete", "config"), "deny"],
    ["with all there is", run(at("delete", "/ws")), "deny"],
    ["another folder", run(at("delete", "build")), undefined],
    ["a sensitive file is read", at("read", ".env"), "deny"],
    ["a sensitive file is looked at", at("list", ".env"), "deny"],
    ["a sensitive file is written", at("write", "app/.env"), "deny"],
    ["a sensitive file is read by a link", at("read", "x", elsewhere("ok", "/ws/.env")), "deny"],
    ["a sensitive file is read by a command", run(at("read", "tls/server.PEM")), "deny"],
    ["by a command's pattern of its kind", run(at("read", "/ws", { scope: "*.pem" })), "deny"],
    ["by a command's pattern that reaches it", run(at("read", "keys", { scope: "*.txt" })), "deny"],
    ["a pattern that means no hidden names", run(at("read", "/ws", { scope: "*" })), undefined],
    ["a pattern that means hidden names", run(at("read", "/ws", { scope: ".e*" })), "deny"],
    ["a name that is longer", at("read", ".env.example"), undefined],
    ["git shows it as it was", git("show", "HEAD~1:.env"), "deny"],
    ["git takes it in", git("add", "./.env"), "deny"],
    ["git forgets it", git("rm", "--cached", ".env"), undefined],
    ...["check-ignore", "ls-files", "status", "commit", "tag", "branch"].map((word): [string, Touch, undefined] => [
      `git ${word} shows nothing of it`,
      git(word, ".env"),
      undefined,
    ]),
    ["git with an option that only sounds like it", git("log", "--grep=a.pem"), undefined],
    ["another program that only says its name", command("echo", ".env"), undefined],
    ["git shows another", git("show", "HEAD:src/a.ts"), undefined],
    ["git with words that only the shell knows", git("show", null), undefined],
    ["a fetch", { action: "fetch", url: "http://x/.env", method: "GET" }, undefined],
  ])("%s: %s", (_, touch, answer) => expect(judge(touch)?.answer).toBe(answer));

  test.each<[what: string, guarded: string, touch: Touch, answer: "deny" | undefined]>([
    ["an absolute name goes with its folder", "/ws/abs/x.txt", at("delete", "abs"), "deny"],
    ["an absolute name stays when another folder goes", "/ws/abs/x.txt", at("delete", "abs2"), undefined],
    ["a name that may be anywhere goes with all there is", "notes.txt", run(at("delete", "/ws")), "deny"],
    ["a name that may be anywhere, and one folder goes", "notes.txt", run(at("delete", "docs")), undefined],
  ])("%s", (_, guarded, touch, answer) => {
    const own = guardedFiles({ protectedFiles: [guarded], sensitiveFiles: [] });
    expect(own.judge(ready({ touches: [touch] }), factsUnder({ mode: "yolo" }))?.answer).toBe(answer);
  });

  test("a tool's own pattern is narrowed, not refused", () => {
    expect(judge(at("read", "/ws", { scope: "*.pem" }))).toMatchObject({
      answer: "allow",
      exclude: [".env", "*.pem", "keys/private.txt"],
    });
    const kept = guardedFiles({ protectedFiles: ["*.lock"], sensitiveFiles: [] });
    expect(kept.judge(ready({ touches: [at("list", "/ws")] }), factsUnder({ mode: "yolo" }))).toBeUndefined();
  });

  test("says which file and which pattern, in the words that people know", () => {
    expect(judge(at("write", "migrations/1.sql"))?.reason).toBe(
      "Protected file blocked by guardrail: migrations/1.sql (pattern: migrations/**)",
    );
    expect(judge(at("read", "app/.env"))?.reason).toBe("Sensitive file blocked by guardrail: app/.env (pattern: .env)");
  });

  test("says the pattern of a command, too", () => {
    expect(judge(run(at("delete", "migrations", { scope: "*.sql" })))?.reason).toContain("migrations/*.sql (pattern");
  });

  test.each<[what: string, touch: Touch, isSearch: boolean]>([
    ["a listing", at("list", "src"), true],
    ["a search", at("read", "src", { scope: "**" }), true],
    ["a read", at("read", "src/a"), false],
    ["a write", at("write", "src/a"), false],
    ["a fetch", { action: "fetch", url: "http://x/", method: "GET" }, false],
  ])("%s is narrowed, or not", (_, touch, isSearch) => {
    for (const touches of [[touch], [at("read", "src/b"), touch]])
      expect(policy.judge(ready({ touches }), factsUnder({ mode: "yolo" }))?.exclude !== undefined).toBe(isSearch);
  });

  test("a search leaves sensitive files out, and protected ones in", () => {
    const verdict = judge(at("list", "/ws"));
    expect(verdict).toMatchObject({ answer: "allow", exclude: [".env", "*.pem", "keys/private.txt"] });
  });
});

describe("a command that reaches whatever is there", () => {
  const tree = (action: "read" | "write" | "delete") => at(action, "/ws", { scope: "**" });
  test.each<[what: string, touch: Touch, mode: Mode, answer: "ask" | undefined]>([
    ["reads", run(tree("read")), "confirm-sensitive", "ask"],
    ["reads, and nobody is to be asked", run(tree("read")), "yolo", undefined],
    ["reads in a command of a command", run(at("read", "a"), run(tree("read"))), "confirm-sensitive", "ask"],
    ["reads what another command names", run({ action: "unknown", permissions: ["read"] }), "confirm-all", "ask"],
    [
      "may do anything, which its class stands for",
      run({ action: "unknown", permissions: [] }),
      "confirm-all",
      undefined,
    ],
    ["deletes", run(tree("delete")), "confirm-sensitive", "ask"],
    ["lists", run(at("list", "/ws", { scope: "**" })), "confirm-sensitive", undefined],
    ["reads one file", run(at("read", "a")), "confirm-sensitive", undefined],
    ["fetches", run({ action: "fetch", url: "http://x/", method: "GET" }), "confirm-sensitive", undefined],
    ["writes", run(tree("write")), "confirm-sensitive", "ask"],
    [
      "writes in a sandbox that keeps protected files",
      { ...run(tree("write")), contained: true } as Touch,
      "confirm-all",
      undefined,
    ],
    [
      "reads outside",
      run(at("read", "/etc", { scope: "**", place: { shown: "/etc", real: "/etc", root: "", exists: true } })),
      "confirm-all",
      undefined,
    ],
  ])("%s", (_, touch, mode, answer) => {
    const verdict = judge(touch, mode);
    expect(verdict?.answer).toBe(answer);
    if (answer) expect(verdict).toMatchObject({ grantable: true, about: [touch] });
  });

  const only = (files: Partial<Parameters<typeof guardedFiles>[0]>) =>
    guardedFiles({ protectedFiles: [], sensitiveFiles: [], ...files });
  const unknown: Touch = { action: "unknown", permissions: ["read"] };
  test.each<[touch: Touch, sensitive: "ask" | undefined, guarded: "ask" | undefined]>([
    [run(tree("read")), "ask", undefined],
    [run(unknown), "ask", undefined],
    [run(tree("write")), "ask", "ask"],
    [run(tree("delete")), "ask", "ask"],
    [run(at("read", "b"), tree("delete")), "ask", "ask"],
    [tree("read"), undefined, undefined],
    [at("write", "b"), undefined, undefined],
  ])("is asked about for what it may do: %j", (touch, sensitive, guarded) => {
    const facts = factsUnder({ mode: "confirm-sensitive" });
    const asked = (policy: ReturnType<typeof guardedFiles>) => {
      const verdict = policy.judge(ready({ touches: [at("read", "a"), touch] }), facts);
      return verdict?.answer === "ask" ? verdict : undefined;
    };
    const [reads, changes] = [asked(only({ sensitiveFiles: [".env"] })), asked(only({ protectedFiles: ["x/**"] }))];
    expect([reads?.answer, changes?.answer]).toEqual([sensitive, guarded]);
    if (sensitive)
      expect(reads).toMatchObject({ reason: expect.stringMatching(/may read .*sensitive_files/), about: [touch] });
    if (guarded)
      expect(changes).toMatchObject({ reason: expect.stringMatching(/may change .*protected_files/), about: [touch] });
  });

  test("is nothing to ask about where nothing is guarded", () => {
    const none = guardedFiles({ protectedFiles: [], sensitiveFiles: [] });
    for (const touch of [run(tree("read")), run(tree("delete")), at("list", "/ws")])
      expect(none.judge(ready({ touches: [touch] }), factsUnder({ mode: "confirm-all" }))).toBeUndefined();
  });
});

test.each<[what: string, touch: Touch, answer: "deny" | undefined]>([
  ["one that is written with a dot", run(at("delete", "gen", { scope: "*.txt" })), "deny"],
  ["a folder that is written with a slash", run(at("read", "deep", { scope: "fold*" })), "deny"],
  ["one in capitals, by a pattern", run(at("write", "conf", { scope: "prod*" })), "deny"],
  ["one by a pattern in capitals", run(at("write", "gen", { scope: "OUT*" })), "deny"],
  ["one in capitals, with its folder", run(at("delete", "conf")), "deny"],
  ["one with its folder in capitals", run(at("delete", "GEN")), "deny"],
  ["another of that folder", run(at("write", "gen", { scope: "in*" })), undefined],
  ["another folder", run(at("delete", "general")), undefined],
])("however a person spelled it: %s", (_, touch, answer) => {
  const spelled = guardedFiles({
    protectedFiles: ["./gen/out.txt", "Conf/Prod.YAML"],
    sensitiveFiles: ["deep/folder/"],
  });
  expect(spelled.judge(ready({ touches: [touch] }), factsUnder({ mode: "yolo" }))?.answer).toBe(answer);
});
