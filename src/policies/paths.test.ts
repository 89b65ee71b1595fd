import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, plain } from "../../test/journeys/harness.ts";
import { at, factsUnder, ready, run, says } from "../../test/judging.ts";
import type { Mode } from "../core/words/ceiling.ts";
import type { Touch } from "../core/words/touch.ts";
import { paths } from "./paths.ts";

const place = (shown: string, real: string, root = "/ws") => ({ place: { shown, real, root, exists: true } });

describe("paths", () => {
  const forbidden = ["secrets/**", "*.pem", ".env", "/etc", "build/", "/ws/hidden", "conf/*"];
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
    ["shown forbidden, really elsewhere", at("read", "x", place("secrets/a", "/ws/else")), "deny"],
    ["an absolute one by a relative name", at("read", "x", place("hidden/a", "/ws/hidden/a")), "deny"],
    ["an absolute one by a link", at("read", "x", place("link", "/ws/hidden/a")), "deny"],
    ["an absolute one by another case", at("write", "x", place("HIDDEN", "/ws/HIDDEN")), "deny"],
    ["an absolute one's neighbour", at("read", "x", place("hidden2", "/ws/hidden2")), undefined],
    ["below a root that is the whole machine", at("read", "x", place("it", "/secrets/a", "/")), "deny"],
    ["in another root", at("read", "x", place("it", "/other/secrets/a", "/other")), "deny"],
    ["outside of every root", run(at("read", "x", place("it", "/secrets/a", ""))), "deny"],
    ["the root itself", at("list", "/ws"), undefined],
    ["inside a command", run(at("read", "secrets/a")), "deny"],
    ["inside a command of a command", run(run(at("read", "secrets/a"))), "deny"],
    ["a command's pattern in a folder of a forbidden name", run(at("read", "sub", { scope: "sec/**" })), undefined],
    ["a command's pattern for the whole tree", run(at("read", "/ws", { scope: "**" })), undefined],
    ["a command's pattern for all of a folder's forbidden files", run(at("read", "conf", { scope: "**" })), "deny"],
    ["a command about a folder whose files are forbidden", run(at("list", "conf")), undefined],
    ["a command's pattern for a forbidden folder's tree", run(at("read", "/ws", { scope: "build/**" })), "deny"],
    ["a command's pattern with a folder", run(at("read", "/ws", { scope: "secrets/*.txt" })), "deny"],
    ["a tool's pattern, from which it is left out", at("read", "/ws", { scope: "*.pem" }), undefined],
    ["a fetch", { action: "fetch", url: "http://x/.env", method: "GET" }, undefined],
    ["a command's pattern that says the same", run(at("read", "/ws", { scope: "*.pem" })), "deny"],
    ["a command's pattern below", run(at("delete", "src", { scope: "*.pem/**" })), "deny"],
    ["a command's other pattern", run(at("read", "src", { scope: "*.ts" })), undefined],
    ["removing", at("delete", "src/a.ts"), "deny"],
    ["removing inside a command, which is judged by its class", run(at("delete", "src/a.ts")), undefined],
  ];
  test.each(table)("%s", (_, touch, answer) => {
    const verdict = paths({ allowDelete: false, forbidden }).judge(
      ready({ touches: [at("read", "x"), touch] }),
      factsUnder({ mode: "yolo" }),
    );
    expect(verdict?.answer === "allow" ? undefined : verdict?.answer).toBe(answer);
    if (verdict && answer)
      expect(verdict).toMatchObject({ by: "paths", reason: expect.stringMatching(/forbidden|delet/) });
  });

  test("removing is a question of the configuration, and forbidden stays forbidden", () => {
    const policy = paths({ allowDelete: true, forbidden });
    expect(says(policy, { touches: [at("delete", "src/a.ts")] })).toBeUndefined();
    expect(says(policy, { touches: [at("delete", "secrets/a")] })).toBe("deny");
  });

  test("without forbidden paths only removals by tools are refused", () => {
    const policy = paths({ allowDelete: false, forbidden: [] });
    const reason = (touch: Touch) =>
      policy.judge(ready({ touches: [at("read", "a"), touch] }), factsUnder({ mode: "confirm-all" }))?.reason;
    expect(reason(at("delete", "b"))).toBe("deleting b needs workspace.allow_delete: true in the configuration");
    for (const touch of [
      at("write", "b"),
      at("list", "."),
      run(at("delete", "b")),
      run(at("read", ".", { scope: "*" })),
    ])
      expect(reason(touch)).toBeUndefined();
    const all = paths({ allowDelete: true, forbidden: [] });
    expect(says(all, { touches: [at("delete", "b")] })).toBeUndefined();
  });

  test.each<[what: string, mode: Mode, touch: Touch, answer: "ask" | undefined]>([
    ["a command that reads a tree", "confirm-sensitive", run(at("read", "/ws", { scope: "**" })), "ask"],
    ["a command that reads by a pattern", "confirm-all", run(at("read", "src", { scope: "*.ts" })), "ask"],
    ["one inside another", "confirm-all", run(run(at("read", "src", { scope: "*.ts" }))), "ask"],
    ["what another command names", "confirm-all", run({ action: "unknown", permissions: ["read"] }), "ask"],
    ["in yolo", "yolo", run(at("read", "/ws", { scope: "**" })), undefined],
    ["one file", "confirm-all", run(at("read", "src/a.ts")), undefined],
    ["names only", "confirm-all", run(at("list", "src", { scope: "**" })), undefined],
    ["outside", "confirm-all", run(at("read", "x", { scope: "**", ...place("/o", "/o", "") })), undefined],
    ["a tool, which leaves it out", "confirm-all", at("read", "src", { scope: "**" }), undefined],
  ])("nothing can be left out of a command: %s", (_, mode, touch, answer) => {
    const verdict = (globs: string[]) =>
      paths({ allowDelete: false, forbidden: globs }).judge(ready({ touches: [touch] }), factsUnder({ mode }));
    const found = verdict(forbidden);
    expect(found?.answer === "allow" ? undefined : found?.answer).toBe(answer);
    if (answer) expect(found).toMatchObject({ by: "paths", grantable: true });
    expect(verdict(["secrets"])?.answer).toBe(found?.answer);
    expect(verdict([])).toBeUndefined();
  });

  test("what forbids is named as it was written", () => {
    const policy = paths({ allowDelete: false, forbidden: ["a", "build/"] });
    const verdict = policy.judge(ready({ touches: [at("read", "build/x")] }), factsUnder({ mode: "yolo" }));
    expect(verdict?.reason).toBe("build/x is forbidden by workspace.forbidden_paths (build/)");
  });

  test.each<[what: string, glob: string, shown: string, real: string, answer: "deny" | undefined]>([
    ["a name above the root", "tmp", "a.txt", "/tmp/ws/a.txt", undefined],
    ["a name above the root, at any depth", "**/tmp/**", "a.txt", "/tmp/ws/a.txt", undefined],
    ["the name of the root itself", "ws", "a.txt", "/tmp/ws/a.txt", undefined],
    ["by an absolute path", "tmp", "/tmp/ws/a.txt", "/tmp/ws/a.txt", undefined],
    ["by a link to the root", "home", "/home/me/a.txt", "/tmp/ws/a.txt", undefined],
    ["the root by a link to it", "home", "/home/me", "/tmp/ws", undefined],
    ["the same name below the root", "tmp", "b/tmp/a.txt", "/tmp/ws/b/tmp/a.txt", "deny"],
    ["the same name below the root, absolute", "tmp", "/tmp/ws/tmp/a", "/tmp/ws/tmp/a", "deny"],
    ["a link inside, by an absolute path", "alias", "/tmp/ws/alias/a", "/tmp/ws/b/a", "deny"],
    ["a link inside, by a link to the root", "alias", "/home/me/alias/a", "/tmp/ws/b/a", "deny"],
    ["an absolute pattern above the root", "/tmp", "a.txt", "/tmp/ws/a.txt", "deny"],
  ])("%s", (_, glob, shown, real, answer) => {
    const touches = [at("read", "x", place(shown, real, "/tmp/ws"))];
    const verdict = paths({ allowDelete: false, forbidden: [glob] }).judge(
      ready({ touches }),
      factsUnder({ mode: "yolo" }),
    );
    expect(verdict?.answer).toBe(answer);
  });

  test("a search leaves out what is forbidden", () => {
    const verdict = (touches: Touch[], globs = forbidden) =>
      paths({ allowDelete: false, forbidden: globs }).judge(ready({ touches }), factsUnder({ mode: "yolo" }));
    expect(verdict([at("list", ".")])?.exclude).toEqual(forbidden);
    expect(verdict([at("read", ".", { scope: "**/*.ts" })])?.exclude).toEqual(forbidden);
    expect(verdict([at("read", ".", { scope: "*.pem" })])).toMatchObject({ answer: "allow", exclude: forbidden });
    expect(verdict([at("read", "a")])).toBeUndefined();
    expect(verdict([at("read", "a"), at("list", ".")])?.exclude).toEqual(forbidden);
    expect(verdict([at("list", ".")], ["secrets"])?.exclude).toEqual(["secrets"]);
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
