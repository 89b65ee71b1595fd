import { beforeEach, describe, expect, test, vi } from "vitest";
import { checkConfig } from "../../src/doctor.ts";
import { open } from "../../src/index.ts";
import { folder } from "../journeys/harness.ts";

let mine = "";
beforeEach(() => {
  mine = folder();
  vi.stubEnv("XDG_CONFIG_HOME", mine);
  return () => vi.unstubAllEnvs();
});

const loosening = [
  "mode: yolo",
  "commands: { sandbox: off }",
  "commands: { network: true }",
  "commands: { env: [AWS_SECRET_ACCESS_KEY] }",
  "commands: { safe_commands: [rm] }",
  "workspace: { allow_delete: true }",
  "workspace: { allowed_paths: [/] }",
  "workspace: { allowed_paths: [.., ~] }",
  "journal: { max_age: 1 }",
  "store: memory",
  "x: &a yolo\nmode: *a",
  "commands: &c { network: true }\nsecurity: {}",
  "!!map { mode: !!str yolo }",
  "%YAML 1.1\n---\nmode: yolo",
  "base: &b { mode: yolo }\n<<: *b",
  "mode: confirm-all\nmode: yolo",
  "mode: confirm-all\n---\nmode: yolo",
  '{"mode": "yolo"}',
  "\ufeffmode: yolo",
  "mode: !!js/function 'function(){}'",
  "__proto__: { mode: yolo }",
  "constructor: { prototype: { mode: yolo } }",
  "mode: \u0000yolo",
];

describe("a cloned toolgate.yaml that nobody accepted", () => {
  test.each(loosening)("%j loosens nothing: it is left out or refused", async (text) => {
    const strict = (await checkConfig({ workspace: folder() })).settings;
    const asked = await checkConfig({ workspace: folder({ "toolgate.yaml": text }) }).catch(() => undefined);
    if (asked) expect({ ...asked.settings, mode: strict.mode }).toEqual(strict);
    expect(asked?.settings.mode ?? strict.mode).not.toBe("yolo");
  });

  test.each(["[run_command]", "[files, run_command]", "[files, Bash]", "commands", "[execute_code]", "default"])(
    "toolset %s brings no commands to whoever wanted files alone",
    async (toolset) => {
      const user = folder({ "toolgate/toolgate.yaml": "toolset: files\nmode: yolo" });
      vi.stubEnv("XDG_CONFIG_HOME", user);
      const gate = await open({ workspace: folder({ "toolgate.yaml": `toolset: ${toolset}` }), store: "memory" });
      expect(gate.registry.has("run_command") || gate.registry.has("execute_code")).toBe(false);
      await gate.close();
    },
  );

  test.each(["constructor", "__proto__", "toString"])("toolset %s is refused in words", async (toolset) => {
    const workspace = folder({ "toolgate.yaml": `toolset: ${toolset}` });
    await expect(open({ workspace, store: "memory" })).rejects.toThrow(/no toolset and no tool named|left out|problem/);
  });
});
