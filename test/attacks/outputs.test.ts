import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench } from "../journeys/harness.ts";

const LONG = 'seq 1 5000 | sed "s/^/secret-of-this-session /"';

async function withOutput(sandbox: "auto" | "off") {
  const one = await bench({ "a.txt": "a\n" }, { sandbox });
  const result = await one.call("run_command", { command: LONG });
  expect(result.success).toBe(true);
  const kept = result.truncated?.path ?? "";
  expect(readFileSync(path.join(one.dir, kept), "utf8")).toContain("secret-of-this-session 5000");
  return { ...one, kept };
}

describe("what is kept of a session", () => {
  test("is read by the gate that made it, and by no child, however it is asked for", async () => {
    const { gate, call, dir, kept } = await withOutput("off");
    expect((await call("read_file", { path: kept, offset: 4999 })).output).toContain("secret-of-this-session");
    for (const child of [gate.child({ autonomy: "readonly" }), gate.child({ mode: "yolo" }), gate.child().child()])
      for (const [name, args] of [
        ["read_file", { path: kept }],
        ["read_file", { path: path.join(dir, kept) }],
        ["read_file", { path: `x/../${kept}` }],
        ["read_file", { path: ".toolgate/store.db" }],
        ["list_files", { path: path.dirname(kept) }],
        ["list_files", { path: ".toolgate/output" }],
        ["list_files", { path: ".toolgate" }],
        ["file_info", { path: kept }],
        ["grep", { pattern: "secret", path: path.dirname(kept) }],
        ["run_command", { command: `cat ${kept}` }],
        ["run_command", { command: `head -3 ${path.dirname(kept)}/*` }],
      ] as const) {
        const result = await child.call({ name, args });
        expect([name, args, result.success, result.output.includes("secret-of-this-session")]).toEqual([
          name,
          args,
          false,
          false,
        ]);
      }
  });

  test("is read by the child that made it itself", async () => {
    const { gate } = await withOutput("off");
    const child = gate.child();
    const made = await child.call({ name: "run_command", args: { command: LONG } });
    const read = await child.call({ name: "read_file", args: { path: made.truncated?.path, limit: 1 } });
    expect(read).toMatchObject({ success: true });
    expect(read.output).toContain("secret-of-this-session");
    const sibling = await gate.child().call({ name: "read_file", args: { path: made.truncated?.path } });
    expect(sibling).toMatchObject({ status: "refused", error: { code: "PERMISSION_DENIED" } });
  });

  test("is in a folder that no other session uses, however alike their names are", async () => {
    const folders = new Set<string>();
    const names = ["team.alpha", "team_alpha", "team alpha", "team/alpha", "../team_alpha"];
    for (const sessionID of names) {
      const { call, dir } = await bench({}, { sandbox: "off", sessionID });
      const { truncated } = await call("run_command", { command: LONG });
      expect(existsSync(path.join(dir, truncated?.path ?? ""))).toBe(true);
      folders.add(path.dirname(truncated?.path ?? ""));
    }
    expect([folders.size, folders.has(".toolgate/output/team_alpha")]).toEqual([names.length, true]);
  });

  test("is out of reach of commands in the sandbox, and so is the store", needs("bubblewrap"), async () => {
    const { call, dir, kept } = await withOutput("auto");
    expect(existsSync(path.join(dir, ".toolgate/store.db"))).toBe(true);
    for (const command of [
      `cat ${kept}`,
      "cat .toolgate/store.db*",
      "grep -r secret-of-this-session .toolgate",
      "ls -A .toolgate",
      'node -e \'console.log(require("fs").readdirSync(".toolgate").join())\'',
      "cp -r .toolgate copied && ls -A copied",
      `tar cf - .toolgate | tar tf - | grep -v '^.toolgate/$'`,
      "ln -s .toolgate/output link && ls -A link/",
      "echo x > .toolgate/x; cat .toolgate/x",
    ]) {
      const { output } = await call("run_command", { command });
      expect([command, /secret-of-this-session \d|store\.db-|command-|SQLite|^x$/m.test(output)]).toEqual([
        command,
        false,
      ]);
    }
  });

  test("is in reach of a command without one: the same lines find it", async () => {
    const { call, kept } = await withOutput("off");
    expect((await call("run_command", { command: `cat ${kept}` })).output).toContain("secret-of-this-session");
    expect((await call("run_command", { command: "ls -A .toolgate" })).output).toContain("store.db");
  });

  test("what people put there for commands and agents can be read", needs("bubblewrap"), async () => {
    const one = await bench({ ".toolgate/skills/s/run.sh": "echo ran\n", ".toolgate/agents/a.md": "agent\n" });
    const said = await one.call("run_command", {
      command: "cat .toolgate/skills/s/run.sh .toolgate/agents/a.md",
    });
    expect(said.output).toMatch(/echo ran\nagent/);
  });
});
