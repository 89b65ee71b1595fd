import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, plain } from "../../test/journeys/harness.ts";
import { at, type Given, ready, run, says } from "../../test/judging.ts";
import type { Ceiling, Mode } from "../core/ceiling.ts";
import { SessionFacts } from "../core/facts.ts";
import type { Verdict } from "../core/judge.ts";
import type { Danger, Touch } from "../core/touch.ts";
import { access } from "./access.ts";
import { mode } from "./mode.ts";
import { paths } from "./paths.ts";

describe("mode", () => {
  const table: [Mode, Danger, Verdict["answer"]][] = [
    ["yolo", "safe", "allow"],
    ["yolo", "moderate", "allow"],
    ["yolo", "dangerous", "allow"],
    ["confirm-sensitive", "safe", "allow"],
    ["confirm-sensitive", "moderate", "ask"],
    ["confirm-sensitive", "dangerous", "ask"],
    ["confirm-all", "safe", "ask"],
    ["confirm-all", "moderate", "ask"],
    ["confirm-all", "dangerous", "ask"],
  ];
  test.each(table)("%s and %s: %s", (its, danger, answer) => {
    const verdict = mode.judge(ready({ danger }), new SessionFacts({ mode: its }));
    expect(verdict).toMatchObject({ answer, by: "mode" });
    expect(verdict?.grantable === true).toBe(answer === "ask");
  });
});

describe("access", () => {
  const readTouch = at("read", "a");
  const writeTouch = at("write", "a");
  const table: [what: string, given: Given, ceiling: Partial<Ceiling>, answer: "deny" | undefined][] = [
    ["no ceiling", { touches: [writeTouch], danger: "moderate" }, {}, undefined],
    ["a tool of the list", { tool: "a" }, { tools: ["a", "b"] }, undefined],
    ["a tool that is not", { tool: "c" }, { tools: ["a", "b"] }, "deny"],
    ["an empty list", { tool: "a" }, { tools: [] }, "deny"],
    ["enough permissions", { needs: ["read"], touches: [readTouch] }, { permissions: ["read", "write"] }, undefined],
    ["one permission missing", { needs: ["read", "network"] }, { permissions: ["read"] }, "deny"],
    ["a tool that does not say", { needs: undefined }, { permissions: ["read", "write", "execute"] }, "deny"],
    [
      "a tool that does not say, all given",
      { needs: undefined },
      { permissions: ["read", "write", "execute", "network"] },
      undefined,
    ],
    ["more touched than said", { needs: ["read"], touches: [writeTouch] }, { permissions: ["read"] }, "deny"],
    [
      "a removal without the permission",
      { needs: [], touches: [at("delete", "a")] },
      { permissions: ["read"] },
      "deny",
    ],
    [
      "a fetch without the permission",
      { needs: [], touches: [{ action: "fetch", url: "http://x", method: "GET" }] },
      { permissions: ["read"] },
      "deny",
    ],
    ["a command without the permission", { needs: [], touches: [run()] }, { permissions: ["read", "write"] }, "deny"],
    [
      "a write inside a command",
      { needs: ["execute"], touches: [run(writeTouch)] },
      { permissions: ["execute"] },
      "deny",
    ],
    ["readonly, reading", { touches: [readTouch, at("list", ".")] }, { autonomy: "readonly" }, undefined],
    ["readonly, nothing touched", {}, { autonomy: "readonly" }, undefined],
    ["readonly, writing", { touches: [writeTouch], danger: "moderate" }, { autonomy: "readonly" }, "deny"],
    ["readonly, writing called safe", { touches: [writeTouch] }, { autonomy: "readonly" }, "deny"],
    [
      "readonly, a safe command",
      { touches: [{ action: "run", command: "ls", class: "safe", inner: [] }] },
      { autonomy: "readonly" },
      "deny",
    ],
    ["readonly, a tool that calls itself dangerous", { danger: "dangerous" }, { autonomy: "readonly" }, "deny"],
    [
      "readonly, unknown with reading",
      { touches: [{ action: "unknown", permissions: ["read"] }] },
      { autonomy: "readonly" },
      undefined,
    ],
    [
      "readonly, unknown with nothing",
      { touches: [{ action: "unknown", permissions: [] }] },
      { autonomy: "readonly" },
      "deny",
    ],
    [
      "supervised adds nothing here",
      { touches: [writeTouch], danger: "moderate" },
      { autonomy: "supervised" },
      undefined,
    ],
    ["full adds nothing", { touches: [writeTouch], danger: "moderate" }, { autonomy: "full" }, undefined],
  ];
  test.each(table)("%s", (_, given, ceiling, answer) => {
    expect(says(access, given, ceiling)).toBe(answer);
  });
});

