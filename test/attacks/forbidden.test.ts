import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench, folder } from "../journeys/harness.ts";

/** A workspace in which `hidden/a.txt` must not be reached, and another root beside it. */
function world() {
  const base = folder({ "ws/hidden/a.txt": "needle", "ws/b.txt": "plain", "other/c.txt": "plain" });
  const dir = path.join(base, "ws");
  symlinkSync("hidden", path.join(dir, "link"));
  symlinkSync(dir, path.join(base, "way"));
  return { base, dir };
}

describe("what is forbidden stays so, however the configuration spells it", () => {
  test.each<[spelling: string]>([
    ["hidden"],
    ["./hidden"],
    ["hidden/"],
    ["hidden//"],
    ["hidden/./**"],
    ["b/../hidden"],
    ["HIDDEN/**"],
    ["hidden/*"],
    ["hidden//*.txt"],
    ["link"],
    ["link/*.txt"],
    ["../ws/hidden"],
    ["../way/hidden"],
    ["DIR/hidden"],
    ["DIR//hidden"],
    ["DIR/./hidden/"],
    ["DIR/b/../hidden"],
    ["DIR/link"],
    ["DIR/link/a.txt"],
    ["BASE/way/hidden"],
    ["BASE/way/link/*.txt"],
    ["BASE/*/hidden"],
  ])("%s", async (spelling) => {
    const { base, dir } = world();
    const forbidden = spelling.replace("DIR", dir).replace("BASE", base);
    const config = { workspace: { forbidden_paths: [forbidden] } };
    const { gate, call } = await bench({}, { dir, config, store: "memory" });
    for (const name of ["hidden/a.txt", "link/a.txt", `${dir}/hidden/a.txt`, `${base}/way/hidden/a.txt`]) {
      const { status, output } = await call("read_file", { path: name });
      expect([name, status, output.includes("needle")]).toEqual([name, "refused", false]);
    }
    expect((await call("grep", { pattern: "needle" })).output).not.toContain("hidden/a.txt");
    const command = { name: "run_command", args: { command: "cat hidden/a.txt" } };
    expect((await gate.explain(command)).verdict).toBe("deny");
    expect((await call("read_file", { path: "b.txt" })).status).toBe("done");
  });

  test("what it does not name is not forbidden", async () => {
    const { base, dir } = world();
    for (const forbidden of [`${base}/hidden`, "../hidden", "way/hidden/x", "hidde", "hidden/a.txt/x", "b/hidden"]) {
      const config = { workspace: { forbidden_paths: [forbidden] } };
      const { call } = await bench({}, { dir, config, store: "memory" });
      expect([forbidden, (await call("read_file", { path: "hidden/a.txt" })).status]).toEqual([forbidden, "done"]);
    }
  });

  test("what lies above the workspace is forbidden in another root and to commands", async () => {
    const { dir } = world();
    const config = { workspace: { forbidden_paths: ["../other/c.txt"], allowed_paths: ["../other"] } };
    const { gate, call } = await bench({}, { dir, config, store: "memory" });
    expect((await call("read_file", { path: "../other/c.txt" })).status).toBe("refused");
    const command = { name: "run_command", args: { command: "cat ../other/c.txt" } };
    expect((await gate.explain(command)).verdict).toBe("deny");
  });
});
