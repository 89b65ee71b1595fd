import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";

const GOOD = "printf 'CapEff:\\t0000000000000000\\nNoNewPrivs:\\t1\\nSeccomp:\\t2\\n'";

/** What is found where this script is the bubblewrap of the machine, and how often that was asked. */
async function probed(script: string | undefined, platform: NodeJS.Platform = "linux") {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-bwrap-"));
  const file = path.join(folder, "bwrap");
  const log = path.join(folder, "log");
  fs.writeFileSync(file, `#!/bin/bash\necho "$PWD $SECRET $*" >> ${log}\n${script}\n`, { mode: 0o755 });
  vi.resetModules();
  vi.stubEnv("SECRET", "leaked");
  vi.doMock("./trusted-program.ts", () => ({
    trustedProgram: (name: string) => (script && name === "bwrap" ? file : undefined),
  }));
  vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  onTestFinished(() => {
    vi.doUnmock("./trusted-program.ts");
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    fs.rmSync(folder, { recursive: true });
  });
  const { findSandbox } = await import("./bubblewrap.ts");
  const [first, again] = [await findSandbox(), await findSandbox()];
  expect(again).toBe(first);
  const asked = fs.existsSync(log) ? fs.readFileSync(log, "utf8").trim().split("\n") : [];
  return { found: first as { program?: string; isolation?: string[]; weaker?: string; missing?: string }, asked };
}

describe("whether there is a sandbox", () => {
  test("is tried out once, with the very flags that commands get, and without the host's environment", async () => {
    const { found, asked } = await probed(GOOD);
    expect(found.program).toMatch(/\/bwrap$/);
    expect(found).not.toHaveProperty("weaker");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(
      /^\/ {2}--unshare-user --unshare-all --die-with-parent --new-session --cap-drop ALL --disable-userns /,
    );
    expect(asked[0]).toContain(
      `${found.isolation?.join(" ")} --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --seccomp 5 -- /bin/cat /proc/self/status`,
    );
  });

  test("an older one is weaker, and says so", async () => {
    const { found, asked } = await probed(`[[ "$*" == *--disable-userns* ]] && exit 1; ${GOOD}`);
    expect(found.isolation).toEqual([
      "--unshare-user",
      "--unshare-all",
      "--die-with-parent",
      "--new-session",
      "--cap-drop",
      "ALL",
    ]);
    expect(found.weaker).toMatch(/nested user namespaces/);
    expect(asked).toHaveLength(2);
  });

  test.each([
    [
      "that fails and tells why",
      "echo 'No permissions to create a namespace' >&2; exit 1",
      /does not work here \(No permissions to create a namespace\)/,
    ],
    ["that fails without a word", "exit 1", /does not work here \(it ended with 1\)/],
    ["that fails though all looks well", `${GOOD}; exit 1`, /does not work here/],
    [
      "that leaves capabilities",
      "printf 'CapEff:\\t00000000a80425fb\\nNoNewPrivs:\\t1\\n'",
      /it started, but left capabilities/,
    ],
    ["that lets privileges be gained", "printf 'CapEff:\\t0000000000000000\\nNoNewPrivs:\\t0\\n'", /left capabilities/],
    ["that says nothing", "true", /left capabilities/],
  ])("one %s is none", async (_, script, missing) => {
    const { found } = await probed(script);
    expect(found.missing).toMatch(missing);
    expect(found.program).toBeUndefined();
  });

  test("where it is not installed, and on another system", async () => {
    expect((await probed(undefined)).found.missing).toMatch(/not installed: install bubblewrap/);
    const elsewhere = await probed(GOOD, "darwin");
    expect([elsewhere.found.missing, elsewhere.asked]).toEqual(["bubblewrap only runs on Linux; this is darwin", []]);
  });
});