describe("paths", () => {
  const forbidden = ["secrets/**", "*.pem", ".env", "/etc", "build/"];
  const table: [what: string, touch: Touch, answer: "deny" | undefined][] = [
    ["nothing special", at("read", "src/a.ts"), undefined],
    ["below a forbidden folder", at("read", "secrets/a"), "deny"],
    ["the folder itself", at("list", "secrets"), "deny"],
    ["in another case", at("read", "SECRETS/a"), "deny"],
    ["by its name anywhere", at("write", "deep/down/key.pem"), "deny"],
    ["a dot file", at("read", ".env"), "deny"],
    ["a dot file below", at("read", "app/.env"), "deny"],
    ["a longer name", at("read", ".envrc"), undefined],
    ["another folder of like name", at("read", "secrets2/a"), undefined],
    ["an absolute one", at("read", "/etc/passwd"), "deny"],
    ["a folder with a slash", at("write", "build/out.js"), "deny"],
    [
      "shown harmless, really forbidden",
      at("read", "secrets/a", { place: { shown: "ok", real: "/ws/secrets/a", root: "/ws", exists: true } }),
      "deny",
    ],
    ["inside a command", run(at("read", "secrets/a")), "deny"],
    ["a command's pattern that says the same", run(at("read", "/ws", { scope: "*.pem" })), "deny"],
    ["a command's pattern below", run(at("delete", "src", { scope: "*.pem/**" })), "deny"],
    ["a command's other pattern", run(at("read", "src", { scope: "*.ts" })), undefined],
    ["removing", at("delete", "src/a.ts"), "deny"],
    ["removing inside a command, which is judged by its class", run(at("delete", "src/a.ts")), undefined],
  ];
  test.each(table)("%s", (_, touch, answer) => {
    expect(says(paths({ allowDelete: false, forbidden }), { touches: [at("read", "x"), touch] })).toBe(answer);
  });

  test("removing is a question of the configuration, and forbidden stays forbidden", () => {
    const policy = paths({ allowDelete: true, forbidden });
    expect(says(policy, { touches: [at("delete", "src/a.ts")] })).toBeUndefined();
    expect(says(policy, { touches: [at("delete", "secrets/a")] })).toBe("deny");
  });

  test("a search leaves out what is forbidden", () => {
    const verdict = (touches: Touch[], globs = forbidden) =>
      paths({ allowDelete: false, forbidden: globs }).judge(ready({ touches }), new SessionFacts({ mode: "yolo" }));
    expect(verdict([at("list", ".")])?.exclude).toEqual(forbidden);
    expect(verdict([at("read", ".", { scope: "**/*.ts" })])?.exclude).toEqual(forbidden);
    expect(verdict([at("read", ".", { scope: "*.pem" })])).toMatchObject({ answer: "allow", exclude: forbidden });
    expect(verdict([at("read", "a")])).toBeUndefined();
    expect(verdict([at("list", ".")], [])).toBeUndefined();
  });

  test("through the gate: links to what is forbidden, and tools that remove", async () => {
    const remover = plain("remover", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "delete", target: "ok.txt" }],
      execute: async (_, { files }) => {
        await files.remove("ok.txt");
        return "gone";
      },
    });
    const config = { workspace: { forbidden_paths: ["secrets"] } };
    const it = await bench({ "secrets/key": "k", "ok.txt": "ok" }, { config, tools: [remover], store: "memory" });
    mkdirSync(path.join(it.dir, "links"));
    symlinkSync("../secrets/key", path.join(it.dir, "links/file"));
    symlinkSync("../secrets", path.join(it.dir, "links/folder"));
    for (const target of ["secrets/key", "links/file", "links/folder/key", "./x/../Secrets/key", "links/folder/new"]) {
      for (const [name, args] of [
        ["read_file", {}],
        ["write_file", { content: "x" }],
      ] as const) {
        const result = await it.call(name, { path: target, ...args });
        expect([target, result.status]).toEqual([target, "refused"]);
        expect(result.output).not.toContain("k");
      }
    }
    expect(it.text("secrets/key")).toBe("k");
    expect((await it.call("remover")).error?.message).toContain("allow_delete");
    expect(it.text("ok.txt")).toBe("ok");
  });
});
