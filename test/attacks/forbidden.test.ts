import { linkSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
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

describe("a pattern with the name of a folder above the workspace", () => {
  const NAME = "above";
  const world = () => {
    const dir = path.join(folder({ [`${NAME}/ws/a.txt`]: "a\n", [`${NAME}/ws/${NAME}/k`]: "k\n" }), NAME, "ws");
    return { dir };
  };
  test.each<[what: string, config: object]>([
    ["forbidden_paths", { workspace: { forbidden_paths: [NAME] } }],
    ["sensitive_files", { guardrails: { sensitive_files: [NAME] } }],
    ["rules", { rules: { deny: [`read(${NAME})`, `write(${NAME})`] } }],
  ])("is about names inside it: %s", async (_, config) => {
    const { dir } = world();
    const it = await bench({}, { dir, config, store: "memory" });
    const ends = async (name: string, args: object) => (await it.call(name, args)).status;
    expect(await ends("read_file", { path: "a.txt" })).toBe("done");
    expect(await ends("read_file", { path: path.join(dir, "a.txt") })).toBe("done");
    expect(await ends("write_file", { path: "b.txt", content: "b" })).toBe("done");
    expect((await it.call("run_command", { command: "cat a.txt" })).output).toContain("a");
    expect((await it.call("grep", { pattern: "a" })).output).toContain("a.txt");
    for (const target of [`${NAME}/k`, path.join(dir, NAME, "k")])
      expect(await ends("read_file", { path: target })).toBe("refused");
    expect(await ends("run_command", { command: `cat ${NAME}/k` })).toBe("refused");
  });
});

describe("a second hard link to what is kept", () => {
  const FILES = { ".env": "KEY=secret\n", "kept/a.txt": "a\n", "plain.txt": "plain\n" };
  const CONFIG = { guardrails: { sensitive_files: [".env"], protected_files: ["kept/**"] } };

  test("cannot be made by a command", async () => {
    const it = await bench(FILES, { config: CONFIG, store: "memory", sandbox: "off" });
    for (const command of ["ln .env x", "ln kept/a.txt x", "cp -l kept/a.txt x", "ln -t . kept/a.txt", "ln kept/a.txt"])
      expect([command, (await it.call("run_command", { command })).metadata.by]).toEqual([command, "guardrails"]);
    expect((await it.call("run_command", { command: "ln plain.txt y && ln -s kept/a.txt z" })).status).toBe("done");
  });

  test("does not change it when a file tool writes by that name", async () => {
    const it = await bench(FILES, { config: CONFIG, store: "memory" });
    linkSync(path.join(it.dir, "kept/a.txt"), path.join(it.dir, "other.txt"));
    expect((await it.call("write_file", { path: "other.txt", content: "new\n" })).status).toBe("done");
    expect([it.text("kept/a.txt"), it.text("other.txt")]).toEqual(["a\n", "new\n"]);
  });

  test("is kept from commands like the first", needs("bubblewrap"), async () => {
    const it = await bench({ ...FILES, "deep/x.txt": "" }, { config: CONFIG, store: "memory" });
    linkSync(path.join(it.dir, ".env"), path.join(it.dir, "deep/secret.txt"));
    linkSync(path.join(it.dir, "kept/a.txt"), path.join(it.dir, "deep/changed.txt"));
    linkSync(path.join(it.dir, "plain.txt"), path.join(it.dir, "deep/plain.txt"));
    const line = "cat deep/*.txt; echo x >> deep/changed.txt; echo x >> deep/plain.txt; cat deep/plain.txt";
    const { output } = await it.call("run_command", { command: line });
    expect(output).not.toContain("secret\n");
    expect(output).toContain("plain\nx");
    expect([it.text("kept/a.txt"), it.text("plain.txt")]).toEqual(["a\n", "plain\nx\n"]);
  });
});
