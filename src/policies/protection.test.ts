import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Touch } from "../core/words/touch.ts";
import { type ProtectionSettings, protection } from "./protection.ts";

describe("protection", () => {
  const table: [what: string, touches: Touch[], answer: "ask" | undefined][] = [
    ["an ordinary file", [at("write", "src/a.ts")], undefined],
    ["the configuration", [at("write", "toolgate.yaml")], "ask"],
    ["in another case", [at("write", "ToolGate.YAML")], "ask"],
    ["the other ending", [at("delete", "toolgate.yml")], "ask"],
    ["servers", [at("write", ".mcp.json")], "ask"],
    ["of a folder below", [at("write", "sub/toolgate.yaml")], "ask"],
    ["the state folder", [at("write", ".toolgate")], "ask"],
    ["inside the state folder", [at("delete", ".toolgate/store.db")], "ask"],
    ["the state folder in another case", [at("write", ".TOOLGATE/x")], "ask"],
    ...[".git./config", ".git /hooks/x", ".git::$INDEX_ALLOCATION/config", "GIT~1/config", ".g\u200cit/hooks/x"].map(
      (name): (typeof table)[number] => [
        `git's, as forgiving disks read it: ${JSON.stringify(name)}`,
        [at("write", name)],
        "ask",
      ],
    ),
    ...["toolgate.yaml.", "toolgate.yaml ", "toolgate.yaml::$DATA", "TOOLGA~1.YAM", ".toolgate./x", ".git\\config"].map(
      (name): (typeof table)[number] => [
        `ours, as forgiving disks read it: ${JSON.stringify(name)}`,
        [at("write", name)],
        "ask",
      ],
    ),
    [
      "names that no disk takes for them",
      [at("write", "..git/config"), at("write", "git~1.ts"), at("write", "a:b")],
      undefined,
    ],
    ["a state folder below", [at("write", "a/.toolgate/b/c")], "ask"],
    ["reading it", [at("read", "toolgate.yaml"), at("list", ".toolgate")], undefined],
    [
      "names that only begin so",
      [at("write", "toolgate.yaml.md"), at("write", ".toolgateX/a"), at("write", "my.mcp.json")],
      undefined,
    ],
    ["a folder with the name of the configuration", [at("write", "toolgate.yaml/x")], undefined],
    ["the person's folder", [at("write", "/home/me/.config/toolgate/trust.json")], "ask"],
    ["that folder itself", [at("delete", "/home/me/.config/toolgate")], "ask"],
    ["its neighbour", [at("write", "/home/me/.config/toolgate-x/a")], undefined],
    ["a folder around it", [at("delete", "/home/me/.config")], "ask"],
    ["among others", [at("read", "a"), at("write", "b"), at("write", "toolgate.yaml")], "ask"],
    ["inside a command", [run(at("write", "toolgate.yaml"))], "ask"],
    ["the whole workspace by a tool", [at("write", "/ws", { scope: "**" })], "ask"],
    ["removing the whole workspace", [run(at("delete", "/ws"))], "ask"],
    ["a command that puts something into the workspace", [run(at("write", "/ws"))], undefined],
    ["a command that writes somewhere in it", [run(at("write", "/ws", { scope: "**" }))], undefined],
    ["a folder in the workspace", [at("write", "src", { scope: "**" })], undefined],
    ["what is brought into the workspace", [run(at("write", "/ws", { scope: "**", brings: "anything" }))], "ask"],
    ["into a folder of it", [run(at("write", "src", { scope: "**", brings: "anything" }))], undefined],
    ["out of a history", [run(at("write", "/ws", { scope: "**", brings: "tracked" }))], "ask"],
    ["around the person's folder", [run(at("write", "/home/me", { scope: "**", brings: "anything" }))], "ask"],
  ];
  const judged = (touches: Touch[], more: Partial<ProtectionSettings> = {}) =>
    protection({ userFolders: ["/home/me/.config/toolgate"], governed: true, ...more }).judge(
      ready({ touches }),
      factsUnder({ mode: "yolo" }),
    );
  test.each(table)("%s", (_, touches, answer) => {
    const verdict = judged(touches);
    expect(verdict?.answer).toBe(answer);
    expect(verdict?.grantable ?? false).toBe(false);
  });

  test("a history brings nothing milder where there is no configuration", () => {
    const brought = (brings: "anything" | "tracked") => [run(at("write", "/ws", { scope: "**", brings }))];
    expect(judged(brought("tracked"), { governed: false })).toBeUndefined();
    expect(judged(brought("anything"), { governed: false })?.answer).toBe("ask");
  });

  test("in the sandbox only what a command names or removes asks, or what matches further down", () => {
    const says = (touch: Touch) => judged([{ ...run(touch), contained: true } as Touch])?.answer;
    expect(says(at("write", "/ws", { scope: "**", brings: "anything" }))).toBeUndefined();
    for (const scope of ["toolgate.*", ".git/hook*", "*", "**/*.yaml", "src/**", "**/config"])
      expect(says(at("write", "/ws", { scope })), scope).toBeUndefined();
    for (const scope of ["sub/toolgate.y*", "**/toolgate.y*", "*/.mcp.js*", "sub/.git/hook*/x"])
      expect(says(at("write", "/ws", { scope })), `${scope}: the sandbox keeps only the root's`).toBe("ask");
    expect(says(at("write", "/ws/sub", { scope: "toolgate.y*" }))).toBe("ask");
    expect(says(at("write", "toolgate.yaml"))).toBe("ask");
    expect(says(at("delete", "/ws", { scope: "*" }))).toBe("ask");
  });

  test.each<[folder: string, pattern: string, answer: "ask" | undefined]>([
    ["/ws", "toolgate.yam*", "ask"],
    ["/ws", "TOOL*", "ask"],
    ["/ws", "*.yaml", "ask"],
    ["/ws", "*", "ask"],
    ["/ws", "*/**", "ask"],
    ["/ws", "?oolgate.yaml", "ask"],
    ["/ws", "[a-z]*.y[a]ml", "ask"],
    ["/ws", "toolgate.@(yaml|yml)", "ask"],
    ["/ws", ".mcp.*", "ask"],
    ["/ws", ".*", "ask"],
    ["/ws", ".g*/", "ask"],
    ["/ws", ".git/h*", "ask"],
    ["/ws", ".gi?/hooks/pre-commit", "ask"],
    ["/ws", "**/toolgate.yaml", "ask"],
    ["/ws", "x*/../*", "ask"],
    ["/ws", `[${"t".repeat(300)}]oolgate.yaml`, "ask"],
    ["/ws", "./*", "ask"],
    ["/ws", "z".repeat(201), "ask"],
    ["/ws", "z".repeat(200), undefined],
    ["/ws/dist", "toolga*", undefined],
    ["/ws/dist", "toolgat*", "ask"],
    ["/ws/sub", "toolgate.y*", "ask"],
    ["/ws/sub", "*/.toolgat?/x", "ask"],
    ["/ws/.git", "c*", "ask"],
    ["/ws", "*.log", undefined],
    ["/ws", "*.json", undefined],
    ["/ws", "src*/**", undefined],
    ["/ws", ".github*", undefined],
    ["/ws", ".git/info/*", undefined],
    ["/ws/dist", "*", undefined],
    ["/ws/dist", "*.yaml", undefined],
    ["/ws/dist", "*/**", undefined],
    ["/ws", "**/config", "ask"],
    ["/ws", "**/conf*", "ask"],
    ["/ws", "**/hooks/pre-commit", "ask"],
    ["/ws", "**/config/**", "ask"],
    ["src", "**/config", "ask"],
    ["/ws", "**/pre-commit", "ask"],
    ["/ws", "**/Post-Commi?", "ask"],
    ["src", "**/x/pre-push/**", "ask"],
    ["/ws", "**/pre-*", undefined],
    ["/ws", "**/update", undefined],
    ["/ws/dist", ".g*", "ask"],
    ["/ws/dist", ".*", undefined],
    ["/ws", "**/con*", undefined],
    ["/ws", "**/config.ts", undefined],
    ["/ws", "**/configs", undefined],
    ["/ws", "src/**/*", undefined],
    ["/ws/scripts", "pre-commi?", undefined],
    ["/ws/SUB/.Git", "c*", "ask"],
    ["/ws", "**/config/**/**", "ask"],
    ["/ws", ".git/.???", undefined],
  ])("a pattern of a command: %s/%s", (folder, scope, answer) => {
    for (const action of ["write", "delete"] as const) {
      expect(judged([run(at(action, folder, { scope }))])?.answer, action).toBe(answer);
    }
  });

  test.each<[touch: Touch, reason: string]>([
    [at("write", "toolgate.yaml"), "it would write toolgate.yaml"],
    [at("delete", "a/.mcp.json"), "it would delete a/.mcp.json"],
    [run(at("write", "sub", { scope: "toolgate.y*" })), "it could write sub/toolgate.y*"],
    [run(at("delete", "/ws")), "it would delete /ws with the configuration in it"],
    [at("write", "/home/me/.config/toolgate/x"), "it would write /home/me/.config/toolgate/x"],
  ])("says what is at stake: %j", (touch, reason) => {
    expect(judged([touch])?.reason).toBe(`${reason}, which decides what calls may do`);
  });

  test.each<[touch: Touch, reason: string | undefined]>([
    [at("write", "hooks/check.sh"), "it would write hooks/check.sh, which a hook runs"],
    [run(at("write", "hooks/check.sh")), "it would write hooks/check.sh, which a hook runs"],
    [at("delete", "hooks"), "it would delete hooks with a script that a hook runs"],
    [run(at("delete", "hooks")), "it would delete hooks with a script that a hook runs"],
    [at("write", "hooks"), undefined],
    [at("write", "hooks/check.sh.bak"), undefined],
    [at("delete", "hook"), undefined],
    [at("read", "hooks/check.sh"), undefined],
    [at("delete", "/ws"), "it would delete /ws with the configuration in it"],
  ])("scripts of hooks: %j", (touch, reason) => {
    const verdict = judged([at("read", "a"), touch], { scripts: ["/ws/other.sh", "/ws/hooks/check.sh"] });
    expect(verdict?.reason).toBe(reason && `${reason}, which decides what calls may do`);
    expect(judged([at("write", "hooks/check.sh"), at("delete", "hooks")])).toBeUndefined();
  });

  test("a folder around any of the person's folders counts", () => {
    const userFolders = ["/home/me/.config/toolgate", "/data/me/toolgate"];
    for (const folder of ["/home/me", "/data/me"])
      expect(judged([at("delete", folder)], { userFolders })?.answer, folder).toBe("ask");
    expect(judged([at("delete", "/srv")], { userFolders })).toBeUndefined();
  });

  test("no mode and no earlier yes lets a call change it without a word for that call", async () => {
    const asked: string[] = [];
    const approve = ({ touches }: { touches: readonly Touch[] }) => {
      asked.push(touches.map((touch) => touch.action).join());
      return asked.length === 1 ? "always" : "deny";
    };
    const { call, text, dir } = await bench({}, { mode: "yolo", approve, store: "memory" });
    const args = (content: string) => ({ path: "toolgate.yaml", content });
    expect((await call("write_file", args("mode: yolo\n"))).status).toBe("done");
    expect((await call("write_file", args("mode: confirm-all\n"))).status).toBe("refused");
    symlinkSync("toolgate.yaml", path.join(dir, "innocent.txt"));
    expect((await call("write_file", { path: "innocent.txt", content: "x" })).status).toBe("refused");
    expect(asked).toHaveLength(3);
    expect(text("toolgate.yaml")).toBe("mode: yolo\n");
  });
});
