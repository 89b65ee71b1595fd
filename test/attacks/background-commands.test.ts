import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Approver } from "../../src/core/contracts/approval.ts";
import { describe as shownTo } from "../../src/core/words/question.ts";
import { bench, folder } from "../journeys/harness.ts";

/** A gate with a command in the background, and a way to give it input. */
async function feeding(command: string, more: object = {}) {
  const questions: string[] = [];
  const approve: Approver = (question) => {
    questions.push(shownTo(question));
    return "deny";
  };
  const dir = folder({ "sub/a.txt": "a\n", ".git/HEAD": "ref: refs/heads/main\n" });
  const { call, gate } = await bench({}, { dir, approve, sandbox: "off" });
  const { metadata } = await call("run_command", { command, background: true, ...more });
  const input = (text: string) => call("process", { action: "input", id: metadata.id, text });
  return { call, gate, dir, id: metadata.id, input, questions };
}

describe("input for a command in the background", () => {
  test.each([
    ["bash", "sudo ls\n"],
    ["cd sub && exec bash # a shell", "sudo ls\n"],
    ["sh -s &", "sudo ls\n"],
    ["python3 -i", "import os; os.system('sudo ls')\n"],
    ['while read -r line; do eval "$line"; done', "sudo ls\n"],
  ])("is judged as the command would run it: %s", async (command, text) => {
    const { input } = await feeding(command);
    expect(await input(text)).toMatchObject({
      status: "refused",
      error: { message: expect.stringContaining("blocked in every mode") },
    });
  });

  test("is judged with what came before", async () => {
    const { input } = await feeding("bash");
    expect((await input("tool=su")).status).toBe("done");
    expect((await input("do\n")).status).toBe("done");
    expect((await input("$tool ls\n")).status).toBe("refused");
  });

  test("is judged where the command runs, with its variables", async () => {
    const { input, questions } = await feeding("bash", { cwd: ".git", env: { place: "config" } });
    expect((await input('echo x > "$place"\n')).status).toBe("refused");
    expect(questions[0]).toContain("it would write .git/config");
    expect(questions[0]).toContain("<<< 'echo x > \"$place\"'");
  });

  test.each([
    ["bash", "echo x > sub/a.txt\n", "none"],
    ["cat", "sudo ls\n", "full"],
    ["python3 -i", "print('sudo ls')\n", "none"],
    ["cat > sub/a.txt", "y\n", "none"],
  ])("passes if it is harmless, and what can be undone is told: %s", async (command, text, undo) => {
    const { input } = await feeding(command);
    const { status, metadata } = await input(text);
    expect([status, metadata.undo]).toEqual(["done", undo]);
  });
});

test("a child knows nothing of the commands of its parent and of its siblings", async () => {
  const { call, gate, dir, id } = await feeding("bash");
  const [child, sibling] = [gate.child(), gate.child()];
  const below = (args: object, by = child) => by.call({ name: "process", args });
  expect((await below({ action: "list" })).output).toBe("No command is running in the background.");
  for (const action of ["output", "input", "kill"])
    expect(await below({ action, id, text: "touch made\n" })).toMatchObject({ error: { code: "NOT_FOUND" } });
  expect(existsSync(path.join(dir, "made"))).toBe(false);
  const started = await child.call({ name: "run_command", args: { command: "sleep 50", background: true } });
  const own = { action: "output", id: started.metadata.id };
  expect((await below(own, sibling)).error?.code).toBe("NOT_FOUND");
  expect((await below(own)).status).toBe("done");
  expect((await call("process", { ...own, action: "kill" })).status).toBe("done");
});
